"""Play-outs: shortcuts change nothing, and matches of the policy against itself repeat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game.passage.bots.playout import advance, is_over, player
from game.passage.bots.policy import PLAIN, PLAINLY, Styles
from game.passage.bots.shortcut import go_on
from game.passage.bots.toss import Toss
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.table import Table
from game.rng import Rng
from game.training.passage.selfplay import play
from tests.passage.build import VARIANTS

BOLD = replace(PLAIN, worth={**PLAIN.worth, Card.SLIP: 1.8}, again=0.5, afraid=(0.7, 1.01), skips=1, after=0.5)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("styles", [PLAINLY, (BOLD, PLAIN)], ids=["plain", "bold"])
def test_a_shortcut_does_what_the_policy_and_the_rules_do(variant: dict[str, Any], styles: Styles) -> None:
    taken = 0
    for seed in range(6):
        start = GAME.setup(variant, 2 + seed % 4, bytes([seed]) * 32).state
        short, long = Table(start), Table(start)
        short.silent = long.silent = True
        toss, same = Toss(seed), Toss(seed)
        while not is_over(long):
            if go_on(short, styles):
                taken += 1
            else:
                advance(short, [player(styles, toss)] * len(start.hands))
            advance(long, [player(styles, same)] * len(start.hands))
            assert short.freeze() == long.freeze()
    assert taken > 50


def test_matches_of_the_policy_repeat() -> None:
    styles = [PLAINLY, (BOLD, BOLD), PLAINLY]
    winners = [play(styles, Rng(bytes([seed]) * 32)) for seed in range(12)]
    assert winners == [play(styles, Rng(bytes([seed]) * 32)) for seed in range(12)]
    assert len(set(winners)) > 1
