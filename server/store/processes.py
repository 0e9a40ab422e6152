"""Running processes and their sessions, what admins order them, and when the server was last alive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection, ScalarSelect, Select, delete, func, insert, or_, select, text, update

from server.store.columns import Json
from server.store.database import one_statement
from server.store.tables import orders, processes, sessions

ORDER_LOCK = 0x6F72646572  # PostgreSQL advisory lock: orders are committed in the order of their numbers
DEAD_AFTER_S = 5.0  # a process silent for longer is dead
SILENT_S = 2.0  # when all have been, whoever comes then finds an outage: they may all have died a moment ago
NAMING = ("keys", "logout", "rename")  # orders that hold keys or a former handle of an account
RESTART = "restart"  # an order to the one process that it names
LOG_VERSION = 2  # raised with each new kind of entry: a process stops a match at a kind that it does not know
DRAIN, UNDRAIN = "drain", "undrain"  # orders that hold from one to the other


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One connection, as `admin sessions` and the presence of other processes see it."""

    id: str
    process_id: str
    name: str
    source: str
    since: datetime
    account_id: int | None = None
    fingerprint: str | None = None
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Order:
    """Something an admin wants every running process to do, in the order they were given."""

    id: int
    at: datetime
    kind: str  # announce, ban, mute, roles, report, block, drain, undrain, void, forget, keys, logout, rename, hostkeys
    data: Mapping[str, Json]


def arrive(connection: Connection, process_id: str, pid: int, machine: str, now: datetime) -> datetime | None:
    """Note a new process, forget the dead ones, and return when the server was last alive before it.

    None: another process is alive (there is no outage), or nothing ever ran here.
    """
    lately = now - timedelta(seconds=SILENT_S)
    alive = connection.execute(
        select(func.count()).where(processes.c.stopped_at.is_(None), processes.c.alive_at > lately)
    ).scalar_one()
    last = connection.execute(select(func.max(processes.c.alive_at))).scalar_one()
    connection.execute(delete(processes).where(processes.c.alive_at <= now - timedelta(hours=1)))
    row = {"id": process_id, "pid": pid, "machine": machine, "started_at": now, "alive_at": now}
    connection.execute(insert(processes).values(**row, log_version=LOG_VERSION))
    return None if alive else last


def bring_back(connection: Connection, now: datetime) -> None:
    """Treat processes that were alive after `now` as ended just now.

    They are gone: who runs says what time it is (`sharedtime.py`). The machine's clock was set back meanwhile.
    """
    ahead = update(processes).where(processes.c.alive_at > now + timedelta(seconds=DEAD_AFTER_S))
    connection.execute(ahead.values(alive_at=now - timedelta(seconds=SILENT_S)))


@one_statement
def told_time(connection: Connection) -> dict[str, datetime]:
    """Return the last heartbeat of each process that has not stopped in good order."""
    chosen = select(processes.c.id, processes.c.alive_at).where(processes.c.stopped_at.is_(None))
    return {row.id: row.alive_at for row in connection.execute(chosen)}


def last_alive(connection: Connection) -> datetime | None:
    """Return when any process last said that it is alive."""
    moment: datetime | None = connection.execute(select(func.max(processes.c.alive_at))).scalar_one()
    return moment


def _dead_before(now: datetime) -> datetime:
    return now - timedelta(seconds=DEAD_AFTER_S)


def beat(
    connection: Connection,
    process_id: str,
    now: datetime,
    came: Sequence[StoredSession] = (),
    gone: Iterable[str] = (),
) -> None:
    """Say that a process is alive, with the sessions that came, changed (same id) or went since the last time."""
    connection.execute(update(processes).where(processes.c.id == process_id).values(alive_at=now))
    out = [*gone, *(session.id for session in came)]
    if out:
        connection.execute(delete(sessions).where(sessions.c.id.in_(out)))
    if came:
        connection.execute(insert(sessions), [_session_row(session) for session in came])


def _session_row(session: StoredSession) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(session, name) for name in StoredSession.__slots__}
    return {**row, "data": dict(session.data)}


def leave(connection: Connection, process_id: str, now: datetime) -> None:
    """Store that a process stopped: its sessions are deleted."""
    connection.execute(delete(sessions).where(sessions.c.process_id == process_id))
    connection.execute(update(processes).where(processes.c.id == process_id).values(stopped_at=now, alive_at=now))


def alive(connection: Connection, now: datetime) -> dict[str, str]:
    """Return the processes that are there, the oldest first: by id what admins know them by, MACHINE:PID."""
    there = living(now).add_columns(processes.c.machine, processes.c.pid)
    found = connection.execute(there.order_by(processes.c.started_at, processes.c.id))
    return {row.id: f"{row.machine}:{row.pid}" for row in found}


def living(now: datetime) -> Select[tuple[str]]:
    """Select the processes that are there."""
    return select(processes.c.id).where(processes.c.stopped_at.is_(None), processes.c.alive_at > _dead_before(now))


@one_statement
def all_read(connection: Connection, log_version: int, now: datetime) -> bool:
    """Tell whether every process that is registered can read entries of this version of the log."""
    cannot = or_(processes.c.log_version.is_(None), processes.c.log_version < log_version)
    return connection.execute(living(now).where(cannot).limit(1)).first() is None


def alive_since(connection: Connection, moment: datetime) -> frozenset[str]:
    """Return the processes that were there at some time after a moment."""
    return frozenset(connection.scalars(select(processes.c.id).where(processes.c.alive_at > moment)))


@one_statement
def sessions_now(connection: Connection, now: datetime) -> list[StoredSession]:
    """Return every session of a living process, the longest there first."""
    chosen = select(sessions).where(sessions.c.process_id.in_(living(now))).order_by(sessions.c.since)
    return [StoredSession(**{**row._mapping, "data": row.data or {}}) for row in connection.execute(chosen)]


def sessions_of(connection: Connection, account_id: int, now: datetime) -> list[StoredSession]:
    """Return an account's sessions in living processes, the longest there first."""
    mine = (sessions.c.account_id == account_id, sessions.c.process_id.in_(living(now)))
    chosen = select(sessions).where(*mine).order_by(sessions.c.since, sessions.c.id)
    return [StoredSession(**{**row._mapping, "data": row.data or {}}) for row in connection.execute(chosen)]


def forget_orders(connection: Connection, account_id: int) -> None:
    """Forget what was ordered about the keys and handles of an account: the orders name them."""
    for order in connection.execute(select(orders).where(orders.c.kind.in_(NAMING))).all():
        if order.data.get("account") == account_id:
            connection.execute(delete(orders).where(orders.c.id == order.id))


def give_order(connection: Connection, kind: str, data: Mapping[str, Json], now: datetime) -> int:
    """Ask every process for something; each reads it within a second. Orders are forgotten after a day,
    but not a drain that still holds: whoever starts has to know of it.

    The last thing a transaction does: until it is over, others who give an order wait.
    """
    if connection.dialect.name == "postgresql":  # a number that is committed late would never be read
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ORDER_LOCK})
    is_over = or_(orders.c.kind != DRAIN, orders.c.id < _last_undrain())
    connection.execute(delete(orders).where(orders.c.at <= now - timedelta(days=1), is_over))
    given = insert(orders).values(kind=kind, data=dict(data), at=now).returning(orders.c.id)
    return int(connection.execute(given).scalar_one())


def _last_undrain() -> ScalarSelect[int]:
    return select(func.coalesce(func.max(orders.c.id), 0)).where(orders.c.kind == UNDRAIN).scalar_subquery()


def drained_since(connection: Connection) -> datetime | None:
    """Return since when the server drains by an admin's order; None: it doesn't."""
    moment: datetime | None = connection.execute(
        select(func.min(orders.c.at)).where(orders.c.kind == DRAIN, orders.c.id > _last_undrain())
    ).scalar_one()
    return moment


@one_statement
def orders_after(connection: Connection, last_id: int) -> list[Order]:
    """Return the orders given after `last_id`, in order."""
    chosen = select(orders).where(orders.c.id > last_id).order_by(orders.c.id)
    return [Order(row.id, row.at, row.kind, row.data) for row in connection.execute(chosen)]


def last_order(connection: Connection) -> int:
    """Return the newest order's id: where a process that starts now begins to read."""
    return int(connection.execute(select(func.coalesce(func.max(orders.c.id), 0))).scalar_one())
