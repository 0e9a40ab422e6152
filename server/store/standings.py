"""Standings kept beside running matches: where a fold may begin. A cache, never the truth: any may be dropped."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, Text, delete, select

from server.store.columns import metadata
from server.store.matches import RUNNING
from server.store.tables import matches
from server.store.upsert import put

standings = Table(
    "standings",
    metadata,
    Column("match_id", String(20), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, nullable=False),  # the entry after which the match stood so
    Column("rules", String(64), nullable=False),  # hash of the code that folded it: no other code may read it
    Column("data", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)


@dataclass(frozen=True, slots=True)
class KeptStanding:
    """How a match stood after entry `seq`, as JSON text, and which code says so."""

    match_id: str
    seq: int
    rules: str
    data: str

    @property
    def digest(self) -> str:
        """Return the SHA-256 over all of it: a changed byte shows."""
        return hashlib.sha256(f"{self.match_id} {self.seq} {self.rules} {self.data}".encode()).hexdigest()


def keep(connection: Connection, kept: Sequence[KeptStanding]) -> None:
    """Keep standings in place of the same matches' earlier ones; of a match that has ended none."""
    ids = [one.match_id for one in kept]
    running = select(matches.c.id).where(matches.c.id.in_(ids), matches.c.status.in_(RUNNING))
    still = set(connection.scalars(running))
    connection.execute(delete(standings).where(standings.c.match_id.in_(set(ids) - still)))
    rows = [
        {"match_id": one.match_id, "seq": one.seq, "rules": one.rules, "data": one.data, "digest": one.digest}
        for one in sorted(kept, key=lambda one: one.match_id)
        if one.match_id in still
    ]
    put(connection, standings, rows)


def of(connection: Connection, match_id: str) -> KeptStanding | None:
    """Return what is kept of a match; nothing where a byte of it has changed."""
    return all_of(connection, [match_id]).get(match_id)


def all_of(connection: Connection, ids: Sequence[str]) -> dict[str, KeptStanding]:
    """Return what is kept of these matches, without those of which a byte has changed."""
    rows = connection.execute(select(standings).where(standings.c.match_id.in_(ids))).all()
    both = [(KeptStanding(row.match_id, row.seq, row.rules, row.data), row.digest) for row in rows]
    return {kept.match_id: kept for kept, digest in both if kept.digest == digest}


def forget(connection: Connection, match_id: str) -> None:
    """Drop what is kept of a match."""
    connection.execute(delete(standings).where(standings.c.match_id == match_id))


def tidy(connection: Connection) -> int:
    """Drop what is kept of matches that have ended; return how many."""
    running = select(matches.c.id).where(matches.c.status.in_(RUNNING))
    return int(connection.execute(delete(standings).where(standings.c.match_id.not_in(running))).rowcount)
