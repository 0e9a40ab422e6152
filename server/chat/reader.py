"""Reads channels from the store, and batches requests of the same moment into one read.

After a restart every match that somebody comes back to wants its two channels at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from server.chat.ring import LINES, Ring
from server.log import get_logger
from server.store import chat as stored
from server.store.database import Database

log = get_logger("chat")
LATE_LINES = 200  # ids that may still be committed after a higher one


class RingReader:
    """Fills rings; calls `changed` for each that has something new."""

    def __init__(self, database: Database, changed: Callable[[Ring], None]) -> None:
        self._database = database
        self._changed = changed
        self._wanted: dict[str, Ring] = {}
        self._reading: asyncio.Task[None] | None = None  # the read that takes what is wanted now
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self, rings: Iterable[Ring]) -> None:
        """Read these again: numbers may be committed out of order, so what is stored is taken whole.

        Raises StoreUnavailable.
        """
        await asyncio.shield(self._want(rings))

    def read_soon(self, rings: Iterable[Ring]) -> None:
        """Read as `read` does, in a task of its own; an error is left to a later poll."""
        self._want(rings)

    def _want(self, rings: Iterable[Ring]) -> asyncio.Task[None]:
        self._wanted.update((ring.channel, ring) for ring in rings)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_wanted(), name="chat read")
            self._tasks.add(self._reading)
            self._reading.add_done_callback(self._done)
        return self._reading

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("chat.unreadable", why=str(error))

    async def _read_wanted(self) -> None:
        await asyncio.sleep(0)  # lets others join this batch
        rings, self._wanted, self._reading = self._wanted, {}, None
        known = {channel: frozenset(line.id for line in ring.lines) for channel, ring in rings.items()}
        found = await self._database.read(stored.recent_of, list(rings), LINES)
        for channel, ring in rings.items():
            said_meanwhile = [line for line in ring.lines if line.id not in known[channel]]
            has_changed = ring.replace(found.get(channel, ()))
            for line in said_meanwhile:
                ring.add(line)
            if has_changed:
                self._changed(ring)

    async def close(self) -> None:
        """Stop reading."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def poll(database: Database, newest: int) -> tuple[int, frozenset[str]]:
    """Return the number of the last line said anywhere, and the channels in which something was said after `newest`.

    Raises StoreUnavailable.
    """
    last = await database.read(stored.newest)
    if last <= newest:
        return last, frozenset()
    known = newest or last  # at the start nothing is: the last lines will do
    return last, frozenset(await database.read(stored.channels_after, known - LATE_LINES))
