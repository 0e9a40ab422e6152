"""Stored outages of the server: each found once, and compensated in every running match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, insert, select, text, update

from server.store import processes
from server.store.database import one_statement
from server.store.processes import StoredSession
from server.store.tables import outages
from server.store.tables import processes as alive

NOTE_LOCK = 0x6F7574616765  # PostgreSQL advisory lock: one process at a time notes an outage


@dataclass(frozen=True, slots=True)
class Outage:
    """From when to when; ids count up."""

    id: int
    began: datetime
    ended: datetime


def record(connection: Connection, began: datetime, ended: datetime) -> None:
    """Store an outage. One that overlaps a stored one is stored from that one's end on, if anything is left.

    A stored one that is not over yet comes from before the machine's clock was set back: it overlaps nothing.
    """
    if connection.dialect.name == "postgresql":  # every process notices what took the database from all of them
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": NOTE_LOCK})
    last = latest(connection)
    if last is not None and began < last.ended <= ended + timedelta(seconds=processes.DEAD_AFTER_S):
        began = last.ended
    if began < ended:
        connection.execute(insert(outages).values(began=began, ended=ended))


def latest(connection: Connection) -> Outage | None:
    row = connection.execute(_ALL.order_by(outages.c.id.desc()).limit(1)).first()
    return None if row is None else Outage(*row)


@one_statement
def since(connection: Connection, last_id: int, moment: datetime) -> list[Outage]:
    """Return the outages after number `last_id` that ended after `moment`, in order."""
    chosen = _ALL.where(outages.c.id > last_id, outages.c.ended > moment).order_by(outages.c.id)
    return [Outage(*row) for row in connection.execute(chosen)]


_ALL = select(outages.c.id, outages.c.began, outages.c.ended)


@dataclass(frozen=True, slots=True)
class ProcessStart:
    """What a starting process learns."""

    last_outage: int
    drains: bool  # the server drains by an admin's order, and this process is not the first one after it


def arrive(
    connection: Connection, process_id: str, pid: int, machine: str, now: datetime, is_alone: bool
) -> ProcessStart:
    """Note a new process and the outage before it. Without another process a drain is over: the server is new.

    A process that is alone knows that the one before it is gone, however short ago that one beat.
    """
    processes.bring_back(connection, now)
    before = processes.last_alive(connection)
    last = processes.arrive(connection, process_id, pid, machine, now)
    began, drained = before if is_alone else last, processes.drained_since(connection)
    if drained is not None and not is_alone and last is None and [*processes.alive(connection, now)] != [process_id]:
        return ProcessStart(last_id(connection), drains=True)
    if drained is not None:
        began = drained if began is None else min(began, drained)
    if began is not None:
        record(connection, began, now)
    arrival = ProcessStart(last_id(connection), drains=False)
    if drained is not None:
        processes.give_order(connection, processes.UNDRAIN, {}, now)
    return arrival


def undrain(connection: Connection, now: datetime) -> None:
    """End a drain: the time since its start is an outage, nobody could play."""
    drained = processes.drained_since(connection)
    if drained is not None and processes.alive(connection, now):
        record(connection, drained, now)
    processes.give_order(connection, processes.UNDRAIN, {}, now)


def beat(
    connection: Connection,
    process_id: str,
    now: datetime,
    came: Sequence[StoredSession],
    gone: Sequence[str],
    began: datetime | None,
) -> int:
    """Say that a process is alive, and since when it could not; return the last outage's number.

    A server that drains is in one long outage, noted when it is over.
    """
    processes.beat(connection, process_id, now, came, gone)
    if began is not None and processes.drained_since(connection) is None:
        record(connection, began, now)
    return last_id(connection)


@one_statement
def quiet_beat(connection: Connection, process_id: str, now: datetime) -> int:
    """Say that a process is alive and nothing has changed there; return the last outage's number."""
    said = update(alive).where(alive.c.id == process_id).values(alive_at=now)
    last = select(func.coalesce(func.max(outages.c.id), 0)).scalar_subquery()
    return int(connection.execute(said.returning(last)).scalar_one_or_none() or 0)


def last_id(connection: Connection) -> int:
    """Return the last outage's number; 0: there was none."""
    outage = latest(connection)
    return 0 if outage is None else outage.id
