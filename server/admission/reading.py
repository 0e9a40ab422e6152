"""What reading costs: processor time a minute, by account and network, one budget for every door of a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from time import thread_time
from typing import Final

from server.accounts.sources import Sources
from server.errors import RateLimited
from server.tokenbucket import Rates

LIMIT: Final = "reading_ms_per_min"
MS_PER_MIN: Final = 3000  # of one source; networks around it have more
LEAST_MS: Final = 2.0  # of a page, or of a command that reads
ENTRY_MS: Final = 0.2  # of an entry of a match that is folded: Netrunner's, which cost most
ROW_MS: Final = 0.2  # of a match or a place in a list
PRINTED_MS: Final = 0.05  # of an entry of a match that is printed
FRAME_MS: Final = 1.5  # of an entry of a match that is drawn
SESSION_MS: Final = 40.0  # of a session that is opened in a browser
MOST_EXPECTED: Final = 0.5  # of a minute's budget: what costs more goes into debt, so that nothing is out of reach


class TooMuchRead(RateLimited):
    """Somebody has read too much for now."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(LIMIT, round(wait_s * 1000) + 1)


class ReadingBudget:
    """The processor time of everybody who reads; of all answers one page, or one line, is made at a time."""

    def __init__(self, now: Callable[[], float], per_min: float = MS_PER_MIN) -> None:
        """`per_min`: milliseconds of one source."""
        self.rates = Rates(now)
        self.per_min = per_min
        self.one_at_a_time = asyncio.Lock()

    def begin(self, who: Sources, more_ms: float = 0.0) -> Bill:
        """Charge an answer before anything is done for it; `more_ms`: of what is not measured. Raises TooMuchRead."""
        bill = Bill(self, who)
        bill.charge(LEAST_MS + more_ms)
        return bill


class Bill:
    """What one answer costs who asks for it: a price in advance, and the difference to what was measured."""

    def __init__(self, budget: ReadingBudget, who: Sources) -> None:
        self._budget = budget
        self._budgets = who.budgets(budget.per_min)
        self._expected_ms = 0.0  # charged in advance, not yet spent

    def charge(self, ms: float) -> None:
        """Charge what is not measured, at most half a minute's budget. Raises TooMuchRead."""
        most = MOST_EXPECTED * self._budget.per_min
        if wait_s := self._budget.rates.count(LIMIT, self._budgets, min(ms, most)):
            raise TooMuchRead(wait_s)

    def expect(self, ms: float) -> None:
        """Charge in advance what a long answer probably costs, as `charge` does. Raises TooMuchRead."""
        self.charge(ms)
        self._expected_ms += min(ms, MOST_EXPECTED * self._budget.per_min)

    def settle(self, ms: float) -> None:
        """Settle what is known afterwards: who asked goes into debt, or gets back what was not needed."""
        self._budget.rates.settle(LIMIT, self._budgets, ms)

    @asynccontextmanager
    async def drawing(self) -> AsyncIterator[None]:
        """Make something inside, without waiting for the outside world."""
        async with self._budget.one_at_a_time:
            await asyncio.sleep(0)  # keys that came meanwhile go first
            began = thread_time()
            try:
                yield
            finally:
                self._spend((thread_time() - began) * 1000)

    async def in_slices(self, lines: Iterable[str]) -> AsyncGenerator[str]:
        """Yield lines that cost something to make, one in a turn: there may be thousands. An empty one is left out."""
        each = iter(lines)
        try:
            while True:
                async with self.drawing():
                    made = next(each, None)
                if made is None:
                    return
                if made:
                    yield made
        finally:
            self.settle(-self._expected_ms)
            self._expected_ms = 0.0

    def _spend(self, ms: float) -> None:
        beyond, self._expected_ms = ms - self._expected_ms, max(0.0, self._expected_ms - ms)
        if beyond > 0:
            self.settle(beyond)
