"""Conditional logistic regression: the weights under which what came true was likeliest among the ways it could be.

Source: D. McFadden, "Conditional logit analysis of qualitative choice behavior", in Frontiers in Econometrics (1974).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from operator import mul

RIDGE = 1.0  # how strongly weights are drawn to 0: keeps those small that few samples tell of
ENOUGH = 1e-6  # a gain of the likelihood that is no longer worth a step
STEPS = 50

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Sample:
    """One question: each feature's value in every way it could be, and which way was true.

    `features[n][way]`; all samples of a fit have the same features in the same order.
    """

    features: tuple[tuple[float, ...], ...]
    true: int

    def chances(self, weights: Vector) -> list[float]:
        """Return the probability of each way: exp of the weighted sum of its features, made to sum to 1."""
        scores = [0.0] * len(self.features[0])
        for weight, values in zip(weights, self.features, strict=True):
            if weight:
                scores = [score + weight * value for score, value in zip(scores, values, strict=True)]
        most = max(scores)
        raised = [exp(score - most) for score in scores]
        total = sum(raised)
        return [one / total for one in raised]


def likelihood(samples: Sequence[Sample], weights: Vector) -> float:
    """Return the mean natural logarithm of the probability that the weights give to what was true."""
    return sum(log(max(one.chances(weights)[one.true], 1e-300)) for one in samples) / max(1, len(samples))


def fit(samples: Sequence[Sample], ridge: float = RIDGE) -> list[float]:
    """Return the likeliest weights, by Newton's method from 0 on; half a step where a whole one would lose.

    What is maximised is the sum of the log-likelihoods less `ridge` / 2 for the square of each weight. Raises
    ValueError without samples.
    """
    if not samples:
        raise ValueError("nothing to fit to")
    weights = [0.0] * len(samples[0].features)
    worth = _worth(samples, weights, ridge)
    for _ in range(STEPS):
        gradient, curvature = _slopes(samples, weights, ridge)
        step, gain = _solved(curvature, gradient), 0.0
        for _ in range(STEPS):
            tried = [weight + part for weight, part in zip(weights, step, strict=True)]
            gain = _worth(samples, tried, ridge) - worth
            if gain >= 0:
                weights, worth = tried, worth + gain
                break
            step = [part / 2 for part in step]
        if gain < ENOUGH:
            break
    return weights


def _worth(samples: Sequence[Sample], weights: Vector, ridge: float) -> float:
    return likelihood(samples, weights) * len(samples) - ridge / 2 * _dot(weights, weights)


def _slopes(samples: Sequence[Sample], weights: Vector, ridge: float) -> tuple[list[float], list[list[float]]]:
    """Return the first derivatives of the worth, and the second ones with their sign changed."""
    n = len(weights)
    gradient = [-ridge * weight for weight in weights]
    curvature = [[ridge * (row == column) for column in range(n)] for row in range(n)]
    for sample in samples:
        chances = sample.chances(weights)
        means = [_dot(chances, values) for values in sample.features]
        for row, values in enumerate(sample.features):
            gradient[row] += values[sample.true] - means[row]
            if not any(values):
                continue
            weighted = [*map(mul, chances, values)]
            for column in range(row + 1):
                part = _dot(weighted, sample.features[column]) - means[row] * means[column]
                curvature[row][column] += part
                if column < row:
                    curvature[column][row] += part
    return gradient, curvature


def _solved(matrix: Sequence[Vector], right: Vector) -> list[float]:
    """Return x with matrix x = right, for a symmetric positive definite matrix (Gaussian elimination)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for at, row in enumerate(rows):
        for below in rows[at + 1 :]:
            factor = below[at] / row[at]
            for column in range(at, n + 1):
                below[column] -= factor * row[column]
    found = [0.0] * n
    for at in reversed(range(n)):
        rest = _dot(rows[at][at + 1 : n], found[at + 1 :])
        found[at] = (rows[at][n] - rest) / rows[at][at]
    return found


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fit: the weights by name, over how many positions, and the mean log-likelihood of tables on those left out."""

    weights: dict[str, float]
    positions: int
    left_out: int
    likelihoods: dict[str, float]
