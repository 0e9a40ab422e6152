"""Every game, many matches: each ends, ranks everybody, and is the same when its log is folded again.

Where seats bring decks, the matches go through every pairing of the ready ones in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from game.contract import Json
from game.replay import fold_all
from tests.conformance.play import Case, drawn_of, game_of, header_of, keys, moments
from tests.conformance.test_endings import assert_ranks_everybody

MANY = 2_000  # matches a number of players, under `make soak`
FEW = 40
STRIDE = 7  # so that a few matches are of different pairings
COUNTS = [Case(key, n) for key in keys() for n in game_of(key).seats]


def pairings(base: Case) -> list[Case]:
    """Return the case with every combination of what its seats may bring; with nothing to bring, the case itself."""
    options = [option for option in base.game.options() if option.seat_values]
    brought: list[tuple[Mapping[str, Json], ...]] = [
        tuple({options[0].name: value} for value in values)
        for values in product(*(option.values_of(seat) for option in options[:1] for seat in range(base.n_seats)))
    ]
    return [Case(base.key, base.n_seats, {}, one) for one in brought]


def play_many(base: Case, first: int, last: int) -> None:
    """Play matches number `first` to `last` at random, every fourth with settings, timeouts and resignations."""
    game, cases = base.game, pairings(base)
    for number in range(first, last):
        case = cases[number // 4 * STRIDE % len(cases)]
        seed = drawn_of(f"volume {case} {number}")
        log = list(moments(case, seed, disturbed=number % 4 == 3))
        end = log[-1].fold
        assert end.result is not None
        assert_ranks_everybody(end.result, case.n_seats)
        assert fold_all(game, header_of(case, seed), [m.entry for m in log if m.entry]) == end, seed.hex()
        assert game.load(game.dump(end.state)) == end.state


@pytest.mark.parametrize("case", COUNTS, ids=str)
def test_some_random_matches_are_sound(case: Case) -> None:
    play_many(case, 0, FEW)


@pytest.mark.soak
@pytest.mark.parametrize("case", COUNTS, ids=str)
def test_thousands_of_random_matches_are_sound(case: Case) -> None:
    play_many(case, FEW, MANY)
