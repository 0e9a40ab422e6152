"""Every game's built-in players: always legal, and the same inputs give the same answer."""

from __future__ import annotations

import pytest

from game.choices import contains
from game.contract import MASTER, Budgeted
from game.rng import Rng
from tests.conformance.play import Case, bots_of, drawn_of, game_of, keys, played, sampled

DECISIONS = {"easy": 12, "normal": 6, "hard": 2, "master": 2}
POSITIONS = 600  # of a decision of a bot whose budget can be set
CASES = [(Case(key, n), level) for key in keys() for n in game_of(key).seats for level in game_of(key).spec.levels]


@pytest.mark.parametrize("key", keys())
def test_a_game_names_the_levels_that_it_has(key: str) -> None:
    assert game_of(key).spec.levels == tuple(bots_of(key))
    assert all(isinstance(bot, Budgeted) for level, bot in bots_of(key).items() if level == MASTER)


@pytest.mark.parametrize(("case", "level"), CASES, ids=str)
def test_bots_answer_with_what_is_offered_and_the_same_each_time(case: Case, level: str) -> None:
    game, bot = case.game, bots_of(case.key)[level]
    bot = bot.within(POSITIONS) if isinstance(bot, Budgeted) else bot
    rng = Rng(drawn_of(f"bots {case} {level}"))
    for moment in sampled(played(case)[:-1], DECISIONS[level]):
        pending = game.pending(moment.fold.state)[0]
        view = game.view(moment.fold.state, pending.seat)
        stream, rng = rng.split()
        answer = bot.decide(view, pending, stream)
        assert contains(pending.choice, answer)
        assert bot.decide(view, pending, stream) == answer
