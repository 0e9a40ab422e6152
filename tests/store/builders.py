"""Rows to test with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from server.store.appends import Append, Effect, LogEntry
from server.store.matches import StoredMatch, StoredSeat

START = datetime(2026, 1, 1, 12, 0, 0, 123456, UTC)


def match(match_id: str = "m1", *seats: StoredSeat, **more: object) -> StoredMatch:
    fields: dict[str, object] = {
        "id": match_id,
        "game": "rainet",
        "rules_version": 1,
        "options": {"notes": True},
        "seed": bytes(32),
        "commitment": "00" * 32,
        "speed": "normal",
        "rated": False,
        "private": False,
        "started_at": START,
        "seats": seats or (StoredSeat("guest", "guest-a", guest_id="g1"), StoredSeat("bot", "bot:easy")),
    }
    return StoredMatch(**(fields | more))  # type: ignore[arg-type]


def entry(seq: int, action: str = "c2c3", seat: int = 0) -> LogEntry:
    return LogEntry(seq, "action", START + timedelta(seconds=seq), seat, action)


def append(match_id: str, seq: int, *effects: Effect, action: str = "c2c3") -> Append:
    return Append(match_id, (entry(seq, action),), START + timedelta(minutes=seq), effects=effects)
