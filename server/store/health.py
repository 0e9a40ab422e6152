"""What a database says of itself, for `patchbay doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text


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
