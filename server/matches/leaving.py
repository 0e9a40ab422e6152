"""Who has left a match badly: by a claim or by their time, and not because of an outage of ours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from game.contract import Seat
from game.replay import Entry
from server.clock import parse_rfc3339


def who_left(entries: Sequence[Entry], last: Entry) -> Seat | None:
    """Return the seat that entry `last` of a log ends for leaving or stalling; resigning is neither."""
    has_left = "claimed_by" in last.data or (last.kind == "timeout" and bool(last.data.get("forfeit")))
    if not has_left or last.seat is None or _was_cut_off(entries[: last.seq - 1], last.seat):
        return None
    return last.seat


def last_acted(entries: Sequence[Entry], seat: Seat) -> datetime | None:
    """Return when a seat's person last decided something, None: never."""
    acted = (entry.at for entry in reversed(entries) if entry.kind == "action" and entry.seat == seat)
    at = next(acted, None)
    return None if at is None else parse_rfc3339(at)


def _was_cut_off(before: Sequence[Entry], seat: Seat) -> bool:
    """Tell whether an outage of ours came after what somebody did last, and they never came back from it."""
    for entry in reversed(before):
        if entry.kind == "clock_credited" and entry.data.get("home") is None:
            return True
        if (entry.kind == "action" and entry.seat == seat) or entry.data.get("seats") == [seat]:
            return False
    return False
