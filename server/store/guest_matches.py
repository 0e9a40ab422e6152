"""Deletion of ended matches in which nobody but guests and bots sat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, select, tuple_

from server.store.database import parts
from server.store.matches import OVER
from server.store.tables import chat_lines, matches, reports, seats

AT_ONCE: Final = 500  # matches that one transaction looks at


@dataclass(frozen=True, slots=True)
class Looked:
    """How far ended matches were looked at, in the order in which they ended."""

    ended_at: datetime
    match_id: str


def ended_before(connection: Connection, before: datetime, after: Looked | None) -> list[Looked]:
    """Return the next AT_ONCE matches that ended before a moment, from the one after `after`."""
    place = (matches.c.ended_at, matches.c.id)
    chosen = select(*place).where(matches.c.ended_at < before).order_by(*place).limit(AT_ONCE)
    if after is not None:
        chosen = chosen.where(tuple_(*place) > (after.ended_at, after.match_id))
    return [Looked(row.ended_at, row.id) for row in connection.execute(chosen)]


def delete_among(connection: Connection, ids: Sequence[str]) -> int:
    """Delete those of these matches in which no account sat, with what was said; return how many.

    One that an open report names stays.
    """
    gone = 0
    for part in parts(ids):
        kept = select(seats.c.match_id).where(seats.c.match_id.in_(part), seats.c.kind == "account")
        reported = select(reports.c.match_id).where(reports.c.match_id.in_(part), reports.c.handled_at.is_(None))
        stay = {*connection.scalars(kept), *connection.scalars(reported)}
        over = select(matches.c.id).where(matches.c.id.in_(part), matches.c.status.in_(OVER))
        doomed = sorted(set(connection.scalars(over)) - stay)
        channels = [f"{kind}:{match_id}" for match_id in doomed for kind in ("match", "gallery")]
        for some in parts(channels):
            connection.execute(delete(chat_lines).where(chat_lines.c.channel.in_(some)))
        gone += connection.execute(delete(matches).where(matches.c.id.in_(doomed))).rowcount
    return gone
