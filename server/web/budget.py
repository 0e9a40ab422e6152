"""How much of the processor pages may cost, by the networks that ask for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from time import thread_time

from server.accounts.sources import Sources
from server.tokenbucket import Rates

CPU_MS_PER_MIN = 3000.0  # of one source; networks around it have more
LEAST_MS = 2.0
LOAD_MS = 20.0  # of a match whose whole log is read
SESSION_MS = 40.0  # of a session that is opened
KEPT = 0.8  # of what a kind of page was known to cost, at each measurement


class TooMuch(Exception):
    """A network has asked for too much; `wait_s`: when there is more."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"{wait_s:.0f} s")
        self.wait_s = wait_s


class PageBudget:
    """Charges each page to the networks of who asks, by what pages of its kind have cost; one is drawn at a time."""

    def __init__(self, now: Callable[[], float], per_min: float = CPU_MS_PER_MIN) -> None:
        self._rates = Rates(now)
        self._per_min = per_min
        self._costs: dict[str, float] = {}
        self._one, self._next = asyncio.Lock(), asyncio.Lock()

    async def wait_in_turn(self) -> None:
        """Let one request begin in each round of the loop, however many come at once: keys that came go first."""
        async with self._next:
            await asyncio.sleep(0)

    def charge(self, source: str, kind: str, more_ms: float = 0.0) -> None:
        """Charge a page before anything is done for it; `more_ms`: what else it may cost. Raises TooMuch."""
        cost = max(LEAST_MS, self._costs.get(kind, 0.0)) + more_ms
        wait_s = self._rates.count("page", Sources.of((source,)).budgets(self._per_min), cost)
        if wait_s:
            raise TooMuch(wait_s)

    @asynccontextmanager
    async def drawing(self, kind: str) -> AsyncIterator[None]:
        """Draw a page inside, without waiting for the outside world."""
        async with self._one:
            await asyncio.sleep(0)  # keys that came meanwhile go first
            began = thread_time()
            yield
            spent_s = thread_time() - began
        self._note(kind, spent_s)

    async def in_slices(self, kind: str, lines: Iterable[str]) -> AsyncIterator[bytes]:
        """Yield lines that cost something to make, one in a turn: there may be thousands."""
        spent_s, each = 0.0, iter(lines)
        try:
            while True:
                async with self._one:
                    await asyncio.sleep(0)
                    began = thread_time()
                    made = next(each, None)
                    spent_s += thread_time() - began
                if made is None:
                    return
                yield made.encode() + b"\n"
        finally:
            self._note(kind, spent_s)

    def _note(self, kind: str, spent_s: float) -> None:
        """Remember what a page of a kind costs: the next ones are charged with it."""
        spent = spent_s * 1000
        self._costs[kind] = KEPT * self._costs.get(kind, spent) + (1 - KEPT) * spent
