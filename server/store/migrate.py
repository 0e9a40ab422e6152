"""Bringing a database's schema to what this code expects, and refusing one that this code is too old for.

An upgrade is one transaction on both databases: killed in the middle, it has not happened; run again, it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from server.store.database import sqlite_engine, translated
from server.store.errors import SchemaError, StoreUnavailable

T = TypeVar("T")
LOCK = 0x7061746368  # PostgreSQL advisory lock: one upgrade at a time, whatever the machine
LOCK_WAIT_MS = 10_000


@dataclass(frozen=True, slots=True)
class SchemaState:
    """Where a database's schema stands; None: there is none yet."""

    current: str | None
    head: str
    is_known: bool

    @property
    def is_at_head(self) -> bool:
        return self.current == self.head


async def state(url: str) -> SchemaState:
    """Return where the schema stands; nothing is made. Raises StoreUnavailable when the database does not answer."""
    file = file_of(url)
    if file is not None and not file.exists():
        return SchemaState(None, _head(), True)
    return await _run(make_url(url), _state, begin="BEGIN")


async def upgrade(url: str) -> SchemaState:
    """Bring the schema to head, from empty or any release, and return where it stood before.

    Raises SchemaError when the schema is newer than this code, StoreUnavailable when the database does not answer.
    """
    return await run_alone(url, _upgrade)


async def run_alone(url: str, work: Callable[[Connection], T]) -> T:
    """Run `work` in one transaction in which nobody else writes to the database or changes its schema."""
    return await _run(make_url(url), lambda connection: work(_locked(connection)), begin="BEGIN IMMEDIATE")


def file_of(url: str) -> Path | None:
    """Return the file of an embedded database, which need not be there; None for PostgreSQL."""
    parsed = make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def _locked(connection: Connection) -> Connection:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_WAIT_MS}"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    return connection


async def require_head(url: str) -> None:
    """Raise SchemaError unless the schema is the one this code was written for."""
    found = await state(url)
    if not found.is_known:
        raise SchemaError(f"the database's schema {found.current} is newer than this program; use a newer release")
    if not found.is_at_head:
        raise SchemaError(f"the database's schema is {found.current or 'missing'}, not {found.head}: patchbay migrate")


def _state(connection: Connection) -> SchemaState:
    current = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in ScriptDirectory.from_config(_config()).walk_revisions()}
    return SchemaState(current, _head(), current is None or current in known)


def _head() -> str:
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None  # the package holds at least its first revision
    return head


def _upgrade(connection: Connection) -> SchemaState:
    before = _state(connection)
    if not before.is_known:
        raise SchemaError(f"the database's schema {before.current} is newer than this program; use a newer release")
    if not before.is_at_head:
        upgrade_to(connection, "head")
    return before


def upgrade_to(connection: Connection, revision: str) -> None:
    """Bring the schema to a revision, within the caller's transaction. Raises SchemaError for an unknown one."""
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError:
        raise SchemaError(f"the schema {revision} is newer than this program; use a newer release") from None


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config


async def _run(url: URL, work: Callable[[Connection], T], begin: str) -> T:
    """Run `work` in one transaction on a connection of its own. Foreign keys rest meanwhile: tables are rebuilt."""
    if url.get_backend_name() == "sqlite":
        with translated(StoreUnavailable):
            Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
        engine = sqlite_engine(url.set(drivername="sqlite"), begin, LOCK_WAIT_MS, foreign_keys=False)
        try:
            with translated(StoreUnavailable), engine.begin() as connection:
                return work(connection)
        finally:
            engine.dispose()
    remote = create_async_engine(url.set(drivername="postgresql+asyncpg"), poolclass=NullPool, hide_parameters=True)
    try:
        with translated(StoreUnavailable):
            async with remote.begin() as connection:
                return await connection.run_sync(work)
    finally:
        await remote.dispose()
