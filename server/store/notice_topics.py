"""Stored topics of notices, with what was sent to each within a day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from server.store.accounts import lock
from server.store.database import one_statement
from server.store.tables import notice_topics
from server.store.upsert import put

Sent = tuple[tuple[str | None, float], ...]  # match, and when (seconds since 1970)


@dataclass(frozen=True, slots=True)
class StoredTopic:
    """An account's topic. `code_hash`: of the code that its owner has not typed yet; None: it is confirmed."""

    account_id: int
    url: str
    kinds: Sequence[str]
    code_hash: str | None
    tries: int = 0
    sent_no: int = 0
    sent: Sent = ()


def change(connection: Connection, account_id: int, make: Callable[[StoredTopic | None], StoredTopic]) -> StoredTopic:
    """Replace an account's topic by what `make` makes of it; one transaction at a time. Raises what `make` raises."""
    lock(connection, account_id)
    before = of(connection, account_id)
    after = make(before)
    if after != before:
        row = {name: getattr(after, name) for name in StoredTopic.__slots__}
        put(connection, notice_topics, [row | {"kinds": [*after.kinds], "sent": [[*one] for one in after.sent]}])
    return after


def end(connection: Connection, account_id: int) -> bool:
    """Forget an account's topic; return whether there was one. What was sent within a day still counts."""
    before = of(connection, account_id)
    if before is None or not before.url:
        return False
    change(connection, account_id, lambda now: replace(now or before, url="", code_hash=None))
    return True


@one_statement
def of(connection: Connection, account_id: int) -> StoredTopic | None:
    """Return an account's topic, if it has ever had one."""
    row = connection.execute(select(notice_topics).where(notice_topics.c.account_id == account_id)).first()
    return None if row is None else _read(row)


@one_statement
def confirmed(connection: Connection) -> list[StoredTopic]:
    """Return every topic that notices are sent to."""
    chosen = select(notice_topics).where(notice_topics.c.code_hash.is_(None), notice_topics.c.url != "")
    return [_read(row) for row in connection.execute(chosen.order_by(notice_topics.c.account_id))]


def _read(row: object) -> StoredTopic:
    read = StoredTopic(*row)  # type: ignore[misc]
    return replace(read, kinds=tuple(read.kinds), sent=tuple((match, at) for match, at in read.sent))
