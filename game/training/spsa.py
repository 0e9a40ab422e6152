"""Tuning a bot's weights by self-play: simultaneous perturbation (SPSA), the same result for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from game.contract import Bot
from game.duel import Duel, Share, play_one, share_of
from game.rng import Rng

Weights = Mapping[str, float]
Made = Callable[[Weights], Bot[Any]]  # a bot with other weights

STEP, STEP_FALLS, STEP_DELAY = 0.6, 0.602, 10  # of the gain of each round: STEP / (round + STEP_DELAY) ** STEP_FALLS
SPREAD, SPREAD_FALLS = 0.2, 0.101  # of the relative change of a weight in a round: SPREAD / round ** SPREAD_FALLS
LEAST = 1.0  # a weight smaller than this changes as if it were this


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the weights after it, and the share of the wins (0 to 1) of its first table against its second."""

    number: int
    share: float
    weights: Weights


def tune(duel: Duel, start: Weights, made: Made, rounds: int) -> Iterator[Round]:
    """Yield the weights after each round of self-play.

    A round draws for each weight whether it goes up or down. It plays `duel.matches` matches of the table so changed
    against the one changed the other way, and moves all weights towards the one that won more. `duel` gives the game,
    its options and the seed; its bots are not used.

    Source: J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE
    Transactions on Aerospace and Electronic Systems 34 (1998).
    """
    weights = dict(start)
    stream = Rng(hashlib.sha256(f"tune {duel.game} {duel.seed}".encode()).digest())
    for number in range(1, rounds + 1):
        signs: dict[str, int] = {}
        for name in weights:
            drawn, stream = stream.below(2)
            signs[name] = 2 * drawn - 1
        spread = SPREAD / number**SPREAD_FALLS
        moved = {name: spread * max(abs(start[name]), LEAST) * signs[name] for name in weights}
        raised = made({name: weights[name] + moved[name] for name in weights})
        lowered = made({name: weights[name] - moved[name] for name in weights})
        share = against(duel, raised, lowered, number * duel.matches).share
        gain = STEP / (number + STEP_DELAY) ** STEP_FALLS * (2 * share - 1) / SPREAD
        weights = {name: weights[name] + gain * moved[name] for name in weights}
        yield Round(number, share, weights)


def against(duel: Duel, one: Bot[Any], other: Bot[Any], first: int = 0) -> Share:
    """Return the share of one bot against another over the matches of a duel, each deal in both seatings.

    `first` is the number of the first match: other numbers are other deals.
    """
    numbers = range(first - first % 2, first - first % 2 + duel.matches)
    return share_of([play_one(duel, number, (one, other)).shares[0] for number in numbers])
