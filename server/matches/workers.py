"""A small pool of worker processes that think for the built-in players, off the server's loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import structlog

from game.choices import contains, draw
from game.contract import Action, Pending
from game.errors import GameError
from game.rng import Rng
from server.matches.fairqueue import FairQueue, Whose
from server.matches.thinker import LENGTH, BotQuestion, pack, unpack

log = structlog.get_logger(__name__)


class Worker:
    """One process; one question at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def begin(cls, modules: Sequence[str]) -> Worker:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "server.matches.thinker", *modules)
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
    """At most `processes` workers, begun when there is something to think about, begun again when one dies.

    Who waits for them is served in turn: see `FairQueue`.
    """

    def __init__(self, processes: int = 1, limit_s: float = 20.0, modules: Sequence[str] = ()) -> None:
        self._queue = FairQueue(processes)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._limit_s = limit_s
        self._modules = tuple(modules)
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """Return the process ids of the workers there are."""
        return tuple(worker.pid for worker in self._all)

    @property
    def has_room(self) -> bool:
        """Tell whether nobody would wait for a thought that begins now."""
        return self._queue.free > 0

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, on_account_of: Sequence[Whose]
    ) -> Action:
        """Return an answer to `pending` that its choice holds: the bot's, or a drawn one when the bot fails.

        A worker that dies is replaced and asked again once; one that takes too long is killed. `on_account_of`: the
        people of the match (not empty); it waits in the turn of the one who waits for least.
        """
        question = BotQuestion(game, level, view, pending, seed)
        for _ in range(2):
            try:
                said = await self._ask(question, on_account_of)
            except (OSError, EOFError):
                log.warning("bot.worker-died", game=game, level=level)
                continue
            except TimeoutError:
                log.warning("bot.too-slow", game=game, level=level, limit_s=self._limit_s)
                break
            if said is not None:
                return said
            break
        return draw(pending.choice, Rng(seed))[0]

    async def _ask(self, question: BotQuestion, on_account_of: Sequence[Whose]) -> Action | None:
        """Ask a worker; None when what it says is no answer."""
        async with self._queue.place(on_account_of):
            worker = self._idle.pop() if self._idle else await self._begin()
            try:
                good, said = await asyncio.wait_for(worker.ask(question), self._limit_s)
            except BaseException:
                self._all.discard(worker)
                await worker.end()
                raise
            self._idle.append(worker)
        if good and fits(question.pending, said):
            return Action(said)
        log.error("bot.failed", game=question.game, level=question.level, said=said[:200])
        return None

    async def _begin(self) -> Worker:
        if self._is_closed:
            raise OSError("the pool is closed")
        worker = await Worker.begin(self._modules)
        self._all.add(worker)
        return worker

    async def close(self) -> None:
        """End every worker."""
        self._is_closed = True
        workers, self._all, self._idle = list(self._all), set(), []
        for worker in workers:
            await worker.end()


def fits(pending: Pending, said: str) -> bool:
    """Tell whether the pending choice holds this answer."""
    try:
        return contains(pending.choice, Action(said))
    except GameError:
        return False
