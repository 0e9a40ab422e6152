"""Rate limit on the matches and rooms that somebody's word begins, by source and by person, whatever way they take."""

from __future__ import annotations

from typing import Final

from server.accounts.identity import Player
from server.clock import Clock
from server.errors import RateLimited
from server.presence.connections import Connections
from server.tokenbucket import Rates

PER_MIN: Final = 600
PER_DAY: Final = 10_000  # each leaves 1.5 kB in the store, even where nobody moves
DAY_S: Final = 86_400.0
ENTRIES: Final = 50  # that are copied from another match: folding these takes as long as beginning some matches


class Beginnings:
    """Counts what people begin, over screens, commands and programs of this process."""

    def __init__(self, clock: Clock, connections: Connections, per_min: int, per_day: int = PER_DAY) -> None:
        self._connections = connections
        self._per_min = per_min
        self._limits = (
            ("beginnings_per_min", per_min, Rates(clock.monotonic)),
            ("beginnings_per_day", per_day, Rates(clock.monotonic, DAY_S)),
        )

    def count(self, player: Player, entries: int = 0) -> None:
        """Count one beginning against whom it counts for (`Sources`). Raises RateLimited.

        A match that begins with copied `entries` counts once more for every ENTRIES of them.
        """
        units = min(self._per_min, 1 + max(0, entries) // ENTRIES)
        who = self._connections.counted(player)
        for limit, most, rates in self._limits:
            if pause := rates.count(limit, who.budgets(most), units):
                raise RateLimited(limit, round(pause * 1000) + 1)
