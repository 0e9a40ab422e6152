"""Browsers: a link from ssh signs one in, and it hangs on the key that asked for the link."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection

from server.accounts import codes
from server.accounts.errors import AccountError
from server.accounts.identity import Identity
from server.accounts.keys import day_of, is_settled
from server.accounts.rate_limits import order_for
from server.accounts.sources import Sources
from server.accounts.wrong_codes import WrongCodes
from server.accounts.young_keys import YOUNG_FOR, check_acting, found_account, has_say
from server.bus.bus import Bus
from server.bus.orders import hint
from server.clock import Clock
from server.store import accounts as stored_accounts
from server.store import browsers as stored
from server.store.accounts import Account
from server.store.browsers import BrowserCode
from server.store.browsers import StoredBrowser as StoredBrowser
from server.store.database import Database

T = TypeVar("T")
CODE_LIVES = timedelta(minutes=10)
CODE_CHARS = 25  # 122 bits: nobody types it
SIGNED_IN_FOR = timedelta(days=30)
MOST = 20  # browsers that an account is signed in with


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that was just signed in. `cookie` is known to it alone; what is stored is its hash."""

    account: Account
    cookie: str
    expires_at: datetime


class Browsers:
    """The service for browsers: who a cookie is, and how one comes to it and loses it.

    A browser acts with the key that asked for its link: a removed key, a ban, a deletion or a new handle count for it
    as for a session of that key, since `identity` asks the store each time. What ssh alone may do, it may not
    (`Identity.browser`).
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        choose: Callable[[str], str],
        bus: Bus | None,
        wrong_codes: WrongCodes | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._choose = choose
        self._bus = bus
        self._wrong_codes = wrong_codes or WrongCodes(clock)

    async def make_code(self, account_id: int, by: str) -> str:
        """Return a new one-time code that signs a browser in within CODE_LIVES; earlier ones are void.

        `by`: the fingerprint of the key that asks. Raises AccountError where it does not open the account.
        """
        code, now = codes.new_code(CODE_CHARS, self._choose), self._clock.now()
        kept = BrowserCode(codes.code_hash(code), account_id, by, now, now + CODE_LIVES)

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now, ())
            stored.put_code(connection, kept)

        await self._database.write(work)
        return code

    async def account_of(self, code: str, source: str) -> Account:
        """Return the account that a code would sign in to; the code stays good.

        Raises AccountError for one that is not good, RateLimited after too many of those from this address.
        """
        now = self._clock.now()

        def work(connection: Connection) -> Account | None:
            found = stored.code(connection, codes.code_hash(code), now)
            return None if found is None else stored_accounts.by_id(connection, found.account_id)

        return await self._guessed(source, lambda: self._database.read(work))

    async def sign_in(self, code: str, source: str) -> SignedIn:
        """Use up a code and sign a browser in, for SIGNED_IN_FOR, by a young key for a day. Errors as `account_of`.

        Of more than MOST the longest there is signed out.
        """
        now, cookie = self._clock.now(), secrets.token_urlsafe(32)

        def work(connection: Connection) -> SignedIn | None:
            found = stored.use_code(connection, codes.code_hash(code), now)
            if found is None:
                return None
            stored_accounts.lock(connection, found.account_id)
            account = found_account(stored_accounts.by_id(connection, found.account_id))
            lasts = SIGNED_IN_FOR if has_say(connection, account.id, found.fingerprint, now) else YOUNG_FOR
            stored.sign_in(connection, cookie_hash(cookie), found, now, now + lasts, day_of(now))
            for one in stored.of(connection, account.id, now)[:-MOST]:
                stored.sign_out(connection, account.id, only=one.id)
            return SignedIn(account, cookie, now + lasts)

        return await self._guessed(source, lambda: self._database.write(work))

    async def _guessed(self, source: str, attempt: Callable[[], Awaitable[T | None]]) -> T:
        """Return what a code leads to; a wrong one counts. Raises AccountError, RateLimited."""
        with self._wrong_codes.guess(Sources.of((source,))) as guess:
            found = await attempt()
            if found is None:
                guess.fail()
                raise AccountError("browser.code-unknown")
        return found

    async def identity(self, cookie: str, source: str) -> Identity | None:
        """Return who a browser with this cookie is, as the store knows it now; None: it is signed in no longer.

        Whether they are admitted is `Conduct.check_access`'s to say, as for everybody.
        """
        now = self._clock.now()

        def work(connection: Connection) -> tuple[stored.StoredBrowser, Account] | None:
            browser = stored.by_cookie(connection, cookie_hash(cookie), now)
            account = None if browser is None else stored_accounts.by_id(connection, browser.account_id)
            return None if browser is None or account is None else (browser, account)

        found = await self._database.read(work)
        if found is None:
            return None
        browser, account = found
        if browser.used_day != day_of(now):
            await self._database.write(stored.record_use, browser.id, day_of(now))
        return Identity(
            account_id=account.id,
            name=account.handle,
            roles=account.roles,
            fingerprint=browser.fingerprint,
            public_key=browser.public_key,
            wanted_handle="",
            source=source,
            is_invisible=account.is_invisible,
            is_settled=is_settled(account, now),
            browser=str(browser.id),
        )

    async def gone(self, here: Collection[Identity]) -> frozenset[str]:
        """Return which of these people's browsers have been signed out, or were signed in for so long."""
        ids = {int(one.browser) for one in here if one.browser is not None and not one.is_guest}
        if not ids:
            return frozenset()
        still = await self._database.read(stored.signed_in, ids, self._clock.now())
        return frozenset(map(str, ids - still))

    async def of(self, account_id: int) -> list[StoredBrowser]:
        """Return the browsers that an account is signed in with, the longest there first."""
        return await self._database.read(stored.of, account_id, self._clock.now())

    async def sign_out(self, cookie: str) -> bool:
        """Sign the browser with this cookie out, in all its windows; return whether it was signed in.

        Raises RateLimited.
        """
        now = self._clock.now()

        def work(connection: Connection) -> bool:
            browser = stored.by_cookie(connection, cookie_hash(cookie), now)
            if browser is None:
                return False
            stored.sign_out(connection, browser.account_id, only=browser.id)
            order = {"account": browser.account_id, "key": None, "but": None, "browser": str(browser.id)}
            order_for(connection, browser.account_id, "logout", order, now, browser.fingerprint)
            return True

        was_in = await self._database.write(work)
        hint(self._bus)
        return was_in


def cookie_hash(cookie: str) -> str:
    """Return what is stored of a cookie."""
    return hashlib.sha256(b"patchbay browser " + cookie[:200].encode()).hexdigest()
