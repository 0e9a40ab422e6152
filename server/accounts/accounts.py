"""The accounts: registering, keys, codes, names, roles and settings. A key is an account; there are no passwords."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from server.accounts import codes
from server.accounts.errors import AccountError
from server.accounts.handles import check_handle
from server.accounts.identity import ROLES
from server.accounts.keys import PublicKey, read_public_key, source_of
from server.accounts.preferences import Preferences, read_preferences, write_preferences
from server.clock import Clock
from server.config import Limits
from server.errors import RateLimited
from server.store import accounts as stored
from server.store import personal_data
from server.store.accounts import Account as Account
from server.store.accounts import StoredCode, StoredKey
from server.store.database import Database
from server.words import skeletons

T = TypeVar("T")
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LINK_CODE_LIVES = timedelta(minutes=10)
RENAMES_PER_DAY = 3
WRONG_CODES_PER_HOUR = 10


@dataclass(frozen=True, slots=True)
class Registration:
    """A new account, and the codes that bring it back when every key is lost: shown once, never stored as they are."""

    account: Account
    recovery_codes: tuple[str, ...]


class Accounts:
    """The service that everything asks about people who have registered."""

    def __init__(
        self, database: Database, clock: Clock, limits: Limits, choose: Callable[[str], str] = secrets.choice
    ) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits
        self._choose = choose

    async def by_fingerprint(self, fingerprint: str) -> Account | None:
        return await self._database.read(stored.by_fingerprint, fingerprint)

    async def by_handle(self, handle: str) -> Account | None:
        return await self._database.read(stored.by_handle, handle)

    async def by_id(self, account_id: int) -> Account | None:
        return await self._database.read(stored.by_id, account_id)

    async def note_login(self, account_id: int, fingerprint: str | None) -> None:
        """Note when somebody was last here, and with which key."""
        await self._database.write(stored.note_seen, account_id, fingerprint, self._clock.now())

    async def register(self, handle: str, public_key: str, source: str) -> Registration:
        """Make an account that `public_key` opens.

        Raises AccountError when the handle is not allowed or taken, or the key opens an account already; RateLimited
        when too many were made from this source within an hour.
        """
        check_handle(handle)
        key, now = read_public_key(public_key), self._clock.now()
        new = self._recovery_codes()

        def work(connection: Connection) -> Account:
            if stored.by_fingerprint(connection, key.fingerprint) is not None:
                raise AccountError("key.taken")
            if stored.is_look_alike(connection, skeletons(handle)):
                raise AccountError("handle.taken")
            allowed = self._limits.accounts_per_hour
            _limit(connection, "accounts_per_hour", "register", source_of(source), allowed, HOUR, now)
            account = stored.create(connection, handle, skeletons(handle), now)
            stored.add_key(connection, _stored_key(key, account.id, now))
            stored.add_codes(connection, [_recovery(code, account.id, now) for code in new])
            return account

        return Registration(await self._write_unique(work, "handle.taken"), new)

    async def rename(self, account_id: int, handle: str) -> Account:
        """Give an account another handle; the old ones stay reserved for it. Errors as in `register`."""
        check_handle(handle)
        now = self._clock.now()

        def work(connection: Connection) -> Account:
            if stored.is_look_alike(connection, skeletons(handle), except_for=account_id):
                raise AccountError("handle.taken")
            _limit(connection, "renames_per_day", "rename", str(account_id), RENAMES_PER_DAY, DAY, now)
            stored.hold_skeletons(connection, account_id, skeletons(handle))
            stored.set_handle(connection, account_id, handle)
            return _found(stored.by_id(connection, account_id))

        return await self._write_unique(work, "handle.taken")

    async def keys(self, account_id: int) -> list[StoredKey]:
        return await self._database.read(stored.keys_of, account_id)

    async def add_key(self, account_id: int, public_key: str) -> StoredKey:
        """Let another key open the account. Raises AccountError when it can't be read or opens one already."""
        key = _stored_key(read_public_key(public_key), account_id, self._clock.now())

        def work(connection: Connection) -> None:
            _found(stored.by_id(connection, account_id))
            stored.add_key(connection, key)

        await self._write_unique(work, "key.taken")
        return key

    async def remove_key(self, account_id: int, fingerprint: str) -> None:
        """Take a key away. Raises AccountError when it is not there, or the last one."""

        def work(connection: Connection) -> None:
            stored.lock(connection, account_id)  # or two keys that go at once are both not the last
            held = {key.fingerprint for key in stored.keys_of(connection, account_id)}
            if fingerprint not in held:
                raise AccountError("key.unknown")
            if len(held) == 1:
                raise AccountError("key.last")
            stored.remove_key(connection, account_id, fingerprint)

        await self._database.write(work)

    async def make_code(self, account_id: int) -> str:
        """Return a new one-time code that links another key within ten minutes; older ones are void."""
        code, now = codes.new_code(codes.LINK_CHARS, self._choose), self._clock.now()
        kept = StoredCode(codes.code_hash(code), account_id, "link", now, now + LINK_CODE_LIVES)

        def work(connection: Connection) -> None:
            stored.drop_codes(connection, account_id, "link")
            stored.add_codes(connection, [kept])

        await self._database.write(work)
        return code

    async def link(self, code: str, public_key: str, source: str = "") -> Account:
        """Let a key open the account that made `code`, or whose recovery code it is; the code is used up.

        Raises AccountError when the code is unknown, used or too old, or the key opens an account already;
        RateLimited after too many wrong ones from this source.
        """
        key, now = read_public_key(public_key), self._clock.now()

        def work(connection: Connection) -> Account | None:
            if stored.by_fingerprint(connection, key.fingerprint) is not None:
                raise AccountError("key.taken")
            stored.count_alone(connection, "code", source_of(source))
            wrong = stored.strikes_since(connection, "code", source_of(source), now - HOUR)
            if len(wrong) >= WRONG_CODES_PER_HOUR:
                raise RateLimited("wrong_codes_per_hour", _wait_ms(wrong[0] + HOUR, now))
            account_id = stored.take_code(connection, codes.code_hash(code), now)
            if account_id is None:
                stored.strike(connection, "code", source_of(source), now, now - HOUR)
                return None  # counted, so committed
            stored.add_key(connection, _stored_key(key, account_id, now))
            return _found(stored.by_id(connection, account_id))

        account = await self._write_unique(work, "key.taken")
        if account is None:
            raise AccountError("code.unknown")
        return account

    async def new_recovery_codes(self, account_id: int) -> tuple[str, ...]:
        """Return fresh recovery codes; the old ones are void."""
        new, now = self._recovery_codes(), self._clock.now()

        def work(connection: Connection) -> None:
            stored.drop_codes(connection, account_id, "recovery")
            stored.add_codes(connection, [_recovery(code, account_id, now) for code in new])

        await self._database.write(work)
        return new

    async def preferences(self, account_id: int) -> Preferences:
        return read_preferences(await self._database.read(stored.load_preferences, account_id))

    async def save_preferences(self, account_id: int, preferences: Preferences) -> None:
        await self._database.write(stored.save_preferences, account_id, write_preferences(preferences))

    async def set_role(self, account_id: int, role: str, *, held: bool) -> bool:
        """Give or take a role; return whether that changed anything. Raises AccountError for an unknown role."""
        if role not in ROLES:
            raise AccountError("role.unknown", role=role)
        return await self._database.write(stored.set_role, account_id, role, held)

    async def export(self, account_id: int) -> dict[str, object]:
        """Return everything that is stored about a person, as JSON values."""
        return await self._database.read(personal_data.export, account_id)

    async def delete(self, account_id: int) -> str:
        """Delete an account and return the name that records keep: its keys, codes, settings and chat are gone.

        Running matches are the caller's to forfeit first.
        """
        return await self._database.write(personal_data.delete_account, account_id, self._clock.now())

    def _recovery_codes(self) -> tuple[str, ...]:
        return tuple(codes.new_code(codes.RECOVERY_CHARS, self._choose) for _ in range(codes.RECOVERY_CODES))

    async def _write_unique(self, work: Callable[[Connection], T], taken: str) -> T:
        """Run `work`; who loses a race for a unique name or key is told that it is `taken`."""
        try:
            return await self._database.write(work)
        except IntegrityError:
            raise AccountError(taken) from None


def _limit(
    connection: Connection, limit: str, kind: str, who: str, allowed: int, within: timedelta, now: datetime
) -> None:
    """Count one more, or raise RateLimited (and then it is not counted)."""
    before = stored.strike(connection, kind, who, now, now - within)
    if len(before) >= allowed:
        raise RateLimited(limit, _wait_ms((before[0] if before else now) + within, now))


def _wait_ms(until: datetime, now: datetime) -> int:
    return max(1, (until - now) // timedelta(milliseconds=1))


def _stored_key(key: PublicKey, account_id: int, now: datetime) -> StoredKey:
    return StoredKey(key.fingerprint, account_id, key.line, now)


def _recovery(code: str, account_id: int, now: datetime) -> StoredCode:
    return StoredCode(codes.code_hash(code), account_id, "recovery", now)


def _found(account: Account | None) -> Account:
    if account is None or account.deleted_at is not None:
        raise AccountError("account.gone")
    return account
