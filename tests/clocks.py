"""A clock that the test moves by hand; who sleeps on it wakes when its time has come."""

from __future__ import annotations

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count


class FakeClock:
    """Stands still until the test moves it: `advance`, `pass_time` or `shift`."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.start = start
        self.elapsed_s = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.elapsed_s)

    def monotonic(self) -> float:
        return self.elapsed_s

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.elapsed_s + seconds, next(self._order), woken))
        await woken

    def shift(self, seconds: float) -> None:
        """Move on without waking anybody (for code that only reads the time)."""
        self.elapsed_s += seconds

    def is_due(self, seconds: float) -> bool:
        """Tell whether somebody wakes within that time."""
        return bool(self._sleepers) and self._sleepers[0][0] <= self.elapsed_s + seconds

    def pass_time(self, seconds: float) -> None:
        """Move on, and wake who is due by then; they run when the test waits for something."""
        self.elapsed_s += seconds
        while self._sleepers and self._sleepers[0][0] <= self.elapsed_s:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)

    async def advance(self, seconds: float) -> None:
        """Move on, waking sleepers in order at their own moments; others run in between."""
        end = self.elapsed_s + seconds
        await self._settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            due, _, woken = heapq.heappop(self._sleepers)
            self.elapsed_s = max(self.elapsed_s, due)
            if not woken.done():
                woken.set_result(None)
            await self._settle()
        self.elapsed_s = end
        await self._settle()

    async def _settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
