"""Rate limits: token buckets, one alone or many by limit and source, and what happened within the last minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

MINUTE_S = 60.0


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
        pause = self.pause(units, now)
        if not pause:
            self._level -= units
        return pause

    def pause(self, units: float, now: float) -> float:
        """Return the seconds until tokens are available; 0: they are. None is taken."""
        self._level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at = now
        return max(0.0, (units - self._level) / self.rate)


class Rates:
    """Token buckets by limit and source, over all connections of a source."""

    KEPT = 10_000

    def __init__(self, now: Callable[[], float], within_s: float = MINUTE_S) -> None:
        """`within_s`: the time for which tokens are given, a minute or a day."""
        self._now = now
        self._within_s = within_s
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def __contains__(self, limit_and_source: tuple[str, str]) -> bool:
        return limit_and_source in self._buckets

    def count(self, limit: str, budgets: Sequence[tuple[str, float]], units: float = 1) -> float:
        """Take tokens of each source; return 0, or the seconds to wait (then none is taken of any).

        `budgets`: sources, each with its tokens for that time, which may come in one burst.
        """
        now = self._now()
        buckets = [self._bucket(limit, source, most, now) for source, most in budgets]
        pause = max((bucket.pause(units, now) for bucket in buckets), default=0.0)
        if not pause:
            for bucket in buckets:
                bucket.try_take(units, now)
        return pause

    def settle(self, limit: str, budgets: Sequence[tuple[str, float]], units: float) -> None:
        """Take tokens of each source, going into debt if need be; fewer than none are given back."""
        now = self._now()
        for source, most in budgets:
            self._bucket(limit, source, most, now).take(units, now)

    def _bucket(self, limit: str, source: str, most: float, now: float) -> Bucket:
        bucket = self._buckets.pop((limit, source), None) or Bucket(most / self._within_s, most, now)
        self._buckets[limit, source] = bucket  # the most recently used is last
        if len(self._buckets) > self.KEPT:
            del self._buckets[next(iter(self._buckets))]
        return bucket


class LastMinute:
    """When something happened within the last minute, by source: moments in seconds (monotonic), oldest first."""

    KEPT = 10_000  # sources that are remembered

    def __init__(self, most: int | None = None) -> None:
        """`most`: moments of one source that are kept."""
        self._most = most
        self._moments: dict[str, deque[float]] = {}  # the source that was used last is last

    def __len__(self) -> int:
        return len(self._moments)

    def of(self, source: str, now: float) -> Sequence[float]:
        """Return the moments of a source."""
        moments = self._moments.get(source, deque[float]())
        while moments and moments[0] <= now - MINUTE_S:
            moments.popleft()
        return moments

    def add(self, source: str, now: float) -> None:
        """Add a moment."""
        self._moments[source] = moments = self._moments.pop(source, None) or deque[float](maxlen=self._most)
        moments.append(now)
        if len(self._moments) > self.KEPT:
            del self._moments[next(iter(self._moments))]

    def take_back(self, source: str, moment: float) -> None:
        """Remove a moment: what happened then does not count."""
        moments = self._moments.get(source, deque[float]())
        if moment in moments:
            moments.remove(moment)
        if not moments:
            self._moments.pop(source, None)
