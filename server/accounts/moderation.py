"""What moderators do: bans, mutes, notes and reports; from the commands and from their screen alike.

Each act does its thing, tells the running processes, and stands in the audit log.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import TypeVar

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.identity import ADMIN, MODERATOR
from server.accounts.targets import Target, account_of, holds_address, is_guest_name, read_target
from server.bus.bus import Bus
from server.bus.orders import TOPIC
from server.clock import Clock
from server.store import accounts as stored_accounts
from server.store import conduct, processes
from server.store.accounts import Account
from server.store.columns import Json
from server.store.conduct import MUTE
from server.store.conduct import AuditLine as AuditLine
from server.store.conduct import Report as Report
from server.store.conduct import Sanction as Sanction
from server.store.database import Database
from server.store.processes import StoredSession
from server.words import clean

T = TypeVar("T")
WHY_CHARS = 500
CONSOLE = "console"  # who acts beside the database
ACTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Dossier:
    """What moderators know of somebody: what holds now, earlier acts and notes (newest first), where they are now."""

    sanctions: Sequence[Held]
    acts: Sequence[AuditLine]
    sessions: Sequence[StoredSession]


@dataclass(frozen=True, slots=True)
class Held:
    """A ban or mute that holds now; `shown` is the handle, the key or the network."""

    sanction: Sanction
    shown: str


class Moderation:
    """The acts of moderators, in the name of one actor: a handle, or `console` beside the database.

    `source`: the address that the actor comes from.
    """

    def __init__(
        self, database: Database, clock: Clock, bus: Bus, actor: str = CONSOLE, source: str | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._bus = bus
        self.actor = actor
        self._source = source

    async def is_allowed(self) -> bool:
        """Tell whether the actor is a moderator or an admin now: a role may have been taken meanwhile."""
        account = await self._database.read(stored_accounts.by_handle, self.actor)
        return account is not None and bool(account.roles & {ADMIN, MODERATOR})

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> Target:
        """Keep an account, key or network out, those who are here at once too. Raises AccountError."""
        return await self._sanction("ban", target, why, lasts)

    async def mute(self, target: str, why: str, lasts: timedelta | None) -> Target:
        """Let somebody no longer speak; of a network, the guests who come from there. Raises AccountError."""
        return await self._sanction("mute", target, why, lasts)

    async def _sanction(self, act: str, target: str, why: str, lasts: timedelta | None) -> Target:
        now, why = self._clock.now(), clean(why, WHY_CHARS)
        until = None if lasts is None else now + lasts

        def work(connection: Connection) -> Target:
            found = self._target(connection, act, target)
            self._check_rank(connection, act, found)
            conduct.impose(connection, act, found.kind, found.value, why, self.actor, now, until)
            lasts_s = None if lasts is None else int(lasts.total_seconds())
            data: dict[str, Json] = {"kind": found.kind, "for_s": lasts_s}
            if found.kind == "network" and found.shown != found.value:
                data["network"] = found.value
            self._note(connection, act, found.shown, why, data)
            self._order(connection, act, {"kind": found.kind, "target": found.value})
            return found

        return await self._write(work)

    async def lift(self, act: str, target: str) -> bool:
        """Take a ban or mute back; return whether there was one. Raises AccountError."""
        return await self._write(lambda connection: self._lift(connection, act, self._target(connection, act, target)))

    async def lift_held(self, held: Held) -> bool:
        """Take back what holds; return whether it still did. Raises AccountError."""
        kept = held.sanction
        target = Target(kept.kind, kept.target, held.shown)
        return await self._write(lambda connection: self._lift(connection, kept.act, target))

    def _lift(self, connection: Connection, act: str, target: Target) -> bool:
        self._check_not_own(connection, target)
        lifted = conduct.lift(connection, act, target.kind, target.value, self._clock.now())
        if lifted:
            self._note(connection, f"un{act}", target.shown, "", {"kind": target.kind})
            self._order(connection, act, {"kind": target.kind, "target": target.value})
        return lifted

    async def in_force(self) -> list[Held]:
        """Return every ban and mute that holds now, oldest first."""
        return await self._database.read(_held, self._clock.now())

    def _target(self, connection: Connection, act: str, text: str) -> Target:
        """Read whom an act is about. Raises AccountError; nobody speaks with a key, so none is muted."""
        found = read_target(connection, text, self._clock.now())
        if act == "mute" and found.kind == "key":
            raise AccountError("target.no-mute")
        return found

    def _check_rank(self, connection: Connection, act: str, target: Target) -> None:
        """Raise AccountError where one would shut oneself out, or a moderator silence or shut out an admin.

        Whether under an account's name, by a key of theirs, or by the network they are connected from.
        """
        if self.actor == CONSOLE:
            return
        is_ban = (act, target.kind) == ("ban", "network")
        if is_ban and self._source is not None and holds_address(ip_network(target.value), self._source):
            raise AccountError("moderation.self")
        actor = stored_accounts.by_handle(connection, self.actor)
        for account in self._hit(connection, act, target):
            if actor is not None and actor.id == account.id:
                raise AccountError("moderation.self")
            if ADMIN in account.roles and (actor is None or ADMIN not in actor.roles):
                if target.kind == "account":
                    raise AccountError("moderation.admin", handle=account.handle)
                raise AccountError("moderation.admin-there")  # it is not told who has which key or address

    def _hit(self, connection: Connection, act: str, target: Target) -> Iterator[Account]:
        """Yield the accounts that a sanction would reach now."""
        if target.kind == "account":
            yield account_of(connection, target.shown)
        elif target.kind == "key":
            owner = stored_accounts.by_fingerprint(connection, target.value)
            yield from () if owner is None else (owner,)
        elif act == "ban":
            network = ip_network(target.value)
            for one in processes.sessions_now(connection, self._clock.now()):
                if one.account_id is not None and holds_address(network, one.source):
                    found = stored_accounts.by_id(connection, one.account_id)
                    yield from () if found is None else (found,)

    def _check_not_own(self, connection: Connection, target: Target) -> None:
        """Raise AccountError for who would lift what was imposed on them."""
        actor = stored_accounts.by_handle(connection, self.actor)
        if target.kind == "account" and actor is not None and str(actor.id) == target.value:
            raise AccountError("moderation.self")

    async def remark(self, name: str, text: str) -> None:
        """Keep a note about somebody in the audit log, for whoever moderates next. Raises AccountError."""
        kept = clean(text, WHY_CHARS)

        def work(connection: Connection) -> None:
            whom = name if is_guest_name(name) else account_of(connection, name).handle
            self._note(connection, "note", whom, kept)

        await self._write(work)

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
            return Dossier(found, conduct.audit_lines(connection, ACTS_SHOWN, name), here)

        return await self._database.read(work)

    async def sessions(self) -> list[StoredSession]:
        """Return who is connected, in all processes."""
        return await self._database.read(processes.sessions_now, self._clock.now())

    async def reports(self) -> list[Report]:
        """Return the reports nobody has handled yet."""
        return await self._database.read(conduct.open_reports)

    async def handle_report(self, report_id: int) -> bool:
        """Mark a report as handled; return whether it was open. Raises AccountError for one about the actor."""

        def work(connection: Connection) -> bool:
            actor = stored_accounts.by_handle(connection, self.actor)
            if actor is not None and actor.id == conduct.reported(connection, report_id):
                raise AccountError("moderation.self")
            done = conduct.handle_report(connection, report_id, self.actor, self._clock.now())
            if done:
                self._note(connection, "report handled", str(report_id), "")
            return done

        return await self._write(work)

    async def count_reports(self) -> int:
        """Return how many reports nobody has handled yet."""
        return await self._database.read(conduct.count_open)

    def _note(
        self, connection: Connection, act: str, target: str, why: str, data: dict[str, Json] | None = None
    ) -> None:
        conduct.note(connection, self.actor, act, target, why, self._clock.now(), data)

    def _order(self, connection: Connection, kind: str, data: dict[str, Json]) -> None:
        processes.give_order(connection, kind, data, self._clock.now())

    async def _write(self, work: Callable[[Connection], T]) -> T:
        done = await self._database.write(work)
        self._bus.publish(TOPIC, {})  # whoever does not hear it looks within a second
        return done


def _held(connection: Connection, now: datetime) -> list[Held]:
    found = conduct.in_force(connection, now)
    ids = [int(one.target) for one in found if one.kind == "account"]
    handles = stored_accounts.handles_of(connection, ids)
    return [Held(one, handles.get(int(one.target), "-") if one.kind == "account" else one.target) for one in found]


def _is_about(one: Sanction, account_id: int | None, keys: Collection[str], sources: Collection[str]) -> bool:
    match one.kind:
        case "account":
            return one.target == str(account_id)
        case "key":
            return one.target in keys
    if one.act == MUTE and account_id is not None:
        return False  # that of a network is for guests
    return any(holds_address(ip_network(one.target), source) for source in sources)
