"""Group commit: one task stores all waiting appends in one transaction.

One commit per move costs about as much as fifty moves in one commit. Appends stay independent: one that is too late,
or whose effects fail, is refused alone, and the others of its batch are stored.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import SQLAlchemyError

from server.log import ThrottledWarning, get_logger
from server.store.appends import Append, LogEntry, fault_of
from server.store.columns import to_json, to_micros
from server.store.database import Database, OneTrip, is_outage
from server.store.errors import NotSaved, NotTaken, StoreUnavailable
from server.store.plaingroup import store_group
from server.store.tables import entries, matches

log = get_logger("store.log")


Outcome = Exception | None  # None: stored


class DoesNotFit(Exception):
    """An append of a batch does not continue its log."""


@dataclass(slots=True)
class _Waiting:
    append: Append
    done: asyncio.Future[None]


@dataclass(slots=True)
class LogWriter:
    """The one task that appends to logs in this process. Start it once; `close` stores what waits, then stops."""

    database: Database
    max_batch: int = 256  # 1 switches group commit off, for measurements
    resolve_s: float = 3.0  # how long to find out whether an unconfirmed commit happened
    observe: Callable[[float, int], None] | None = None  # after each commit: seconds it took, appends stored
    commits: int = 0
    stored: int = 0
    refused: int = 0  # appends that were not saved
    _queue: deque[_Waiting] = field(default_factory=deque)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None
    _closing: bool = False
    _warning: ThrottledWarning = field(default_factory=lambda: ThrottledWarning(log, time.monotonic))

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="log-writer")

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def append(self, append: Append) -> None:
        """Return when the entries are durable.

        Raises SeqTaken when others were faster, NotSaved when the database refuses (nothing is stored, try again), and
        whatever an effect raised. A caller who is cancelled does not stop an append that is under way.
        """
        if self._closing:
            raise NotSaved("closing")
        waiting = _Waiting(append, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._wake.set()
        await waiting.done

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            while self._queue:
                await self._store(self._next_batch())
            self._wake.clear()
            if self._closing:
                return

    def _next_batch(self) -> list[_Waiting]:
        """Take waiting appends, at most one of each match, since the next one depends on it."""
        taken: dict[str, _Waiting] = {}
        later: list[_Waiting] = []
        while self._queue and len(taken) < self.max_batch:
            waiting = self._queue.popleft()
            if waiting.append.match_id in taken:
                later.append(waiting)
            else:
                taken[waiting.append.match_id] = waiting
        self._queue.extendleft(reversed(later))
        return list(taken.values())

    async def _store(self, batch: list[_Waiting]) -> None:
        """Store a batch and answer every caller, after any error too."""
        appends = [waiting.append for waiting in batch]
        try:
            outcomes = await self._commit(appends)
        except Exception as error:  # the writer must answer and go on after any error
            log.exception("log.failed", appends=len(appends))
            outcomes = [NotSaved(str(error))] * len(appends)
        for waiting, outcome in zip(batch, outcomes, strict=True):
            if waiting.done.done():
                continue
            if outcome is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(outcome)

    async def _commit(self, appends: list[Append]) -> Sequence[Outcome]:
        outcomes: Sequence[Outcome]
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            outcomes = await self._write(appends)
        except NotSaved as error:
            self._warning.say("log.not_saved", why=error.why, appends=len(appends))
            are_there = await self.find_stored(appends)
            self.refused += are_there.count(False)
            if not any(are_there):
                return [NotSaved(error.why) for _ in appends]
            outcomes = [None if is_there else NotSaved(error.why) for is_there in are_there]
        stored = sum(outcome is None for outcome in outcomes)
        self.commits += 1
        self.stored += stored
        if self.observe is not None:
            self.observe(loop.time() - began, stored)
        return outcomes

    async def _write(self, appends: list[Append]) -> Sequence[Outcome]:
        """Store a batch: in bulk if it is all plain moves that fit, else one by one."""
        if all(append.is_plain for append in appends):
            try:
                if isinstance(self.database, OneTrip):
                    return await store_group(self.database, appends)
                await self.database.write(store_plain, appends)
                return [None] * len(appends)
            except (DoesNotFit, NotTaken, SQLAlchemyError):
                pass  # at least one does not fit: store them one by one
        return await self.database.write(store_batch, appends, lock=not self.database.is_sqlite)

    async def find_stored(self, appends: list[Append]) -> list[bool]:
        """Find out which of a batch whose commit was not confirmed are stored.

        A connection that dies during COMMIT leaves that open; those that came too late are not stored even where it
        happened. SQLite answers for sure.
        """
        if not self.database.is_sqlite:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.resolve_s):
                    while True:
                        try:
                            return await self.database.read(are_stored, appends)
                        except StoreUnavailable:
                            await asyncio.sleep(0.1)
        return [False] * len(appends)


_LAST = select(matches.c.id, matches.c.last_seq).where(matches.c.id.in_(bindparam("ids", expanding=True)))
_LAST_LOCKED = _LAST.order_by(matches.c.id).with_for_update(key_share=True)
_COLUMNS = ("match_id", "seq", "kind", "seat", "action", "at", "data")


@cache
def _prebuilt(dialect: str) -> tuple[str, str]:
    """Return the two most frequent statements, compiled once for the driver."""
    numbers = [f"${i}" for i in range(1, 8)] if dialect == "postgresql" else ["?"] * 7
    put = f"INSERT INTO entries ({', '.join(_COLUMNS)}) VALUES ({', '.join(numbers)})"  # noqa: S608 - all our own
    where = f"id = {numbers[2]} AND last_seq = {numbers[3]}"
    move = f"UPDATE matches SET last_seq = {numbers[0]}, deadline = {numbers[1]} WHERE {where}"  # noqa: S608
    return put, move


def store_plain(connection: Connection, appends: Sequence[Append]) -> None:
    """Store plain appends without checking first: a taken seq violates the key, a gap updates too few rows.

    Raises DoesNotFit or what the database says; then none of them may be committed.
    """
    if _insert(connection, appends) != len(appends):
        raise DoesNotFit


def store_batch(connection: Connection, appends: Sequence[Append], *, lock: bool) -> list[Outcome]:
    """Store what fits of `appends` (of different matches) and return each one's outcome, in order."""
    ids = [append.match_id for append in appends]
    rows = connection.execute(_LAST_LOCKED if lock else _LAST, {"ids": ids})
    last = {row.id: row.last_seq for row in rows}
    outcomes: list[Outcome] = [fault_of(append, last) for append in appends]
    plain = [i for i, a in enumerate(appends) if outcomes[i] is None and a.is_plain]
    if plain and _attempt(connection, partial(_insert, connection, [appends[i] for i in plain])) is None:
        done = set(plain)
    else:
        done = set()
    for i, append in enumerate(appends):
        if outcomes[i] is None and i not in done:
            outcomes[i] = _attempt(connection, partial(_insert_with_effects, connection, append))
    return outcomes


def _attempt(connection: Connection, work: Callable[[], object]) -> Outcome:
    """Run `work` in a savepoint and return its error. An outage of the database is raised."""
    savepoint = connection.begin_nested()
    try:
        work()
        savepoint.commit()
    except Exception as error:  # its own caller gets this; the rest of the batch is stored
        if is_outage(error):
            raise  # the whole transaction is lost
        savepoint.rollback()
        return error
    return None


def _insert(connection: Connection, appends: Sequence[Append]) -> int:
    """Insert the entries and update the matches; return the number of updated rows, where the driver reports it."""
    put, move = _prebuilt(connection.dialect.name)
    connection.exec_driver_sql(put, [_row(append.match_id, entry) for append in appends for entry in append.entries])
    moved = [(a.last, a.deadline and to_micros(a.deadline), a.match_id, a.first - 1) for a in appends]
    return connection.exec_driver_sql(move, moved).rowcount


def _insert_with_effects(connection: Connection, append: Append) -> None:
    _insert(connection, [append])
    if append.status is not None:
        connection.execute(update(matches).where(matches.c.id == append.match_id).values(status=append.status))
    for effect in append.effects:
        effect(connection)


def _row(match_id: str, entry: LogEntry) -> tuple[str | int | None, ...]:
    data = to_json(entry.data) if entry.data else None
    return match_id, entry.seq, entry.kind, entry.seat, entry.action, to_micros(entry.at), data


def are_stored(connection: Connection, appends: Sequence[Append]) -> list[bool]:
    """Tell for each append whether its entry (seat, action, moment) is stored."""
    return [_is_stored(connection, append.match_id, append.entries[0]) for append in appends]


def _is_stored(connection: Connection, match_id: str, entry: LogEntry) -> bool:
    row = connection.execute(
        select(entries.c.kind, entries.c.seat, entries.c.action, entries.c.at).where(
            entries.c.match_id == match_id, entries.c.seq == entry.seq
        )
    ).first()
    return row is not None and tuple(row) == (entry.kind, entry.seat, entry.action, entry.at)
