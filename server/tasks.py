"""Tasks with an owner: what a service starts, it cancels and awaits when it closes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

from server.log import get_logger
from server.roundrobin import RoundRobin

T = TypeVar("T")

log = get_logger("tasks")


SLICE_S = 0.002  # of work in steps between two rounds of the loop


async def wait_at_most(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, no longer than `seconds`; return whether it has happened.

    `asyncio.wait_for` of Python 3.11 loses a cancellation that comes in the same round of the loop as the event.
    """
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


async def stepped(steps: Generator[None, None, T], turns: RoundRobin) -> T:
    """Take all steps of some work, and let the loop go round after each time slice; return what comes of it.

    However many share `turns`, one of them has a time slice in each round.
    """
    begun = time.perf_counter()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found
        if time.perf_counter() - begun > SLICE_S:
            await turns.give()
            begun = time.perf_counter()


class Tasks:
    """The tasks of one owner. One that fails says so in the log and ends alone."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, object], name: str) -> asyncio.Task[Any] | None:
        """Start `work`; return its task, which may be cancelled. After `close` it is dropped (None)."""
        if self._is_closed:
            work.close()
            return None
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task.failed", task=task.get_name(), exc_info=error)

    async def close(self) -> None:
        """Cancel what still runs and wait for it."""
        self._is_closed = True
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
