"""Acts of moderators: bans, mutes, notes and reports, for commands and screens alike.

Each act is stored, ordered to the running processes and written to the audit log in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network

from sqlalchemy import Connection

from server.accounts.actor import Actor
from server.accounts.conduct import WHY_CHARS
from server.accounts.errors import AccountError
from server.accounts.guestnames import is_guest_name
from server.accounts.identity import ADMIN, MODERATOR
from server.accounts.targets import Target, account_of, check_width, holds_address, read_target
from server.accounts.young_keys import check_acting
from server.sanitize import clean_whole
from server.store import accounts as stored_accounts
from server.store import conduct, lobby, processes, proposals
from server.store.accounts import LINK, Account, person_key
from server.store.columns import Json
from server.store.conduct import BAN, MUTE
from server.store.conduct import AuditLine as AuditLine
from server.store.conduct import Report as Report
from server.store.conduct import Sanction as Sanction
from server.store.processes import StoredSession

ACTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Dossier:
    """What moderators know of a person: sanctions in force, earlier acts and notes (newest first), sessions."""

    sanctions: Sequence[InForce]
    acts: Sequence[AuditLine]
    sessions: Sequence[StoredSession]


@dataclass(frozen=True, slots=True)
class InForce:
    """A ban or mute in force; `shown` is the handle, the key or the network."""

    sanction: Sanction
    shown: str


class Moderation:
    """The acts of moderators, in the name of one actor."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self._database = actor.database
        self._clock = actor.clock

    async def is_allowed(self) -> bool:
        """Tell whether the actor is a moderator or an admin now: a role may have been taken meanwhile.

        Raises AccountError for a young key beside older ones.
        """
        account = await self._database.read(stored_accounts.by_handle, self._actor.name)
        if account is None or not account.roles & {ADMIN, MODERATOR}:
            return False
        now = self._clock.now()
        await self._database.write(check_acting, account.id, self._actor.key, now)  # it locks: no mere reading
        return True

    async def ban(self, target: str, why: str, lasts: timedelta | None, *, wide: bool = False) -> Target:
        """Ban an account, key or network; its open sessions end. Raises AccountError.

        `wide`: also a network wider than `targets.WIDEST`, if the actor is an admin.
        """
        return await self._sanction(BAN, target, why, lasts, wide)

    async def mute(self, target: str, why: str, lasts: timedelta | None, *, wide: bool = False) -> Target:
        """Mute an account, or all guests of a network (`wide`: as in `ban`). Raises AccountError."""
        return await self._sanction(MUTE, target, why, lasts, wide)

    async def _sanction(self, act: str, target: str, why: str, lasts: timedelta | None, wide: bool) -> Target:
        now, why = self._clock.now(), clean_whole(why, WHY_CHARS)
        until = None if lasts is None else now + lasts

        def work(connection: Connection) -> Target:
            found = self._target(connection, act, target)
            if not (wide and self._actor.is_admin(connection)):
                check_width(found)
            self._check_rank(connection, act, found)
            conduct.impose(connection, act, found.kind, found.value, why, self._actor.name, now, until)
            if act == BAN:
                _void_codes(connection, found)
                _end_challenges(connection, found)
            lasts_s = None if lasts is None else int(lasts.total_seconds())
            data: dict[str, Json] = {"kind": found.kind, "for_s": lasts_s}
            if found.kind == "network" and found.shown != found.value:
                data["network"] = found.value
            self._actor.audit(connection, act, found.shown, why, data)
            self._actor.order(connection, act, {"kind": found.kind, "target": found.value})
            return found

        return await self._actor.write(work)

    async def lift(self, act: str, target: str) -> bool:
        """Lift a ban or mute, also of a deleted account; return whether there was one. Raises AccountError."""
        return await self._actor.write(
            lambda connection: self._lift(connection, act, self._target(connection, act, target, gone=True))
        )

    async def lift_held(self, held: InForce) -> bool:
        """Lift a ban or mute in force; return whether it still was. Raises AccountError."""
        kept = held.sanction
        target = Target(kept.kind, kept.target, held.shown)
        return await self._actor.write(lambda connection: self._lift(connection, kept.act, target))

    def _lift(self, connection: Connection, act: str, target: Target) -> bool:
        self._check_not_own(connection, target)
        lifted = conduct.lift(connection, act, target.kind, target.value, self._clock.now())
        if lifted:
            self._actor.audit(connection, f"un{act}", target.shown, "", {"kind": target.kind})
            self._actor.order(connection, act, {"kind": target.kind, "target": target.value})
        return lifted

    async def in_force(self) -> list[InForce]:
        """Return every ban and mute in force, oldest first."""
        return await self._database.read(_held, self._clock.now())

    def _target(self, connection: Connection, act: str, text: str, *, gone: bool = False) -> Target:
        """Read the target of an act. Raises AccountError, also for muting a key."""
        found = read_target(connection, text, self._clock.now(), gone=gone)
        if act == MUTE and found.kind == "key":
            raise AccountError("target.no-mute")
        return found

    def _check_rank(self, connection: Connection, act: str, target: Target) -> None:
        """Raise AccountError where the actor would ban or mute themselves, or a moderator an admin.

        Whether under an account's name, by a key of theirs, or by the network they are connected from.
        """
        if self._actor.is_console:
            return
        source, bans_network = self._actor.source, (act, target.kind) == (BAN, "network")
        if bans_network and source is not None and holds_address(ip_network(target.value), source):
            raise AccountError("moderation.self")
        actor = self._actor.account(connection)
        for account in self._affected(connection, act, target):
            if actor is not None and actor.id == account.id:
                raise AccountError("moderation.self")
            if ADMIN in account.roles and (actor is None or ADMIN not in actor.roles):
                if target.kind == "account":
                    raise AccountError("moderation.admin", handle=account.handle)
                raise AccountError("moderation.admin-there")  # without telling who has which key or address

    def _affected(self, connection: Connection, act: str, target: Target) -> Iterator[Account]:
        """Yield the accounts that a sanction would affect now."""
        if target.kind == "account":
            yield account_of(connection, target.shown)
        elif target.kind == "key":
            owner = stored_accounts.by_fingerprint(connection, target.value)
            yield from () if owner is None else (owner,)
        elif act == BAN:
            network = ip_network(target.value)
            for one in processes.sessions_now(connection, self._clock.now()):
                if one.account_id is not None and holds_address(network, one.source):
                    found = stored_accounts.by_id(connection, one.account_id)
                    yield from () if found is None else (found,)

    def _check_not_own(self, connection: Connection, target: Target) -> None:
        """Raise AccountError where the actor would lift a sanction of their own: of the account, or a key of it."""
        actor, owner = self._actor.account(connection), None
        if target.kind == "key":
            owner = stored_accounts.by_fingerprint(connection, target.value)
        owner_id = target.value if target.kind == "account" else "" if owner is None else str(owner.id)
        if actor is not None and str(actor.id) == owner_id:
            raise AccountError("moderation.self")

    async def remark(self, name: str, text: str) -> None:
        """Write a note about somebody into the audit log, for other moderators. Raises AccountError."""
        kept = clean_whole(text, WHY_CHARS)

        def work(connection: Connection) -> None:
            whom = name if is_guest_name(name) else account_of(connection, name).handle
            self._actor.audit(connection, conduct.NOTE, whom, kept)

        await self._actor.write(work)

    async def dossier(self, handle: str, source: str | None = None) -> Dossier:
        """Return what is known of somebody: the bans of their keys and of where they are now too. Raises AccountError.

        Of a guest that is what holds where they are, or came from (`source`).
        """
        now = self._clock.now()

        def work(connection: Connection) -> Dossier:
            account = None if is_guest_name(handle) else account_of(connection, handle)
            name, account_id = (handle, None) if account is None else (account.handle, account.id)
            sessions = processes.sessions_now(connection, now)
            here = [one for one in sessions if one.account_id == account_id and one.name == name]
            keys = {one.fingerprint for one in here if one.fingerprint is not None}
            if account_id is not None:
                here = [one for one in sessions if one.account_id == account_id]
                keys = {key.fingerprint for key in stored_accounts.keys_of(connection, account_id)}
            sources = {*(one.source for one in here), *(() if source is None else (source,))}
            found = [one for one in _held(connection, now) if _is_about(one.sanction, account_id, keys, sources)]
            acts = conduct.audit_lines(connection, ACTS_SHOWN, name, self._actor.reader(connection))
            return Dossier(found, acts, here)

        return await self._database.read(work)

    async def sessions(self) -> list[tuple[StoredSession, str]]:
        """Return who is connected, in all processes, each with the MACHINE:PID of theirs."""
        now = self._clock.now()

        def work(connection: Connection) -> list[tuple[StoredSession, str]]:
            names = processes.alive(connection, now)
            return [(one, names[one.process_id]) for one in processes.sessions_now(connection, now)]

        return await self._database.read(work)

    async def reports(self) -> list[Report]:
        """Return the open reports, without those about the actor."""
        return await self._database.read(
            lambda connection: conduct.open_reports(connection, self._actor.reader(connection))
        )

    async def closed_reports(self) -> list[Report]:
        """Return the closed reports, the latest first, without those about the actor: what an appeal is about."""
        return await self._database.read(
            lambda connection: conduct.closed_reports(connection, self._actor.reader(connection))
        )

    async def close_report(self, report_id: int) -> bool:
        """Mark a report as handled; return whether it was open. For the actor there is none about themselves."""

        def work(connection: Connection) -> bool:
            reader, report = self._actor.reader(connection), conduct.reported(connection, report_id)
            if report is None or (reader is not None and reader.is_subject(report)):
                return False
            done = conduct.close_report(connection, report_id, self._actor.name, self._clock.now())
            if done:
                self._actor.audit(connection, conduct.HANDLED, str(report_id), "")
            return done

        return await self._actor.write(work)

    async def count_reports(self) -> int:
        """Count the open reports, without those about the actor."""
        return await self._database.read(
            lambda connection: conduct.count_open(connection, self._actor.reader(connection))
        )


def _held(connection: Connection, now: datetime) -> list[InForce]:
    found = conduct.in_force(connection, now)
    ids = [int(one.target) for one in found if one.kind == "account"]
    handles = stored_accounts.handles_of(connection, ids)
    return [InForce(one, handles.get(int(one.target), "-") if one.kind == "account" else one.target) for one in found]


def _is_about(one: Sanction, account_id: int | None, keys: Collection[str], sources: Collection[str]) -> bool:
    match one.kind:
        case "account":
            return one.target == str(account_id)
        case "key":
            return one.target in keys
    if one.act == MUTE and account_id is not None:
        return False  # that of a network is for guests
    return any(holds_address(ip_network(one.target), source) for source in sources)


def _end_challenges(connection: Connection, target: Target) -> None:
    """Delete what a banned account has asked others to play."""
    if target.kind == "account":
        lobby.drop_all_of(connection, person_key(int(target.value), None))


def _void_codes(connection: Connection, target: Target) -> None:
    """Void the link codes and proposals of a banned account or key."""
    if target.kind == "account":
        stored_accounts.drop_codes(connection, int(target.value), LINK)
        proposals.drop_of(connection, int(target.value))
    elif target.kind == "key":
        stored_accounts.drop_codes_made_by(connection, [target.value], [LINK])
        proposals.drop_made_by(connection, [target.value])
