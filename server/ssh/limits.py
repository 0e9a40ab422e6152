"""Rate limits by source, and round robin between commands with much output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.tokenbucket import Bucket


class Rates:
    """Token buckets by limit and source, over all connections of a source."""

    KEPT = 10_000

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def __contains__(self, limit_and_source: tuple[str, str]) -> bool:
        return limit_and_source in self._buckets

    def count(self, limit: str, source: str, per_min: float) -> float:
        """Take one token; return 0, or the seconds to wait (then none is taken). The burst is a minute's worth."""
        now = self._now()
        bucket = self._buckets.pop((limit, source), None) or Bucket(per_min / 60, per_min, now)
        self._buckets[limit, source] = bucket  # the most recently used is last
        if len(self._buckets) > self.KEPT:
            del self._buckets[next(iter(self._buckets))]
        return bucket.try_take(1, now)


class RoundRobin:
    """Round robin: one of the waiting commands goes on in each iteration of the event loop."""

    def __init__(self) -> None:
        self._next = asyncio.Lock()

    async def give(self) -> None:
        """Wait for the next turn."""
        async with self._next:
            await asyncio.sleep(0)
