"""Stored seeks, their bookings, and rooms: shared by all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, text, update

from server.errors import Refused
from server.store import accounts, arrangements, processes, tables
from server.store.appends import Effect
from server.store.database import one_statement
from server.store.matches import StoredMatch
from server.store.tables import bookings, rooms, seeks

PAIRING_LOCK = 0x70616972  # PostgreSQL advisory lock: one process books at a time
BOOKINGS_KEPT = timedelta(hours=1)


class NoSuchRoom(Refused):
    """There is no room of that code, or it is not open to the caller: the text is the same."""

    def __init__(self, code: str) -> None:
        super().__init__("room.error.unknown")
        self.code = code


@dataclass(frozen=True, slots=True)
class StoredSeek:
    """One seek of one ticket. `person` is the same for all seeks of one person."""

    id: str
    ticket: str
    person: str
    process_id: str
    since: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Booking:
    """A match to make of these seeks, if all still exist. Every ticket of their persons is used up."""

    match: StoredMatch
    arrangement: Mapping[str, Any]
    seek_ids: Sequence[str]
    persons: Sequence[str]


@one_statement
def open_seeks(connection: Connection, now: datetime) -> list[StoredSeek]:
    """Return the seeks of running processes, the oldest first."""
    chosen = select(seeks).where(seeks.c.process_id.in_(processes.living(now))).order_by(seeks.c.since, seeks.c.id)
    return [StoredSeek(**row._mapping) for row in connection.execute(chosen)]


def add_seeks(connection: Connection, rows: Sequence[StoredSeek]) -> None:
    """Store the seeks of a ticket. Raises AccountGone."""
    accounts.check_there(connection, accounts.ids_of(row.person for row in rows))
    connection.execute(insert(seeks), [{name: getattr(row, name) for name in StoredSeek.__slots__} for row in rows])


def answer_seek(connection: Connection, seek_id: str, size: int, agrees: bool) -> bool:
    """Store with a seek whether so many players are enough; return whether the seek still exists."""
    row = connection.execute(select(seeks.c.data).where(seeks.c.id == seek_id).with_for_update()).first()
    if row is None:
        return False
    data = dict(row.data)
    if agrees:
        data["seek"] = {**data["seek"], "fewest": size}
    else:
        data["declined"] = size
    connection.execute(update(seeks).where(seeks.c.id == seek_id).values(data=data))
    return True


def rename_seeker(connection: Connection, person: str, name: str) -> None:
    """Store somebody's new name with their seeks."""
    theirs = select(seeks.c.id, seeks.c.data).where(seeks.c.person == person).with_for_update()
    for row in connection.execute(theirs).all():
        data = {**row.data, "player": {**row.data["player"], "name": name}}
        connection.execute(update(seeks).where(seeks.c.id == row.id).values(data=data))


def drop_ticket(connection: Connection, ticket: str) -> None:
    """Delete a ticket's seeks. A booking stays."""
    connection.execute(delete(seeks).where(seeks.c.ticket == ticket))


def drop_process(connection: Connection, process_id: str) -> None:
    """Delete the seeks of a process that stops."""
    connection.execute(delete(seeks).where(seeks.c.process_id == process_id))


def book(connection: Connection, wanted: Sequence[Booking], now: datetime, lock: bool) -> list[bool]:
    """Store the matches whose seeks all still exist; tell of each whether it was stored. Nobody is booked twice."""
    if lock:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": PAIRING_LOCK})
    connection.execute(delete(bookings).where(bookings.c.at < now - BOOKINGS_KEPT))
    connection.execute(delete(seeks).where(seeks.c.process_id.not_in(select(tables.processes.c.id))))  # long gone
    return [_book(connection, booking, now) for booking in wanted]


def _book(connection: Connection, booking: Booking, now: datetime) -> bool:
    if accounts.has_gone(connection, booking.match.account_ids):
        return False
    present = select(seeks.c.id).where(seeks.c.id.in_(booking.seek_ids)).with_for_update(skip_locked=True)
    if len(connection.execute(present).all()) != len(booking.seek_ids):
        return False
    used = select(seeks.c.ticket).where(seeks.c.person.in_(booking.persons)).distinct()
    tickets = list(connection.scalars(used))
    connection.execute(delete(seeks).where(seeks.c.person.in_(booking.persons)))
    arrangements.create(connection, booking.match, booking.arrangement, None)
    rows = [{"ticket": ticket, "match_id": booking.match.id, "at": now} for ticket in tickets]
    connection.execute(insert(bookings), rows)
    return True


@one_statement
def booked(connection: Connection, tickets: Iterable[str]) -> dict[str, str]:
    """Return the matches that these tickets led to."""
    chosen = select(bookings.c.ticket, bookings.c.match_id).where(bookings.c.ticket.in_(list(tickets)))
    return {row.ticket: row.match_id for row in connection.execute(chosen)}


# Rooms

Data = Mapping[str, Any]
FIRST_VERSION: Final = 1  # of a room's row


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room's whole state as one document; `version` counts its changes."""

    code: str
    version: int
    listed: bool
    since: datetime
    data: Data


def add_room(
    connection: Connection, code: str, listed: bool, data: Data, now: datetime, brings: Sequence[Effect] = ()
) -> bool:
    """Store a new room, and what it brings; return False, and store nothing, when the code is taken.

    Raises AccountGone.
    """
    accounts.check_there(connection, accounts.ids_of([data["host"]]))
    if connection.execute(select(rooms.c.code).where(rooms.c.code == code)).first() is not None:
        return False
    row = {
        "code": code,
        "version": FIRST_VERSION,
        "listed": listed,
        "since": now,
        "touched_at": now,
        "data": dict(data),
    }
    connection.execute(insert(rooms).values(row))
    for effect in brings:
        effect(connection)
    return True


def standing(connection: Connection, person: str) -> list[StoredRoom]:
    """Return the rooms that stand for challenges of somebody, who need not be in them."""
    found = (StoredRoom(*row) for row in connection.execute(_ROOMS).all())
    return [one for one in found if one.data["host"] == person and one.data.get("stands_until")]


def withdraw(connection: Connection, person: str, code: str) -> bool:
    """Delete the room that stands for a challenge of somebody; False: there is none, or it was accepted meanwhile."""
    found = connection.execute(_ROOMS.where(rooms.c.code == code).with_for_update()).first()
    if found is None or found.data["host"] != person or not found.data.get("stands_until"):
        return False
    connection.execute(delete(rooms).where(rooms.c.code == code))
    return True


def drop_all_of(connection: Connection, person: str) -> None:
    """Delete what somebody who goes has asked others: seeks, and the rooms that stand for challenges."""
    connection.execute(delete(seeks).where(seeks.c.person == person))
    drop_rooms(connection, [one.code for one in standing(connection, person)])


def drop_rooms(connection: Connection, codes: Sequence[str]) -> None:
    """Delete rooms by their codes."""
    connection.execute(delete(rooms).where(rooms.c.code.in_(codes)))


@one_statement
def room(connection: Connection, code: str) -> StoredRoom | None:
    row = connection.execute(_ROOMS.where(rooms.c.code == code)).first()
    return None if row is None else StoredRoom(*row)


def change_room(
    connection: Connection,
    code: str,
    change: Callable[[Data], tuple[Data, bool] | None],
    now: datetime,
    brings: Sequence[Effect] = (),
) -> StoredRoom:
    """Replace a room's document by what `change` makes of it (and whether it is listed); None leaves it as it is.

    The row is locked meanwhile. `brings` is what a change brings in the same transaction. Raises NoSuchRoom, and what
    `change` raises.
    """
    row = connection.execute(_ROOMS.where(rooms.c.code == code).with_for_update()).first()
    if row is None:
        raise NoSuchRoom(code)
    changed = change(row.data)
    if changed is None:
        return StoredRoom(*row)
    data, listed = changed
    moved = update(rooms).where(rooms.c.code == code)
    connection.execute(moved.values(version=row.version + 1, listed=listed, touched_at=now, data=dict(data)))
    for effect in brings:
        effect(connection)
    return StoredRoom(code, row.version + 1, listed, row.since, data)


def begin_in_room(
    connection: Connection,
    code: str,
    change: Callable[[Data], tuple[Data, bool] | None],
    match: StoredMatch,
    arrangement: Mapping[str, Any],
    now: datetime,
) -> StoredRoom | None:
    """Store a match and its room's change together; return None and store nothing when the room does not change.

    Raises as `change_room`, and AccountGone.
    """
    accounts.check_there(connection, match.account_ids)
    before = connection.execute(select(rooms.c.version).where(rooms.c.code == code).with_for_update()).scalar()
    changed = change_room(connection, code, change, now)
    if changed.version == before:
        return None
    arrangements.create(connection, match, arrangement, None)
    return changed


def drop_room(connection: Connection, code: str, version: int) -> bool:
    """Delete a room unless it has changed since `version`; return whether it was deleted."""
    return connection.execute(delete(rooms).where(rooms.c.code == code, rooms.c.version == version)).rowcount > 0


@one_statement
def all_rooms(connection: Connection) -> list[StoredRoom]:
    """Return every room, the oldest first."""
    return [StoredRoom(*row) for row in connection.execute(_ROOMS.order_by(rooms.c.since, rooms.c.code))]


@one_statement
def room_versions(connection: Connection, codes: Iterable[str]) -> dict[str, int]:
    """Return the versions of these rooms; one that is gone is left out."""
    chosen = select(rooms.c.code, rooms.c.version).where(rooms.c.code.in_(list(codes)))
    return {row.code: row.version for row in connection.execute(chosen)}


_ROOMS = select(rooms.c.code, rooms.c.version, rooms.c.listed, rooms.c.since, rooms.c.data)
