"""Every game's built-in players: always legal, and the same inputs give the same answer."""

from __future__ import annotations

import pytest

from game.choices import contains
from game.registry import LEVELS
from game.rng import Rng
from tests.conformance.play import Case, bots_of, game_of, keys, played, sampled, seed_of

DECISIONS = {"easy": 12, "normal": 6, "hard": 2}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", [Case(key, n) for key in keys() for n in game_of(key).seats], ids=str)
def test_bots_answer_with_what_is_offered_and_the_same_each_time(case: Case, level: str) -> None:
    game, bot = game_of(case.key), bots_of(case.key)[level]
    rng = Rng(seed_of(f"bots {case} {level}"))
    for moment in sampled(played(case)[:-1], DECISIONS[level]):
        pending = game.pending(moment.fold.state)[0]
        view = game.view(moment.fold.state, pending.seat)
        stream, rng = rng.split()
        answer = bot.decide(view, pending, stream)
        assert contains(pending.choice, answer)
        assert bot.decide(view, pending, stream) == answer
