"""Stored events of accounts: numbered without gaps in the order in which they are stored, each of them once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from sqlalchemy import Connection, and_, delete, exists, func, insert, not_, or_, select, update

from server.store.appends import Effect
from server.store.database import one_statement, parts
from server.store.matches import RUNNING
from server.store.tables import accounts, conditional_moves, entries, event_marks, event_readers, events, matches, seats
from server.store.upsert import put, put_if_missing

MOST_CHALLENGES = 3  # of one person within an hour of which an account has events
Kind = Literal["my_turn", "challenge", "paired", "message", "ended", "arrived"]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One thing that concerned an account; `who_id`: the other person, if there is one."""

    kind: Kind
    at: datetime
    match_id: str | None = None
    who_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it is told; `who`: the other person's handle now."""

    no: int
    kind: Kind
    match_id: str | None
    who: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class EventMark:
    """Up to which entry a match's events are made. `is_told`: the turn that goes on after it has its event."""

    seq: int
    is_told: bool
    is_over: bool


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from a match's log after the mark `before` (None: from its beginning) up to `mark`."""

    match_id: str
    before: EventMark | None
    mark: EventMark
    events: tuple[NewEvent, ...]
    open_turn: int | None = None  # the seat whose turn is told and goes on, where a conditional move may answer it


@one_statement
def unmade(connection: Connection, account_id: int, since: datetime) -> list[tuple[str, int, EventMark | None]]:
    """Return the matches of an account, running or ended after `since`, whose logs go beyond their marks.

    Each with its last entry and its mark, those that began first before others.
    """
    marked = and_(event_marks.c.match_id == matches.c.id, event_marks.c.account_id == account_id)
    is_behind = or_(
        event_marks.c.seq.is_(None),
        event_marks.c.seq < matches.c.last_seq,
        and_(matches.c.status.not_in(RUNNING), not_(event_marks.c.is_over)),
    )
    chosen = (
        select(matches.c.id, matches.c.last_seq, event_marks.c.seq, event_marks.c.is_told, event_marks.c.is_over)
        .select_from(seats.join(matches, seats.c.match_id == matches.c.id).outerjoin(event_marks, marked))
        .where(
            seats.c.account_id == account_id,
            or_(matches.c.status.in_(RUNNING), matches.c.ended_at > since),
            is_behind,
        )
        .order_by(matches.c.started_at, matches.c.id)
    )
    return [(row[0], row[1], None if row[2] is None else EventMark(*row[2:])) for row in connection.execute(chosen)]


def add_derived(connection: Connection, account_id: int, derived: Sequence[Derived], since: datetime) -> None:
    """Store what was derived, the oldest event first; nothing of a match whose mark somebody else has moved meanwhile.

    Nor of one whose last turn a conditional move answers: it is no turn, which the log says once it is played. Events
    from before `since` are over already: they are not stored.
    """
    last = _lock(connection, account_id)
    known: dict[str, EventMark] = {}
    for part in parts([one.match_id for one in derived]):
        chosen = select(event_marks).where(event_marks.c.account_id == account_id, event_marks.c.match_id.in_(part))
        known |= {row.match_id: EventMark(row.seq, row.is_told, row.is_over) for row in connection.execute(chosen)}
    fresh = [one for one in derived if known.get(one.match_id) == one.before and not _answers_itself(connection, one)]
    made = sorted((event for one in fresh for event in one.events if event.at > since), key=lambda event: event.at)
    _insert(connection, account_id, last, made)
    rows = [_mark_row(account_id, one) for one in sorted(fresh, key=lambda one: one.match_id)]
    put(connection, event_marks, rows)


def add(account_id: int, event: NewEvent, *, is_told: bool = True) -> Effect:
    """Return what stores one event, to run in the transaction of what caused it.

    One that may not be told is stored and taken back at once, so that how long it takes tells nobody that it was not.
    """
    return partial(_add, account_id=account_id, event=event, is_told=is_told)


def _add(connection: Connection, account_id: int, event: NewEvent, is_told: bool) -> None:
    with connection.begin_nested() as nested:
        _insert(connection, account_id, _lock(connection, account_id), [event])
        if _is_one_too_many(connection, account_id, event) or not is_told:
            nested.rollback()


def _is_one_too_many(connection: Connection, account_id: int, event: NewEvent) -> bool:
    """Tell whether one person (all guests are one) has challenged an account so often that it is told no more of it."""
    if event.kind != "challenge":
        return False
    same = (events.c.account_id == account_id, events.c.kind == event.kind, events.c.who_id == event.who_id)
    lately = select(func.count()).where(*same, events.c.at > event.at - timedelta(hours=1))
    return (connection.scalar(lately) or 0) > MOST_CHALLENGES


def _answers_itself(connection: Connection, one: Derived) -> bool:
    """Tell whether a conditional move answers the turn that goes on: it is due; or the turn has been answered since."""
    if one.open_turn is None:
        return False
    moves = conditional_moves.c
    due = exists().where(moves.match_id == one.match_id, moves.seat == one.open_turn, moves.is_due)
    later = (entries.c.match_id == one.match_id, entries.c.seq > one.mark.seq)
    answered = exists().where(*later, entries.c.seat == one.open_turn)
    return bool(connection.scalar(select(or_(due, answered))))


def _lock(connection: Connection, account_id: int) -> int:
    """Return the number of an account's last event; others who would add one wait until the transaction is over."""
    put_if_missing(connection, event_readers, {"account_id": account_id, "last_no": 0})
    chosen = select(event_readers.c.last_no).where(event_readers.c.account_id == account_id)
    return int(connection.execute(chosen.with_for_update()).scalar_one())


def _insert(connection: Connection, account_id: int, last: int, made: Sequence[NewEvent]) -> None:
    if not made:
        return
    numbered = enumerate(made, last + 1)
    connection.execute(insert(events), [_row(account_id, no, event) for no, event in numbered])
    mine = update(event_readers).where(event_readers.c.account_id == account_id)
    connection.execute(mine.values(last_no=last + len(made)))


def _row(account_id: int, no: int, event: NewEvent) -> dict[str, object]:
    row = {"kind": event.kind, "match_id": event.match_id, "who_id": event.who_id, "at": event.at}
    return {"account_id": account_id, "no": no, **row}


def _mark_row(account_id: int, one: Derived) -> dict[str, object]:
    mark = one.mark
    row = {"seq": mark.seq, "is_told": mark.is_told, "is_over": mark.is_over}
    return {"account_id": account_id, "match_id": one.match_id, **row}


@one_statement
def after(connection: Connection, account_id: int, no: int, since: datetime, most: int) -> list[StoredEvent]:
    """Return at most so many events of an account after number `no`, without those from before `since`."""
    chosen = (
        select(events.c.no, events.c.kind, events.c.match_id, accounts.c.handle, events.c.at)
        .select_from(events.outerjoin(accounts, accounts.c.id == events.c.who_id))
        .where(events.c.account_id == account_id, events.c.no > no, events.c.at > since)
        .order_by(events.c.no)
        .limit(most)
    )
    return [StoredEvent(*row) for row in connection.execute(chosen)]


@one_statement
def last_no(connection: Connection, account_id: int) -> int:
    """Return the number of an account's last event; 0: it has none."""
    chosen = select(event_readers.c.last_no).where(event_readers.c.account_id == account_id)
    return connection.scalar(chosen) or 0


def forget_before(connection: Connection, moment: datetime) -> None:
    """Delete the events from before a moment, and the marks of matches that had ended by then."""
    connection.execute(delete(events).where(events.c.at <= moment))
    over = exists().where(matches.c.id == event_marks.c.match_id, matches.c.ended_at <= moment)
    connection.execute(delete(event_marks).where(over))
