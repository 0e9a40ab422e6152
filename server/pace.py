"""Rates: how much may happen in a time, with a reserve for bursts."""

from __future__ import annotations


class Bucket:
    """A rate with a reserve: `rate` units a second flow in, up to `burst`. Time is the caller's (`clock.monotonic`)."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def take(self, units: float, now: float) -> float:
        """Take units and return for how many seconds the taker must pause: 0 while there was enough."""
        self._level = min(self.burst, self._level + (now - self._at) * self.rate) - units
        self._at = now
        return max(0.0, -self._level / self.rate)

    def try_take(self, units: float, now: float) -> float:
        """Take units only if they are there; return 0, or the seconds until they will be."""
        level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at, self._level = now, level
        if level < units:
            return (units - level) / self.rate
        self._level = level - units
        return 0.0
