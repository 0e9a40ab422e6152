"""The database: runs a function over a `Connection` in one reading or writing transaction.

`sqlite.py` and `postgres.py` are the two there are, `choose.py` opens the one that the settings name. The functions
are the same. A unit of work can't wait for the outside world: it is not a coroutine.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, runtime_checkable

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.store.errors import NotSaved, StoreUnavailable
from server.store.failedwrites import FailedWrites

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]

PARAMETERS = 500  # in one statement: SQLite bounds their number


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
    """Count a write that fails, and note one that does not."""
    try:
        yield
        failed.worked()
    except NotSaved as error:
        failed.record(error.why)
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
    a standby, which takes no writes, and no right to a table or none that is to be made.
    """
    state = getattr(error, "sqlstate", None)
    return isinstance(state, str) and (
        state[:2] in ("08", "28", "3D", "40", "53", "57", "58") or state in ("55P03", "25006", "42501", "3F000")
    )
