"""The accounts: registering, names, roles, settings and open sessions. A key is an account; there are no passwords."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection

from server.accounts import codes, departing
from server.accounts.browsers import Browsers
from server.accounts.errors import AccountError
from server.accounts.exporting import Lists, read_lists
from server.accounts.feeds import Feeds
from server.accounts.handles import check_handle, departed_hashes
from server.accounts.identity import ADMIN, ROLES
from server.accounts.keys import Keys, add_key, check_unknown, stored_key, write_unique
from server.accounts.preferences import Preferences, read_preferences, write_preferences
from server.accounts.publickeys import read_public_key
from server.accounts.rate_limits import (
    DAY,
    HOUR,
    check_wrong_codes,
    count_or_refuse,
    count_sources,
    count_wrong_code,
    order_for,
)
from server.accounts.sources import Sources
from server.accounts.wrong_codes import WrongCodes
from server.accounts.young_keys import check_acting, found_account
from server.bus.bus import Bus
from server.bus.orders import hint
from server.clock import Clock
from server.config import Limits
from server.sanitize import skeletons
from server.store import accounts as stored
from server.store import browsers, conduct, departed_keys, handles, invitations, lobby, personal_data, processes
from server.store.accounts import FIRST, person_key
from server.store.accounts import Account as Account
from server.store.columns import Json
from server.store.database import Database
from server.store.processes import StoredSession as StoredSession

SETTINGS = "(settings)"  # the actor of what the settings do: no handle is like it
RENAMES_PER_DAY = 3
FORMER_KEPT = 2  # former handles that stay reserved for good
FORMER_FOR = timedelta(days=30)  # how long every former handle stays reserved: people still know it, texts still say it
DEPARTED_FOR = timedelta(days=90)  # how long the handles of a deleted account stay reserved


@dataclass(frozen=True, slots=True)
class Registration:
    """A new account with its recovery codes: shown once, stored only as hashes."""

    account: Account
    recovery_codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may have an account, as the admin has set it. `admin_keys`: fingerprints of keys that make an admin."""

    accounts: Literal["open", "invite", "closed"] = "open"
    admin_keys: frozenset[str] = frozenset()


def _log_granted(account: Account) -> None:
    """Write it to the server's log where the settings have just made somebody an admin."""
    if ADMIN in account.roles:
        conduct.log_act(SETTINGS, "grant", account.handle)


class Accounts:
    """The service for registered accounts. Their keys, browsers and feeds are the services of these names.

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
        policy: Policy | None = None,
        wrong_codes: WrongCodes | None = None,
    ) -> None:
        self.keys = Keys(database, clock, choose, bus)
        self.browsers = Browsers(database, clock, choose, bus, wrong_codes)
        self.feeds = Feeds(database, clock, wrong_codes)
        self._database = database
        self._clock = clock
        self._choose = choose
        self._bus = bus
        self._limits = limits
        self._server_name = server_name
        self._policy = policy or Policy()

    async def by_fingerprint(self, fingerprint: str) -> Account | None:
        return await self._database.read(stored.by_fingerprint, fingerprint)

    async def by_handle(self, handle: str) -> Account | None:
        return await self._database.read(stored.by_handle, handle)

    async def by_id(self, account_id: int) -> Account | None:
        return await self._database.read(stored.by_id, account_id)

    async def record_login(self, account_id: int, fingerprint: str | None) -> None:
        """Store the time of an account's last login, and its key."""
        await self._database.write(stored.record_seen, account_id, fingerprint, self._clock.now())

    @property
    def wants_invitation(self) -> bool:
        """Tell whether one registers with an invitation code."""
        return self._policy.accounts == "invite"

    async def register(self, handle: str, public_key: str, source: str, invitation: str = "") -> Registration:
        """Make an account that `public_key` opens; it is an admin's where the settings name the key.

        Raises AccountError when the handle is not allowed or taken, the key opens an account already, no account can
        be had, or only with another `invitation`; RateLimited when too many were made from this address, or the
        networks around it, within an hour, or too many codes were wrong.
        """
        check_handle(handle, self._server_name)
        key, now = read_public_key(public_key), self._clock.now()
        is_admin = key.fingerprint in self._policy.admin_keys
        if self._policy.accounts == "closed" and not is_admin:
            raise AccountError("accounts.closed")
        new, who = codes.new_recovery_codes(self._choose), Sources.of((source,))

        def work(connection: Connection) -> Account | None:
            check_unknown(connection, key)
            check_free(connection, handle, now)
            if self.wants_invitation and not is_admin:
                if not invitation.strip():
                    raise AccountError("accounts.invitation")
                check_wrong_codes(connection, who, now)
                if not invitations.use(connection, codes.code_hash(invitation), now):
                    count_wrong_code(connection, who, now)
                    return None  # counted, so committed
            allowed = self._limits.accounts_per_hour
            count_sources(connection, "accounts_per_hour", "register", who, allowed, HOUR, now)
            account = stored.create(connection, handle, skeletons(handle), now)
            add_key(connection, stored_key(key, account.id, now, FIRST), key.fingerprint)
            stored.add_codes(connection, [codes.recovery(code, account.id, now) for code in new])
            return self._with_role(connection, account, key.fingerprint)

        account = await write_unique(self._database, self._bus, work, "handle.taken")
        if account is None:
            raise AccountError("code.unknown")
        _log_granted(account)
        return Registration(account, new)

    async def come_in(self, account: Account, fingerprint: str) -> Account:
        """Return an account that logged in by this key: from now on an admin's, where the settings name the key."""
        if fingerprint not in self._policy.admin_keys or ADMIN in account.roles:
            return account
        admitted = await self._database.write(self._with_role, account, fingerprint)
        _log_granted(admitted)
        return admitted

    def _with_role(self, connection: Connection, account: Account, fingerprint: str) -> Account:
        if fingerprint not in self._policy.admin_keys:
            return account
        stored.set_role(connection, account.id, ADMIN, True)
        said: dict[str, Json] = {"role": ADMIN, "key": fingerprint}
        conduct.record_act(connection, SETTINGS, "grant", account.handle, "", self._clock.now(), said)
        return replace(account, roles=account.roles | {ADMIN})

    async def rename(self, account_id: int, handle: str, by: str | None = None) -> Account:
        """Give an account another handle, also in its open sessions. Errors as in `register`, and of `check_acting`.

        Former ones stay reserved for it: each for FORMER_FOR, the latest FORMER_KEPT for good.
        """
        check_handle(handle, self._server_name)
        now = self._clock.now()

        def work(connection: Connection) -> Account:
            check_acting(connection, account_id, by, now)
            check_free(connection, handle, now, account_id)
            count_or_refuse(connection, "renames_per_day", "rename", str(account_id), RENAMES_PER_DAY, DAY, now)
            return rename_account(connection, account_id, handle, now)

        return await write_unique(self._database, self._bus, work, "handle.taken")

    async def preferences(self, account_id: int) -> Preferences:
        return read_preferences(await self._database.read(stored.load_preferences, account_id))

    async def change_preferences(self, account_id: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change a person's settings as they are stored now; return those before.

        It is one transaction, so a person's terminals neither undo each other's changes nor both find the same news.
        Raises RateLimited where the language changes too often.
        """

        def work(connection: Connection) -> Preferences:
            stored.lock(connection, account_id)
            before = read_preferences(stored.load_preferences(connection, account_id))
            after = change(before)
            stored.save_preferences(connection, account_id, write_preferences(after))
            if after.language != before.language:  # the person's other sessions speak it too
                order_for(connection, account_id, "language", {"account": account_id}, self._clock.now())
            return before

        before = await self._database.write(work)
        if before.language != change(before).language:
            hint(self._bus)
        return before

    async def set_role(self, account_id: int, role: str, *, held: bool) -> bool:
        """Give or take a role; return whether that changed anything. Raises AccountError for an unknown role."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=role)
        return await self._database.write(stored.set_role, account_id, role, held)

    async def sessions(self, account_id: int) -> list[StoredSession]:
        """Return the open sessions of an account in all processes, the longest there first."""
        return await self._database.read(processes.sessions_of, account_id, self._clock.now())

    async def log_out(self, account_id: int, but: str, by: str | None, key: str | None = None) -> int:
        """End all sessions of an account except `but`, or those that came by one key; return how many were open.

        Browsers are signed out, whether or not a page is open there. Errors of `check_acting` and `order_for`.
        """
        now = self._clock.now()

        def work(connection: Connection) -> int:
            check_acting(connection, account_id, by, now, None if key is None else (key,))
            ended = [
                one
                for one in processes.sessions_of(connection, account_id, now)
                if one.id != but and key in (None, one.fingerprint)
            ]
            browsers.sign_out(connection, account_id, key)
            order_for(connection, account_id, "logout", {"account": account_id, "key": key, "but": but}, now, by)
            return len(ended)

        count = await self._database.write(work)
        hint(self._bus)
        return count

    async def export(self, account_id: int, by: str | None = None) -> Lists:
        """Return a person's data: what is theirs, and what the screens would show them now.

        Raises AccountError as `check_acting`.
        """
        if by is not None:
            await self.keys.check_acting(account_id, by)
        return read_lists(self._database, self._clock, account_id)

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
            return delete_account(connection, account_id, now)

        name = await self._database.write(work)
        hint(self._bus)
        return name


def rename_account(connection: Connection, account_id: int, handle: str, now: datetime) -> Account:
    """Give an account another handle, and order open sessions to take it. Raises AccountError for a taken one."""
    stored.lock(connection, account_id)
    before = found_account(stored.by_id(connection, account_id))
    check_free(connection, handle, now, account_id)
    if handle != before.handle:
        handles.leave(connection, account_id, before.handle, now)
        handles.reclaim(connection, account_id, handle)
    stored.hold_skeletons(connection, account_id, skeletons(handle))
    stored.set_handle(connection, account_id, handle)
    renamed = found_account(stored.by_id(connection, account_id))
    _give_up_oldest(connection, renamed, now)
    if handle != before.handle:
        processes.give_order(connection, "rename", {"account": account_id}, now)
    return renamed


def delete_account(connection: Connection, account_id: int, now: datetime) -> str:
    """Delete an account, and reserve its handles for a while; return the name that records keep."""
    stored.lock(connection, account_id)  # what begins meanwhile is there already, or is refused
    account = found_account(stored.by_id(connection, account_id))
    departing.depart(connection, account_id, [key.fingerprint for key in stored.keys_of(connection, account_id)], now)
    names = (account.handle, *handles.former(connection, account_id))
    handles.depart(connection, departed_hashes(names), now + DEPARTED_FOR)
    lobby.drop_all_of(connection, person_key(account_id, None))
    return personal_data.delete_account(connection, account_id, now)


def check_free(connection: Connection, handle: str, now: datetime, except_for: int | None = None) -> None:
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
