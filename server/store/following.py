"""Stored following, one-sided, and notes on people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, exists, func, select, update

from server.store.tables import accounts, blocks, follows, messages, notes, preferences
from server.store.upsert import put, put_if_missing


@dataclass(frozen=True, slots=True)
class Followed:
    """Somebody whom a person follows. `tell`: what that person wants to be told once (comes, plays), or None."""

    account_id: int
    handle: str
    at: datetime
    tell: str | None = None
    unread: int = 0  # messages of theirs
    is_machine: bool = False


def of_account(connection: Connection, account_id: int) -> list[Followed]:
    """Return whom somebody follows, by handle."""
    new = (
        messages.c.from_id == follows.c.followed_id,
        messages.c.to_id == account_id,
        messages.c.id > follows.c.read_id,
    )
    unread = select(func.count()).where(*new, messages.c.shown).scalar_subquery()
    is_machine = accounts.c.machine_since.is_not(None)
    columns = (accounts.c.id, accounts.c.handle, follows.c.at, follows.c.tell, unread, is_machine)
    chosen = select(*columns).join(follows, follows.c.followed_id == accounts.c.id)
    mine = chosen.where(follows.c.account_id == account_id, accounts.c.deleted_at.is_(None))
    return [Followed(*row) for row in connection.execute(mine.order_by(accounts.c.handle))]


def followers_of(connection: Connection, account_id: int) -> frozenset[int]:
    """Return who follows somebody: for the server alone, never told."""
    return frozenset(connection.scalars(select(follows.c.account_id).where(follows.c.followed_id == account_id)))


def count(connection: Connection, account_id: int) -> int:
    """Return how many people somebody follows."""
    return connection.scalar(select(func.count()).where(follows.c.account_id == account_id)) or 0


def follow(connection: Connection, account_id: int, followed_id: int, now: datetime) -> bool:
    """Store that somebody follows somebody; return whether that is new."""
    return put_if_missing(connection, follows, {"account_id": account_id, "followed_id": followed_id, "at": now})


def unfollow(connection: Connection, account_id: int, followed_id: int) -> bool:
    """Delete that somebody follows somebody; return whether they did."""
    gone = delete(follows).where(follows.c.account_id == account_id, follows.c.followed_id == followed_id)
    return connection.execute(gone).rowcount > 0


def set_alert(connection: Connection, account_id: int, followed_id: int, tell: str | None) -> None:
    """Store what a follower wants to be told of somebody, once; None: nothing."""
    mine = (follows.c.account_id == account_id, follows.c.followed_id == followed_id)
    connection.execute(update(follows).where(*mine).values(tell=tell))


def take_alert(connection: Connection, account_id: int, followed_id: int, tell: str) -> bool:
    """Delete an alert that is due; return whether it was there: only one terminal tells of it.

    One that waits for somebody who has blocked them is never due: to drop it would tell of the block.
    """
    mine = (follows.c.account_id == account_id, follows.c.followed_id == followed_id, follows.c.tell == tell)
    blocked = exists().where(blocks.c.account_id == followed_id, blocks.c.blocked_id == account_id)
    return connection.execute(update(follows).where(*mine, ~blocked).values(tell=None)).rowcount > 0


def alerts(connection: Connection) -> dict[tuple[str, str], int]:
    """Return the accounts of whom somebody wants to be told something, by handle and what it is."""
    columns = (accounts.c.handle, follows.c.tell, accounts.c.id)
    chosen = select(*columns).join(follows, follows.c.followed_id == accounts.c.id)
    chosen = chosen.where(follows.c.tell.is_not(None), accounts.c.deleted_at.is_(None)).distinct()
    return {(row.handle, row.tell): row.id for row in connection.execute(chosen)}


def waiting(connection: Connection, followed_id: int, tell: str) -> list[int]:
    """Return who wants to be told this of somebody."""
    chosen = select(follows.c.account_id).where(follows.c.followed_id == followed_id, follows.c.tell == tell)
    return list(connection.scalars(chosen.order_by(follows.c.account_id)))


def unwanted(connection: Connection, account_id: int, challengers: Sequence[int | None]) -> frozenset[int | None]:
    """Return those of some challengers whose challenges a person does not want to see; None: a guest's."""
    settings = connection.scalar(select(preferences.c.data).where(preferences.c.account_id == account_id))
    if not isinstance(settings, dict) or settings.get("challenged_by") != "followed":
        return frozenset()
    mine = select(follows.c.followed_id).where(follows.c.account_id == account_id)
    return frozenset(challengers).difference(connection.scalars(mine))


def note(connection: Connection, account_id: int, about_id: int) -> str:
    """Return somebody's note on somebody; empty: there is none."""
    mine = (notes.c.account_id == account_id, notes.c.about_id == about_id)
    return connection.scalar(select(notes.c.text).where(*mine)) or ""


def set_note(connection: Connection, account_id: int, about_id: int, text: str) -> None:
    """Store somebody's note on somebody, in place of the one before; an empty one deletes it."""
    if text:
        put(connection, notes, [{"account_id": account_id, "about_id": about_id, "text": text}])
    else:
        connection.execute(delete(notes).where(notes.c.account_id == account_id, notes.c.about_id == about_id))
