"""The heartbeat: every half second this process says that it is alive. A pause in it is an outage, and noted."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Awaitable, Callable

from server.clock import Clock
from server.log import ThrottledWarning, get_logger
from server.matches.model import Timing
from server.presence.connections import Connections
from server.store import outages, processes
from server.store.database import Database
from server.store.errors import StoreUnavailable

log = get_logger("matches.heartbeat")
LISTEN_EVERY = 4  # beats between two looks at the other processes' sessions


class Heartbeat:
    """Beats in the store with who came and went; calls back when an outage was found, here or by another process."""

    def __init__(
        self,
        clock: Clock,
        database: Database,
        timing: Timing,
        connections: Connections,
        on_outage: Callable[[], Awaitable[None]],
    ) -> None:
        self._clock = clock
        self._database = database
        self._timing = timing
        self._connections = connections
        self._on_outage = on_outage
        self.last_beat = clock.now()
        self.all_read = False  # every process that is registered reads all kinds of entries
        self._last_outage = 0
        self._owes_credit = False
        self._beats = 0
        self._has_started = False
        self._beating: asyncio.Task[bool] | None = None
        self._missed = ThrottledWarning(log, clock.monotonic)

    async def start(self) -> bool:
        """Note this process, and the outage since the server was last alive; return whether the server drains.

        Raises StoreUnavailable.
        """
        who = self._connections.process_id
        self.last_beat = self._clock.now()
        is_alone = self._database.is_sqlite
        machine, now = platform.node()[:80], self.last_beat
        arrival = await self._database.write(outages.arrive, who, os.getpid(), machine, now, is_alone)
        self._last_outage = arrival.last_outage
        await self.ask_all_read()
        self._has_started = True
        return arrival.drains

    async def outages_credited(self) -> bool:
        """Wait until an outage that is just over has been credited; return False where the store does not answer yet.

        What comes first after an outage, a move or a timeout, would else be counted as if there had been none.
        """
        while self._has_started and not self._is_settled():
            if not await self.beat_once() or self._owes_credit:
                return False
        return True

    def _is_settled(self) -> bool:
        """Tell whether this process has beaten lately, and every outage that it knows of is credited."""
        pause = (self._clock.now() - self.last_beat).total_seconds()
        return pause <= self._timing.outage and not self._owes_credit

    async def meet(self) -> None:
        """Tell the other processes who is here, and hear at once who is with them. Raises StoreUnavailable."""
        if self._beating is not None:
            await self.beat_once()  # it may have begun before the last came
        if not await self.beat_once():
            raise StoreUnavailable("who is here could not be told")
        await self._hear()

    async def beat_once(self) -> bool:
        """Beat, or wait for the beat that is under way; return whether the store took it."""
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat_whatever_fails(), name="beat")
        return await asyncio.shield(self._beating)

    async def _beat_whatever_fails(self) -> bool:
        try:
            return await self.beat()
        except Exception:  # the guard of one beat
            log.exception("heartbeat.failed")
            return False
        finally:
            self._beating = None

    async def beat(self) -> bool:
        """Say that this process is alive; where that could not be said for a while, note the outage.

        Returns whether it could be said now.
        """
        now = self._clock.now()
        came, gone = self._connections.news(now)
        pause = (now - self.last_beat).total_seconds()
        began = self.last_beat if pause > self._timing.outage else None
        try:
            if came or gone or began is not None:
                latest = await self._database.write(outages.beat, self._connections.process_id, now, came, gone, began)
            else:
                latest = await self._database.write(outages.quiet_beat, self._connections.process_id, now)
            await self._listen()
        except StoreUnavailable as error:
            self._connections.not_told(came, gone)
            self._missed.say("heartbeat.missed", why=error.why)
            return False
        self.last_beat = now
        self._owes_credit = latest > self._last_outage
        if self._owes_credit:
            log.warning("heartbeat.outage", seconds=round(pause, 1))
            try:
                await self._on_outage()
            except StoreUnavailable as error:
                log.warning("heartbeat.not-credited", why=error.why)  # the next beat tries again
                return True
            self._last_outage, self._owes_credit = latest, False
        return True

    async def _listen(self) -> None:
        """Look now and then at who is connected to the other processes."""
        self._beats += 1
        if self._beats % LISTEN_EVERY == 1:
            await self._hear()
            await self.ask_all_read()

    async def ask_all_read(self) -> bool:
        """Tell whether every process reads all kinds of entries: one of an earlier release would stop at a new one.

        Asks the store; `all_read` is its last answer. Raises StoreUnavailable.
        """
        now = self._clock.now()
        self.all_read = await self._database.read(processes.all_read, processes.LOG_VERSION, now)
        return self.all_read

    async def _hear(self) -> None:
        if not self._database.is_sqlite:
            self._connections.heard(await self._database.read(processes.sessions_now, self._clock.now()))

    async def stop(self) -> None:
        """Store that this process has ended: from now on nobody here can play."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        try:
            await self._database.write(processes.leave, self._connections.process_id, self._clock.now())
        except StoreUnavailable as error:
            log.warning("heartbeat.no-goodbye", why=error.why)
