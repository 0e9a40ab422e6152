"""Hints between processes: which match has changed, and its newest entry where that is small.

The log is the truth. An entry is told only after its commit, and whoever gets one that is not just the next reads the
log (docs/decisions/hints-carry-their-entry.md).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import msgspec

from game.contract import Seat
from game.replay import Entry
from server.bus.bus import Bus, Payload, Subscription
from server.store.columns import Json
from server.tasks import Tasks

TOPIC = "matches"
MOST_DATA_BYTES = 1_000  # of what is told with an entry: a hint stays far below what the bus carries in one message
Packed = tuple[str, int | None, str | None, str | None, dict[str, Any]]  # kind, seat, action, at, data


@dataclass(frozen=True, slots=True)
class MatchHint:
    """A match's log is known to reach `seq`, with `entry` the last one if it was told; `offers`: look at these too."""

    match_id: str
    seq: int
    offers: bool
    entry: Entry | None = None


class Hints:
    """Sends and receives hints. A process does not hear its own."""

    def __init__(self, bus: Bus | None, process_id: str, tasks: Tasks) -> None:
        self._bus = bus
        self._process_id = process_id
        self._tasks = tasks
        self._heard: Subscription | None = None

    def publish(self, match_id: str, seq: int, offers: bool = False, entry: Entry | None = None) -> None:
        """Tell the other processes. `entry` is in the log already, as number `seq`."""
        if self._bus is None:
            return
        hint: dict[str, Json] = {"from": self._process_id, "match": match_id, "seq": seq, "offers": offers}
        if entry is not None and (packed := _packed(entry)) is not None:
            hint["entry"] = packed
        self._bus.publish(TOPIC, hint)

    def listen(
        self, heard: Callable[[MatchHint], Coroutine[Any, Any, None]], concerns: Callable[[str], bool] = lambda _: True
    ) -> None:
        """Call `heard` for each hint of another process about a match that `concerns` this one, or about offers."""
        if self._bus is None:
            return

        def take(payload: Payload) -> None:
            if payload.get("from") == self._process_id:
                return
            match payload:
                case {"from": str(), "match": str(match_id), "seq": int(seq), "offers": bool(offers)}:
                    if offers or concerns(match_id):
                        entry = _unpacked(seq, payload.get("entry"))
                        self._tasks.spawn(heard(MatchHint(match_id, seq, offers, entry)), "hint")

        self._heard = self._bus.subscribe(TOPIC, take)

    def close(self) -> None:
        if self._heard is not None:
            self._heard.close()


def _packed(entry: Entry) -> list[Json] | None:
    """Return an entry as a hint carries it; None: it is too long for that."""
    told: list[Any] = [entry.kind, entry.seat, entry.action, entry.at, dict(entry.data)]
    return told if len(msgspec.json.encode(told)) <= MOST_DATA_BYTES else None


def _unpacked(seq: int, told: Any) -> Entry | None:
    """Read an entry out of a hint; None: there is none, or none that can be read."""
    try:
        kind, seat, action, at, data = msgspec.convert(told, Packed)
    except msgspec.ValidationError:
        return None
    return Entry(seq, kind, None if seat is None else Seat(seat), action, at, data)
