"""Where the people of running matches have come from: hashes only, dropped at the end.

Those under a match's own secret tell who may not see its open hands, those under the server's count what a source has
begun.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, select

from server.store.database import parts
from server.store.matches import RUNNING
from server.store.tables import matches, origins
from server.store.upsert import put_if_missing
from server.store.withheld import LONGEST

SLACK = timedelta(seconds=30)  # between the clocks of two processes


def add(connection: Connection, match_id: str, hashes: Collection[str]) -> None:
    """Keep where players came from, as long as the match runs."""
    running = select(matches.c.id).where(matches.c.id == match_id, matches.c.status.in_(RUNNING))
    if connection.scalar(running) is not None:
        for one in sorted(hashes):
            put_if_missing(connection, origins, {"match_id": match_id, "hash": one})


def of(connection: Connection, match_id: str) -> frozenset[str]:
    """Return what is kept of a match."""
    return all_of(connection, [match_id]).get(match_id, frozenset())


def all_of(connection: Connection, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return what is kept of these matches; those of which nothing is are left out."""
    found: dict[str, frozenset[str]] = {}
    for part in parts(ids):
        for row in connection.execute(select(origins).where(origins.c.match_id.in_(part))):
            found[row.match_id] = found.get(row.match_id, frozenset()) | {row.hash}
    return found


def running_by_hash(connection: Connection, hashes: Sequence[str]) -> dict[str, int]:
    """Return how many running matches each of these hashes is kept of; those of none are left out."""
    chosen = select(origins.c.hash, func.count()).join(matches).where(origins.c.hash.in_(list(hashes)))
    rows = connection.execute(chosen.where(matches.c.status.in_(RUNNING)).group_by(origins.c.hash))
    return {row[0]: row[1] for row in rows}


def forget(connection: Connection, match_id: str) -> None:
    """Drop what is kept of a match."""
    connection.execute(delete(origins).where(origins.c.match_id == match_id))


def tidy(connection: Connection, now: datetime) -> int:
    """Drop what is kept of matches whose end everybody may know; return how many rows."""
    over = select(matches.c.id).where(matches.c.status.not_in(RUNNING), matches.c.ended_at < now - LONGEST - SLACK)
    return int(connection.execute(delete(origins).where(origins.c.match_id.in_(over))).rowcount)
