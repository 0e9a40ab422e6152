"""Accounts that programs play for."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from server.store.accounts import person_key
from server.store.database import one_statement
from server.store.matches import VOID
from server.store.tables import accounts, matches, rooms, seats, seeks


@one_statement
def handles(connection: Connection) -> dict[int, str]:
    """Return the handles of the accounts that are machines; of deleted ones too, whose matches say so still."""
    chosen = select(accounts.c.id, accounts.c.handle).where(accounts.c.machine_since.is_not(None))
    return {row.id: row.handle for row in connection.execute(chosen)}


def mark(connection: Connection, account_id: int, since: datetime | None) -> None:
    """Store since when an account is a machine; None: it is none."""
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(machine_since=since))


def has_begun_rated(connection: Connection, account_id: int, since: datetime) -> bool:
    """Tell whether an account has begun a rated match since then, which was not called off."""
    begun = (
        select(matches.c.id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.account_id == account_id, matches.c.started_at >= since)
        .where(matches.c.rated.is_(True), matches.c.status != VOID)
    )
    return connection.execute(begun.limit(1)).first() is not None


def waits_for_rated(connection: Connection, account_id: int) -> bool:
    """Tell whether an account seeks a rated match, or has a seat in a room for one."""
    sought = select(seeks.c.data).where(seeks.c.person == person_key(account_id, None))
    if any(data["seek"]["rated"] for data in connection.scalars(sought)):
        return True
    return any(
        chair["player"] is not None and chair["player"]["account_id"] == account_id
        for data in connection.scalars(select(rooms.c.data))
        if data["settings"]["rated"]
        for chair in data["chairs"]
    )
