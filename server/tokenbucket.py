"""Rate limits: a token bucket."""

from __future__ import annotations


class Bucket:
    """A token bucket: `rate` tokens a second, up to `burst`. The caller passes the time (`clock.monotonic`)."""

    __slots__ = ("_at", "_level", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._level = burst
        self._at = now

    def take(self, units: float, now: float) -> float:
        """Take tokens, going into debt if need be; return the seconds to pause."""
        self._level = min(self.burst, self._level + (now - self._at) * self.rate) - units
        self._at = now
        return max(0.0, -self._level / self.rate)

    def try_take(self, units: float, now: float) -> float:
        """Take tokens only if available; return 0, or the seconds until they are."""
        level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at, self._level = now, level
        if level < units:
            return (units - level) / self.rate
        self._level = level - units
        return 0.0
