"""Random matches of all decks against each other: each comes to an end, and none takes for ever."""

from __future__ import annotations

import hashlib

import pytest

from game import choices
from game.netrunner.decks import OTHER_PAIRINGS
from game.netrunner.rules import GAME
from game.rng import Rng
from tests.seeds import drawn

ALL = OTHER_PAIRINGS["all"]
MOST = 3_000  # decisions of a match
MANY, FEW = 4_000, 4
STRIDE = 37  # so that a few matches are of different decks on either side; it goes through all pairings


def play_at_random(number: int, seed: int) -> int:
    """Play match `number` out at random; return how many decisions it took, at most one more than it may."""
    decks, rng = ALL[number * STRIDE % len(ALL)], Rng(hashlib.sha256(f"random play {seed} {number}".encode()).digest())
    state = GAME.setup({}, 2, rng.seed, decks).state
    for decisions in range(MOST + 1):
        owed = GAME.pending(state)
        if GAME.result(state) is not None:
            assert owed == ()
            return decisions
        assert owed, (number, decks, "nobody is asked")
        asked, rng = rng.choose(owed)
        action, rng = choices.draw(asked.choice, rng)
        state = GAME.apply(state, asked.seat, action).state
    return MOST + 1


def test_a_few_matches_go_through_different_decks() -> None:
    assert len({number * STRIDE % len(ALL) for number in range(len(ALL))}) == len(ALL) == 90
    some = [ALL[number * STRIDE % len(ALL)] for number in range(FEW)]
    assert [len({str(pair[seat]) for pair in some}) for seat in (0, 1)] >= [3, 3]


def test_some_random_matches_end() -> None:
    seed = drawn()
    assert all(play_at_random(number, seed) <= MOST for number in range(FEW))


@pytest.mark.soak
def test_thousands_of_random_matches_of_all_decks_end() -> None:
    seed = drawn()
    longest = max((play_at_random(number, seed), number) for number in range(FEW, FEW + MANY))
    assert longest[0] <= MOST, f"match {longest[1]}"
