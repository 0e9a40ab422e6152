"""Feeds: whoever knows the secret in its address reads in which matches an account is to move."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection

from server.accounts.sources import Sources
from server.accounts.wrong_codes import WrongCodes
from server.accounts.young_keys import check_acting
from server.clock import Clock
from server.store import accounts as stored_accounts
from server.store import feeds as stored
from server.store.accounts import Account
from server.store.database import Database


class Feeds:
    """The service for feeds; an account has one at most. `by`: the fingerprint of the key in whose name it is done."""

    def __init__(self, database: Database, clock: Clock, wrong_codes: WrongCodes | None = None) -> None:
        self._database = database
        self._clock = clock
        self._wrong_codes = wrong_codes or WrongCodes(clock)

    async def made_at(self, account_id: int) -> datetime | None:
        """Return since when an account has its feed; None: it has none."""
        return await self._database.read(stored.made_at, account_id)

    async def make(self, account_id: int, by: str | None) -> str:
        """Make a feed and return its secret, which is stored only as a hash; an earlier one is void.

        Raises AccountError where the key does not open the account any more, and for a young key where there are older
        ones: the feed would outlive it.
        """
        secret, now = secrets.token_urlsafe(32), self._clock.now()

        def work(connection: Connection) -> None:
            check_acting(connection, account_id, by, now)
            stored.make(connection, account_id, secret_hash(secret), now)

        await self._database.write(work)
        return secret

    async def revoke(self, account_id: int, by: str | None) -> bool:
        """End an account's feed; return whether it had one. Raises AccountError for a key that does not open it."""
        now = self._clock.now()

        def work(connection: Connection) -> bool:
            check_acting(connection, account_id, by, now, ())
            return stored.drop(connection, account_id)

        return await self._database.write(work)

    async def reader_of(self, secret: str, source: str = "") -> Account | None:
        """Return the account whose feed has this secret; None: nobody's.

        Raises RateLimited after too many of those from this address.
        """

        def work(connection: Connection) -> Account | None:
            account_id = stored.account_of(connection, secret_hash(secret))
            return None if account_id is None else stored_accounts.by_id(connection, account_id)

        with self._wrong_codes.guess(Sources.of((source,))) as guess:
            account = await self._database.read(work)
            if account is None:
                guess.fail()
        return account


def secret_hash(secret: str) -> str:
    """Return what is stored of a secret."""
    return hashlib.sha256(b"patchbay feed " + secret[:200].encode()).hexdigest()
