"""Periodic work: when it is done, what a failure does, and that its owner ends it."""

from __future__ import annotations

from server.periodic import repeat
from server.store.errors import StoreUnavailable
from server.tasks import Tasks
from tests.clocks import FakeClock


async def test_work_begins_after_one_period() -> None:
    clock, tasks, done = FakeClock(), Tasks(), list[float]()

    async def work() -> None:
        done.append(clock.monotonic())

    tasks.spawn(repeat(clock, 3.0, work), "work")
    await clock.advance(7.0)
    assert done == [3.0, 6.0]
    await tasks.close()


async def test_the_first_round_may_come_at_another_time() -> None:
    clock, tasks, done = FakeClock(), Tasks(), list[float]()

    async def work() -> None:
        done.append(clock.monotonic())

    tasks.spawn(repeat(clock, 5.0, work, first_s=0), "work")
    await clock.advance(6.0)
    assert done == [0.0, 5.0]
    await tasks.close()


async def test_a_round_that_fails_does_not_end_the_work() -> None:
    """The daily deletion of old lines ended for good with the first error that was not the store's."""
    clock, tasks, left = FakeClock(), Tasks(), [StoreUnavailable("locked"), ValueError("wrong")]
    done: list[float] = []

    async def work() -> None:
        if left:
            raise left.pop()
        done.append(clock.monotonic())

    tasks.spawn(repeat(clock, 1.0, work), "work")
    await clock.advance(3.0)
    assert done == [3.0]
    await tasks.close()


async def test_the_owner_ends_a_round_that_is_under_way() -> None:
    clock, tasks, ended = FakeClock(), Tasks(), list[str]()

    async def work() -> None:
        try:
            await clock.sleep(10.0)
        finally:
            ended.append("cleaned up")

    tasks.spawn(repeat(clock, 1.0, work), "work")
    await clock.advance(2.0)
    await tasks.close()
    assert ended == ["cleaned up"]
    assert len(tasks) == 0
