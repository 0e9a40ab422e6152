"""Reading, checking, listing and drawing from the choices a game offers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from game.contract import Action, Choice, Json, Number, OneOf, Subset
from game.errors import BadNotation
from game.rng import Rng

TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def tokens(text: str) -> list[str]:
    """Split at single spaces outside double quotes; quotes stay part of their token.

    Raises BadNotation for what is not plain tokens joined by one space.

    >>> tokens('rez ice:hq:"Ice Wall" now')
    ['rez', 'ice:hq:"Ice Wall"', 'now']
    """
    found = TOKEN.findall(text)
    if not found or " ".join(found) != text:
        raise BadNotation("action.unreadable", text[:80])
    return list(found)


def contains(choice: Choice, action: Action) -> bool:
    """Tell whether this is one of the offered actions. Raises BadNotation where the text can't be read."""
    match choice:
        case OneOf(actions):
            return action in actions
        case Number(verb, low, high):
            said, *args = tokens(action.text)
            readable = said == verb and len(args) == 1 and NUMBER.fullmatch(args[0]) is not None
            return readable and low <= int(args[0]) <= high
        case Subset(verb, items, low, high):
            said, *args = tokens(action.text)
            return said == verb and low <= len(args) <= high and not Counter(args) - Counter(items)


def in_order(choice: Choice, action: Action) -> Action:
    """Return an action that is offered with what it picks of a subset sorted, so that its order tells nothing.

    Raises BadNotation where the text can't be read; whether it is offered is not checked.

    >>> in_order(Subset("discard", ("b", "a", "c"), 2, 2), Action("discard c a")).text
    'discard a c'
    """
    if not isinstance(choice, Subset):
        return action
    verb, *picked = tokens(action.text)
    if verb != choice.verb:
        return action
    return Action(" ".join((verb, *sorted(picked, key=lambda item: (len(item), item)))))


def expand(choice: Choice) -> Iterator[Action]:
    """List every different action a choice offers, in a stable order (a subset: in the order of its items)."""
    match choice:
        case OneOf(actions):
            yield from actions
        case Number(verb, low, high):
            for n in range(low, high + 1):
                yield Action(f"{verb} {n}")
        case Subset(verb, items, low, high):
            seen: set[tuple[str, ...]] = set()
            for k in range(low, high + 1):
                for picked in combinations(items, k):
                    if (key := tuple(sorted(picked))) not in seen:
                        seen.add(key)
                        yield Action(" ".join((verb, *picked)))


def draw(choice: Choice, rng: Rng) -> tuple[Action, Rng]:
    """Draw one offered action at random (subsets: uniform size, then uniform items)."""
    match choice:
        case OneOf(actions):
            return rng.choose(actions)
        case Number(verb, low, high):
            n, rng = rng.below(high - low + 1)
            return Action(f"{verb} {low + n}"), rng
        case Subset(verb, items, low, high):
            extra, rng = rng.below(high - low + 1)
            picked, rng = rng.sample(items, low + extra)
            return Action(" ".join((verb, *picked))), rng


def choice_json(choice: Choice) -> dict[str, Json]:
    """Return the wire form: one_of, subset or number."""
    match choice:
        case OneOf(actions):
            return {"one_of": [a.text for a in actions]}
        case Number(verb, low, high):
            return {"number": {"verb": verb, "low": low, "high": high}}
        case Subset(verb, items, low, high):
            return {"subset": {"verb": verb, "items": list(items), "min": low, "max": high}}
