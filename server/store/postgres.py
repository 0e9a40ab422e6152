"""PostgreSQL through asyncpg, on the loop. `choose.open_database` loads this module where the settings name one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
from sqlalchemy import URL, Connection, event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server.store.database import P, T, Work, counted, is_one_statement, translated
from server.store.errors import NotSaved, NotTaken, StoreUnavailable
from server.store.failedwrites import FailedWrites

POOL_SIZE = 10  # connections
GIVEN_UP_TIMES = 3  # retries of a transaction after a deadlock or serialization failure


class PostgresDatabase:
    """PostgreSQL through asyncpg; a lost connection is found before it is used.

    asyncpg notices at once when the server closes a connection, so there is no pre-ping (three round trips, more than
    most units of work need). After a deadlock the transaction that was rolled back is run again.
    """

    is_sqlite = False

    def __init__(self, url: URL, failed_writes: FailedWrites | None) -> None:
        self.url = url.set(drivername="postgresql+asyncpg")
        self.engine: AsyncEngine = create_async_engine(
            self.url,
            hide_parameters=True,
            pool_size=POOL_SIZE,
            max_overflow=0,
            pool_timeout=5,
            connect_args={
                "timeout": 5,
                "command_timeout": 30,
                "server_settings": {"application_name": "patchbay", "lock_timeout": "5000"},
            },
        )
        event.listen(self.engine.sync_engine, "checkout", _refuse_closed)
        self._own: tuple[AsyncConnection, Any] | None = None  # and the driver's own beneath it
        self._writes_alone = asyncio.Lock()
        self._failed_writes = failed_writes or FailedWrites()

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with translated(StoreUnavailable):
            if is_one_statement(work):
                return await self._alone(work, *args, **kwargs)
            async with self.engine.connect() as connection:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                async with connection.begin():
                    return await connection.run_sync(work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async def once() -> T:
            with translated(NotSaved):
                if is_one_statement(work):
                    return await self._alone(work, *args, **kwargs)
                async with self.engine.begin() as connection:
                    return await connection.run_sync(work, *args, **kwargs)

        with counted(self._failed_writes):
            return await _until_kept(once)

    async def _alone(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            return await connection.run_sync(work, *args, **kwargs)

    async def write_alone(self, statement: str, *values: object) -> list[Any]:
        """Do as `OneTrip.write_alone`, past SQLAlchemy's own round trips."""

        async def once() -> list[Any]:
            with translated(NotSaved):
                async with self._writes_alone:
                    rows: list[Any] = await (await self._own_connection()).fetch(statement, *values)
                    return rows

        try:
            with counted(self._failed_writes):
                return await _until_kept(once)
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise NotTaken from error

    async def _own_connection(self) -> Any:
        """Return the driver's connection that `write_alone` keeps: taking one from the pool costs five such writes."""
        if self._own is not None:
            held, driver = self._own
            if not driver.is_closed():
                return driver
            self._own = None
            await held.invalidate()
            await held.close()
        held = await self.engine.connect()
        self._own = held, (await held.get_raw_connection()).driver_connection
        return self._own[1]

    async def close(self) -> None:
        if self._own is not None:
            await self._own[0].close()
        await self.engine.dispose()


async def _until_kept(once: Callable[[], Awaitable[T]]) -> T:
    """Run a transaction; retry a few times after a deadlock or serialization failure."""
    for _ in range(GIVEN_UP_TIMES):
        try:
            return await once()
        except NotSaved as error:
            if not _is_given_up(error.__cause__):
                raise
    return await once()


def _refuse_closed(connection: Any, _record: object, _proxy: object) -> None:
    """Make the pool replace a connection that the server has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _is_given_up(error: BaseException | None) -> bool:
    """Tell by PostgreSQL's code whether it rolled this transaction back for another one."""
    state = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)
    return state in ("40001", "40P01")  # serialization failure, deadlock


async def run_alone(url: URL, work: Callable[[Connection], T]) -> T:
    """Run `work` in one transaction on a connection of its own. Raises StoreUnavailable."""
    engine = create_async_engine(url.set(drivername="postgresql+asyncpg"), poolclass=NullPool, hide_parameters=True)
    try:
        with translated(StoreUnavailable):
            async with engine.begin() as connection:
                return await connection.run_sync(work)
    finally:
        await engine.dispose()
