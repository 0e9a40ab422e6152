"""Stored checkpoints of running matches, where a fold may begin. A cache: any row may be deleted."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from server.store.matches import RUNNING
from server.store.tables import checkpoints, matches
from server.store.upsert import put


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A checkpoint after entry `seq` as JSON text, with the hash of the code that made it."""

    match_id: str
    seq: int
    rules: str
    data: str

    @property
    def digest(self) -> str:
        """Return the SHA-256 over all fields, to detect changed bytes."""
        return hashlib.sha256(f"{self.match_id} {self.seq} {self.rules} {self.data}".encode()).hexdigest()


def keep(connection: Connection, kept: Sequence[StoredCheckpoint]) -> None:
    """Store checkpoints in place of the matches' earlier ones; none for a match that has ended."""
    ids = [one.match_id for one in kept]
    running = select(matches.c.id).where(matches.c.id.in_(ids), matches.c.status.in_(RUNNING))
    still = set(connection.scalars(running))
    connection.execute(delete(checkpoints).where(checkpoints.c.match_id.in_(set(ids) - still)))
    rows = [
        {"match_id": one.match_id, "seq": one.seq, "rules": one.rules, "data": one.data, "digest": one.digest}
        for one in sorted(kept, key=lambda one: one.match_id)
        if one.match_id in still
    ]
    put(connection, checkpoints, rows)


def of(connection: Connection, match_id: str) -> StoredCheckpoint | None:
    """Return the checkpoint of a match; None where a byte of it has changed."""
    return all_of(connection, [match_id]).get(match_id)


def all_of(connection: Connection, ids: Sequence[str]) -> dict[str, StoredCheckpoint]:
    """Return the checkpoints of these matches, without those in which a byte has changed."""
    rows = connection.execute(select(checkpoints).where(checkpoints.c.match_id.in_(ids))).all()
    both = [(StoredCheckpoint(row.match_id, row.seq, row.rules, row.data), row.digest) for row in rows]
    return {kept.match_id: kept for kept, digest in both if kept.digest == digest}


def forget(connection: Connection, match_id: str) -> None:
    """Drop what is kept of a match."""
    connection.execute(delete(checkpoints).where(checkpoints.c.match_id == match_id))


def tidy(connection: Connection) -> int:
    """Delete the checkpoints of ended matches; return how many."""
    running = select(matches.c.id).where(matches.c.status.in_(RUNNING))
    return int(connection.execute(delete(checkpoints).where(checkpoints.c.match_id.not_in(running))).rowcount)
