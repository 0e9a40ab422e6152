"""The acts of admins: each is done, ordered of the running processes and audited in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from sqlalchemy import Connection

from game.contract import state_hash
from game.registry import get as rules_of
from server.accounts import codes
from server.accounts.accounts import delete_account, rename_account
from server.accounts.actor import Actor
from server.accounts.conduct import WHY_CHARS
from server.accounts.errors import AccountError
from server.accounts.exporting import Lists, read_lists
from server.accounts.handles import check_handle
from server.accounts.identity import ROLES
from server.accounts.keys import add_key, check_unknown, stored_key
from server.accounts.moderation import Moderation
from server.accounts.publickeys import read_public_key
from server.accounts.targets import account_of
from server.admin import replay
from server.clock import rfc3339
from server.errors import Refused
from server.matches.lists import facts_of_row, facts_of_stored
from server.matches.visibility import EVERYBODY, knowledge
from server.ratings.ratings import Projection, project, rebuild
from server.sanitize import clean, clean_whole
from server.store import accounts as stored_accounts
from server.store import conduct, invitations, matches, outages, processes
from server.store.accounts import BY_ADMIN, MATCH_ACTS, FoundAccount
from server.store.appends import Append, LogEntry
from server.store.columns import Json
from server.store.conduct import AuditLine
from server.store.errors import NoSuchRow
from server.store.listing import Listed, listed
from server.store.logwriter import store_batch
from server.store.matches import KnownTo, MatchFilter

MOST_LISTED = 1000
RESTART_S = 60.0  # a process that drains takes 10 s at most, and its successor some more
LOOK_S, SETTLE_S = 0.5, 2.0


class Admin:
    """The acts of admins, in the name of one actor; `moderation`: those that moderators may do, too."""

    def __init__(self, actor: Actor, server_name: str = "") -> None:
        """`server_name`: no handle may be it."""
        self.moderation = Moderation(actor)
        self._server_name = server_name
        self._actor = actor
        self._database = actor.database
        self._clock = actor.clock

    async def set_role(self, handle: str, role: str, *, held: bool) -> bool:
        """Give somebody a role or take it; return whether that changed anything."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=clean(role, 40))

        def work(connection: Connection) -> bool:
            account_id = account_of(connection, handle).id
            changed = stored_accounts.set_role(connection, account_id, role, held)
            self._actor.audit(connection, "grant" if held else "revoke", handle, "", {"role": role})
            self._actor.order(connection, "roles", {"account": account_id})
            return changed

        return await self._actor.write(work)

    async def add_key(self, handle: str, public_key: str) -> str:
        """Add a key to an account, e.g. one whose keys are lost; return its fingerprint."""
        key, now = read_public_key(public_key), self._clock.now()

        def work(connection: Connection) -> None:
            account = account_of(connection, handle)
            check_unknown(connection, key)
            add_key(connection, stored_key(key, account.id, now, BY_ADMIN, label=key.comment), None)
            self._actor.audit(connection, "key add", handle, "", {"key": key.fingerprint})

        await self._actor.write(work)
        return key.fingerprint

    async def invite(self, uses: int, lasts: timedelta) -> str:
        """Make an invitation code that registers so many accounts; return it. Only its hash is stored."""
        code, now = codes.new_code(codes.INVITATION_CHARS), self._clock.now()

        def work(connection: Connection) -> None:
            invitations.add(connection, codes.code_hash(code), self._actor.name, uses, now, now + lasts)
            self._actor.audit(connection, "invite", "", "", {"uses": uses, "until": rfc3339(now + lasts)})

        await self._actor.write(work)
        return code

    async def announce(self, text: str) -> str:
        """Show a text to everybody who is connected; return it as they read it."""
        kept = clean_whole(text, 300)

        def work(connection: Connection) -> None:
            self._actor.audit(connection, "announce", "", kept)
            self._actor.order(connection, "announce", {"text": kept})

        await self._actor.write(work)
        return kept

    async def drain(self, *, on: bool) -> None:
        """Order the running processes to drain, or to accept logins again."""

        def work(connection: Connection) -> None:
            self._actor.audit(connection, "drain" if on else "undrain", "", "")
            if on:
                self._actor.order(connection, processes.DRAIN, {})
            else:
                outages.undrain(connection, self._clock.now())

        await self._actor.write(work)

    async def find_accounts(self, text: str) -> list[FoundAccount]:
        """Return the accounts whose handle holds a text, or that a key of that fingerprint opens."""

        def work(connection: Connection) -> list[FoundAccount]:
            self._actor.audit(connection, "accounts", clean(text, 80), "")
            return stored_accounts.search(connection, text, MOST_LISTED)

        return await self._actor.write(work)

    async def rename(self, handle: str, new: str, why: str) -> str:
        """Give somebody another handle, also in their open sessions; return it. Raises AccountError."""
        check_handle(new, self._server_name)
        now, why = self._clock.now(), clean_whole(why, WHY_CHARS)

        def work(connection: Connection) -> str:
            renamed = rename_account(connection, account_of(connection, handle).id, new, now).handle
            self._actor.audit(connection, "rename", renamed, why, {"before": handle})
            return renamed

        return await self._actor.write(work)

    async def export(self, handle: str) -> Lists:
        """Return what is stored about somebody, as they would get it. Raises AccountError."""

        def work(connection: Connection) -> int:
            account = account_of(connection, handle)
            self._actor.audit(connection, "export", account.handle, "")
            return account.id

        return read_lists(self._database, self._clock, await self._actor.write(work))

    async def delete(self, handle: str, why: str) -> str:
        """Delete somebody's account; return the name that records keep. Raises AccountError.

        Running processes end its sessions and resign its matches; where none runs, the others claim the win.
        """
        now, why = self._clock.now(), clean_whole(why, WHY_CHARS)

        def work(connection: Connection) -> str:
            name = delete_account(connection, account_of(connection, handle).id, now)
            self._actor.audit(connection, "delete", name, why)
            return name

        return await self._actor.write(work)

    async def restart(self, tell: Callable[[str], None]) -> None:
        """Restart the server's processes one after the other: each drains, and the next one waits for its successor.

        `tell` hears of each that is back. Raises Refused where there is one process only, or one does not come back.
        """
        before = await self._database.read(processes.alive, self._clock.now())
        if len(before) < 2:
            raise Refused("restart.alone")
        for process_id, name in before.items():

            def work(connection: Connection, process_id: str = process_id, name: str = name) -> None:
                self._actor.audit(connection, "restart", name, "")
                self._actor.order(connection, processes.RESTART, {"process": process_id})

            await self._actor.write(work)
            await self._come_back(process_id, name, len(before))
            tell(name)

    async def _come_back(self, process_id: str, name: str, count: int) -> None:
        """Wait until another process is there in the place of this one, and has settled."""
        end = self._clock.monotonic() + RESTART_S
        while self._clock.monotonic() < end:
            await self._clock.sleep(LOOK_S)
            now = await self._database.read(processes.alive, self._clock.now())
            if process_id not in now and len(now) >= count:
                await self._clock.sleep(SETTLE_S)
                return
        raise Refused("restart.stuck", process=name)

    async def end(self, match_id: str, why: str) -> int:
        """End a running match without a result, for a reason that its players read. Return the entry's seq."""
        why = clean_whole(why, WHY_CHARS)
        return await self._actor.write(lambda connection: self._void(connection, match_id, why, "end"))

    async def void(self, match_id: str, why: str) -> int:
        """Void a running or finished match and rebuild ratings without it. Return the entry's seq."""
        why = clean_whole(why, WHY_CHARS)
        return await self._actor.write(lambda connection: self._void(connection, match_id, why, "void"))

    def _void(self, connection: Connection, match_id: str, why: str, act: str) -> int:
        match = matches.get(connection, match_id)
        if match is None:
            raise NoSuchRow("match", clean(match_id, 20))
        if match.status == matches.VOID or (act == "end" and match.status not in matches.RUNNING):
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
        self._actor.audit(connection, act, match_id, why)
        return entry.seq  # the processes find it in the log, where they look every few seconds

    async def running(self) -> list[Listed]:
        """Return the running matches, newest first: for admins the private ones too, which is audited."""

        def work(connection: Connection) -> list[Listed]:
            is_admin = self._actor.is_admin(connection)
            wanted = MatchFilter(statuses=matches.RUNNING, known_to=None if is_admin else KnownTo(), limit=1000)
            found = listed(connection, wanted, self._clock.now())
            return [one for one in found if is_admin or knowledge(facts_of_row(one), EVERYBODY)]

        found = await self._database.read(work)
        if n_private := sum(one.match.private for one in found):
            await self.note("matches", "", {"private": n_private})
        return found

    async def audit(self, limit: int) -> Sequence[AuditLine]:
        """Return the latest acts, newest first, without what others did about the actor.

        For moderators also without those on private matches.
        """

        def work(connection: Connection) -> Sequence[AuditLine]:
            reader = self._actor.reader(connection)
            if self._actor.is_admin(connection):
                return conduct.audit_lines(connection, limit, reader=reader)

            def may_read(line: AuditLine) -> bool:
                if line.act not in MATCH_ACTS:
                    return True
                stored = matches.facts(connection, [line.target]).get(line.target)
                return stored is None or bool(knowledge(facts_of_stored(stored), EVERYBODY))

            return conduct.audit_lines(connection, limit, reader=reader, may_read=may_read)

        return await self._database.read(work)

    async def rebuild_ratings(self) -> int:
        """Rebuild all ratings from the finished matches; return how many counted."""

        prepared = await self._database.read(project, Projection())

        def work(connection: Connection) -> int:
            counted = rebuild(connection, prepared)
            self._actor.audit(connection, "ratings rebuild", "", "", {"matches": counted})
            return counted

        return await self._actor.write(work)

    async def note(self, act: str, target: str, data: dict[str, Json] | None = None) -> None:
        """Audit an act that was done elsewhere (a backup)."""
        await self._actor.write(lambda connection: self._actor.audit(connection, act, target, "", data))


def _rebuild(connection: Connection) -> None:
    rebuild(connection)
