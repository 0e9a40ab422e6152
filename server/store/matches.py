"""Stored matches: their headers, seats and logs, and the questions asked about them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)

from server.store.accounts import person_key
from server.store.appends import Effect, LogEntry
from server.store.columns import Json, Moment, to_json, to_micros
from server.store.database import one_statement, parts
from server.store.errors import NoSuchRow
from server.store.tables import conditional_moves, counters, entries, matches, seats

MatchStatus = Literal["live", "adjourned", "finished", "void"]
LIVE: Final = "live"
ADJOURNED: Final = "adjourned"
FINISHED: Final = "finished"
VOID: Final = "void"
RUNNING: Final[tuple[MatchStatus, ...]] = (LIVE, ADJOURNED)
OVER: Final[tuple[MatchStatus, ...]] = (FINISHED, VOID)


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who holds a seat from the start (as `Player` says it), and what they brought (a deck)."""

    kind: str  # account, guest, bot
    name: str
    account_id: int | None = None
    guest_id: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match's row: all that its log begins from, and where it stands. `seats` by seat number.

    `result` is `{"reason": KEY, "placements": [[0], [1]]}` once finished; `finish_no` counts the matches in the order
    in which they ended.
    """

    id: str
    game: str
    rules_version: int
    options: Mapping[str, Json]
    seed: bytes
    commitment: str
    speed: str
    rated: bool
    private: bool
    started_at: datetime
    seats: tuple[StoredSeat, ...]
    room: str | None = None
    status: MatchStatus = LIVE
    ended_at: datetime | None = None
    last_seq: int = 0
    deadline: datetime | None = None
    result: Mapping[str, Any] | None = None
    state_hash: str | None = None
    log_hash: str | None = None
    finish_no: int | None = None
    rated_places: Sequence[Sequence[int]] | None = None
    rated_by: Mapping[str, Any] | None = None

    shared: bool = False

    @property
    def n_seats(self) -> int:
        return len(self.seats)

    @property
    def account_ids(self) -> list[int]:
        """Return the accounts that have seats."""
        return [held.account_id for held in self.seats if held.account_id is not None]


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """A filter of matches: all given conditions must hold."""

    game: str | None = None
    statuses: Sequence[str] = ()
    account_id: int | None = None
    guest_id: str | None = None
    known_to: KnownTo | None = None  # None: also the private ones of anybody
    limit: int | None = 100
    before: datetime | None = None  # when the newest to be listed ended or began at the latest, that moment excluded


@dataclass(frozen=True, slots=True)
class KnownTo:
    """For whom private matches are listed too: who has a seat, and who is in one of these rooms."""

    account_id: int | None = None
    guest_id: str | None = None
    rooms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """What of a match's rows says who may know of it, and how long it is; `players` by seat, without their decks."""

    id: str
    private: bool
    shared: bool
    room: str | None
    players: tuple[StoredSeat, ...]
    last_seq: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """A new match and its people, as `a:ACCOUNT` or `g:GUEST`."""

    id: str
    started_at: datetime
    persons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchPeople:
    """A match and its people, as `a:ACCOUNT` or `g:GUEST`."""

    id: str
    persons: tuple[str, ...]


@one_statement
def begun_since(connection: Connection, moment: datetime) -> list[Begun]:
    """Return the matches that began after a moment, the oldest first; also those that have ended since."""
    chosen = (
        select(matches.c.id, matches.c.started_at, seats.c.account_id, seats.c.guest_id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(matches.c.started_at > moment, seats.c.kind != "bot")
        .order_by(matches.c.started_at, matches.c.id)
    )
    found: dict[tuple[str, datetime], list[str]] = {}
    for row in connection.execute(chosen):
        found.setdefault((row.id, row.started_at), []).append(person_key(row.account_id, row.guest_id))
    return [Begun(*match, tuple(persons)) for match, persons in found.items()]


def create(connection: Connection, match: StoredMatch) -> None:
    """Store a new match with its seats, before its first entry."""
    row = {c.name: getattr(match, c.name) for c in matches.columns if c.name != "options"}
    connection.execute(insert(matches), {**row, "options": dict(match.options)})
    connection.execute(insert(seats), [_seat_row(match.id, i, held) for i, held in enumerate(match.seats)])


def _seat_row(match_id: str, seat: int, held: StoredSeat) -> dict[str, Any]:
    return {
        "match_id": match_id,
        "seat": seat,
        "kind": held.kind,
        "name": held.name,
        "account_id": held.account_id,
        "guest_id": held.guest_id,
        "options": dict(held.options),
    }


def get(connection: Connection, match_id: str) -> StoredMatch | None:
    found = _load(connection, select(matches).where(matches.c.id == match_id))
    return found[0] if found else None


def get_all(connection: Connection, ids: Sequence[str]) -> list[StoredMatch]:
    """Return those of these matches (at most some hundred) that there are."""
    return _load(connection, select(matches).where(matches.c.id.in_(ids)))


def facts(connection: Connection, ids: Sequence[str]) -> dict[str, StoredFacts]:
    """Return what says who may know of these matches. As much is asked for one that is not there."""
    found: dict[str, StoredFacts] = {}
    for part in parts(ids):
        held: dict[str, list[StoredSeat]] = {}
        for row in connection.execute(_HELD, {"ids": list(part)}):
            held.setdefault(row.match_id, []).append(StoredSeat(row.kind, row.name, row.account_id, row.guest_id))
        for door in connection.execute(_FACTS, {"ids": list(part)}):
            players, is_over = tuple(held.get(door.id, ())), door.status not in RUNNING
            found[door.id] = StoredFacts(door.id, door.private, door.shared, door.room, players, door.last_seq, is_over)
    return found


_FACTS = select(  # built once
    matches.c.id, matches.c.private, matches.c.shared, matches.c.room, matches.c.last_seq, matches.c.status
).where(matches.c.id.in_(bindparam("ids", expanding=True)))
_HELD = (
    select(seats.c.match_id, seats.c.kind, seats.c.name, seats.c.account_id, seats.c.guest_id)
    .where(seats.c.match_id.in_(bindparam("ids", expanding=True)))
    .order_by(seats.c.seat)
)


def query(connection: Connection, wanted: MatchFilter, running: Collection[str] = ()) -> list[StoredMatch]:
    """Return the matches that fit. Those of `running` count as live, whatever their rows say.

    The newest first: what ended last where only ended ones are asked for, else what began last.
    """
    asked = _asked(wanted, running)
    chosen = _query(frozenset(asked), tuple(wanted.statuses), wanted.known_to is not None)
    return _load(connection, chosen, **asked)


def people(connection: Connection, wanted: MatchFilter, running: Collection[str] = ()) -> list[MatchPeople]:
    """Return who plays in each match that `query` finds, in the same order."""
    asked = _asked(wanted, running)
    chosen = _query(frozenset(asked), tuple(wanted.statuses), wanted.known_to is not None)
    chosen = chosen.with_only_columns(matches.c.id)
    ids = list(connection.scalars(chosen, asked))
    found: dict[str, list[str]] = {match_id: [] for match_id in ids}
    for part in parts(ids):  # by their keys: a join would go over the seats of all matches ever played
        for row in connection.execute(_PEOPLE, {"ids": list(part)}):
            found[row.match_id].append(person_key(row.account_id, row.guest_id))
    return [MatchPeople(match_id, tuple(persons)) for match_id, persons in found.items()]


def _asked(wanted: MatchFilter, running: Collection[str]) -> dict[str, Any]:
    known_to = wanted.known_to or KnownTo()
    given = {
        "game": wanted.game,
        "running": (list(running) or None) if wanted.statuses else None,
        "account": wanted.account_id,
        "guest": wanted.guest_id,
        "asking_account": known_to.account_id,
        "asking_guest": known_to.guest_id,
        "asking_rooms": list(known_to.rooms) or None,
        "most": wanted.limit,
        "before": wanted.before,
    }
    return {name: value for name, value in given.items() if value is not None}


@cache
def _query(asked: frozenset[str], statuses: tuple[str, ...], is_kept: bool) -> Select[Any]:
    """Build a question once for each set of conditions: building it costs more than running it."""
    is_over = bool(statuses) and not set(statuses) & set(RUNNING)
    newest = matches.c.ended_at if is_over else matches.c.started_at
    chosen = select(matches).order_by(newest.desc(), matches.c.id)
    if "most" in asked:
        chosen = chosen.limit(bindparam("most", type_=Integer))
    if "before" in asked:
        chosen = chosen.where(newest < bindparam("before", type_=Moment))
    if "game" in asked:
        chosen = chosen.where(matches.c.game == bindparam("game"))
    if statuses:
        fits = _are_among(statuses)
        if "running" in asked:
            is_running = matches.c.id.in_(bindparam("running", expanding=True))
            fits = or_(fits, is_running) if LIVE in statuses else and_(fits, not_(is_running))
        chosen = chosen.where(fits)
    if is_kept:
        chosen = chosen.where(or_(matches.c.private.is_(False), matches.c.shared.is_(True), *_lets_in(asked)))
    for holder in {"account", "guest"} & asked:
        if statuses and set(statuses) <= set(RUNNING):
            chosen = chosen.where(matches.c.id.in_(_held_by(holder)))  # few run
        else:
            held = _held_by(holder).distinct().subquery()  # by their seats: IN goes through all matches ever played
            chosen = chosen.join(held, held.c.match_id == matches.c.id)
    return chosen


def _are_among(statuses: Collection[str]) -> ColumnElement[bool]:
    """Return whether a match has one of these statuses; where it may have ended, not by equal ones: nearly all have."""
    if set(statuses) <= set(RUNNING):
        is_one = or_(*(matches.c.status == status for status in statuses))  # IN is built each time
        return and_(matches.c.ended_at.is_(None), is_one)
    is_none = and_(true(), *(matches.c.status != other for other in (*RUNNING, *OVER) if other not in statuses))
    return is_none if set(statuses) & set(RUNNING) else and_(matches.c.ended_at.is_not(None), is_none)


def _lets_in(asked: frozenset[str]) -> Iterator[ColumnElement[bool]]:
    """Yield what makes a private match known to who asks."""
    if "asking_account" in asked:
        yield matches.c.id.in_(_held_by("asking_account"))
    if "asking_guest" in asked:
        yield matches.c.id.in_(_held_by("asking_guest"))
    if "asking_rooms" in asked:
        yield matches.c.room.in_(bindparam("asking_rooms", expanding=True))


def _held_by(name: str) -> Select[Any]:
    """Return the matches in which an account or a guest has a seat. `name`: of the parameter."""
    column = seats.c.account_id if name.endswith("account") else seats.c.guest_id
    return select(seats.c.match_id).where(column == bindparam(name))


def _load(connection: Connection, chosen: Select[Any], **given: object) -> list[StoredMatch]:
    rows = connection.execute(chosen, given).all()
    held = _seats_of(connection, [row.id for row in rows])
    return [_match(row, held.get(row.id, ())) for row in rows]


def _seats_of(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[StoredSeat, ...]]:
    found: dict[str, tuple[StoredSeat, ...]] = {}
    for part in parts(ids):
        for row in connection.execute(_SEATS, {"ids": list(part)}):
            held = StoredSeat(row.kind, row.name, row.account_id, row.guest_id, row.options)
            found[row.match_id] = (*found.get(row.match_id, ()), held)
    return found


_SEATS = select(seats).where(seats.c.match_id.in_(bindparam("ids", expanding=True))).order_by(seats.c.seat)


_PEOPLE = select(seats.c.match_id, seats.c.account_id, seats.c.guest_id).where(
    seats.c.match_id.in_(bindparam("ids", expanding=True)), seats.c.kind != "bot"
)


def _match(row: Row[Any], held: tuple[StoredSeat, ...]) -> StoredMatch:
    fields = {name: value for name, value in row._mapping.items() if name != "n_seats"}
    return StoredMatch(seats=held, **fields)


@one_statement
def last_end(connection: Connection, account_id: int) -> datetime | None:
    """Return when the last one of an account's matches ended that have; withheld ends count."""
    ended: datetime | None = connection.scalar(_LAST_END, {"account": account_id})
    return ended


_LAST_END = select(func.max(matches.c.ended_at)).where(  # built once: every login asks
    matches.c.id.in_(select(seats.c.match_id).where(seats.c.account_id == bindparam("account")))
)


@one_statement
def log(connection: Connection, match_id: str, after: int = 0) -> list[LogEntry]:
    """Return a match's entries after seq `after`, in order."""
    return [_entry(row) for row in connection.execute(_LOG, {"match": match_id, "after": after})]


_LOG = (  # built once: building it costs as much as running it
    select(entries)
    .where(entries.c.match_id == bindparam("match"), entries.c.seq > bindparam("after"))
    .order_by(entries.c.seq)
)


def logs(connection: Connection, ids: Sequence[str]) -> dict[str, list[LogEntry]]:
    """Return the whole logs of several matches at once; a match without entries has an empty list."""
    found: dict[str, list[LogEntry]] = {match_id: [] for match_id in ids}
    for part in parts(ids):
        chosen = select(entries).where(entries.c.match_id.in_(part))
        for row in connection.execute(chosen.order_by(entries.c.match_id, entries.c.seq)):
            found[row.match_id].append(_entry(row))
    return found


def last_entries(connection: Connection, ids: Sequence[str]) -> dict[str, LogEntry]:
    """Return the last entry of each of these matches that has one."""
    is_last = and_(entries.c.match_id == matches.c.id, entries.c.seq == matches.c.last_seq)
    found: dict[str, LogEntry] = {}
    for part in parts(ids):
        chosen = select(entries).join(matches, is_last).where(matches.c.id.in_(part))
        found.update((row.match_id, _entry(row)) for row in connection.execute(chosen))
    return found


def _entry(row: Row[Any]) -> LogEntry:
    return LogEntry(row.seq, row.kind, row.at, row.seat, row.action, row.data)


def last_seqs(connection: Connection, ids: Iterable[str]) -> dict[str, int]:
    """Return the last seq of these matches' logs."""
    chosen = select(matches.c.id, matches.c.last_seq).where(matches.c.id.in_(list(ids)))
    return {row.id: row.last_seq for row in connection.execute(chosen)}


@one_statement
def due(connection: Connection, now: datetime, limit: int = 100) -> list[str]:
    """Return live matches in which somebody's time was up at `now`, the longest overdue first."""
    return list(connection.scalars(_DUE, {"now": now, "limit": limit}))


_DUE = (
    select(matches.c.id)
    .where(matches.c.status == LIVE, matches.c.deadline <= bindparam("now"))
    .order_by(matches.c.deadline)
    .limit(bindparam("limit"))
)


@one_statement
def count_live(connection: Connection) -> int:
    """Count the matches that are being played, by whatever process."""
    return int(connection.execute(select(func.count()).where(matches.c.status == LIVE)).scalar_one())


def put_off(connection: Connection, match_id: str, seq: int, deadline: datetime | None) -> None:
    """Set when a match must be looked at again, unless it has gone on since entry `seq`."""
    is_same = (matches.c.id == match_id) & (matches.c.last_seq == seq)
    connection.execute(update(matches).where(is_same).values(deadline=deadline))


def live_with_guests(connection: Connection) -> dict[str, list[int]]:
    """Return the live matches in which guests sit, and on which seats."""
    ids = list(connection.scalars(select(matches.c.id).where(matches.c.status == LIVE)))
    found: dict[str, list[int]] = {}
    for part in parts(ids):  # by their keys: a join would go over the seats of all matches ever played
        held = seats.c.match_id.in_(part) & (seats.c.kind == "guest")
        for row in connection.execute(select(seats.c.match_id, seats.c.seat).where(held)):
            found.setdefault(row.match_id, []).append(row.seat)
    return found


def finish(match_id: str, result: Mapping[str, Any] | None, state_hash: str | None, at: datetime) -> Effect:
    """Return the effect that ends a match: its result (None: it is void), the state's hash, its place in the order."""

    def effect(connection: Connection) -> None:
        found = get(connection, match_id)
        if found is None:
            raise NoSuchRow("match", match_id)
        ended: dict[str, Any] = {"ended_at": at, "deadline": None, "result": result, "state_hash": state_hash}
        ended["log_hash"] = log_hash(found, log(connection, match_id), result, state_hash)
        if result is None:
            ended |= {"status": VOID, "finish_no": None, "rated_places": None, "rated_by": None}
        else:
            ended |= {"status": FINISHED, "finish_no": next_number(connection, "finish")}
        connection.execute(update(matches).where(matches.c.id == match_id).values(**ended))
        connection.execute(delete(conditional_moves).where(conditional_moves.c.match_id == match_id))

    return effect


def log_hash(
    match: StoredMatch, entries: Sequence[LogEntry], result: Mapping[str, Any] | None, state_hash: str | None
) -> str:
    """Return the SHA-256 over what a match is played again from, and how it ended: one changed byte shows.

    People's names are left out: they may change later.
    """
    head = (match.id, match.game, match.rules_version, match.options, match.seed.hex(), match.commitment)
    terms = (match.speed, match.rated, match.private, to_micros(match.started_at))
    held = [(seat.kind, seat.account_id, seat.guest_id, seat.options) for seat in match.seats]
    lines = [(e.seq, e.kind, to_micros(e.at), e.seat, e.action, e.data or None) for e in entries]
    return hashlib.sha256(to_json((head, terms, held, lines, result, state_hash)).encode()).hexdigest()


def ids_after(connection: Connection, after: str, limit: int) -> list[str]:
    """Return the ids of stored matches in order, from the one after `after`."""
    chosen = select(matches.c.id).where(matches.c.id > after)
    return list(connection.scalars(chosen.order_by(matches.c.id).limit(limit)))


def with_logs(connection: Connection, ids: Sequence[str]) -> list[tuple[StoredMatch, list[LogEntry]]]:
    """Return stored matches (at most some hundred) by id, each with its log."""
    found = sorted(get_all(connection, ids), key=lambda match: match.id)
    held = logs(connection, [match.id for match in found])
    return [(match, held[match.id]) for match in found]


def next_number(connection: Connection, name: str) -> int:
    """Increment and return a counter in the order of commits: the row stays locked until the commit."""
    step = update(counters).where(counters.c.name == name).values(value=counters.c.value + 1)
    return int(connection.execute(step.returning(counters.c.value)).scalar_one())


def finished_in_order(connection: Connection, after: int = 0, limit: int = 500) -> list[StoredMatch]:
    """Return finished matches by `finish_no`, from the one after `after`."""
    chosen = select(matches).where(matches.c.finish_no > after).order_by(matches.c.finish_no).limit(limit)
    return _load(connection, chosen)
