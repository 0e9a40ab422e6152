"""The time that all processes of one server share, whatever the clocks of their machines say.

A process reads its machine's clock once, at its start (`clock.py`). If others are running it takes their time instead:
a deadline set by one must not be over for another whose clock is an hour ahead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from server.clock import SystemClock, elapsed_s
from server.log import get_logger
from server.store import processes
from server.store.database import Database
from server.store.errors import StoreUnavailable

log = get_logger("time")
AGREE_S = 1.0  # smaller differences are ignored; a process stores its time every half second
WATCH_S = 2.0  # a process that has not stored its time for so long is gone
LOOK_S = 0.1
JUMP_S = 30.0
BEHIND_S = 2.0
KEEP_EVERY_S = 1.0


async def shared_clock(database: Database) -> SystemClock:
    """Return a clock with the time of the running processes; the machine's time if none runs.

    Takes up to WATCH_S if one seems to be gone or disagrees. Raises StoreUnavailable.
    """
    clock, end = SystemClock(), elapsed_s() + WATCH_S
    first = told = await database.read(processes.told_time)
    while told and not _agree(told, clock.now()):
        now = _moved(first, told)
        if now is not None:
            log.warning("clock.follows", seconds=round((now - clock.now()).total_seconds(), 1))
            clock.be(now)
            break
        if elapsed_s() >= end:
            break
        await asyncio.sleep(LOOK_S)
        told = await database.read(processes.told_time)
    return clock


def _agree(told: Mapping[str, datetime], now: datetime) -> bool:
    return any(abs(now - alive_at) <= timedelta(seconds=AGREE_S) for alive_at in told.values())


def _moved(before: Mapping[str, datetime], now: Mapping[str, datetime]) -> datetime | None:
    """Return the time of a process that has stored it again since; None: none has."""
    moved = (now[one] for one, alive_at in before.items() if one in now and now[one] != alive_at)
    return max(moved, default=None)


class TimeKeeper:
    """Logs when the machine's clock is set, and catches up after this process alone was suspended.

    A virtual machine that was paused continues at its old time: its entries would be dated an hour ago, and deadlines
    would be over at the other processes. Only forward: the process that is ahead is followed.
    """

    def __init__(self, clock: SystemClock, database: Database) -> None:
        self._clock = clock
        self._database = database
        self._ahead_s = clock.ahead_s()
        self._told: Mapping[str, datetime] = {}

    async def compare(self) -> None:
        """Compare the clocks; to be done every KEEP_EVERY_S seconds."""
        self.log_jump()
        if not self._database.is_sqlite:
            with suppress(StoreUnavailable):  # the heartbeat logs it
                await self.follow_others()

    def log_jump(self) -> None:
        """Log a jump of the machine's clock since the last one that was logged."""
        ahead_s = self._clock.ahead_s()
        if abs(ahead_s - self._ahead_s) > JUMP_S:
            log.warning("clock.jumped", seconds=round(ahead_s - self._ahead_s), ahead_of_ours=round(ahead_s))
            self._ahead_s = ahead_s

    async def follow_others(self) -> None:
        """Take the time of a running process that is ahead. Raises StoreUnavailable."""
        before, self._told = self._told, await self._database.read(processes.told_time)
        now = _moved(before, self._told)
        if now is not None and now > self._clock.now() + timedelta(seconds=BEHIND_S):
            log.warning("clock.follows", seconds=round((now - self._clock.now()).total_seconds(), 1))
            self._clock.be(now)
            self._ahead_s = self._clock.ahead_s()
