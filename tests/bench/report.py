"""How a figure is printed: what it is, what was measured, its goal, and whether it was missed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report. `goal` None: printed for the record; `at_least`: the goal is a lower bound."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    at_least: bool = False
    how: str = ""  # both sides of a ratio, or what else helps to read it

    @property
    def is_missed(self) -> bool:
        if self.goal is None:
            return False
        return self.value < self.goal if self.at_least else self.value > self.goal


def show(figure: Figure) -> None:
    """Print one figure."""
    sign = ">=" if figure.at_least else "<="
    goal = "" if figure.goal is None else f"goal {sign} {figure.goal:g}{figure.unit}  "
    verdict = "" if figure.goal is None else ("MISSED  " if figure.is_missed else "ok  ")
    print(f"{figure.name:<58} {figure.value:>10.3g}{figure.unit:<4} {goal}{verdict}{figure.how}", flush=True)
