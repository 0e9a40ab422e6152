"""The acts of admins: each is done, ordered of the running processes and audited in one transaction."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from game.contract import state_hash
from game.registry import get as rules_of
from server.accounts import codes
from server.accounts.errors import AccountError
from server.accounts.identity import ROLES
from server.accounts.keyring import add_key, check_unknown, stored_key
from server.accounts.keys import read_public_key
from server.accounts.moderation import WHY_CHARS, Moderation
from server.accounts.targets import account_of
from server.admin import replay
from server.clock import rfc3339
from server.errors import Refused
from server.ratings.ratings import Projection, project, rebuild
from server.sanitize import clean
from server.store import accounts as stored_accounts
from server.store import invitations, matches, outages, processes
from server.store.accounts import BY_ADMIN
from server.store.appends import Append, LogEntry
from server.store.columns import Json
from server.store.errors import NoSuchRow
from server.store.listing import Listed, listed
from server.store.logwriter import store_batch
from server.store.matches import MatchFilter


class Admin(Moderation):
    """All acts of one actor: a handle, or `console` beside the database."""

    async def set_role(self, handle: str, role: str, *, held: bool) -> bool:
        """Give somebody a role or take it; return whether that changed anything."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=clean(role, 40))

        def work(connection: Connection) -> bool:
            account_id = account_of(connection, handle).id
            changed = stored_accounts.set_role(connection, account_id, role, held)
            self._note(connection, "grant" if held else "revoke", handle, "", {"role": role})
            self._order(connection, "roles", {"account": account_id})
            return changed

        return await self._write(work)

    async def add_key(self, handle: str, public_key: str) -> str:
        """Add a key to an account, e.g. one whose keys are lost; return its fingerprint."""
        key, now = read_public_key(public_key), self._clock.now()

        def work(connection: Connection) -> None:
            account = account_of(connection, handle)
            check_unknown(connection, key)
            add_key(connection, stored_key(key, account.id, now, BY_ADMIN, label=key.comment))
            self._note(connection, "key add", handle, "", {"key": key.fingerprint})

        await self._write(work)
        return key.fingerprint

    async def invite(self, uses: int, lasts: timedelta) -> str:
        """Make an invitation code that registers so many accounts; return it. Only its hash is stored."""
        code, now = codes.new_code(codes.INVITATION_CHARS), self._clock.now()

        def work(connection: Connection) -> None:
            invitations.add(connection, codes.code_hash(code), self.actor, uses, now, now + lasts)
            self._note(connection, "invite", "", "", {"uses": uses, "until": rfc3339(now + lasts)})

        await self._write(work)
        return code

    async def announce(self, text: str) -> None:
        """Show a text to everybody who is connected."""
        kept = clean(text, 300)

        def work(connection: Connection) -> None:
            self._note(connection, "announce", "", kept)
            self._order(connection, "announce", {"text": kept})

        await self._write(work)

    async def drain(self, *, on: bool) -> None:
        """Order the running processes to drain, or to accept logins again."""

        def work(connection: Connection) -> None:
            self._note(connection, "drain" if on else "undrain", "", "")
            if on:
                self._order(connection, processes.DRAIN, {})
            else:
                outages.undrain(connection, self._clock.now())

        await self._write(work)

    async def void(self, match_id: str, why: str) -> int:
        """Void a running or finished match and rebuild ratings without it. Return the entry's seq."""
        why = clean(why, WHY_CHARS)
        return await self._write(lambda connection: self._void(connection, match_id, why))

    def _void(self, connection: Connection, match_id: str, why: str) -> int:
        match = matches.get(connection, match_id)
        if match is None:
            raise NoSuchRow("match", clean(match_id, 20))
        if match.status == matches.VOID:
            raise Refused("match.over")
        now, log = self._clock.now(), matches.log(connection, match_id)
        ends_as = state_hash(rules_of(match.game, match.rules_version), replay.fold(match, log).state)
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

    async def running(self) -> list[Listed]:
        """Return the running matches, private ones too, newest first."""
        return await self._database.read(listed, MatchFilter(statuses=matches.RUNNING, limit=1000), self._clock.now())

    async def rebuild_ratings(self) -> int:
        """Rebuild all ratings from the finished matches; return how many counted."""

        prepared = await self._database.read(project, Projection())

        def work(connection: Connection) -> int:
            counted = rebuild(connection, prepared)
            self._note(connection, "ratings rebuild", "", "", {"matches": counted})
            return counted

        return await self._write(work)

    async def note(self, act: str, target: str, data: dict[str, Json] | None = None) -> None:
        """Audit an act that was done elsewhere (a backup)."""
        await self._write(lambda connection: self._note(connection, act, target, "", data))


def _rebuild(connection: Connection) -> None:
    rebuild(connection)
