"""The speeds: how long a seat may think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # milliseconds
FIRST_RULE = 1  # a window has its own time instead of the bank's, and a bank may grow
CLOCK_RULE = 2  # a window's time is free, then the bank runs; no bank grows beyond its start


@dataclass(frozen=True, slots=True)
class Speed:
    """One row of the table, in milliseconds. `grace` None: being away does not count.

    `rule` is the clock rule that the match began under (docs/decisions/clocks.md): a stored log keeps its own.
    """

    name: str
    bank: int  # at the start, and the most there may be; 0: there is no clock
    refill: int  # added after each decision that is no window
    window: int  # for the answer to a window, before the bank runs
    grace: int | None  # after a lost connection
    rule: int = CLOCK_RULE

    @property
    def is_timed(self) -> bool:
        """Tell whether there is a clock at all."""
        return self.bank > 0


SPEEDS: Mapping[str, Speed] = {
    speed.name: speed
    for speed in (
        Speed("fast", 3 * MINUTE, 5 * SECOND, 5 * SECOND, 45 * SECOND),
        Speed("normal", 10 * MINUTE, 15 * SECOND, 8 * SECOND, 90 * SECOND),
        Speed("slow", 30 * MINUTE, 60 * SECOND, 20 * SECOND, 5 * MINUTE),
        Speed("daily", 3 * DAY, 1 * DAY, 12 * HOUR, None),
    )
}
UNTIMED = Speed("untimed", 0, 0, 0, None)
DAILY = "daily"
UNHURRIED = (DAILY, UNTIMED.name)  # nobody is expected to stay at the board


def speed_of(name: str, rule: int = CLOCK_RULE) -> Speed:
    """Return a speed under a clock rule. Raises KeyError for one that there is not."""
    speed = UNTIMED if name == UNTIMED.name else SPEEDS[name]
    return speed if rule == speed.rule else replace(speed, rule=rule)
