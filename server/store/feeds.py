"""Stored feeds: the hash of the secret in the address of an account's feed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, select

from server.store.tables import feeds
from server.store.upsert import put


def make(connection: Connection, account_id: int, secret_hash: str, now: datetime) -> None:
    """Store an account's feed, in place of an earlier one."""
    put(connection, feeds, [{"account_id": account_id, "secret_hash": secret_hash, "made_at": now}])


def made_at(connection: Connection, account_id: int) -> datetime | None:
    """Return since when an account has its feed; None: it has none."""
    return connection.scalar(select(feeds.c.made_at).where(feeds.c.account_id == account_id))


def account_of(connection: Connection, secret_hash: str) -> int | None:
    """Return the account whose feed has this secret."""
    return connection.scalar(select(feeds.c.account_id).where(feeds.c.secret_hash == secret_hash))


def drop(connection: Connection, account_id: int) -> bool:
    """Delete an account's feed; return whether it had one."""
    return connection.execute(delete(feeds).where(feeds.c.account_id == account_id)).rowcount > 0
