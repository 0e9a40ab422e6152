"""Schema upgrades, and refusal of a schema newer than this code.

An upgrade is one transaction on both databases: if it is killed, nothing has changed, and it can be run again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, inspect, make_url, text

from server.store.database import translated
from server.store.errors import SchemaError, StoreUnavailable, newer_than_this_code
from server.store.sqlite import sqlite_engine

T = TypeVar("T")
LOCK = 0x7061746368  # PostgreSQL advisory lock: one upgrade at a time, whatever the machine
LOCK_WAIT_MS = 10_000
SCRIPT = re.compile(r"v(\d{4})_\w+\.py")  # a revision's file


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The revision of a database's schema; None: there is none yet."""

    current: str | None
    head: str
    is_known: bool

    @property
    def is_at_head(self) -> bool:
        return self.current == self.head


async def state(url: str) -> SchemaState:
    """Return the schema's revision without changing anything. Raises StoreUnavailable."""
    file = file_of(url)
    if file is not None and not file.exists():
        return SchemaState(None, revisions()[-1], True)
    return await _run(make_url(url), _state, begin="BEGIN")


async def upgrade(url: str) -> SchemaState:
    """Upgrade the schema to head, from empty or any release; return its revision before.

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
        raise newer_than_this_code(found.current)
    if not found.is_at_head:
        raise SchemaError(f"the database's schema is {found.current or 'missing'}, not {found.head}: patchbay migrate")


def _state(connection: Connection) -> SchemaState:
    known = revisions()
    has_any = inspect(connection).has_table("alembic_version")
    current = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if has_any else None
    return SchemaState(current, known[-1], current is None or current in known)


@cache
def revisions() -> tuple[str, ...]:
    """Return the revisions that this code knows, the oldest first, by the names of their files.

    Alembic would say the same; a start at which there is nothing to upgrade does without its 11 MB.
    """
    names = (SCRIPT.fullmatch(file.name) for file in files("migrations.versions").iterdir())
    return tuple(sorted(found[1] for found in names if found is not None))


def _upgrade(connection: Connection) -> SchemaState:
    before = _state(connection)
    if not before.is_known:
        raise newer_than_this_code(before.current)
    if not before.is_at_head:
        upgrade_to(connection, "head")
    return before


def upgrade_to(connection: Connection, revision: str) -> None:
    """Bring the schema to a revision, within the caller's transaction. Raises SchemaError for an unknown one."""
    import_module("server.store.revisions").upgrade_to(connection, revision)


async def _run(url: URL, work: Callable[[Connection], T], begin: str) -> T:
    """Run `work` in one transaction on its own connection, without foreign keys, since tables are rebuilt."""
    if url.get_backend_name() == "sqlite":
        with translated(StoreUnavailable):
            Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
        engine = sqlite_engine(url.set(drivername="sqlite"), begin, LOCK_WAIT_MS, foreign_keys=False)
        try:
            with translated(StoreUnavailable), engine.begin() as connection:
                return work(connection)
        finally:
            engine.dispose()
    found: T = await import_module("server.store.postgres").run_alone(url, work)
    return found
