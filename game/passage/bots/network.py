"""The networks that choose for the master: tables of weights, one for two who are left and one for more.

One hidden layer sees the features of the situation and of a choice (`situation`); the choice with the highest score is
taken. `python -m game tune passage --bot master --fit network` trains one (`training`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from game.passage.bots.situation import Feature

LEAK: Final = 0.1  # the slope of a hidden unit below 0

Left = Literal["two", "more"]  # how many are left where a network chooses
Vector = list[float]
Rows = dict[str, Vector]  # weights by the name of a feature, one to each hidden unit


@dataclass(frozen=True, slots=True)
class Network:
    """The weights: `situation` and `choice` lead to the hidden units, `direct` ones of a choice to its score.

    `bias` is what each hidden unit begins with, `out` its weight in the score.
    """

    situation: Rows
    choice: Rows
    direct: dict[str, float]
    bias: Vector
    out: Vector

    def before(self, situation: Iterable[Feature]) -> Vector:
        """Return what the situation adds up to in each hidden unit; features without weights count nothing."""
        return added(self.bias, self.situation, situation)

    def score(self, before: Vector, choice: Iterable[Feature]) -> float:
        """Return the score of a choice; the softmax of the scores is the policy that was trained."""
        features = list(choice)
        hidden = added(before, self.choice, features)
        direct = sum(self.direct.get(name, 0.0) * value for name, value in features)
        return direct + sum(
            weight * (unit if unit > 0 else LEAK * unit) for weight, unit in zip(self.out, hidden, strict=True)
        )

    def weights(self) -> dict[str, float | Vector]:
        """Return all weights, by part and name, as the table has them."""
        named: dict[str, float | Vector] = {"bias": self.bias, "out": self.out}
        named |= {f"direct: {name}": weight for name, weight in self.direct.items()}
        named |= {f"choice: {name}": row for name, row in self.choice.items()}
        return named | {f"situation: {name}": row for name, row in self.situation.items()}


def added(start: Vector, weights: Rows, features: Iterable[Feature]) -> Vector:
    """Return a vector with the weighted features added."""
    units = start
    for name, value in features:
        if value and (row := weights.get(name)):
            units = [unit + weight * value for unit, weight in zip(units, row, strict=True)]
    return units


@cache
def load(left: Left) -> Network:
    """Return a network of the master."""
    return read(resources.files("game.passage.bots").joinpath(f"network_{left}.json").read_text(encoding="utf-8"))


def read(text: str) -> Network:
    """Return the network of a table that `tune` has written."""
    weights = json.loads(text)["weights"]

    def part(name: str) -> dict[str, Any]:
        return {key.removeprefix(f"{name}: "): row for key, row in weights.items() if key.startswith(f"{name}: ")}

    return Network(part("situation"), part("choice"), part("direct"), weights["bias"], weights["out"])
