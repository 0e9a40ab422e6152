"""What pages may cost: who is charged for it, and who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from time import thread_time

import pytest

from server.web.budget import PageBudget, TooMuch

SOURCE = "192.0.2.1"
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


async def test_a_recording_cost_its_network_nothing() -> None:
    """It was charged as a small page, and drawn for a second."""
    budget = PageBudget(lambda: 0.0, per_min=1000)
    assert [line async for line in budget.in_slices("cast", costly(20))] == [f"{n}\n".encode() for n in range(20)]
    for _ in range(10):  # of 100 ms each, and more on a slow machine
        with suppress(TooMuch):
            budget.charge(SOURCE, "cast")
    with pytest.raises(TooMuch):
        budget.charge(SOURCE, "cast")


async def test_of_many_recordings_one_line_is_drawn_in_a_round_of_the_loop() -> None:
    budget, ticker = PageBudget(lambda: 0.0), Ticker()

    async def taken() -> int:
        return len([line async for line in budget.in_slices("cast", costly(3, 0))])

    ticker.tick()
    assert sum(await asyncio.gather(*(taken() for _ in range(ROUNDS)))) == 3 * ROUNDS
    assert ticker.rounds >= 3 * ROUNDS


async def test_requests_that_come_at_once_begin_one_by_one() -> None:
    """Two hundred crawlers' requests were begun in one round, before any key."""
    budget, ticker = PageBudget(lambda: 0.0), Ticker()
    ticker.tick()
    await asyncio.gather(*(budget.wait_in_turn() for _ in range(ROUNDS)))
    assert ticker.rounds >= ROUNDS
