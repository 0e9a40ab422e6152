"""SQLite in memory, on the loop: a real database without files and threads, so a test waits for turns only."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event

from server.store.database import P, T, Work, counted, translated
from server.store.errors import NotSaved, StoreUnavailable
from server.store.failedwrites import FailedWrites


class MemoryDatabase:
    """A `Database` in memory, begun as a copy of a migrated file; a unit of work is done in one turn of the loop."""

    is_sqlite = True

    def __init__(self, migrated: Path) -> None:
        self.url = URL.create("sqlite")
        self._failed = FailedWrites()
        self._opened = resting().pop() if resting() else opened()
        self._engine = self._opened.engine
        self._opened.raw.deserialize(image(migrated))
        self._opened.raw.execute("PRAGMA foreign_keys=ON")
        self._heard: list[Callable[..., None]] = []

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

        def hear(*args: Any) -> None:
            said.append(args[2])

        event.listen(self._engine, "before_cursor_execute", hear)
        self._heard.append(hear)
        return said

    async def close(self) -> None:
        """Let the next database have the connection."""
        for hear in self._heard:
            event.remove(self._engine, "before_cursor_execute", hear)
        resting().append(self._opened)


@dataclass(frozen=True)
class Opened:
    """A connection, with the statements that its engine has compiled: it takes the pages of one test after another."""

    raw: sqlite3.Connection
    engine: Engine


@cache
def resting() -> list[Opened]:
    """Return the connections that no test uses now."""
    return []


def opened() -> Opened:
    """Open a connection to a database in memory."""
    raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return Opened(raw, engine)


@cache
def image(file: Path) -> bytes:
    """Return a database's pages, as one in memory takes them: without a write-ahead log."""
    with sqlite3.connect(file) as source, sqlite3.connect(":memory:") as copy:
        source.backup(copy)
        pages = bytearray(copy.serialize())
    pages[18] = pages[19] = 1  # the header's versions of writing and reading: 2 stands for a write-ahead log
    return bytes(pages)
