"""A small pool of bot processes, which think for the built-in players off the server's loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from game.choices import contains
from game.contract import LEVELS, Action, OneOf, Pending
from game.errors import GameError
from server.log import ThrottledWarning, get_logger
from server.matches.botprocess import LENGTH, BotQuestion, pack, unpack
from server.matches.errors import BotFailed
from server.matches.fairqueue import FairQueue, QueuePath

log = get_logger("matches.bots")

QUICK_LEVELS = frozenset(LEVELS[:2])  # those that hardly search
START_S = 30.0  # that a process may take until it is ready
TRY_EVERY_S = 5.0
MOST_SAID = 2_000  # of what a bot said instead of an answer: the end of a traceback
FAILURES = ("not_started", "died", "slow", "wrong")


class BotProcess:
    """One child process (`botprocess.py`); one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begin(cls, modules: Sequence[str]) -> BotProcess:
        """Start a process, and wait until it is ready. Raises OSError or EOFError when there is none."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "server.matches.botprocess", *modules)
        begun = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        try:
            await asyncio.wait_for(begun._read(), START_S)
        except BaseException:  # also where it is cancelled: no process is left
            await begun.end()
            raise
        return begun

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ask(self, question: BotQuestion) -> tuple[bool, str]:
        """Return (True, action) or (False, why). Raises OSError or EOFError when the process is gone."""
        assert self._process.stdin is not None
        self._process.stdin.write(pack(question))
        await self._process.stdin.drain()
        return await self._read()

    async def _read(self) -> tuple[bool, str]:
        stdout = self._process.stdout
        assert stdout is not None
        head = await stdout.readexactly(LENGTH.size)
        said: tuple[bool, str] = unpack(await stdout.readexactly(LENGTH.unpack(head)[0]))
        return said

    async def end(self) -> None:
        """Kill the process and wait for it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class BotPool:
    """At most `size` bot processes and one for quick levels, started when there is something to think about.

    One that dies is started anew. Who waits for one is served in turn: see `FairQueue`. Levels that hardly search never
    wait for those that think for seconds.
    """

    def __init__(
        self,
        size: int,
        limit_s: float = 20.0,
        modules: Sequence[str] = (),
        failed: Callable[[str], None] | None = None,
    ) -> None:
        """`failed`: told of each failure, one of FAILURES."""
        self._queue, self._quick_queue = FairQueue(size), FairQueue(1)
        self._idle: dict[FairQueue, list[BotProcess]] = {self._queue: [], self._quick_queue: []}
        self._all: set[BotProcess] = set()
        self._asked: set[asyncio.Task[Action]] = set()
        self._thinking: set[asyncio.Task[Any] | None] = set()  # those of them that have a process
        self._limit_s = limit_s
        self._modules = tuple(modules)
        self._failed = failed
        self._warnings = {why: ThrottledWarning(log, time.monotonic) for why in FAILURES}
        self._cannot_start = False
        self._tried_at = float("-inf")
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the ids of the processes there are."""
        return tuple(process.pid for process in self._all)

    @property
    def is_degraded(self) -> bool:
        """Tell whether the last process that was to be started could not be."""
        return self._cannot_start

    @property
    def n_waiting(self) -> int:
        """Return how many questions wait for a process."""
        return self._queue.waiting + self._quick_queue.waiting

    @property
    def has_free_place(self) -> bool:
        """Tell whether nobody would wait for a thought that begins now."""
        return self._queue.free > 0 and self._quick_queue.free > 0

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, paths: Sequence[QueuePath]
    ) -> Action:
        """Return the bot's answer to `pending`, which its choice holds.

        What has one answer is asked of no process, but in windows, where a prompt answer would tell that there is no
        other. `paths`: on whose account (not empty); of several people the question waits in the turn of the one who
        waits for least. Raises BotFailed: a process could not be started, died twice, took too long, or said nonsense.
        """
        if pending.window is None and isinstance(pending.choice, OneOf) and len(pending.choice.actions) == 1:
            return pending.choice.actions[0]
        question = BotQuestion(game, level, view, pending, seed)
        try:
            return await self._ask_twice(question, paths)
        except BotFailed as error:
            self._warnings[error.why].say(f"bot.{error.why}", game=game, bot=level)
            self._report(error.why)
            raise

    async def _ask_twice(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action:
        """Ask, and once more where the process dies meanwhile. What takes too long is killed."""
        try:
            try:
                return await self._ask(question, paths)
            except TimeoutError:  # before OSError, of which it is a kind
                raise BotFailed("slow") from None
            except (OSError, EOFError):
                self._report("died")
                return await self._ask(question, paths)
        except TimeoutError:
            raise BotFailed("slow") from None
        except (OSError, EOFError):
            raise BotFailed("died") from None

    async def _ask(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action:
        """Ask a process. Raises TimeoutError, OSError or EOFError of one that is gone, BotFailed.

        Who does not want the answer any more leaves the queue at once. A process that thinks about it already goes on:
        to kill it and begin another one costs more than most thoughts.
        """
        task = asyncio.create_task(self._think(question, paths), name="bot")
        self._asked.add(task)
        task.add_done_callback(self._done)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task not in self._thinking:
                task.cancel()
            raise

    def _done(self, task: asyncio.Task[Action]) -> None:
        self._asked.discard(task)
        self._thinking.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may wait for it any more: then it is no news

    async def _think(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action:
        queue = self._quick_queue if question.level in QUICK_LEVELS else self._queue
        idle = self._idle[queue]  # a quick level would wait for the start of another process
        async with queue.place(paths):
            self._thinking.add(asyncio.current_task())
            process = idle.pop() if idle else await self._begin()
            try:
                good, said = await asyncio.wait_for(process.ask(question), self._limit_s)
            except BaseException:  # also where it is cancelled: a process that thinks on is of no use
                self._all.discard(process)
                await process.end()
                raise
            idle.append(process)
        if good and fits(question.pending, said):
            return Action(said)
        log.error("bot.failed", game=question.game, bot=question.level, said=said[-MOST_SAID:])
        raise BotFailed("wrong")

    async def _begin(self) -> BotProcess:
        """Start a process. Raises BotFailed."""
        self._tried_at = asyncio.get_running_loop().time()
        try:
            if self._is_closed:
                raise OSError("the pool is closed")
            process = await BotProcess.begin(self._modules)
        except (OSError, EOFError) as error:
            self._cannot_start = True
            raise BotFailed("not_started") from error
        self._cannot_start = False
        self._all.add(process)
        return process

    async def can_start(self) -> bool:
        """Tell whether processes can be started; where the last one could not, try again, at most every TRY_EVERY_S."""
        is_due = self._cannot_start and asyncio.get_running_loop().time() >= self._tried_at + TRY_EVERY_S
        if is_due and self.has_free_place:
            with contextlib.suppress(BotFailed):
                self._idle[self._quick_queue].append(await self._begin())
        return not self._cannot_start

    def _report(self, why: str) -> None:
        if self._failed is not None:
            self._failed(why)

    async def close(self) -> None:
        """End every process."""
        self._is_closed = True
        for task in tuple(self._asked):
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        processes, self._all = list(self._all), set()
        for idle in self._idle.values():
            idle.clear()
        for process in processes:
            await process.end()


def fits(pending: Pending, said: str) -> bool:
    """Tell whether the pending choice holds this answer."""
    try:
        return contains(pending.choice, Action(said))
    except GameError:
        return False
