"""How the cards of a hand lie tells how long each was held: nobody else may see it, in views or in events.

Every hand of random play is laid out anew, the same thing happens, and everybody else has to see the same as before.
RaiNet's cards lie on the board, and Relati has nothing hidden: neither has a hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from game.contract import Event, Game, Seat, Viewer
from game.netrunner.decks import SIDES_OF
from game.netrunner.state import Frame as NetrunnerFrame
from game.netrunner.state import State as NetrunnerState
from game.passage.state import Alms, Frame, Swap
from game.passage.state import State as PassageState
from game.replay import advance
from game.rng import Rng
from tests.conformance.play import ONLY, Case, Moment, drawn_of, moments, viewers
from tests.conformance.test_views import visible

CASES = [
    *(Case("passage", n) for n in (2, 3, 4, 5)),
    Case("passage", 3, {"rebirth": True, "passage_returns": True}),
    *(Case("netrunner", 2, {}, ({"deck": corp}, {"deck": runner})) for corp, runner in zip(*SIDES_OF, strict=False)),
    Case("netrunner", 2, {"open_hands": True}),
]
FEW, MANY = 1, 12  # matches of a case, the latter under `make soak`
SOME = 24  # entries looked at of each of the few


def passage_hand(state: PassageState, seat: Seat, rng: Rng) -> PassageState | None:
    """Return the state with a hand laid out in another order; None where it lies face down in one nobody knows."""
    hand = state.hands[seat]
    if seat in state.blind or len(set(hand)) < 2:
        return None
    order, _ = rng.shuffle(range(len(hand)))
    now_at = {old: new for new, old in enumerate(order)}

    def follow(frame: Frame) -> Frame:
        match frame:
            case Swap(actor, target, (mine, theirs)):
                moved = [
                    picked and tuple(now_at[at] for at in picked) if who == seat else picked
                    for who, picked in ((actor, mine), (target, theirs))
                ]
                return Swap(actor, target, (moved[0], moved[1]))
            case Alms(actor, waiting, answers):
                given = tuple((who, now_at.get(at, at) if who == seat else at) for who, at in answers)
                return Alms(actor, waiting, given)
        return frame

    laid = tuple(tuple(hand[old] for old in order) if one == seat else cards for one, cards in enumerate(state.hands))
    return replace(state, hands=laid, stack=tuple(map(follow, state.stack)))


def has(frame: NetrunnerFrame, name: str) -> bool:
    """Tell whether a frame has a variable of this name."""
    return name in dict(frame.data)


def netrunner_hand(state: NetrunnerState, seat: Seat, rng: Rng) -> NetrunnerState | None:
    """Return the state with a hand laid out in another order; None where something half resolved names its places."""
    zone = ("hq", "grip")[seat]
    live = [frame for frame in state.frames if not (frame.op in ("play", "install-runner") and has(frame, "code"))]
    named = any(has(frame, "index") or has(frame, "item") or has(frame, "done") for frame in live)
    hand: tuple[str, ...] = getattr(state, zone)
    if named or len(set(hand)) < 2 or (state.run is not None and state.run.accessed):
        return None
    order, _ = rng.shuffle(range(len(hand)))
    marks = {name: [*found, *[0] * (len(hand) - len(found))] for name, found in state.known}
    laid: dict[str, Any] = {zone: tuple(hand[old] for old in order)}
    if zone in marks:
        moved = [marks[zone][old] for old in order]
        while moved and not moved[-1]:
            moved.pop()
        laid["known"] = tuple((name, tuple(moved) if name == zone else found) for name, found in state.known)
    return replace(state, **laid)


LAID_OUT: Mapping[str, Callable[[Any, Seat, Rng], Any]] = {"passage": passage_hand, "netrunner": netrunner_hand}


def seen(game: Game[Any, Any], moment: Moment, viewer: Viewer) -> list[object]:
    """Return all that a viewer sees of a position and of what led to it."""
    told = [(event.kind, event.seen_by(viewer)) for event in moment.events]
    return [*visible(game, moment.fold.state, viewer), json.dumps(told, sort_keys=True)]


def look(case: Case, number: int, most: int | None) -> int:
    """Lay the hands of a random match out anew before its entries, at most so many; return how often."""
    game, tried = case.game, 0
    log = [*moments(case, drawn_of(f"{case} {number}"), disturbed=True)]
    steps = [
        (before, after)
        for before, after in pairwise(log)
        if after.fold.state.rng == before.fold.state.rng  # else a card at random is another one
    ]
    rng = Rng(drawn_of(f"hands {case} {number}"))
    for before, after in steps if most is None else told_most(steps, most):
        assert after.entry is not None
        for seat in map(Seat, range(case.n_seats)):
            stream, rng = rng.split()
            laid = LAID_OUT[case.key](before.fold.state, seat, stream)
            if laid is None:
                continue
            fold, events = advance(game, replace(before.fold, state=laid), after.entry)
            for viewer in set(viewers(case)) - {seat}:
                assert [*visible(game, laid, viewer)] == [*visible(game, before.fold.state, viewer)]
                now = seen(game, Moment(fold, after.entry, events), viewer)
                assert now == seen(game, after, viewer), f"{viewer} after {after.entry} of match {number}"
            tried += 1
    return tried


def told_most(steps: list[tuple[Moment, Moment]], most: int) -> list[tuple[Moment, Moment]]:
    """Return at most so many steps: first those that tell of many cards at once, then one of each kind of event."""

    def cards(step: tuple[Moment, Moment]) -> int:
        return max((len(told(event, "cards")) for event in step[1].events), default=0)

    def kinds(step: tuple[Moment, Moment]) -> set[str]:
        return {event.kind for event in step[1].events}

    chosen = sorted((step for step in steps if cards(step) > 1), key=cards, reverse=True)[: most // 2]
    seen_kinds: set[str] = set()
    for step in steps:
        if len(chosen) < most and kinds(step) - seen_kinds and step not in chosen:
            chosen.append(step)
            seen_kinds |= kinds(step)
    return chosen


def told(event: Event, name: str) -> tuple[object, ...]:
    """Return a list that an event tells anybody, () where it tells none of this name."""
    for said in (event.public, *(event.private or {}).values()):
        if said is not None and isinstance(found := said.get(name), list):
            return tuple(found)
    return ()


LOOKED_AT = [case for case in CASES if not ONLY or case.key in ONLY]


@pytest.mark.parametrize("case", LOOKED_AT, ids=str)
def test_discards_told_how_long_each_card_had_been_held(case: Case) -> None:
    """Passage's "discarded" and "out" listed the cards as they had lain in the hand."""
    assert sum(look(case, number, SOME) for number in range(FEW)) > 10


@pytest.mark.soak
@pytest.mark.parametrize("case", LOOKED_AT, ids=str)
def test_many_matches_tell_nobody_how_hands_lie(case: Case) -> None:
    assert sum(look(case, number, None) for number in range(FEW, MANY)) > 100
