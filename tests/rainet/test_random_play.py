"""Whole matches of random play, looked at from several sides at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.choices import draw
from game.contract import Action, Json, Seat
from game.rainet.position import OPENING
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rng import Rng
from tests.rainet import slow
from tests.rainet.table import at, legal, position

OPTIONS: list[dict[str, Json]] = [
    {},
    {"boost_into_server": True},
    {"own_exit": True},
    {"boost_into_server": True, "own_exit": True},
    {"firewall_anywhere": True},
]


def states(n: int, plies: int, **options: Json) -> Iterator[State]:
    """Yield the first states of one match of random play from the opening."""
    rng, state = Rng(n.to_bytes(32, "big")), at(OPENING, **options)
    for _ in range(plies):
        yield state
        owed = GAME.pending(state)
        if not owed:
            return
        action, rng = draw(owed[0].choice, rng)
        state = GAME.apply(state, owed[0].seat, action).state


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_slow_generator_agrees_at_every_third_state(options: dict[str, Json]) -> None:
    for n in range(6):
        for ply, state in enumerate(states(n, 150, **options)):
            if ply % 3 == 0 and state.result is None:
                table = slow.read(position(state), *options)
                assert sorted(legal(state)) == sorted(slow.actions(table)), (n, ply, position(state))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_written_position_offers_the_same_and_is_written_the_same(options: dict[str, Json]) -> None:
    for n in range(6, 10):
        for ply, state in enumerate(states(n, 200, **options)):
            again = at(position(state), **options)
            assert position(again) == position(state), (n, ply)
            if state.result is None:
                assert GAME.pending(again) == GAME.pending(state), (n, ply)


def test_no_action_outside_the_offered_ones_is_accepted() -> None:
    """Every action that any state of a match offered is tried in every tenth state."""
    match = list(states(11, 200))
    known = {text for state in match if state.result is None for text in legal(state)}
    for state in match[::10]:
        if state.result is None:
            refused = {text for text in known if not is_accepted(state, text)}
            assert known - refused == known & legal(state)


def is_accepted(state: State, text: str) -> bool:
    try:
        GAME.apply(state, Seat(state.turn), Action(text))
    except ValueError:
        return False
    return True
