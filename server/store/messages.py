"""Stored messages from person to person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.orm import aliased

from server.store.tables import accounts, blocks, follows, messages

KEPT_FOR = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """What somebody wrote to somebody. `sender`, `receiver`: their current handles; `from_id`: the writer's account."""

    id: int
    at: datetime
    from_id: int
    sender: str
    receiver: str
    text: str


def may_be_shown(connection: Connection, from_id: int, to_id: int) -> bool:
    """Tell whether two people follow each other, and neither has blocked the other."""
    both = _pair(follows.c.account_id, follows.c.followed_id, from_id, to_id)
    apart = _pair(blocks.c.account_id, blocks.c.blocked_id, from_id, to_id)
    n_follows, n_blocks = (connection.scalar(select(func.count()).where(one)) or 0 for one in (both, apart))
    return n_follows == 2 and n_blocks == 0


def _pair(one: ColumnElement[int], other: ColumnElement[int], first: int, second: int) -> ColumnElement[bool]:
    return or_(and_(one == first, other == second), and_(one == second, other == first))


def add(connection: Connection, from_id: int, to_id: int, text: str, is_shown: bool, now: datetime) -> int:
    """Store a message; return its number. `is_shown`: to whom it is for, too."""
    made = insert(messages).values(from_id=from_id, to_id=to_id, text=text, shown=is_shown, at=now)
    return int(connection.execute(made.returning(messages.c.id)).scalar_one())


def sent_since(connection: Connection, from_id: int, since: datetime) -> list[tuple[int, datetime]]:
    """Return to whom and when somebody has written since then, the oldest first."""
    sent = select(messages.c.to_id, messages.c.at).where(messages.c.from_id == from_id, messages.c.at > since)
    return [(row.to_id, row.at) for row in connection.execute(sent.order_by(messages.c.at))]


def read_by(account_id: int) -> ColumnElement[bool]:
    """Return which messages are somebody's: those that they wrote, and those that they were shown."""
    return or_(messages.c.from_id == account_id, and_(messages.c.to_id == account_id, messages.c.shown))


def of_account(connection: Connection, account_id: int, other_id: int | None, limit: int) -> list[StoredMessage]:
    """Return the last messages that somebody may read, oldest first; with `other_id` those to and from that person."""
    sender, receiver = aliased(accounts), aliased(accounts)
    columns = (messages.c.id, messages.c.at, messages.c.from_id, sender.c.handle, receiver.c.handle, messages.c.text)
    chosen = (
        select(*columns)
        .join(sender, sender.c.id == messages.c.from_id)
        .join(receiver, receiver.c.id == messages.c.to_id)
        .where(read_by(account_id))
    )
    if other_id is not None:
        chosen = chosen.where(_pair(messages.c.from_id, messages.c.to_id, account_id, other_id))
    rows = connection.execute(chosen.order_by(messages.c.id.desc()).limit(limit)).all()
    return [StoredMessage(*row) for row in reversed(rows)]


def record_read(connection: Connection, account_id: int, other_id: int, message_id: int) -> None:
    """Store up to which message somebody has read those of somebody whom they follow."""
    mine = (follows.c.account_id == account_id, follows.c.followed_id == other_id, follows.c.read_id < message_id)
    connection.execute(update(follows).where(*mine).values(read_id=message_id))


def forget_before(connection: Connection, moment: datetime) -> int:
    """Delete old messages; return how many."""
    return connection.execute(delete(messages).where(messages.c.at < moment)).rowcount
