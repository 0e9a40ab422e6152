"""What reading may cost: who is charged for it, and who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from time import thread_time

from server.accounts.sources import Sources
from server.admission.reading import Bill, ReadingBudget, TooMuchRead
from server.roundrobin import RoundRobin

SOURCE, OTHER = Sources.of(("192.0.2.1",)), Sources.of(("198.51.100.1",))
ROUNDS = 30


def costly(lines: int, each_s: float = 0.005) -> Iterator[str]:
    """Yield lines that take a while to make."""
    for number in range(lines):
        until = thread_time() + each_s
        while thread_time() < until:
            pass
        yield str(number)


class Ticker:
    """Counts rounds of the loop."""

    def __init__(self) -> None:
        self.rounds = 0

    def tick(self) -> None:
        self.rounds += 1
        asyncio.get_running_loop().call_soon(self.tick)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def now(self) -> float:
        return self.at_s


def may_ask(budget: ReadingBudget, who: Sources = SOURCE, more_ms: float = 0.0) -> bool:
    """Ask for a page; tell whether it may be drawn."""
    with suppress(TooMuchRead):
        budget.begin(who, more_ms)
        return True
    return False


async def taken(bill: Bill, lines: Iterator[str]) -> list[str]:
    return [line async for line in bill.in_slices(lines)]


async def test_a_recording_cost_its_network_nothing() -> None:
    """It was charged as a small page, and drawn for a second."""
    clock = Clock()
    budget = ReadingBudget(clock.now, per_min=100)
    assert await taken(budget.begin(SOURCE), costly(40)) == [str(n) for n in range(40)]  # 200 ms at least
    assert not may_ask(budget)
    clock.at_s = 60.0  # its debt of 100 ms is paid
    assert not may_ask(budget, more_ms=40)


async def test_one_dear_recording_closed_all_recordings_to_everybody_until_the_restart() -> None:
    """What it cost became the price of all others, and no network ever has so much at once."""
    clock = Clock()
    budget = ReadingBudget(clock.now, per_min=100)
    bill = budget.begin(SOURCE)
    bill.expect(10**6)
    await taken(bill, costly(40))
    budget.begin(OTHER).expect(10**6)
    clock.at_s = 600.0
    budget.begin(SOURCE).expect(10**6)


async def test_cheap_recordings_lowered_the_price_of_dear_ones_that_were_asked_for_at_once() -> None:
    """Eleven of fifteen passed for 25 ms each, and cost 8.9 s."""
    clock = Clock()
    budget = ReadingBudget(clock.now)
    for _ in range(25):
        bill = budget.begin(SOURCE)
        bill.expect(1)
        await taken(bill, costly(1, 0))
    passed = 0
    for _ in range(15):
        with suppress(TooMuchRead):
            budget.begin(SOURCE).expect(4000)
            passed += 1
    assert passed == 1


async def test_what_was_expected_and_not_needed_is_given_back() -> None:
    clock = Clock()
    budget = ReadingBudget(clock.now, per_min=1000)
    for _ in range(10):
        bill = budget.begin(SOURCE)
        bill.expect(400)
        await taken(bill, costly(1, 0))


async def test_a_recording_that_is_left_in_the_middle_is_paid_so_far() -> None:
    budget = ReadingBudget(Clock().now, per_min=1000)
    bill = budget.begin(SOURCE)
    bill.expect(500)
    lines = bill.in_slices(costly(40))
    for _ in range(10):  # 50 ms at least
        await anext(lines)
    await lines.aclose()
    assert [may_ask(budget, more_ms=480) for _ in range(2)] == [True, False]


async def test_of_many_recordings_one_line_is_drawn_in_a_round_of_the_loop() -> None:
    budget, ticker = ReadingBudget(lambda: 0.0), Ticker()
    ticker.tick()
    drawn = await asyncio.gather(*(taken(budget.begin(SOURCE), costly(3, 0)) for _ in range(ROUNDS)))
    assert sum(map(len, drawn)) == 3 * ROUNDS
    assert ticker.rounds >= 3 * ROUNDS


async def test_a_frame_that_looks_as_the_last_one_was_an_empty_line() -> None:
    budget = ReadingBudget(lambda: 0.0)
    assert await taken(budget.begin(SOURCE), iter(("header", "", "frame"))) == ["header", "frame"]


async def test_requests_that_come_at_once_begin_one_by_one() -> None:
    """Two hundred crawlers' requests were begun in one round, before any key."""
    turns, ticker = RoundRobin(), Ticker()
    ticker.tick()
    await asyncio.gather(*(turns.give() for _ in range(ROUNDS)))
    assert ticker.rounds >= ROUNDS
