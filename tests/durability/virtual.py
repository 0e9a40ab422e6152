"""Virtual time: an event loop that jumps to the next moment at which anything happens, and a clock that reads it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from contextvars import Context, ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


class NothingWillHappen(Exception):
    """Everybody waits, and for nothing that has a time: a deadlock."""


class _Jumps(selectors.SelectSelector):
    """Waits for nothing outside: what would be waiting only moves the time on."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise NothingWillHappen
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still while anything runs. Callbacks of one moment run in the order they came."""

    def __init__(self) -> None:
        self._jumps = _Jumps()
        super().__init__(self._jumps)
        self.set_task_factory(_belonging)

    def time(self) -> float:
        return self._jumps.now


class VirtualClock:
    """The service's clock on such a loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> datetime:
        return BEGIN + timedelta(seconds=self._loop.time())

    def monotonic(self) -> float:
        return self._loop.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Group:
    """All tasks of one process, whoever started them: what a task of the group starts belongs to it too."""

    def __init__(self) -> None:
        self.tasks: dict[asyncio.Task[Any], None] = {}  # in order, so that the same seed ends them in the same order
        self.is_dead = False
        self.context = Context()
        self.context.run(_GROUP.set, self)

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` as a part of the process."""
        return asyncio.get_running_loop().create_task(work, context=self.context.copy())

    async def kill(self) -> None:
        """End every task where it stands. What they do about it must reach nobody: see `is_dead`."""
        self.is_dead = True
        while self.tasks:
            ending = list(self.tasks)
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)


_GROUP: ContextVar[Group | None] = ContextVar("group", default=None)


def _belonging(loop: asyncio.AbstractEventLoop, work: Any, context: Context | None = None) -> asyncio.Task[Any]:
    """Make a task that its process knows of."""
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    group = _GROUP.get() if context is None else context.get(_GROUP)
    if group is not None:
        group.tasks[task] = None
        task.add_done_callback(lambda ended: group.tasks.pop(ended, None))
    return task
