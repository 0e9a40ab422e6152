"""Lines of "if … then …": what somebody will do where the others do what was named. Pure; nothing is stored here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from game.choices import contains, expand
from game.contract import Action, OneOf, Pending, Seat
from game.errors import GameError
from game.replay import Entry
from game.rng import SEED_BYTES, Rng
from server.matches.checkpoint import AnyGame
from server.matches.errors import NoCondition
from server.matches.model import ConditionalLine, ConditionalStep, texts_of
from server.store.columns import Json

MOST_LINES = 5
MOST_STEPS = 5  # of one line
WORLDS = 8  # made of a view, until a line fits one of them: what is hidden may end a match early
IGNORED = ("clock_credited",)  # kinds of entries that leave the lines as they are


Lines = tuple[ConditionalLine, ...]


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """How actions follow on each other: how many of others come before the seat's next one, and between two of its."""

    first: int
    later: int


def turn_order(playing: Sequence[Seat], deciding: Seat, seat: Seat) -> TurnOrder:
    """Return how many actions of others a seat waits for, where seats decide in their order.

    >>> turn_order([Seat(0), Seat(1), Seat(3)], deciding=Seat(3), seat=Seat(1))
    TurnOrder(first=2, later=2)
    """
    order = list(playing)
    return TurnOrder((order.index(seat) - order.index(deciding)) % len(order), len(order) - 1)


def order_after(game: AnyGame, view: Any, seat: Seat, action: str) -> TurnOrder | None:
    """Return how actions follow on a seat's own one, from what it knows before that: what comes of it tells nothing.

    None: the match ends with it, or the seat decides again.
    """
    for world in _worlds(game, view):
        state = _played(game, world, seat, action)
        asked = None if state is None else next(iter(game.pending(state)), None)
        if state is not None and asked is not None and asked.seat != seat and seat in game.playing(state):
            return turn_order(game.playing(state), asked.seat, seat)
    return None


def read_lines(game: AnyGame, given: Sequence[Sequence[str]], order: TurnOrder) -> Lines:
    """Return lines from their actions: what the others do and one's own, in the order in which they are played.

    Raises NoCondition for too many, for one that does not end with an own action, and for two that answer differently.
    """
    if len(given) > MOST_LINES:
        raise NoCondition("match.error.conditions-many", most=MOST_LINES)
    lines = tuple(_read_line(game, texts, order) for texts in given)
    answers: dict[tuple[str, ...], str] = {}
    for line in lines:
        path: tuple[str, ...] = ()
        for step in line:
            path += step.awaits
            if answers.setdefault(path, step.reply) != step.reply:
                raise NoCondition("match.error.conditions-differ", line=_shown(path))
            path += (step.reply,)
    return tuple(dict.fromkeys(lines))


def _read_line(game: AnyGame, texts: Sequence[str], order: TurnOrder) -> ConditionalLine:
    steps, rest, others = list[ConditionalStep](), list(texts), order.first
    while rest:
        awaits, reply, rest = rest[:others], rest[others : others + 1], rest[others + 1 :]
        if not reply:
            raise NoCondition("match.error.conditions-half", line=_shown(texts))
        steps.append(ConditionalStep(tuple(game.told(Action(text)).text for text in awaits), reply[0]))
        others = order.later
    if not 0 < len(steps) <= MOST_STEPS:
        raise NoCondition("match.error.conditions-long", most=MOST_STEPS)
    return tuple(steps)


def _shown(texts: Sequence[str]) -> str:
    return " ".join(texts)[:80]


def checking(game: AnyGame, view: Any, seat: Seat, lines: Lines, before: Sequence[str] = ()) -> Iterator[None]:
    """Play lines from what a seat knows, an action a step: its view is all that counts.

    `before`: what is played before each of them. Raises NoCondition for a line that can't be played. Between two steps
    others may go on.
    """
    for line in lines:
        texts = (*before, *texts_of(line))
        most = 0
        for world in _worlds(game, view):
            for played, _ in enumerate(_played_on(game, world, seat, texts), 1):
                most = max(most, played)
                yield
            if most == len(texts):
                break
        else:
            raise NoCondition("match.error.conditions-impossible", move=texts[most][:40])


def choice_after(game: AnyGame, view: Any, seat: Seat, texts: Sequence[str]) -> Pending | None:
    """Return what is decided after some actions, from what a seat knows, others' actions as they are told.

    None: they can't be played, or the match ends with them.
    """
    for world in _worlds(game, view):
        *_, state = states = [world, *_played_on(game, world, seat, texts)]
        asked = next(iter(game.pending(state)), None)
        if len(states) == 1 + len(texts) and asked is not None:
            actions = tuple(expand(asked.choice))
            told = actions if asked.seat == seat else tuple(dict.fromkeys(map(game.told, actions)))
            return replace(asked, choice=OneOf(told))
    return None


def _worlds(game: AnyGame, view: Any) -> Iterator[Any]:
    """Yield states that fit a view, each once: always the same ones, so that what comes of them tells only the view."""
    seen = list[Any]()
    for n in range(WORLDS):
        world = game.determinize(view, Rng(bytes([n]) * SEED_BYTES))
        if world not in seen:
            seen.append(world)
            yield world


def _played_on(game: AnyGame, state: Any, seat: Seat, texts: Sequence[str]) -> Iterator[Any]:
    """Yield the state after each action of some that are played one after another, up to the first that can't be."""
    for text in texts:
        state = _played(game, state, seat, text)
        if state is None:
            return
        yield state


def _played(game: AnyGame, state: Any, seat: Seat, text: str) -> Any | None:
    """Return the state after an action of whose turn it is, others' as they are told; None: it is not legal."""
    asked = next(iter(game.pending(state)), None)
    if asked is None:
        return None
    try:
        if asked.seat == seat:
            meant = Action(text) if contains(asked.choice, Action(text)) else None
        else:
            meant = next((one for one in expand(asked.choice) if game.told(one).text == text), None)
        return None if meant is None else game.apply(state, asked.seat, meant).state
    except GameError:
        return None


def follow(game: AnyGame, lines: Lines, seat: Seat, entry: Entry) -> Lines:
    """Return what is left of a seat's lines after an entry of the log; none where it was not what they say."""
    if entry.kind in IGNORED:
        return lines
    if not entry.is_decision or entry.seat is None:
        return ()
    return tuple(_followed(game, lines, seat, Action(entry.action or ""), entry.seat))


def _followed(game: AnyGame, lines: Lines, seat: Seat, action: Action, by: Seat) -> Iterator[ConditionalLine]:
    told = game.told(action).text
    for step, *rest in lines:
        if by != seat and step.awaits[:1] == (told,):
            yield (replace(step, awaits=step.awaits[1:]), *rest)
        elif by == seat and not step.awaits and step.reply == action.text and rest:
            yield tuple(rest)


def dump(lines: Lines) -> Json:
    """Return lines as JSON."""
    return [[{"if": list(step.awaits), "then": step.reply} for step in line] for line in lines]


def load(data: Json) -> Lines:
    """Return the lines that `dump` wrote."""
    stored = cast(Sequence[Sequence[Mapping[str, Any]]], data)
    return tuple(tuple(ConditionalStep(tuple(step["if"]), step["then"]) for step in line) for line in stored)
