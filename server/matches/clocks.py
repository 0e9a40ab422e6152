"""Everybody's time in one match: a pure fold over the log's own moments, so that every process reads the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from game.contract import Json, Pending, Seat
from game.replay import Entry
from server.clock import parse_rfc3339
from server.matches.speeds import Speed

ANSWERS = frozenset(("action", "timeout"))  # kinds by which a seat's own decision ends


@dataclass(frozen=True, slots=True)
class Decision:
    """What one seat owes: since when, from which entry on, and among how many who were asked together."""

    since: datetime
    seq: int
    window: str | None
    asked: int


@dataclass(frozen=True, slots=True)
class Clocks:
    """Banks in milliseconds, by seat, as they were when the seat's decision began; who is on the clock."""

    speed: Speed
    banks: tuple[int, ...]
    decisions: tuple[Decision | None, ...]

    def deadline(self, seat: Seat) -> datetime | None:
        """Return when the seat's answer is due, or None when it owes nothing."""
        decision = self.decisions[seat]
        if decision is None:
            return None
        allowed = self.speed.window if decision.window is not None else self.banks[seat]
        return decision.since + timedelta(milliseconds=allowed)

    def bank_at(self, seat: Seat, now: datetime) -> int:
        """Return what is left of a seat's bank, in milliseconds. A window does not use it up."""
        return max(0, self.banks[seat] - self._used(seat, now))

    def _used(self, seat: Seat, now: datetime) -> int:
        decision = self.decisions[seat]
        if decision is None or decision.window is not None:
            return 0
        return max(0, milliseconds(now - decision.since))


def milliseconds(span: timedelta) -> int:
    """Return a span in whole milliseconds.

    >>> milliseconds(timedelta(seconds=1.5))
    1500
    """
    return span // timedelta(milliseconds=1)


def start(speed: Speed, n_seats: int, pending: Iterable[Pending], at: datetime) -> Clocks:
    """Return the clocks of a match that begins at `at`."""
    return _run(speed, (speed.bank,) * n_seats, (None,) * n_seats, _by_seat(pending), at, 0)


def advance(clocks: Clocks, entry: Entry, at: datetime, before: Iterable[Pending], after: Iterable[Pending]) -> Clocks:
    """Return the clocks after `entry`, which took effect at `at`; `before` and `after` are what was owed.

    Nothing owed (adjourned, over) stops every clock. A decision that another seat's entry leaves as it was goes on.
    """
    if entry.kind == "clock_credited":
        return _credit(clocks, entry.data)
    owed, owing = _by_seat(before), _by_seat(after)
    banks, decisions = list(clocks.banks), list(clocks.decisions)
    for seat in owed:
        if _has_ended(entry, seat, owed, owing):
            banks[seat], decisions[seat] = _bank_after(clocks, entry, seat, at), None
    return _run(clocks.speed, banks, decisions, owing, at, entry.seq)


def _by_seat(pending: Iterable[Pending]) -> Mapping[Seat, Pending]:
    return {one.seat: one for one in pending}


def _has_ended(entry: Entry, seat: Seat, owed: Mapping[Seat, Pending], owing: Mapping[Seat, Pending]) -> bool:
    """Tell whether this entry ended what a seat owed: by its own answer, or because it owes something else now."""
    return (entry.seat == seat and entry.kind in ANSWERS) or owed[seat] != owing.get(seat)


def _bank_after(clocks: Clocks, entry: Entry, seat: Seat, at: datetime) -> int:
    """Return a bank when a decision has ended: less what was thought, more the refill for an own answer."""
    bank, decision = clocks.banks[seat], clocks.decisions[seat]
    if decision is None or decision.window is not None:
        return bank
    answered = entry.seat == seat and entry.kind == "action"
    return clocks.bank_at(seat, at) + (clocks.speed.refill if answered else 0)


def _run(
    speed: Speed,
    banks: Sequence[int],
    known: Sequence[Decision | None],
    owing: Mapping[Seat, Pending],
    at: datetime,
    seq: int,
) -> Clocks:
    """Return the clocks with every seat's running that owes something; `known` are those that ran already."""
    windows = [one.window for one in owing.values()]
    decisions: list[Decision | None] = [None] * len(banks)
    for seat, one in owing.items():
        decisions[seat] = known[seat] or Decision(at, seq, one.window, windows.count(one.window))
    return Clocks(speed, tuple(banks), tuple(decisions))


def _credit(clocks: Clocks, data: Mapping[str, Json]) -> Clocks:
    """Give back time that nobody could use: `ms`, to `seats` or to all. What began goes on as if it began later.

    `until` is when the lost time was over: a decision that began in the middle of it gets what came after.
    """
    ms, seats, until = data.get("ms"), data.get("seats"), data.get("until")
    span = timedelta(milliseconds=ms if isinstance(ms, int) else 0)
    end = parse_rfc3339(until) if isinstance(until, str) else None

    def later(seat: int, decision: Decision | None) -> Decision | None:
        if decision is None or (isinstance(seats, list) and seat not in seats):
            return decision
        lost = span if end is None else max(timedelta(0), min(span, end - decision.since))
        return replace(decision, since=decision.since + lost)

    return replace(clocks, decisions=tuple(later(seat, one) for seat, one in enumerate(clocks.decisions)))
