"""Conditional logistic regression: the weights of features, fitted to which of several alternatives came true.

Source: D. McFadden, "Conditional logit analysis of qualitative choice behavior", in Frontiers in Econometrics (1974).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from operator import mul

RIDGE = 1.0  # L2 regularization: keeps weights small whose features few samples have
TOLERANCE = 1e-6  # the fit ends when a step raises the log-likelihood by less
MOST_STEPS = 50  # of Newton's method, and halvings of one step

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Sample:
    """One observation: the features of each alternative, and the index of the one that came true.

    `features[n][alternative]`; all samples of a fit have the same features in the same order.
    """

    features: tuple[tuple[float, ...], ...]
    true: int

    def chances(self, weights: Vector) -> list[float]:
        """Return the probability of each alternative: the softmax of the weighted sums of features."""
        scores = [0.0] * len(self.features[0])
        for weight, values in zip(weights, self.features, strict=True):
            if weight:
                scores = [score + weight * value for score, value in zip(scores, values, strict=True)]
        most = max(scores)  # taken off first, so that exp does not overflow
        powers = [exp(score - most) for score in scores]
        total = sum(powers)
        return [power / total for power in powers]


def likelihood(samples: Sequence[Sample], weights: Vector) -> float:
    """Return the mean log-likelihood: of the natural logarithm of the probability given to what came true."""
    return sum(log(max(one.chances(weights)[one.true], 1e-300)) for one in samples) / max(1, len(samples))


def fit(samples: Sequence[Sample], ridge: float = RIDGE) -> list[float]:
    """Return the likeliest weights, by Newton's method from 0; a step is halved until it does not lower the objective.

    The objective is the sum of the log-likelihoods, less `ridge` / 2 times the square of each weight. Raises ValueError
    without samples.
    """
    if not samples:
        raise ValueError("nothing to fit to")
    weights = [0.0] * len(samples[0].features)
    value = _objective(samples, weights, ridge)
    for _ in range(MOST_STEPS):
        gradient, curvature = _derivatives(samples, weights, ridge)
        step, gain = _solve(curvature, gradient), 0.0
        for _ in range(MOST_STEPS):
            tried = [weight + part for weight, part in zip(weights, step, strict=True)]
            gain = _objective(samples, tried, ridge) - value
            if gain >= 0:
                weights, value = tried, value + gain
                break
            step = [part / 2 for part in step]
        if gain < TOLERANCE:
            break
    return weights


def _objective(samples: Sequence[Sample], weights: Vector, ridge: float) -> float:
    return likelihood(samples, weights) * len(samples) - ridge / 2 * _dot(weights, weights)


def _derivatives(samples: Sequence[Sample], weights: Vector, ridge: float) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the objective, and its Hessian with the sign changed."""
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


def _solve(matrix: Sequence[Vector], right: Vector) -> list[float]:
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
    """The result of a fit.

    `weights`: by the name of their feature; a row of them where it leads to several units. `positions`: how many
    samples (of a policy: matches) were used, `left_out`: how many only measure the fit. `likelihoods`: their mean
    log-likelihood by each table of weights, by its name.
    """

    weights: Mapping[str, float | Sequence[float]]
    positions: int
    left_out: int
    likelihoods: dict[str, float]
