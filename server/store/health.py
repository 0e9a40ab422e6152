"""Whether a database is as it should be: what it says of itself, for `patchbay doctor`, and a write for `/readyz`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from server.store.tables import counters
from server.store.upsert import put


@dataclass(frozen=True, slots=True)
class DatabaseFacts:
    """Of PostgreSQL its main version and its time; None for an embedded database, which has neither of its own."""

    postgres: int | None
    now: datetime | None


def told_by(connection: Connection) -> DatabaseFacts:
    """Return what a database says of itself."""
    if connection.dialect.name != "postgresql":
        return DatabaseFacts(None, None)
    number = int(connection.execute(text("SELECT current_setting('server_version_num')")).scalar_one())
    return DatabaseFacts(number // 10_000, connection.execute(text("SELECT clock_timestamp()")).scalar_one())


def try_write(connection: Connection, number: int) -> None:
    """Write a number that differs from the last one: SQLite writes nothing where nothing changes."""
    put(connection, counters, [{"name": "write-check", "value": number}])
