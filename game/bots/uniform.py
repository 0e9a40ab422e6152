"""A bot that plays at random: the baseline for measuring other bots."""

from __future__ import annotations

from game.choices import draw
from game.contract import Action, Pending, View
from game.rng import Rng


class Uniform:
    """Plays at random."""

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Draw one offered action."""
        return draw(pending.choice, rng)[0]
