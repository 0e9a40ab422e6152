"""Writes that the database did not take: how many, when the last one, and in the log a line a minute, and their end."""

from __future__ import annotations

import time
from collections.abc import Callable

from server.log import ThrottledWarning, get_logger

log = get_logger("store")
QUIET_S = 10.0  # without a failure; while nothing can be stored heartbeats fail more often


class FailedWrites:
    """What is known of one database's failed writes, of whatever kind."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.n = 0
        self._monotonic = monotonic
        self._last_at = float("-inf")
        self._warning = ThrottledWarning(log, monotonic)
        self._is_told = False  # the log says that writes fail

    def record(self, why: str) -> None:
        """Count a write of which nothing is stored, or is not known to be."""
        self.n += 1
        self._last_at = self._monotonic()
        self._is_told |= self._warning.say("store.write-failed", why=why)

    def worked(self) -> None:
        """Note a write that is stored; where the log said that writes fail, it says so once none has for a while.

        On a full disk a small write still finds room between two that do not.
        """
        if self._is_told and not self.was_within(QUIET_S):
            self._is_told = False
            log.info("store.writes-again")

    def was_within(self, seconds: float) -> bool:
        """Tell whether a write has failed in the last so many seconds."""
        return self._monotonic() - self._last_at <= seconds
