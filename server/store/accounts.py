"""Stored accounts: handles and their skeletons, keys, codes, roles, preferences, counted events."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, or_, select, update
from sqlalchemy import text as sql

from server.store.database import one_statement, parts
from server.store.errors import AccountGone
from server.store.tables import (
    accounts,
    audit,
    chat_lines,
    codes,
    handle_skeletons,
    invitations,
    keys,
    preferences,
    reports,
    roles,
    rooms,
    sanctions,
    seats,
    strikes,
)
from server.store.upsert import put, put_if_missing


def person_key(account_id: int | None, guest: str | None) -> str:
    """Return what is the same for all connections of one person: the account, or a guest's name.

    >>> person_key(7, None), person_key(None, "guest-x7k2mnpq")
    ('a:7', 'g:guest-x7k2mnpq')
    """
    return f"g:{guest}" if account_id is None else f"a:{account_id}"


def ids_of(persons: Iterable[str]) -> list[int]:
    """Return the accounts among persons, who are named as by `person_key`.

    >>> ids_of(["a:7", "g:guest-x7k2mnpq"])
    [7]
    """
    return [int(person[2:]) for person in persons if person.startswith("a:")]


def has_gone(connection: Connection, account_ids: Iterable[int]) -> bool:
    """Tell whether one of these accounts is deleted; if not, none is before this transaction ends.

    Ask before the rows of seeks and rooms are locked: who deletes an account locks it first, too.
    """
    held = select(accounts.c.deleted_at).where(accounts.c.id.in_(set(account_ids))).order_by(accounts.c.id)
    return any(connection.scalars(held.with_for_update(read=True)))


def check_there(connection: Connection, account_ids: Iterable[int]) -> None:
    """Raise AccountGone where `has_gone`."""
    if has_gone(connection, account_ids):
        raise AccountGone


FIRST, BY_CODE, BY_PROPOSAL, BY_RECOVERY, BY_ADMIN = "first", "code", "proposal", "recovery", "admin"
LINK, RECOVERY = "link", "recovery"  # kinds of codes
STRIKES_KEPT = timedelta(days=30)  # longer than the period of any limit
LEFT, CUT = "left", "cut"  # kinds of counted events: a rated match was left; a ban of a network sent somebody away
LEAVING_COUNTS_FOR = timedelta(days=7)
MATCH_ACTS = ("end", "void")  # acts in the audit log whose target is a match


@dataclass(frozen=True, slots=True)
class Account:
    """A registered person."""

    id: int
    handle: str
    created_at: datetime
    roles: frozenset[str] = frozenset()
    deleted_at: datetime | None = None
    is_invisible: bool = False  # does not want to be seen connected
    machine_since: datetime | None = None  # a program plays for it, and all are told so


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A public key that opens an account."""

    fingerprint: str
    account_id: int
    public_key: str
    added_at: datetime
    used_at: datetime | None = None  # up to when its programs have been sent everything
    label: str | None = None
    how: str | None = None  # FIRST, BY_CODE, BY_PROPOSAL, BY_RECOVERY, BY_ADMIN; None: from before this column
    added_by: str | None = None  # the key that added it
    used_day: datetime | None = None  # the beginning of the day (UTC) of its last login


@dataclass(frozen=True, slots=True)
class StoredCode:
    """A one-time code, kept as its hash. `expires_at` None: a recovery code."""

    code_hash: str
    account_id: int
    kind: str  # recovery, link
    made_at: datetime
    expires_at: datetime | None = None
    made_by: str | None = None  # the fingerprint of the key that made it


# What every login asks is built once: building a statement costs as much as running it.
_BY_ID = select(accounts).where(accounts.c.id == bindparam("account"))
_BY_HANDLE = select(accounts).where(accounts.c.handle == bindparam("handle"), accounts.c.deleted_at.is_(None))
_BY_FINGERPRINT = (
    select(accounts)
    .join(keys, keys.c.account_id == accounts.c.id)
    .where(keys.c.fingerprint == bindparam("fingerprint"))
)
_ROLES = select(roles.c.role).where(roles.c.account_id == bindparam("account"))
_PREFERENCES = select(preferences.c.data).where(preferences.c.account_id == bindparam("account"))


def by_id(connection: Connection, account_id: int) -> Account | None:
    return _one(connection, _BY_ID, account=account_id)


def by_handle(connection: Connection, handle: str) -> Account | None:
    """Find an account by its handle; a deleted one is not found."""
    return _one(connection, _BY_HANDLE, handle=handle)


def by_fingerprint(connection: Connection, fingerprint: str) -> Account | None:
    return _one(connection, _BY_FINGERPRINT, fingerprint=fingerprint)


@dataclass(frozen=True, slots=True)
class FoundAccount:
    """An account as a listing shows it."""

    account: Account
    seen_at: datetime | None
    n_keys: int


def search(connection: Connection, text: str, most: int) -> list[FoundAccount]:
    """Return accounts whose handle holds a text, or that a key of this fingerprint opens, by handle."""
    n_keys = select(func.count()).where(keys.c.account_id == accounts.c.id).scalar_subquery()
    has_key = select(keys.c.account_id).where(keys.c.fingerprint == text)
    found = or_(accounts.c.handle.contains(text.lower(), autoescape=True), accounts.c.id.in_(has_key))
    chosen = select(accounts, n_keys.label("n_keys")).where(accounts.c.deleted_at.is_(None), found)
    rows = connection.execute(chosen.order_by(accounts.c.handle).limit(most)).all()
    held: dict[int, set[str]] = {row.id: set() for row in rows}
    for ids in parts(list(held)):
        for one in connection.execute(select(roles).where(roles.c.account_id.in_(ids))):
            held[one.account_id].add(one.role)
    return [
        FoundAccount(Account(row.id, row.handle, row.created_at, frozenset(held[row.id])), row.seen_at, row.n_keys)
        for row in rows
    ]


def handles_of(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the handles of these accounts, of the deleted ones too."""
    chosen = select(accounts.c.id, accounts.c.handle).where(accounts.c.id.in_(ids))
    return {row.id: row.handle for row in connection.execute(chosen)}


def lock(connection: Connection, account_id: int) -> None:
    """Lock an account until the end of this transaction, against others that lock it too."""
    connection.execute(select(accounts.c.id).where(accounts.c.id == account_id).with_for_update())


def _one(connection: Connection, chosen: Select[Any], **given: object) -> Account | None:
    row = connection.execute(chosen, given).first()
    if row is None:
        return None
    held = connection.scalars(_ROLES, {"account": row.id})
    return Account(
        row.id, row.handle, row.created_at, frozenset(held), row.deleted_at, row.invisible, row.machine_since
    )


def create(connection: Connection, handle: str, skeletons: Iterable[str], now: datetime) -> Account:
    """Store a new account. Raises IntegrityError when the handle, or one that looks like it, is taken."""
    made = insert(accounts).values(handle=handle, created_at=now, seen_at=now).returning(accounts.c.id)
    account_id = int(connection.execute(made).scalar_one())
    hold_skeletons(connection, account_id, skeletons)
    return Account(account_id, handle, now)


def hold_skeletons(connection: Connection, account_id: int, skeletons: Iterable[str]) -> None:
    """Reserve skeletons for an account, besides those it has. Raises IntegrityError when another has one."""
    wanted = set(skeletons)
    held = select(handle_skeletons.c.skeleton).where(handle_skeletons.c.account_id == account_id)
    if missing := wanted - set(connection.scalars(held)):
        rows = [{"skeleton": skeleton, "account_id": account_id} for skeleton in sorted(missing)]
        connection.execute(insert(handle_skeletons), rows)


def holders(connection: Connection, skeletons: Iterable[str]) -> frozenset[int]:
    """Return the accounts that one of these skeletons is reserved for."""
    held = select(handle_skeletons.c.account_id).where(handle_skeletons.c.skeleton.in_(sorted(skeletons)))
    return frozenset(connection.scalars(held))


def is_look_alike(connection: Connection, skeletons: Iterable[str], except_for: int | None) -> bool:
    """Tell whether a handle with these skeletons could be mistaken for somebody else's."""
    return any(owner != except_for for owner in holders(connection, skeletons))


def set_handle(connection: Connection, account_id: int, handle: str) -> None:
    """Rename an account wherever a handle is stored: matches, rooms, chat lines, invitations and the audit log."""
    before = str(connection.scalar(select(accounts.c.handle).where(accounts.c.id == account_id)))
    for kept in (audit.c.actor, sanctions.c.by_name, reports.c.handled_by, invitations.c.made_by):
        connection.execute(update(kept.table).where(kept == before).values({kept: handle}))
    about = (audit.c.target == before, audit.c.act.not_in(MATCH_ACTS))  # a match's id may look like a handle
    connection.execute(update(audit).where(*about).values(target=handle))
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(handle=handle))
    for said in (seats, chat_lines):
        connection.execute(update(said).where(said.c.account_id == account_id).values(name=handle))
    for code, data in connection.execute(select(rooms.c.code, rooms.c.data)).all():
        if _renamed_in(data, account_id, before, handle) != data:
            _rename_in_room(connection, code, account_id, before, handle)


def _rename_in_room(connection: Connection, code: str, account_id: int, before: str, handle: str) -> None:
    here = rooms.c.code == code
    data = connection.scalar(select(rooms.c.data).where(here).with_for_update())
    if data is not None:
        renamed = _renamed_in(data, account_id, before, handle)
        connection.execute(update(rooms).where(here).values(data=renamed, version=rooms.c.version + 1))


def _renamed_in(data: Mapping[str, Any], account_id: int, before: str, handle: str) -> dict[str, Any]:
    """Return a room's document with the new handle, also where only the one before tells that they are meant."""

    def now(known: str | None) -> str | None:
        return handle if known == before else known

    def player(known: Mapping[str, Any] | None) -> dict[str, Any] | None:
        is_theirs = known is not None and known["account_id"] == account_id
        return None if known is None else {**known, **({"name": handle} if is_theirs else {})}

    return {
        **data,
        "host_name": handle if data["host"] == person_key(account_id, None) else data["host_name"],
        "chairs": [
            {**chair, "player": player(chair["player"]), "held_for": now(chair["held_for"])} for chair in data["chairs"]
        ],
        "members": [{**one, "player": player(one["player"])} for one in data["members"]],
        "results": [[match_id, now(winner)] for match_id, winner in data["results"]],
        "declined": [now(name) for name in data.get("declined", ())],
    }


def set_invisible(connection: Connection, account_id: int, is_invisible: bool) -> bool:
    """Store whether somebody wants to be seen connected; return whether that changed anything."""
    other = update(accounts).where(accounts.c.id == account_id, accounts.c.invisible != is_invisible)
    return connection.execute(other.values(invisible=is_invisible)).rowcount > 0


def record_seen(connection: Connection, account_id: int, fingerprint: str | None, now: datetime) -> None:
    """Store a login: its time and key."""
    there = (accounts.c.id == account_id, accounts.c.deleted_at.is_(None))
    connection.execute(update(accounts).where(*there).values(seen_at=now))
    if fingerprint is not None:
        connection.execute(update(keys).where(keys.c.fingerprint == fingerprint).values(used_at=now))


def add_key(connection: Connection, key: StoredKey) -> None:
    """Store a key. Raises IntegrityError when it already opens an account."""
    row = {name: getattr(key, name) for name in StoredKey.__slots__}
    connection.execute(insert(keys).values(**row))


def keys_of(connection: Connection, account_id: int) -> list[StoredKey]:
    chosen = select(keys).where(keys.c.account_id == account_id).order_by(keys.c.added_at, keys.c.fingerprint)
    return [StoredKey(**row._mapping) for row in connection.execute(chosen)]


def label_key(connection: Connection, account_id: int, fingerprint: str, label: str) -> bool:
    """Rename a key; return whether the account has it."""
    named = update(keys).where(keys.c.account_id == account_id, keys.c.fingerprint == fingerprint)
    return connection.execute(named.values(label=label)).rowcount > 0


def record_key_use(connection: Connection, fingerprint: str, day: datetime) -> None:
    """Store the day on which a key logged in."""
    earlier = or_(keys.c.used_day.is_(None), keys.c.used_day < day)
    connection.execute(update(keys).where(keys.c.fingerprint == fingerprint, earlier).values(used_day=day))


def remove_key(connection: Connection, account_id: int, fingerprint: str) -> bool:
    """Remove a key. Keys that it added now count as added by the key that had added it."""
    mine = (keys.c.account_id == account_id, keys.c.fingerprint == fingerprint)
    before = connection.scalar(select(keys.c.added_by).where(*mine))
    linked = update(keys).where(keys.c.account_id == account_id, keys.c.added_by == fingerprint)
    connection.execute(linked.values(added_by=before))
    return connection.execute(delete(keys).where(*mine)).rowcount > 0


def add_codes(connection: Connection, made: Sequence[StoredCode]) -> None:
    rows = [{name: getattr(code, name) for name in StoredCode.__slots__} for code in made]
    connection.execute(insert(codes), rows)


def drop_codes(connection: Connection, account_id: int, kind: str) -> None:
    connection.execute(delete(codes).where(codes.c.account_id == account_id, codes.c.kind == kind))


def drop_codes_made_by(connection: Connection, fingerprints: Sequence[str], kinds: Sequence[str]) -> frozenset[str]:
    """Delete the codes of these kinds that these keys made; return the kinds found."""
    made = (codes.c.made_by.in_(fingerprints), codes.c.kind.in_(kinds))
    return frozenset(connection.scalars(delete(codes).where(*made).returning(codes.c.kind)))


def use_code(
    connection: Connection, code_hash: str, now: datetime, recovery_of: int | None = None
) -> StoredCode | None:
    """Use up a code and return it; None: unknown, used or expired. `recovery_of`: it must recover this account."""
    meant = [codes.c.code_hash == code_hash]
    if recovery_of is not None:
        meant += [codes.c.kind == RECOVERY, codes.c.account_id == recovery_of]
    row = connection.execute(delete(codes).where(*meant).returning(*codes.c)).first()
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    return StoredCode(**row._mapping)


def set_role(connection: Connection, account_id: int, role: str, held: bool) -> bool:
    """Give or take a role; return whether that changed anything."""
    if held:
        return put_if_missing(connection, roles, {"account_id": account_id, "role": role})
    gone = delete(roles).where(roles.c.account_id == account_id, roles.c.role == role)
    return connection.execute(gone).rowcount > 0


def load_preferences(connection: Connection, account_id: int) -> Mapping[str, Any]:
    data = connection.scalar(_PREFERENCES, {"account": account_id})
    return data if isinstance(data, dict) else {}


def save_preferences(connection: Connection, account_id: int, data: Mapping[str, Any]) -> None:
    put(connection, preferences, [{"account_id": account_id, "data": dict(data)}])


def strike(connection: Connection, kind: str, who: str, now: datetime, since: datetime) -> list[datetime]:
    """Count an event of a source or person; return the earlier ones since `since`.

    Processes that count the same thing wait for each other, so limits are exact. Older events are deleted.
    """
    count_alone(connection, kind, who)
    connection.execute(delete(strikes).where(strikes.c.kind == kind, strikes.c.who == who, strikes.c.at <= since))
    _forget_oldest(connection, now - STRIKES_KEPT)
    before = strikes_since(connection, kind, who, since)
    connection.execute(insert(strikes).values(kind=kind, who=who, at=now))
    return before


def strike_below(connection: Connection, kind: str, who: str, now: datetime, since: datetime, most: int) -> bool:
    """Count an event unless there were `most` since `since`; return whether it was counted."""
    count_alone(connection, kind, who)
    if len(strikes_since(connection, kind, who, since)) >= most:
        return False
    strike(connection, kind, who, now, since)
    return True


def add_strikes(connection: Connection, kind: str, who: str, moments: Sequence[datetime]) -> None:
    """Store events that were counted elsewhere."""
    if moments:
        connection.execute(insert(strikes), [{"kind": kind, "who": who, "at": at} for at in moments])


def _forget_oldest(connection: Connection, before: datetime) -> None:
    """Delete some old events of sources that did not return, so that addresses are not kept."""
    oldest = select(strikes.c.id).order_by(strikes.c.id).limit(100).with_for_update(skip_locked=True)
    connection.execute(delete(strikes).where(strikes.c.id.in_(oldest), strikes.c.at <= before))


def count_alone(connection: Connection, kind: str, who: str) -> None:
    """Lock what is counted against other processes until the end of this transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql("SELECT pg_advisory_xact_lock(hashtext(:who))"), {"who": f"{kind} {who}"})


@one_statement
def strikes_of(connection: Connection, kind: str, whos: Collection[str], since: datetime) -> dict[str, list[datetime]]:
    """Return by whom a counted event was caused since then, with the moments, oldest first."""
    counted = select(strikes.c.who, strikes.c.at).where(strikes.c.kind == kind, strikes.c.at > since)
    found: dict[str, list[datetime]] = {}
    for row in connection.execute(counted.where(strikes.c.who.in_(whos)).order_by(strikes.c.at)):
        found.setdefault(row.who, []).append(row.at)
    return found


def strikes_since(connection: Connection, kind: str, who: str, since: datetime) -> list[datetime]:
    """Return the moments of a counted event since then, oldest first."""
    counted = select(strikes.c.at).where(strikes.c.kind == kind, strikes.c.who == who, strikes.c.at > since)
    return list(connection.scalars(counted.order_by(strikes.c.at)))
