"""Actions as text: what can be read at all, and why a readable one is not allowed now (Passage §5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from game.choices import contains, tokens
from game.contract import Action, Pending
from game.errors import BadNotation, IllegalAction
from game.passage.cards import REAL, UNPLAYABLE, Card
from game.passage.decisions import AUTO
from game.passage.state import State

NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,3}")
CARDS: Final = frozenset(card.value for card in REAL)
# Verb -> what may follow it: "c" a card, "n" a number, "x" either (a number names a face-down card).
SHAPES: Final[dict[str, tuple[str, ...]]] = {
    "play": ("c", "cn"),
    "end": ("",),
    "judge": ("",),
    "pass": ("",),
    "refuse": ("",),
    "stop": ("",),
    "put": ("n",),
    "pick": ("n",),
    "take": ("n",),
    "give": ("x",),
    "trade": ("xx",),
}


def parse(text: str) -> list[str]:
    """Return an action's words. Raises BadNotation for an unknown verb or card, or too many or too few words."""
    verb, *args = tokens(text)
    if verb == "auto":
        readable = len(args) == 1 and args[0] in AUTO
    elif verb == "discard":
        readable = len(args) > 0 and all(fits("x", arg) for arg in args)
    else:
        shapes = SHAPES.get(verb, ())
        readable = any(len(shape) == len(args) and all(map(fits, shape, args)) for shape in shapes)
    if not readable:
        raise BadNotation("passage.error.unreadable", text[:80])
    return [verb, *args]


def fits(kind: str, word: str) -> bool:
    """Tell whether a word is a card ("c"), a number ("n") or either ("x")."""
    is_number = NUMBER.fullmatch(word) is not None
    return (kind != "c" and is_number) or (kind != "n" and word in CARDS)


def check(state: State, owed: Iterable[Pending], seat: int, action: Action) -> Pending:
    """Return the decision that this action answers. Raises IllegalAction with the reason when it answers none."""
    mine = next((one for one in owed if one.seat == seat), None)
    if mine is None:
        raise IllegalAction("passage.error.not-awaited", f"seat {seat}")
    if not contains(mine.choice, action):
        raise IllegalAction(reason(state, mine, seat, parse(action.text)), action.text[:80])
    return mine


def reason(state: State, owed: Pending, seat: int, words: list[str]) -> str:
    """Return the error key for an action that is not offered."""
    verb, *args = words
    if verb not in verbs(owed):
        return "passage.error.not-now"
    cards = [word for word in args if word in CARDS]
    if cards and seat in state.blind:
        return "passage.error.face-down"
    if any(cards.count(card) > state.hands[seat].count(Card(card)) for card in cards):
        return "passage.error.not-in-hand"
    if verb == "play" and cards and state.switches.acts_as(Card(cards[0])) in UNPLAYABLE:
        return "passage.error.not-playable"
    if verb == "play":
        return "passage.error.bad-target"
    return "passage.error.wrong-count" if verb in ("discard", "trade") else "passage.error.out-of-range"


def verbs(owed: Pending) -> set[str]:
    """Return the verbs a decision takes."""
    choice = owed.choice
    if hasattr(choice, "verb"):
        return {choice.verb}
    return {action.text.split()[0] for action in choice.actions}
