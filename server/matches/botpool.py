"""A small pool of bot processes, which think for the built-in players off the server's loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence
from typing import Any

from game.choices import contains, draw
from game.contract import LEVELS, Action, OneOf, Pending
from game.errors import GameError
from game.rng import Rng
from server.log import get_logger
from server.matches.botprocess import LENGTH, BotQuestion, pack, unpack
from server.matches.fairqueue import FairQueue, QueuePath

log = get_logger("matches.bots")

QUICK = LEVELS[1]  # the best level that hardly searches: it answers where another can't
QUICK_LEVELS = frozenset(LEVELS[: LEVELS.index(QUICK) + 1])


class BotProcess:
    """One child process (`botprocess.py`); one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begin(cls, modules: Sequence[str]) -> BotProcess:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "server.matches.botprocess", *modules)
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ask(self, question: BotQuestion) -> tuple[bool, str]:
        """Return (True, action) or (False, why). Raises OSError or EOFError when the process is gone."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(pack(question))
        await stdin.drain()
        head = await stdout.readexactly(LENGTH.size)
        answer: tuple[bool, str] = unpack(await stdout.readexactly(LENGTH.unpack(head)[0]))
        return answer

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

    def __init__(self, size: int = 1, limit_s: float = 20.0, modules: Sequence[str] = ()) -> None:
        self._queue, self._quick_queue = FairQueue(size), FairQueue(1)
        self._idle: dict[FairQueue, list[BotProcess]] = {self._queue: [], self._quick_queue: []}
        self._all: set[BotProcess] = set()
        self._asked: set[asyncio.Task[Action | None]] = set()
        self._thinking: set[asyncio.Task[Any] | None] = set()  # those of them that have a process
        self._limit_s = limit_s
        self._modules = tuple(modules)
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the ids of the processes there are."""
        return tuple(process.pid for process in self._all)

    @property
    def has_free_place(self) -> bool:
        """Tell whether nobody would wait for a thought that begins now."""
        return self._queue.free > 0 and self._quick_queue.free > 0

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, paths: Sequence[QueuePath]
    ) -> Action:
        """Return an answer to `pending` that its choice holds.

        It is the bot's; where that fails or takes too long, that of `QUICK`; where that fails, too, a drawn one. What
        has one answer is asked of no process, but in windows, where a prompt answer would tell that there is no other.
        `paths`: on whose account (not empty); of several people the question waits in the turn of the one who waits
        for least.
        """
        if pending.window is None and isinstance(pending.choice, OneOf) and len(pending.choice.actions) == 1:
            return pending.choice.actions[0]
        for asked in dict.fromkeys((level, QUICK)):
            said = await self._answer(BotQuestion(game, asked, view, pending, seed), paths)
            if said is not None:
                return said
        return draw(pending.choice, Rng(seed))[0]

    async def _answer(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action | None:
        """Ask, once more where the process dies; None when no answer comes in time. What takes too long is killed."""
        for _ in range(2):
            try:
                return await self._ask(question, paths)
            except TimeoutError:  # before OSError, of which it is a kind
                log.warning("bot.too-slow", game=question.game, level=question.level, limit_s=self._limit_s)
                return None
            except (OSError, EOFError):
                log.warning("bot.process-died", game=question.game, level=question.level)
        return None

    async def _ask(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action | None:
        """Ask a process; None when what it says is no answer.

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

    def _done(self, task: asyncio.Task[Action | None]) -> None:
        self._asked.discard(task)
        self._thinking.discard(task)
        if not task.cancelled():
            task.exception()  # nobody may wait for it any more: then it is no news

    async def _think(self, question: BotQuestion, paths: Sequence[QueuePath]) -> Action | None:
        queue = self._quick_queue if question.level in QUICK_LEVELS else self._queue
        idle = self._idle[queue]  # a quick level would wait for the start of another process
        async with queue.place(paths):
            self._thinking.add(asyncio.current_task())
            process = idle.pop() if idle else await self._begin()
            try:
                good, said = await asyncio.wait_for(process.ask(question), self._limit_s)
            except BaseException:
                self._all.discard(process)
                await process.end()
                raise
            idle.append(process)
        if good and fits(question.pending, said):
            return Action(said)
        log.error("bot.failed", game=question.game, level=question.level, said=said[:200])
        return None

    async def _begin(self) -> BotProcess:
        if self._is_closed:
            raise OSError("the pool is closed")
        process = await BotProcess.begin(self._modules)
        self._all.add(process)
        return process

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
