"""What moderators do: bans, mutes, notes and reports; from the commands and from their screen alike.

Each act does its thing, tells the running processes, and stands in the audit log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from typing import TypeVar

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.identity import ADMIN, MODERATOR
from server.accounts.keys import source_of
from server.bus.bus import Bus
from server.bus.orders import TOPIC
from server.clock import Clock
from server.store import accounts as stored_accounts
from server.store import conduct, processes
from server.store.accounts import Account
from server.store.columns import Json
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
class Target:
    """Whom a ban is about: an account, a key or a network. `shown` is what was typed."""

    kind: str
    value: str
    shown: str


@dataclass(frozen=True, slots=True)
class Dossier:
    """What moderators know of somebody: what holds now, earlier acts and notes (newest first), where they are now."""

    sanctions: Sequence[Sanction]
    acts: Sequence[AuditLine]
    sessions: Sequence[StoredSession]


class Moderation:
    """The acts of moderators, in the name of one actor: a handle, or `console` beside the database."""

    def __init__(self, database: Database, clock: Clock, bus: Bus, actor: str = CONSOLE) -> None:
        self._database = database
        self._clock = clock
        self._bus = bus
        self.actor = actor

    async def is_allowed(self) -> bool:
        """Tell whether the actor is a moderator or an admin now: a role may have been taken meanwhile."""
        account = await self._database.read(stored_accounts.by_handle, self.actor)
        return account is not None and bool(account.roles & {ADMIN, MODERATOR})

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> Target:
        """Keep an account, key or network out, those who are here at once too. Raises AccountError."""
        return await self._sanction("ban", target, why, lasts)

    async def mute(self, handle: str, why: str, lasts: timedelta | None) -> Target:
        """Let somebody no longer speak. Raises AccountError."""
        return await self._sanction("mute", handle, why, lasts)

    async def _sanction(self, act: str, target: str, why: str, lasts: timedelta | None) -> Target:
        now, why = self._clock.now(), clean(why, WHY_CHARS)
        until = None if lasts is None else now + lasts

        def work(connection: Connection) -> Target:
            found = self._target(connection, act, target)
            self._check_rank(connection, found)
            conduct.impose(connection, act, found.kind, found.value, why, self.actor, now, until)
            lasts_s = None if lasts is None else int(lasts.total_seconds())
            self._note(connection, act, found.shown, why, {"kind": found.kind, "for_s": lasts_s})
            self._order(connection, act, {"kind": found.kind, "target": found.value})
            return found

        return await self._write(work)

    async def lift(self, act: str, target: str) -> bool:
        """Take a ban or mute back; return whether there was one."""

        def work(connection: Connection) -> bool:
            found = self._target(connection, act, target)
            lifted = conduct.lift(connection, act, found.kind, found.value, self._clock.now())
            self._note(connection, f"un{act}", found.shown, "", {"kind": found.kind})
            self._order(connection, act, {"kind": found.kind, "target": found.value})
            return lifted

        return await self._write(work)

    def _target(self, connection: Connection, act: str, text: str) -> Target:
        """Read whom an act is about. Mutes are of accounts only."""
        if act == "ban" and text.startswith("SHA256:"):
            return Target("key", clean(text, 80), clean(text, 80))
        if act == "ban" and (network := _network(text)) is not None:
            return Target("network", network, network)
        account = account_of(connection, text)
        return Target("account", str(account.id), account.handle)

    def _check_rank(self, connection: Connection, target: Target) -> None:
        """Raise AccountError where a moderator would silence or shut out an admin, under an account's name."""
        if target.kind != "account" or self.actor == CONSOLE:
            return
        if (
            ADMIN in account_of(connection, target.shown).roles
            and ADMIN not in account_of(connection, self.actor).roles
        ):
            raise AccountError("moderation.admin", handle=target.shown)

    async def remark(self, handle: str, text: str) -> None:
        """Keep a note about somebody in the audit log, for whoever moderates next. Raises AccountError."""
        kept = clean(text, WHY_CHARS)

        def work(connection: Connection) -> None:
            self._note(connection, "note", account_of(connection, handle).handle, kept)

        await self._write(work)

    async def dossier(self, handle: str) -> Dossier:
        """Return what is known of somebody. Raises AccountError if unknown."""
        now = self._clock.now()

        def work(connection: Connection) -> Dossier:
            account = account_of(connection, handle)
            here = [one for one in processes.sessions_now(connection, now) if one.account_id == account.id]
            acts = conduct.audit_lines(connection, ACTS_SHOWN, account.handle)
            return Dossier(conduct.in_force(connection, now, account_id=account.id), acts, here)

        return await self._database.read(work)

    async def sessions(self) -> list[StoredSession]:
        """Return who is connected, in all processes."""
        return await self._database.read(processes.sessions_now, self._clock.now())

    async def reports(self) -> list[Report]:
        """Return the reports nobody has handled yet."""
        return await self._database.read(conduct.open_reports)

    async def handle_report(self, report_id: int) -> bool:
        """Mark a report as handled; return whether it was open."""

        def work(connection: Connection) -> bool:
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


def account_of(connection: Connection, handle: str) -> Account:
    """Return somebody's account. Raises AccountError if unknown."""
    found = stored_accounts.by_handle(connection, handle)
    if found is None:
        raise AccountError("handle.unknown", handle=clean(handle, 40))
    return found


def _network(text: str) -> str | None:
    """Read an address or network; an IPv6 address alone means its /64, as the limits count."""
    try:
        return str(ip_network(source_of(text) if "/" not in text else text, strict=False))
    except ValueError:
        return None
