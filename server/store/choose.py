"""Open the database that the settings name."""

from __future__ import annotations

from importlib import import_module

from sqlalchemy import make_url

from server.store.database import Database
from server.store.failedwrites import FailedWrites
from server.store.sqlite import SqliteDatabase


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
