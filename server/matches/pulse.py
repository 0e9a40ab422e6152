"""The house's pulse: every half second this process says that it is alive. A pause in it is an outage, and noted."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Awaitable, Callable

from server.clock import Clock
from server.log import get_logger
from server.matches.model import Timing
from server.matches.whereabouts import Whereabouts
from server.store import outages, processes
from server.store.database import Database
from server.store.errors import StoreUnavailable

log = get_logger("matches.pulse")
LISTEN_EVERY = 4  # beats between two looks at the other processes' sessions


class Pulse:
    """Beats in the store with who came and went; calls back when an outage was found, here or by another process."""

    def __init__(
        self,
        clock: Clock,
        database: Database,
        timing: Timing,
        whereabouts: Whereabouts,
        on_outage: Callable[[], Awaitable[None]],
    ) -> None:
        self._clock = clock
        self._database = database
        self._timing = timing
        self._whereabouts = whereabouts
        self._on_outage = on_outage
        self._last_beat = clock.now()
        self._last_outage = 0
        self._owes_credit = False
        self._beats = 0
        self._has_started = False
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> bool:
        """Note this process, and the outage since the house was last alive; return whether the house drains.

        Raises StoreUnavailable.
        """
        who = self._whereabouts.process_id
        self._last_beat = self._clock.now()
        is_alone = self._database.is_sqlite
        machine, now = platform.node()[:80], self._last_beat
        arrival = await self._database.write(outages.arrive, who, os.getpid(), machine, now, is_alone)
        self._last_outage = arrival.last_outage
        self._has_started = True
        return arrival.drains

    async def beat_forever(self) -> None:
        """Beat until cancelled: whatever fails, the next beat is tried."""
        while True:
            await self._clock.sleep(self._timing.heartbeat)
            await self._beat_once()

    async def settled(self) -> bool:
        """Come back when an outage that is just over has been credited; False: the store does not let us yet.

        What comes first after an outage, a move or a timeout, would else be counted as if there had been none.
        """
        while self._has_started and not self._is_settled():
            before = self._last_beat
            await self._beat_once()
            if self._owes_credit or self._last_beat == before:
                return False
        return True

    def _is_settled(self) -> bool:
        """Tell whether this process has beaten lately, and every outage that it knows of is credited."""
        pause = (self._clock.now() - self._last_beat).total_seconds()
        return pause <= self._timing.outage and not self._owes_credit

    async def _beat_once(self) -> None:
        """Beat, or wait for the beat that is under way."""
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat_whatever_fails(), name="beat")
        await asyncio.shield(self._beating)

    async def _beat_whatever_fails(self) -> None:
        try:
            await self.beat()
        except Exception:
            log.exception("pulse.failed")
        finally:
            self._beating = None

    async def beat(self) -> None:
        """Say that this process is alive; where that could not be said for a while, note the outage."""
        came, gone = self._whereabouts.news()
        now = self._clock.now()
        pause = (now - self._last_beat).total_seconds()
        began = self._last_beat if pause > self._timing.outage else None
        try:
            if came or gone or began is not None:
                latest = await self._database.write(outages.beat, self._whereabouts.process_id, now, came, gone, began)
            else:
                latest = await self._database.write(outages.quiet_beat, self._whereabouts.process_id, now)
            await self._listen()
        except StoreUnavailable as error:
            self._whereabouts.not_told(came, gone)
            log.warning("pulse.missed", why=error.why)
            return
        self._last_beat = now
        self._owes_credit = latest > self._last_outage
        if self._owes_credit:
            log.warning("pulse.outage", seconds=round(pause, 1))
            try:
                await self._on_outage()
            except StoreUnavailable as error:
                log.warning("pulse.not-credited", why=error.why)  # the next beat tries again
                return
            self._last_outage, self._owes_credit = latest, False

    async def _listen(self) -> None:
        """Look now and then at who is connected to the other processes."""
        self._beats += 1
        if not self._database.is_sqlite and self._beats % LISTEN_EVERY == 1:
            self._whereabouts.heard(await self._database.read(processes.sessions_now, self._clock.now()))

    async def stop(self) -> None:
        """Say goodbye: from now on nobody here can play."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        try:
            await self._database.write(processes.leave, self._whereabouts.process_id, self._clock.now())
        except StoreUnavailable as error:
            log.warning("pulse.no-goodbye", why=error.why)
