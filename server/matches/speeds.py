"""The four speeds: how long a seat may think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # milliseconds


@dataclass(frozen=True, slots=True)
class Speed:
    """One row of the table, in milliseconds. `grace` None: somebody's absence can't be claimed."""

    name: str
    bank: int
    refill: int  # added after each decision that is no window
    window: int  # for the answer to a window, instead of the bank
    grace: int | None  # after a lost connection


SPEEDS: Mapping[str, Speed] = {
    speed.name: speed
    for speed in (
        Speed("fast", 3 * MINUTE, 5 * SECOND, 5 * SECOND, 45 * SECOND),
        Speed("normal", 10 * MINUTE, 15 * SECOND, 8 * SECOND, 90 * SECOND),
        Speed("slow", 30 * MINUTE, 60 * SECOND, 20 * SECOND, 5 * MINUTE),
        Speed("daily", 3 * DAY, 1 * DAY, 12 * HOUR, None),
    )
}
