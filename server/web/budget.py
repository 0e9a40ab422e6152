"""How much of the processor pages may cost, by the networks that ask for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from time import thread_time

from server.accounts.sources import Sources
from server.tokenbucket import Rates

CPU_MS_PER_MIN = 3000.0  # of one source; networks around it have more
LEAST_MS = 2.0
LOAD_MS = 20.0  # of a match whose whole log is read
SESSION_MS = 40.0  # of a session that is opened
FRAME_MS = 1.5  # of an entry of a match in its recording
RECORD_ENTRY_MS = 0.02  # of an entry of a match in its record
MOST_EXPECTED = 0.5  # of a minute's budget: what costs more goes into debt for the rest, so nothing is out of reach


class TooMuch(Exception):
    """A network has asked for too much; `wait_s`: when there is more."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"{wait_s:.0f} s")
        self.wait_s = wait_s


class PageBudget:
    """The processor time of all networks; one page, or one line of a long answer, is drawn at a time."""

    def __init__(self, now: Callable[[], float], per_min: float = CPU_MS_PER_MIN) -> None:
        self.rates = Rates(now)
        self.per_min = per_min
        self.one_at_a_time = asyncio.Lock()
        self._next = asyncio.Lock()

    async def wait_in_turn(self) -> None:
        """Let one request begin in each round of the loop, however many come at once: keys that came go first."""
        async with self._next:
            await asyncio.sleep(0)

    def charge(self, source: str, more_ms: float = 0.0) -> Bill:
        """Charge a request before anything is done for it; `more_ms`: of what is not measured. Raises TooMuch."""
        bill = Bill(self, source)
        bill.charge(LEAST_MS + more_ms)
        return bill


class Bill:
    """What one request costs the networks of who asks: a price in advance, and the difference to what was measured."""

    def __init__(self, budget: PageBudget, source: str) -> None:
        self._budget = budget
        self._budgets = Sources.of((source,)).budgets(budget.per_min)
        self._expected_ms = 0.0  # charged in advance, not yet spent

    def charge(self, ms: float) -> None:
        """Charge what is not measured. Raises TooMuch."""
        most = MOST_EXPECTED * self._budget.per_min
        if wait_s := self._budget.rates.count("page", self._budgets, min(ms, most)):
            raise TooMuch(wait_s)

    def expect(self, ms: float) -> None:
        """Charge in advance what a long answer probably costs, or half a minute's budget. Raises TooMuch."""
        self.charge(ms)
        self._expected_ms += min(ms, MOST_EXPECTED * self._budget.per_min)

    @asynccontextmanager
    async def drawing(self) -> AsyncIterator[None]:
        """Draw a page inside, without waiting for the outside world."""
        async with self._budget.one_at_a_time:
            await asyncio.sleep(0)  # keys that came meanwhile go first
            began = thread_time()
            try:
                yield
            finally:
                self._spend((thread_time() - began) * 1000)

    async def in_slices(self, lines: Iterable[str]) -> AsyncGenerator[bytes]:
        """Yield lines that cost something to make, one in a turn: there may be thousands. An empty one is left out."""
        each = iter(lines)
        try:
            while True:
                async with self.drawing():
                    made = next(each, None)
                if made is None:
                    return
                if made:
                    yield made.encode() + b"\n"
        finally:
            self._settle(-self._expected_ms)
            self._expected_ms = 0.0

    def _spend(self, ms: float) -> None:
        beyond, self._expected_ms = ms - self._expected_ms, max(0.0, self._expected_ms - ms)
        if beyond > 0:
            self._settle(beyond)

    def _settle(self, ms: float) -> None:
        """Settle what was measured: the networks go into debt, or get back what was not needed."""
        self._budget.rates.settle("page", self._budgets, ms)
