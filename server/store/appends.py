"""What is appended to a match's log: entries, with everything that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from server.store.columns import Json
from server.store.errors import NoSuchRow, SeqTaken

Effect = Callable[[Connection], None]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of a match's log. `seq` counts from 1 without gaps; `at` is when its key arrived."""

    seq: int
    kind: str
    at: datetime
    seat: int | None = None
    action: str | None = None
    data: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Entries for one match, with everything that follows from them, stored together or not at all.

    `entries` (at least one) follow on each other; the first one's seq must be the log's last + 1. `deadline` is the
    match's next one (None: nobody's time runs), `status` its new status where that changes. `effects` run after them
    in the same transaction, in order: what an end brings (result, ratings).
    """

    match_id: str
    entries: tuple[LogEntry, ...]
    deadline: datetime | None = None
    status: str | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def first(self) -> int:
        return self.entries[0].seq

    @property
    def last(self) -> int:
        return self.entries[-1].seq

    @property
    def is_plain(self) -> bool:
        return self.status is None and not self.effects


def fault_of(append: Append, last: Mapping[str, int]) -> NoSuchRow | SeqTaken | None:
    """Return why an append does not continue its log, or None; `last`: by match, the seq of its last entry."""
    if append.match_id not in last:
        return NoSuchRow("match", append.match_id)
    if append.first != last[append.match_id] + 1:
        return SeqTaken(append.match_id, last[append.match_id])
    return None
