"""SQLite in memory, on the loop: a real database without files and threads, so a test waits for turns only."""

from __future__ import annotations

import asyncio
import sqlite3
from functools import cache
from pathlib import Path

from sqlalchemy import URL, Connection, StaticPool, create_engine, event

from server.store.database import P, T, Work, counted, translated
from server.store.errors import NotSaved, StoreUnavailable
from server.store.failedwrites import FailedWrites


class MemoryDatabase:
    """A `Database` in memory, begun as a copy of a migrated file; a unit of work is done in one turn of the loop."""

    is_sqlite = True

    def __init__(self, migrated: Path) -> None:
        self.url = URL.create("sqlite")
        self._failed = FailedWrites()
        raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        raw.deserialize(image(migrated))
        raw.execute("PRAGMA foreign_keys=ON")
        self._engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)

        @event.listens_for(self._engine, "begin")
        def start(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN")

    def run(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a unit of work now: what a test sets up, or looks up."""
        with self._engine.begin() as connection:
            return work(connection, *args, **kwargs)

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        await asyncio.sleep(0)
        with translated(StoreUnavailable):
            return self.run(work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        await asyncio.sleep(0)
        with counted(self._failed), translated(NotSaved):
            return self.run(work, *args, **kwargs)

    def statements(self) -> list[str]:
        """Return a list that takes each statement from now on."""
        said: list[str] = []
        event.listen(self._engine, "before_cursor_execute", lambda *args: said.append(args[2]))
        return said

    async def close(self) -> None:
        self._engine.dispose()


@cache
def image(file: Path) -> bytes:
    """Return a database's pages, as one in memory takes them: without a write-ahead log."""
    with sqlite3.connect(file) as source, sqlite3.connect(":memory:") as copy:
        source.backup(copy)
        pages = bytearray(copy.serialize())
    pages[18] = pages[19] = 1  # the header's versions of writing and reading: 2 stands for a write-ahead log
    return bytes(pages)
