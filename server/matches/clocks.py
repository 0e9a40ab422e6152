"""Everybody's time in one match: a pure fold over the log's own moments, so that every process reads the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from game.contract import Json, Pending, Seat
from game.replay import CONDITIONAL, Entry
from server.clock import parse_rfc3339
from server.matches.speeds import FIRST_RULE, Speed

ANSWERS = frozenset(("action", CONDITIONAL, "timeout"))  # kinds by which a seat's own decision ends


@dataclass(frozen=True, slots=True)
class Decision:
    """What one seat owes: since when, from which entry on, and among how many who were asked together."""

    since: datetime
    seq: int
    window: str | None
    asked: int


@dataclass(frozen=True, slots=True)
class Clocks:
    """Banks in milliseconds, by seat, as they were when the seat's decision began; who is on the clock.

    `refilled`: by seat, what answers that stand have added to the bank in all.
    """

    speed: Speed
    banks: tuple[int, ...]
    decisions: tuple[Decision | None, ...]
    away: tuple[datetime | None, ...] = ()  # by seat, until when somebody is on vacation; empty: nobody was
    refilled: tuple[int, ...] = ()

    def runs_from(self, seat: Seat) -> datetime | None:
        """Return since when a seat's bank runs, or from when on it will; None: it does not."""
        decision = self.decisions[seat]
        if decision is None or not self.speed.is_timed:
            return None
        if decision.window is None:
            return self._or_back(seat, decision.since)
        return None if self.speed.rule == FIRST_RULE else self._or_back(seat, decision.since + self._free)

    def vacation_until(self, seat: Seat, now: datetime) -> datetime | None:
        """Return until when a seat's person is on vacation; None: not now."""
        until = self.away[seat] if self.away else None
        return until if until is not None and until > now else None

    def _or_back(self, seat: Seat, moment: datetime) -> datetime:
        """Return a moment, or the later one at which a seat's person is back from vacation."""
        until = self.away[seat] if self.away else None
        return moment if until is None else max(moment, until)

    def free_until(self, seat: Seat) -> datetime | None:
        """Return until when the window that a seat is asked in is free; None: it is asked in none, or has no clock."""
        decision = self.decisions[seat]
        return self.runs_from(seat) if decision is not None and decision.window is not None else None

    def deadline(self, seat: Seat) -> datetime | None:
        """Return when the seat's answer is due, or None when it owes nothing or has no clock."""
        runs_from, decision = self.runs_from(seat), self.decisions[seat]
        if runs_from is not None:
            return runs_from + timedelta(milliseconds=self.banks[seat])
        has_time = decision is not None and self.speed.is_timed
        return self._or_back(seat, decision.since + self._free) if decision is not None and has_time else None

    @property
    def _free(self) -> timedelta:
        return timedelta(milliseconds=self.speed.window)

    def bank_at(self, seat: Seat, now: datetime) -> int:
        """Return what is left of a seat's bank, in milliseconds. The free time of a window does not use it up."""
        runs_from = self.runs_from(seat)
        used = 0 if runs_from is None else max(0, milliseconds(now - runs_from))
        return max(0, self.banks[seat] - used)


def milliseconds(span: timedelta) -> int:
    """Return a span in whole milliseconds.

    >>> milliseconds(timedelta(seconds=1.5))
    1500
    """
    return span // timedelta(milliseconds=1)


def start(speed: Speed, n_seats: int, pending: Iterable[Pending], at: datetime) -> Clocks:
    """Return the clocks of a match that begins at `at`."""
    began = Clocks(speed, (speed.bank,) * n_seats, (None,) * n_seats, (), (0,) * n_seats)
    return _run(began, began.banks, began.decisions, began.refilled, _by_seat(pending), at, 0)


def advance(clocks: Clocks, entry: Entry, at: datetime, before: Iterable[Pending], after: Iterable[Pending]) -> Clocks:
    """Return the clocks after `entry`, which took effect at `at`; `before` and `after` are what was owed.

    Nothing owed (adjourned, over) stops every clock. A decision that another seat's entry leaves as it was goes on.
    """
    if entry.kind == "clock_credited":
        return _leave(clocks, entry, at) if "away_until" in entry.data else _credit(clocks, entry.data)
    owed, owing = _by_seat(before), _by_seat(after)
    banks, decisions, refilled = list(clocks.banks), list(clocks.decisions), list(clocks.refilled)
    for seat in owed:
        if _has_ended(entry, seat, owed, owing):
            left = _left_after(clocks, entry, seat, at)
            refill = _refill(clocks, entry, seat, left)
            banks[seat], decisions[seat], refilled[seat] = left + refill, None, refilled[seat] + refill
    return _run(clocks, banks, decisions, refilled, owing, at, entry.seq)


def taken_back(clocks: Clocks, base: Clocks, entry: Entry, at: datetime, after: Iterable[Pending]) -> Clocks:
    """Return the clocks after a take-back at `at` to where they were `base`: banks as they are, less later refills."""
    seats = map(Seat, range(len(clocks.banks)))
    spans = zip(seats, clocks.refilled, base.refilled, strict=True)
    banks = [max(0, clocks.bank_at(seat, at) - (now - then)) for seat, now, then in spans]
    return _run(clocks, banks, (None,) * len(banks), base.refilled, _by_seat(after), at, entry.seq)


def _by_seat(pending: Iterable[Pending]) -> Mapping[Seat, Pending]:
    return {one.seat: one for one in pending}


def _has_ended(entry: Entry, seat: Seat, owed: Mapping[Seat, Pending], owing: Mapping[Seat, Pending]) -> bool:
    """Tell whether this entry ended what a seat owed: by its own answer, or because it owes something else now."""
    return (entry.seat == seat and entry.kind in ANSWERS) or owed[seat] != owing.get(seat)


def _left_after(clocks: Clocks, entry: Entry, seat: Seat, at: datetime) -> int:
    """Return what is left of a bank when a decision has ended: less what was thought.

    A timeout is written somewhat later than it was `due`: that is nobody's loss.
    """
    if clocks.decisions[seat] is None:
        return clocks.banks[seat]
    due = entry.data.get("due")
    ended = min(at, parse_rfc3339(due)) if isinstance(due, str) and entry.seat == seat else at
    return clocks.bank_at(seat, ended)


def _refill(clocks: Clocks, entry: Entry, seat: Seat, left: int) -> int:
    """Return what an own answer adds to a bank in which `left` is left. A window refills nothing."""
    decision = clocks.decisions[seat]
    if decision is None or entry.seat != seat or not entry.is_decision or decision.window is not None:
        return 0
    return (
        clocks.speed.refill if clocks.speed.rule == FIRST_RULE else min(clocks.speed.refill, clocks.speed.bank - left)
    )


def _run(
    clocks: Clocks,
    banks: Sequence[int],
    known: Sequence[Decision | None],
    refilled: Sequence[int],
    owing: Mapping[Seat, Pending],
    at: datetime,
    seq: int,
) -> Clocks:
    """Return the clocks with every seat's running that owes something; `known` are those that ran already."""
    windows = [one.window for one in owing.values()]
    decisions: list[Decision | None] = [None] * len(banks)
    for seat, one in owing.items():
        decisions[seat] = known[seat] or Decision(at, seq, one.window, windows.count(one.window))
    return Clocks(clocks.speed, tuple(banks), tuple(decisions), clocks.away, tuple(refilled))


def _leave(clocks: Clocks, entry: Entry, at: datetime) -> Clocks:
    """Let a seat's clock stand still from `at` until its person is back; what was thought by then is spent."""
    seat, until = entry.seat, entry.data["away_until"]
    if seat is None or not isinstance(until, str):
        return clocks
    away = [*(clocks.away or (None,) * len(clocks.banks))]
    banks, decisions, running = list(clocks.banks), list(clocks.decisions), clocks.decisions[seat]
    away[seat], banks[seat] = parse_rfc3339(until), clocks.bank_at(seat, at)
    if running is not None:
        decisions[seat] = replace(running, since=max(running.since, at))
    return replace(clocks, banks=tuple(banks), decisions=tuple(decisions), away=tuple(away))


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
