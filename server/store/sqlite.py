"""SQLite, in threads of ours with plain connections: a unit of work costs one hop whatever it holds."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from server.store.database import P, T, Work, counted, translated
from server.store.errors import NotSaved, StoreUnavailable
from server.store.failedwrites import FailedWrites

BUSY_TIMEOUT_MS = 2000
READERS = 2
WAL_PAGES, SMALL_WAL_PAGES = 1000, 64
SMALL_DISK_BYTES = 64 * 1024 * 1024
Outcome = tuple[Any, BaseException | None]  # what a unit of work returned, or raised


@dataclass(slots=True)
class _Asked:
    """A reading unit of work in the queue."""

    work: Callable[[Connection], Any]
    answer: asyncio.Future[Any]


class SqliteDatabase:
    """SQLite: WAL, synchronous FULL, foreign keys, one writing thread that begins IMMEDIATE.

    Reads of one turn of the loop are batched: one hop to a thread, one transaction.
    """

    is_sqlite = True

    def __init__(
        self, url: URL, failed_writes: FailedWrites | None = None, busy_timeout_ms: int = BUSY_TIMEOUT_MS
    ) -> None:
        self.url = url.set(drivername="sqlite")
        self.writing = sqlite_engine(self.url, "BEGIN IMMEDIATE", busy_timeout_ms)
        self.reading = sqlite_engine(self.url, "BEGIN", busy_timeout_ms)
        self._writer = ThreadPoolExecutor(1, "db-write")
        self._readers = ThreadPoolExecutor(READERS, "db-read")
        self._asked: list[_Asked] = []
        self._failed_writes = failed_writes or FailedWrites()

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.call_soon(self._read_together)
        self._asked.append(_Asked(lambda connection: work(connection, *args, **kwargs), loop.create_future()))
        answer: T = await self._asked[-1].answer
        return answer

    def _read_together(self) -> None:
        asked, self._asked = self._asked, []
        try:
            reading = asyncio.get_running_loop().run_in_executor(self._readers, self._answers, asked)
        except RuntimeError as error:  # closed meanwhile
            _deliver(asked, [(None, error)] * len(asked))
            return
        reading.add_done_callback(lambda done: _deliver(asked, done.result()))

    def _answers(self, asked: list[_Asked]) -> list[Outcome]:
        """Run units of work in one transaction, in a thread; an exception in one does not affect the others."""
        try:
            with translated(StoreUnavailable), self.reading.begin() as connection:
                return [_outcome(one.work, connection) for one in asked]
        except Exception as error:  # raised in every caller  # noqa: BLE001
            return [(None, error)] * len(asked)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        def in_thread() -> T:
            with translated(NotSaved), self.writing.begin() as connection:
                return work(connection, *args, **kwargs)

        with counted(self._failed_writes):
            return await asyncio.get_running_loop().run_in_executor(self._writer, in_thread)

    async def close(self) -> None:
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown)
        self.writing.dispose()
        self.reading.dispose()


def _outcome(work: Callable[[Connection], Any], connection: Connection) -> Outcome:
    try:
        with translated(StoreUnavailable):
            return work(connection), None
    except Exception as error:  # raised in the caller  # noqa: BLE001
        return None, error


def _deliver(asked: list[_Asked], outcomes: list[Outcome]) -> None:
    for one, (found, error) in zip(asked, outcomes, strict=True):
        if one.answer.done():
            continue  # nobody waits any more
        if error is None:
            one.answer.set_result(found)
        else:
            one.answer.set_exception(error)


def sqlite_engine(url: URL, begin: str, busy_timeout_ms: int, *, foreign_keys: bool = True) -> Engine:
    """Make an engine whose transactions begin with `begin` (the driver's own idea of it is switched off)."""
    engine = create_engine(
        url,
        hide_parameters=True,  # errors are logged, and parameters hold private data
        connect_args={"check_same_thread": False, "isolation_level": None},
        pool_size=READERS,
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: sqlite3.Connection, _record: object) -> None:
        raw.execute(f"PRAGMA busy_timeout={busy_timeout_ms}")
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute(f"PRAGMA wal_autocheckpoint={_wal_pages(url)}")
        raw.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _wal_pages(url: URL) -> int:
    """Return the size limit of the write-ahead log in pages: small on a small disk."""
    room = os.statvfs(os.path.dirname(os.path.abspath(url.database or "")))
    return SMALL_WAL_PAGES if room.f_bavail * room.f_frsize < SMALL_DISK_BYTES else WAL_PAGES
