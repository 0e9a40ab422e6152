"""Writes that the database did not take: how many, when the last one, and a line in the log once a minute."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.log import ThrottledWarning, get_logger

log = get_logger("store")


class FailedWrites:
    """What is known of one database's failed writes, of whatever kind."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.n = 0
        self._monotonic = monotonic
        self._last_at = float("-inf")
        self._warning = ThrottledWarning(log, monotonic)

    def record(self, why: str) -> None:
        """Count a write of which nothing is stored, or is not known to be."""
        self.n += 1
        self._last_at = self._monotonic()
        self._warning.say("store.write-failed", why=why)

    def was_within(self, seconds: float) -> bool:
        """Tell whether a write has failed in the last so many seconds."""
        return self._monotonic() - self._last_at <= seconds
