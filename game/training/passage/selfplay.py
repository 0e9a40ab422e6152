"""Matches of the policy against itself, played on a table without events, for fits: thousands a minute."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from game.passage.bots.playout import advance, is_over, player
from game.passage.bots.policy import Styles
from game.passage.bots.shortcut import go_on
from game.passage.bots.toss import Toss
from game.passage.rules import GAME
from game.passage.table import Table
from game.rng import Rng

Watch = Callable[[Table], None]


def play(styles: Sequence[Styles], rng: Rng, watch: Watch | None = None) -> int:
    """Play a match with a pair of styles a seat and return the winner; `watch` is called before each decision."""
    seed, rng = rng.split()
    chance, _ = rng.below(1 << 62)
    t = Table(GAME.setup({}, len(styles), seed.seed).state)
    t.silent = True
    toss = Toss(chance)
    policies = [player(style, toss) for style in styles]
    while not is_over(t):
        if watch:
            watch(t)
        if not go_on(t, styles[t.turn]):
            advance(t, policies)
    return t.living()[0]
