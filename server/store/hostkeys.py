"""Stored fingerprints of the host keys that are in force, and of those that were."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from server.store.tables import host_keys
from server.store.upsert import put


@dataclass(frozen=True, slots=True)
class StoredHostKey:
    """A host key by its fingerprint. `retired_at` None: it is in force, clients may know the server by it."""

    fingerprint: str
    kind: str  # as SSH names it: ssh-ed25519
    since: datetime
    retired_at: datetime | None = None


def all_of(connection: Connection) -> list[StoredHostKey]:
    """Return every recorded key, the oldest first."""
    chosen = select(host_keys).order_by(host_keys.c.since, host_keys.c.kind, host_keys.c.fingerprint)
    return [StoredHostKey(**row._mapping) for row in connection.execute(chosen)]


def in_force(connection: Connection) -> list[StoredHostKey]:
    """Return the keys in force, the oldest first."""
    return [key for key in all_of(connection) if key.retired_at is None]


def record(connection: Connection, kinds: Mapping[str, str], now: datetime) -> None:
    """Put keys in force: by fingerprint, their kind. One that was retired comes back."""
    known = {key.fingerprint for key in in_force(connection)}
    rows = [
        {"fingerprint": fingerprint, "kind": kind, "since": now, "retired_at": None}
        for fingerprint, kind in kinds.items()
        if fingerprint not in known
    ]
    put(connection, host_keys, rows)


def retire_others(connection: Connection, kept: Collection[str], now: datetime) -> list[str]:
    """Retire every key in force but these; return the fingerprints."""
    gone = [key.fingerprint for key in in_force(connection) if key.fingerprint not in kept]
    connection.execute(update(host_keys).where(host_keys.c.fingerprint.in_(gone)).values(retired_at=now))
    return gone
