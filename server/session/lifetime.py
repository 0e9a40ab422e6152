"""The lifetime of a session: what is being done for it, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

import structlog

from game.errors import GameError
from server.errors import Refused
from server.session.display import Display
from server.session.prompts import Prompts

log = structlog.get_logger(__name__)

QUIT, BROKEN = 0, 1  # exit codes of a session


class Lifetime:
    """The tasks of one session, each guarded: a refusal becomes a notice, an error of ours ends the session."""

    def __init__(self, display: Display, prompts: Prompts, who: str) -> None:
        """`who`: whom the log names, where something goes wrong."""
        self._display, self._prompts = display, prompts
        self._who = who
        self.is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def known_as(self, who: str) -> None:
        """Name the person by another name in the log from now on."""
        self._who = who

    async def end(self) -> int:
        """Wait until the session ends; return the exit code."""
        return await self._done

    def quit(self, code: int = QUIT) -> None:
        """End the session; the terminal is restored."""
        if not self._done.done():
            self._done.set_result(code)

    def fail(self, error: BaseException) -> None:
        """End this session because of an error of ours."""
        log.error("session.failed", who=self._who, exc_info=error)
        self.quit(BROKEN)

    def spawn(self, work: Coroutine[Any, Any, Any], draws: bool = True) -> None:
        """Do something that waits, for this session, then draw; refusals become a notice.

        Not `draws`: it asks for a drawing itself, where there is something to show.
        """
        if self.is_closing:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(self._guarded(work, draws))
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, work))

    def _ended(self, work: Coroutine[Any, Any, Any], task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        work.close()  # it never began where its task was cancelled first

    async def _guarded(self, work: Coroutine[Any, Any, Any], draws: bool) -> None:
        try:
            await work
        except (Refused, GameError) as refusal:
            self._prompts.refused(refusal)
        except Exception as error:  # the guard of one session  # noqa: BLE001
            self.fail(error)
        if draws:
            self._display.dirty()

    @property
    def is_busy(self) -> bool:
        """Tell whether something that waits is being done for this session."""
        return bool(self._tasks)

    @property
    def tasks(self) -> frozenset[asyncio.Task[None]]:
        """Return what is being done for this session."""
        return frozenset(self._tasks)

    def does_more_than(self, before: frozenset[asyncio.Task[None]]) -> bool:
        """Tell whether something is being done that was not among this, and has not ended."""
        return any(not task.done() for task in self._tasks - before)

    def close(self) -> None:
        """Begin nothing more."""
        self.is_closing = True

    async def cancel(self) -> None:
        """Cancel what is being done, and wait for it to end."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
