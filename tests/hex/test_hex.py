"""The rules of Hex and its built-in players."""

from __future__ import annotations

import doctest

import pytest

from game.choices import draw
from game.contract import Action, Seat
from game.errors import BadNotation, IllegalAction
from game.rng import Rng
from tests.hex import notation
from tests.hex.bot import BOTS, way
from tests.hex.rules import GAME
from tests.hex.state import State

RED, BLUE = Seat(0), Seat(1)


def at(position: str) -> State:
    return GAME.read_position(position, {})


def test_red_joins_top_and_bottom_and_blue_left_and_right() -> None:
    for position, cell, seat in (("1r1/1r1/3 r", "b3", RED), ("3/bb1/3 b", "c2", BLUE)):
        state = GAME.apply(at(position), seat, Action(cell)).state
        result = GAME.result(state)
        assert result is not None
        assert (result.placements[0], result.reason) == ((seat,), "joined")
        assert GAME.playing(state) == ()


def test_cells_touch_along_one_diagonal_only() -> None:
    assert GAME.result(at("2r/1r1/r2 b")) is not None
    assert GAME.result(at("r2/1r1/2r b")) is None


def test_a_cell_is_taken_once_and_only_by_whose_turn_it_is() -> None:
    for seat, cell in ((RED, "b2"), (BLUE, "a1")):
        with pytest.raises(IllegalAction):
            GAME.apply(at("3/1r1/3 r"), seat, Action(cell))
    with pytest.raises(BadNotation):
        GAME.apply(at("3/1r1/3 r"), RED, Action("d1"))


def test_time_and_leaving_lose() -> None:
    for end in (GAME.timeout(at("3/3/3 r"), RED), GAME.forfeit(at("3/3/3 b"), RED)):
        result = GAME.result(end.state)
        assert result is not None
        assert result.placements == ((BLUE,), (RED,))


def test_the_way_is_what_is_still_to_be_placed() -> None:
    assert (way(at("1r1/1r1/3 r"), 0), way(at("1r1/3/3 r"), 1)) == (1, 3)
    assert way(at("1r1/1r1/1r1 r"), 1) > 9, "there is none"


@pytest.mark.parametrize(("level", "least"), [("normal", 17), ("hard", 18)])
def test_built_in_players_beat_whoever_places_at_random(level: str, least: int) -> None:
    assert sum(wins(level, number) for number in range(20)) >= least


def wins(level: str, number: int) -> bool:
    """Play a match on five by five against random placing, in turn with either side."""
    side, rng = Seat(number % 2), Rng(bytes([number]) * 32)
    state = GAME.setup({"size": 5}, 2, bytes(32)).state
    while (result := GAME.result(state)) is None:
        [owed] = GAME.pending(state)
        own, rng = rng.split()
        bot = BOTS[level]
        said = bot.decide(GAME.view(state, owed.seat), owed, own) if owed.seat == side else draw(owed.choice, own)[0]
        state = GAME.apply(state, owed.seat, said).state
    return result.placements[0] == (side,)


def test_examples_in_docstrings_are_true() -> None:
    assert doctest.testmod(notation).failed == 0
