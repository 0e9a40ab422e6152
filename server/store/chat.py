"""Stored chat lines, by channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select

from server.store.database import one_statement, parts
from server.store.tables import chat_lines


@dataclass(frozen=True, slots=True)
class StoredLine:
    """What somebody said. `text` is clean; `account_id` None: a guest or a bot."""

    id: int
    channel: str
    at: datetime
    account_id: int | None
    name: str
    text: str


def add(
    connection: Connection, channel: str, account_id: int | None, name: str, text: str, now: datetime
) -> StoredLine:
    made = insert(chat_lines).values(channel=channel, account_id=account_id, name=name, text=text, at=now)
    line_id = int(connection.execute(made.returning(chat_lines.c.id)).scalar_one())
    return StoredLine(line_id, channel, now, account_id, name, text)


@one_statement
def recent(connection: Connection, channel: str, limit: int) -> list[StoredLine]:
    """Return the last lines of a channel, oldest first."""
    chosen = select(chat_lines).where(chat_lines.c.channel == channel).order_by(chat_lines.c.id.desc()).limit(limit)
    return [StoredLine(**row._mapping) for row in connection.execute(chosen)][::-1]


def recent_of(connection: Connection, channels: Sequence[str], limit: int) -> dict[str, list[StoredLine]]:
    """Return the last lines of several channels at once, oldest first; silent channels are left out."""
    found: dict[str, list[StoredLine]] = {}
    for part in parts(channels):
        chosen = chat_lines.c.channel.in_(part)
        age = func.row_number().over(partition_by=chat_lines.c.channel, order_by=chat_lines.c.id.desc()).label("age")
        lines = select(chat_lines, age).where(chosen).subquery()
        for row in connection.execute(select(lines).where(lines.c.age <= limit).order_by(lines.c.id)):
            fields = {name: value for name, value in row._mapping.items() if name != "age"}
            found.setdefault(row.channel, []).append(StoredLine(**fields))
    return found


@one_statement
def channels_after(connection: Connection, line_id: int) -> list[str]:
    """Return the channels in which something was said after line `line_id`."""
    return list(connection.scalars(select(chat_lines.c.channel).where(chat_lines.c.id > line_id).distinct()))


@one_statement
def newest(connection: Connection) -> int:
    """Return the number of the last line said anywhere."""
    return int(connection.execute(select(func.coalesce(func.max(chat_lines.c.id), 0))).scalar_one())


def moments_since(connection: Connection, account_id: int | None, name: str, since: datetime) -> list[datetime]:
    """Return when an account, or the guest of that name, spoke since then, in any channel, oldest first.

    `name` is the account's handle: all its lines have it, and the index is by name.
    """
    said_by = chat_lines.c.account_id.is_(None) if account_id is None else chat_lines.c.account_id == account_id
    chosen = select(chat_lines.c.at).where(chat_lines.c.name == name, said_by, chat_lines.c.at > since)
    return list(connection.scalars(chosen.order_by(chat_lines.c.at)))


KEPT_FOR = timedelta(days=90)  # lines that are no match's


def forget_before(connection: Connection, moment: datetime, keep: str = "match:%") -> int:
    """Drop old lines, but those of channels like `keep`; return how many."""
    old = delete(chat_lines).where(chat_lines.c.at < moment, chat_lines.c.channel.not_like(keep))
    return connection.execute(old).rowcount
