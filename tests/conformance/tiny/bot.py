"""Built-in players of Tiny."""

from __future__ import annotations

from dataclasses import dataclass

from game.choices import expand
from game.contract import Action, Bot, Pending
from game.rng import Rng
from tests.conformance.tiny.view import View


@dataclass(frozen=True, slots=True)
class Steady:
    """Takes the first or the last of what is offered, at times anything."""

    last: bool
    wild: int  # out of 10 answers, this many are drawn at random

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        offered = tuple(expand(pending.choice))
        roll, rng = rng.below(10)
        if roll < self.wild:
            return rng.choose(offered)[0]
        return offered[-1 if self.last else 0]


BOTS: dict[str, Bot[View]] = {"easy": Steady(False, 5), "normal": Steady(True, 8), "hard": Steady(True, 4)}
