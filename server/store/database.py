"""The database: runs a function over a `Connection` in one reading or writing transaction.

SQLite runs in threads of ours with plain connections, so a unit of work costs one hop whatever it holds; PostgreSQL
runs on the loop (`postgres.py`, loaded only where it is used). The functions are the same. A unit of work can't wait
for the outside world: it is not a coroutine.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, runtime_checkable

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.store.errors import NotSaved, StoreUnavailable
from server.store.failedwrites import FailedWrites

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]

BUSY_TIMEOUT_MS = 2000
PARAMETERS = 500  # in one statement: SQLite bounds their number
READERS = 2
WAL_PAGES, SMALL_WAL_PAGES = 1000, 64
SMALL_DISK_BYTES = 64 * 1024 * 1024


ONE_STATEMENT: set[Callable[..., Any]] = set()


def parts(values: Sequence[T], most: int = PARAMETERS) -> Iterator[Sequence[T]]:
    """Cut values into parts that one statement takes.

    >>> list(parts("abcde", 2))
    ['ab', 'cd', 'e']
    """
    for start in range(0, len(values), most):
        yield values[start : start + most]


def one_statement(work: Callable[P, T]) -> Callable[P, T]:
    """Mark a unit of work that is one statement, which needs no transaction around it.

    On PostgreSQL that is one round trip instead of three or four.
    """
    ONE_STATEMENT.add(work)
    return work


def is_one_statement(work: Callable[..., Any]) -> bool:
    """Tell whether a unit of work is marked so."""
    return work in ONE_STATEMENT


class Database(Protocol):
    """One database. `read` sees one consistent snapshot; `write` commits when the function returns, or not at all."""

    @property
    def url(self) -> URL: ...

    @property
    def is_sqlite(self) -> bool: ...

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work(connection, …)` and return what it returns. Raises StoreUnavailable."""
        ...

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a writing transaction and commit. Raises NotSaved; then nothing of it is stored.

        `work` may be run several times, of which one counts: it changes nothing but the database.
        """
        ...

    async def close(self) -> None: ...


@runtime_checkable
class OneTrip(Protocol):
    """A database that takes a statement which is a whole transaction in one round trip."""

    async def write_alone(self, statement: str, *values: object) -> list[Any]:
        """Run it; return its rows.

        Raises NotSaved when it failed or the answer got lost, NotTaken when the statement or a value is wrong.
        """
        ...


async def open_database(url: str, failed_writes: FailedWrites | None = None) -> Database:
    """Return the database at `url` (sqlite:///PATH or postgresql+asyncpg://…); nothing is touched until it is used.

    `failed_writes` counts those that fail.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return SqliteDatabase(parsed, failed_writes)
    postgres = import_module("server.store.postgres")  # 12 MB with its driver
    found: Database = postgres.PostgresDatabase(parsed, failed_writes)
    return found


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
        except Exception as error:  # raised in every caller
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
    except Exception as error:  # raised in the caller
        return None, error


def _deliver(asked: list[_Asked], outcomes: list[Outcome]) -> None:
    for one, (found, error) in zip(asked, outcomes, strict=True):
        if one.answer.done():
            continue  # nobody waits any more
        if error is None:
            one.answer.set_result(found)
        else:
            one.answer.set_exception(error)


def sqlite_engine(url: URL, begin: str, busy_timeout_ms: int = BUSY_TIMEOUT_MS, *, foreign_keys: bool = True) -> Engine:
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


class translated:
    """Turn the drivers' errors of an unusable database into StoreUnavailable; let others through."""

    def __init__(self, failed: type[StoreUnavailable]) -> None:
        self.failed = failed

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and is_outage(error):
            raise self.failed(_reason(error)) from error


@contextmanager
def counted(failed: FailedWrites) -> Iterator[None]:
    """Count a write that fails."""
    try:
        yield
    except NotSaved as error:
        failed.note(error.why)
        raise


def _reason(error: BaseException) -> str:
    """Return the driver's message in one line, without the statement and its parameters."""
    said = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(f"{type(error).__name__}: {said}".split())[:300]


def is_outage(error: BaseException) -> bool:
    """Tell whether an error means that the database can't be used now, not that the statement was wrong."""
    if isinstance(error, IntegrityError):
        return False
    if isinstance(error, DBAPIError):
        known = type(error).__name__ in ("OperationalError", "InterfaceError", "DatabaseError")
        return known or error.connection_invalidated or _is_outage_state(error.orig)
    if any(
        kind.__module__.startswith("asyncpg.") and kind.__name__ == "InterfaceError" for kind in type(error).__mro__
    ):
        return not isinstance(error, ValueError)  # that is a value of a wrong type
    return isinstance(error, OSError | TimeoutError | PoolTimeout | sqlite3.OperationalError) or _is_outage_state(error)


def _is_outage_state(error: BaseException | None) -> bool:
    """Look at PostgreSQL's own code: connection, login, no such database, resources, shutdown, disk, no lock, deadlock,
    and a standby, which takes no writes.
    """
    state = getattr(error, "sqlstate", None)
    return isinstance(state, str) and (
        state[:2] in ("08", "28", "3D", "40", "53", "57", "58") or state in ("55P03", "25006")
    )
