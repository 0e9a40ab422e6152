"""Reserved handles: former ones of accounts, and those of deleted accounts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from server.store.tables import departed_handles, former_handles, handle_skeletons
from server.store.upsert import put


def former(connection: Connection, account_id: int, since: datetime | None = None) -> list[str]:
    """Return the handles that an account had before and that are kept for it, the latest first.

    `since`: only those that it left after then.
    """
    mine = select(former_handles.c.handle).where(former_handles.c.account_id == account_id)
    mine = mine if since is None else mine.where(former_handles.c.left_at > since)
    return list(connection.scalars(mine.order_by(former_handles.c.left_at.desc(), former_handles.c.handle)))


def leave(connection: Connection, account_id: int, handle: str, now: datetime) -> None:
    """Add a handle to an account's former ones."""
    put(connection, former_handles, [{"account_id": account_id, "handle": handle, "left_at": now}])


def reclaim(connection: Connection, account_id: int, handle: str) -> None:
    """Remove a handle from an account's former ones: it has it again."""
    mine = (former_handles.c.account_id == account_id, former_handles.c.handle == handle)
    connection.execute(delete(former_handles).where(*mine))


def give_up(connection: Connection, account_id: int, handle: str, skeletons: Iterable[str]) -> None:
    """Free a former handle of an account; `skeletons` are those that no other handle of it has."""
    reclaim(connection, account_id, handle)
    mine = (handle_skeletons.c.account_id == account_id, handle_skeletons.c.skeleton.in_(sorted(skeletons)))
    connection.execute(delete(handle_skeletons).where(*mine))


def depart(connection: Connection, hashes: Iterable[str], until: datetime) -> None:
    """Reserve the handles of a deleted account until then."""
    put(connection, departed_handles, [{"hash": one, "until": until} for one in sorted(hashes)])


def is_departed(connection: Connection, hashes: Collection[str], now: datetime) -> bool:
    """Tell whether one of these is reserved after a deletion; expired ones are deleted."""
    connection.execute(delete(departed_handles).where(departed_handles.c.until <= now))
    held = select(func.count()).where(departed_handles.c.hash.in_(sorted(hashes)))
    return connection.execute(held).scalar_one() > 0
