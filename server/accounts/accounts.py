"""The accounts: registering, keys, codes, names, roles and settings. A key is an account; there are no passwords."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from server.accounts import departing
from server.accounts.acting import check_acting, found_account
from server.accounts.counting import DAY, HOUR, count_or_refuse, count_sources
from server.accounts.errors import AccountError
from server.accounts.handles import check_handle, departed_hashes
from server.accounts.identity import ROLES
from server.accounts.keyring import Keyring, add_key, check_unknown, stored_key
from server.accounts.keys import read_public_key
from server.accounts.preferences import Preferences, read_preferences, write_preferences
from server.accounts.sources import Sources
from server.bus.bus import Bus
from server.clock import Clock
from server.config import Limits
from server.sanitize import skeletons
from server.store import accounts as stored
from server.store import departed_keys, handles, personal_data, processes
from server.store.accounts import FIRST
from server.store.accounts import Account as Account
from server.store.database import Database

RENAMES_PER_DAY = 3
FORMER_KEPT = 2  # former handles that stay reserved for good
FORMER_FOR = timedelta(days=30)  # how long every former handle stays reserved: people still know it, texts still say it
DEPARTED_FOR = timedelta(days=90)  # how long the handles of a deleted account stay reserved


@dataclass(frozen=True, slots=True)
class Registration:
    """A new account with its recovery codes: shown once, stored only as hashes."""

    account: Account
    recovery_codes: tuple[str, ...]


class Accounts(Keyring):
    """The service for registered accounts. Their keys are in the base `Keyring`.

    `bus` carries the hint that there is an order; without one the processes read it within a second.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        limits: Limits,
        choose: Callable[[str], str] = secrets.choice,
        bus: Bus | None = None,
        server_name: str = "",
    ) -> None:
        super().__init__(database, clock, choose, bus)
        self._limits = limits
        self._server_name = server_name

    async def by_fingerprint(self, fingerprint: str) -> Account | None:
        return await self._database.read(stored.by_fingerprint, fingerprint)

    async def by_handle(self, handle: str) -> Account | None:
        return await self._database.read(stored.by_handle, handle)

    async def by_id(self, account_id: int) -> Account | None:
        return await self._database.read(stored.by_id, account_id)

    async def note_login(self, account_id: int, fingerprint: str | None) -> None:
        """Store the time of an account's last login, and its key."""
        await self._database.write(stored.note_seen, account_id, fingerprint, self._clock.now())

    async def register(self, handle: str, public_key: str, source: str) -> Registration:
        """Make an account that `public_key` opens.

        Raises AccountError when the handle is not allowed or taken, or the key opens an account already; RateLimited
        when too many were made from this address, or the networks around it, within an hour.
        """
        check_handle(handle, self._server_name)
        key, now = read_public_key(public_key), self._clock.now()
        new = self._new_recovery_codes()

        def work(connection: Connection) -> Account:
            check_unknown(connection, key)
            _check_free(connection, handle, now)
            allowed = self._limits.accounts_per_hour
            count_sources(connection, "accounts_per_hour", "register", Sources.of((source,)), allowed, HOUR, now)
            account = stored.create(connection, handle, skeletons(handle), now)
            add_key(connection, stored_key(key, account.id, now, FIRST))
            stored.add_codes(connection, [self._recovery(code, account.id, now) for code in new])
            return account

        return Registration(await self._write_unique(work, "handle.taken"), new)

    async def rename(self, account_id: int, handle: str, by: str | None = None) -> Account:
        """Give an account another handle, also in its open sessions. Errors as in `register`, and of `check_acting`.

        Former ones stay reserved for it: each for FORMER_FOR, the latest FORMER_KEPT for good.
        """
        check_handle(handle, self._server_name)
        now = self._clock.now()

        def work(connection: Connection) -> Account:
            check_acting(connection, account_id, by, now)
            before = found_account(stored.by_id(connection, account_id))
            _check_free(connection, handle, now, account_id)
            count_or_refuse(connection, "renames_per_day", "rename", str(account_id), RENAMES_PER_DAY, DAY, now)
            if handle != before.handle:
                handles.leave(connection, account_id, before.handle, now)
                handles.take_up(connection, account_id, handle)
            stored.hold_skeletons(connection, account_id, skeletons(handle))
            stored.set_handle(connection, account_id, handle)
            renamed = found_account(stored.by_id(connection, account_id))
            _give_up_oldest(connection, renamed, now)
            if handle != before.handle:
                processes.give_order(connection, "rename", {"account": account_id, "before": before.handle}, now)
            return renamed

        return await self._write_unique(work, "handle.taken")

    async def preferences(self, account_id: int) -> Preferences:
        return read_preferences(await self._database.read(stored.load_preferences, account_id))

    async def change_preferences(self, account_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change a person's settings as they are stored now; return those before.

        It is one transaction, so a person's terminals neither undo each other's changes nor both find the same news.
        """

        def work(connection: Connection) -> Preferences:
            stored.lock(connection, account_id)
            before = read_preferences(stored.load_preferences(connection, account_id))
            stored.save_preferences(connection, account_id, write_preferences(change(before)))
            return before

        return await self._database.write(work)

    async def set_role(self, account_id: int, role: str, *, held: bool) -> bool:
        """Give or take a role; return whether that changed anything. Raises AccountError for an unknown role."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=role)
        return await self._database.write(stored.set_role, account_id, role, held)

    async def export(self, account_id: int, by: str | None = None) -> dict[str, object]:
        """Return a person's data as JSON values: what is theirs, and what the screens would show them now.

        Raises AccountError as `check_acting`.
        """
        if by is not None:
            await self.check_acting(account_id, by)
        return await self._database.read(personal_data.export, account_id, self._clock.now())

    async def stays_with_keys(self, account_id: int) -> bool:
        """Tell whether a ban, a mute or a pause is in force, which the keys take along from a deleted account."""
        return await self._database.read(departed_keys.is_held, account_id, self._clock.now())

    async def delete(self, account_id: int, by: str | None = None) -> str:
        """Delete an account and return the name that records keep: its keys, codes, settings and chat are gone.

        What is in force of it stays with its keys, until it ends.

        Running matches are the caller's to forfeit first. Raises AccountError for a young key (`by`) where there are
        older ones.
        """
        now = self._clock.now()

        def work(connection: Connection) -> str:
            check_acting(connection, account_id, by, now)
            account = found_account(stored.by_id(connection, account_id))
            departing.depart(
                connection, account_id, [key.fingerprint for key in stored.keys_of(connection, account_id)], now
            )
            names = (account.handle, *handles.former(connection, account_id))
            handles.depart(connection, departed_hashes(names), now + DEPARTED_FOR)
            return personal_data.delete_account(connection, account_id, now)

        name = await self._database.write(work)
        self._hint()
        return name


def _check_free(connection: Connection, handle: str, now: datetime, except_for: int | None = None) -> None:
    """Raise AccountError for a handle that looks like another account's, or like that of one deleted lately."""
    for owner in stored.holders(connection, skeletons(handle)):
        if owner != except_for and (account := stored.by_id(connection, owner)) is not None:
            _give_up_oldest(connection, account, now)
    if stored.is_look_alike(connection, skeletons(handle), except_for=except_for):
        raise AccountError("handle.taken")
    if handles.is_departed(connection, departed_hashes([handle]), now):
        raise AccountError("handle.taken")


def _give_up_oldest(connection: Connection, account: Account, now: datetime) -> None:
    """Free an account's former handles, but for the latest and those that it left lately."""
    former, lately = handles.former(connection, account.id), handles.former(connection, account.id, now - FORMER_FOR)
    kept = {*former[:FORMER_KEPT], *lately}
    held = frozenset().union(*map(skeletons, (account.handle, *kept)))
    for old in former:
        if old not in kept:
            handles.give_up(connection, account.id, old, skeletons(old) - held)
