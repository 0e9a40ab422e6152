"""The acts themselves: each does its thing, tells the running processes, and stands in the audit log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_network
from typing import TypeVar

from sqlalchemy import Connection

from game.contract import state_hash
from game.registry import get as rules_of
from server.accounts.errors import AccountError
from server.accounts.identity import ROLES
from server.accounts.keys import read_public_key, source_of
from server.admin import replay
from server.bus.bus import Bus
from server.bus.orders import TOPIC
from server.clock import Clock
from server.errors import Refused
from server.ratings.ratings import Projection, project, rebuild
from server.store import accounts as stored_accounts
from server.store import conduct, matches, processes
from server.store.accounts import Account, StoredKey
from server.store.columns import Json
from server.store.conduct import AuditLine, Report
from server.store.database import Database
from server.store.errors import NoSuchRow
from server.store.logwriter import Append, LogEntry, store_batch
from server.store.matches import MatchFilter, StoredMatch
from server.store.processes import StoredSession
from server.words import clean

T = TypeVar("T")
WHY_CHARS = 500


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a ban is about: an account, a key or a network. `shown` is what was typed."""

    kind: str
    value: str
    shown: str


class Admin:
    """All acts, in the name of one actor: a handle, or `console` beside the database."""

    def __init__(self, database: Database, clock: Clock, bus: Bus, actor: str = "console") -> None:
        self._database = database
        self._clock = clock
        self._bus = bus
        self.actor = actor

    async def set_role(self, handle: str, role: str, *, held: bool) -> bool:
        """Give somebody a role or take it; return whether that changed anything."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=clean(role, 40))

        def work(connection: Connection) -> bool:
            changed = stored_accounts.set_role(connection, _account(connection, handle).id, role, held)
            self._note(connection, "grant" if held else "revoke", handle, "", {"role": role})
            self._order(connection, "roles", {"handle": handle})
            return changed

        return await self._write(work)

    async def add_key(self, handle: str, public_key: str) -> str:
        """Let a key open somebody's account, e.g. when all theirs are lost; return its fingerprint."""
        key, now = read_public_key(public_key), self._clock.now()

        def work(connection: Connection) -> None:
            account = _account(connection, handle)
            if stored_accounts.by_fingerprint(connection, key.fingerprint) is not None:
                raise AccountError("key.taken")
            stored_accounts.add_key(connection, StoredKey(key.fingerprint, account.id, key.line, now))
            self._note(connection, "key add", handle, "", {"key": key.fingerprint})

        await self._write(work)
        return key.fingerprint

    async def ban(self, target: str, why: str, lasts: timedelta | None) -> Target:
        """Keep an account, key or network out, those who are here at once too."""
        return await self._sanction("ban", target, why, lasts)

    async def mute(self, handle: str, why: str, lasts: timedelta | None) -> Target:
        """Let somebody no longer speak."""
        return await self._sanction("mute", handle, why, lasts)

    async def _sanction(self, act: str, target: str, why: str, lasts: timedelta | None) -> Target:
        now, why = self._clock.now(), clean(why, WHY_CHARS)
        until = None if lasts is None else now + lasts

        def work(connection: Connection) -> Target:
            found = self._target(connection, act, target)
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
        account = _account(connection, text)
        return Target("account", str(account.id), account.handle)

    async def announce(self, text: str) -> None:
        """Tell everybody who is here something."""
        kept = clean(text, 300)

        def work(connection: Connection) -> None:
            self._note(connection, "announce", "", kept)
            self._order(connection, "announce", {"text": kept})

        await self._write(work)

    async def drain(self, *, on: bool) -> None:
        """Ask the running processes to let nobody in any more (matches stay safe), or to open again."""

        def work(connection: Connection) -> None:
            act = "drain" if on else "undrain"
            self._note(connection, act, "", "")
            self._order(connection, act, {})

        await self._write(work)

    async def void(self, match_id: str, why: str) -> int:
        """Declare a match void, running or finished; ratings it made are made again without it. Return the seq."""
        why = clean(why, WHY_CHARS)
        return await self._write(lambda connection: self._void(connection, match_id, why))

    def _void(self, connection: Connection, match_id: str, why: str) -> int:
        match = matches.get(connection, match_id)
        if match is None:
            raise NoSuchRow("match", clean(match_id, 20))
        if match.status == matches.VOID:
            raise Refused("match.over")
        now, log = self._clock.now(), matches.log(connection, match_id)
        ends_as = state_hash(rules_of(match.game), replay.fold(match, log).state)
        entry = LogEntry(match.last_seq + 1, "void", now, data={"why": why})
        effects = [matches.finish(match_id, None, ends_as, now)]
        if match.rated_places is not None:
            effects.append(_rebuild)
        [outcome] = store_batch(
            connection, [Append(match_id, (entry,), effects=tuple(effects))], lock=not self._database.is_sqlite
        )
        if outcome is not None:
            raise outcome
        self._note(connection, "void", match_id, why)
        self._order(connection, "void", {"match": match_id, "seq": entry.seq})
        return entry.seq

    async def sessions(self) -> list[StoredSession]:
        """Return who is connected, in all processes."""
        return await self._database.read(processes.sessions_now, self._clock.now())

    async def running(self) -> list[StoredMatch]:
        """Return the running matches, private ones too, newest first."""
        return await self._database.read(matches.query, MatchFilter(statuses=matches.RUNNING, limit=1000))

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

    async def audit(self, limit: int) -> Sequence[AuditLine]:
        """Return the latest acts, newest first."""
        return await self._database.read(conduct.audit_lines, limit)

    async def rebuild_ratings(self) -> int:
        """Make all ratings again from the finished matches; return how many counted."""

        prepared = await self._database.read(project, Projection())

        def work(connection: Connection) -> int:
            counted = rebuild(connection, prepared)
            self._note(connection, "ratings rebuild", "", "", {"matches": counted})
            return counted

        return await self._write(work)

    async def note(self, act: str, target: str, data: dict[str, Json] | None = None) -> None:
        """Put an act that happened elsewhere (a backup) in the audit log."""
        await self._write(lambda connection: self._note(connection, act, target, "", data))

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


def _rebuild(connection: Connection) -> None:
    rebuild(connection)


def _account(connection: Connection, handle: str) -> Account:
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
