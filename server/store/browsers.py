"""Stored browsers that are signed in, and the codes that sign them in. Both go with the key that asked for them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from server.store.database import parts
from server.store.tables import accounts, browser_codes, browsers, keys


@dataclass(frozen=True, slots=True)
class StoredBrowser:
    """A browser that is signed in. `used_day`: the beginning of the day (UTC) of its last visit."""

    id: int
    account_id: int
    fingerprint: str  # of the key that asked for the link
    made_at: datetime
    expires_at: datetime
    used_day: datetime
    public_key: str  # of that key: its OpenSSH line


@dataclass(frozen=True, slots=True)
class BrowserCode:
    """A code that signs a browser in, kept as its hash."""

    code_hash: str
    account_id: int
    fingerprint: str
    made_at: datetime
    expires_at: datetime


_BROWSER = (
    browsers.c.id,
    browsers.c.account_id,
    browsers.c.fingerprint,
    browsers.c.made_at,
    browsers.c.expires_at,
    browsers.c.used_day,
    keys.c.public_key,
)
_OF_ITS_KEY = (keys.c.fingerprint == browsers.c.fingerprint) & (keys.c.account_id == browsers.c.account_id)


def put_code(connection: Connection, code: BrowserCode) -> None:
    """Store a code; the account's earlier ones are void."""
    connection.execute(delete(browser_codes).where(browser_codes.c.account_id == code.account_id))
    row = {name: getattr(code, name) for name in BrowserCode.__slots__}
    connection.execute(insert(browser_codes).values(**row))


def code(connection: Connection, code_hash: str, now: datetime) -> BrowserCode | None:
    """Return a code that is good at `now`; it stays so."""
    good = (browser_codes.c.code_hash == code_hash, browser_codes.c.expires_at > now)
    row = connection.execute(select(browser_codes).where(*good)).first()
    return None if row is None else BrowserCode(**row._mapping)


def use_code(connection: Connection, code_hash: str, now: datetime) -> BrowserCode | None:
    """Use up a code and return it; None: unknown, used or expired."""
    gone = delete(browser_codes).where(browser_codes.c.code_hash == code_hash).returning(*browser_codes.c)
    row = connection.execute(gone).first()
    found = None if row is None else BrowserCode(**row._mapping)
    return found if found is not None and found.expires_at > now else None


def sign_in(
    connection: Connection, cookie_hash: str, by: BrowserCode, now: datetime, until: datetime, day: datetime
) -> int:
    """Store a browser that was signed in by a code; return its id."""
    made = insert(browsers).values(
        cookie_hash=cookie_hash,
        account_id=by.account_id,
        fingerprint=by.fingerprint,
        made_at=now,
        expires_at=until,
        used_day=day,
    )
    return int(connection.execute(made.returning(browsers.c.id)).scalar_one())


def by_cookie(connection: Connection, cookie_hash: str, now: datetime) -> StoredBrowser | None:
    """Return the browser of a cookie, while its account and the key that asked for it are there."""
    still = (
        browsers.c.cookie_hash == cookie_hash,
        browsers.c.expires_at > now,
        accounts.c.deleted_at.is_(None),
    )
    joined = browsers.join(keys, _OF_ITS_KEY).join(accounts, accounts.c.id == browsers.c.account_id)
    row = connection.execute(select(*_BROWSER).select_from(joined).where(*still)).first()
    return None if row is None else StoredBrowser(**row._mapping)


def signed_in(connection: Connection, ids: Collection[int], now: datetime) -> set[int]:
    """Return which of these browsers are signed in."""
    found: set[int] = set()
    for part in parts(sorted(ids)):
        still = select(browsers.c.id).where(browsers.c.id.in_(part), browsers.c.expires_at > now)
        found.update(connection.execute(still).scalars())
    return found


def of(connection: Connection, account_id: int, now: datetime) -> list[StoredBrowser]:
    """Return the browsers that an account is signed in with, the longest there first."""
    mine = (browsers.c.account_id == account_id, browsers.c.expires_at > now)
    chosen = (
        select(*_BROWSER)
        .select_from(browsers.join(keys, _OF_ITS_KEY))
        .where(*mine)
        .order_by(browsers.c.made_at, browsers.c.id)
    )
    return [StoredBrowser(**row._mapping) for row in connection.execute(chosen)]


def record_use(connection: Connection, browser_id: int, day: datetime) -> None:
    """Store the day of a browser's last visit."""
    connection.execute(update(browsers).where(browsers.c.id == browser_id).values(used_day=day))


def sign_out(connection: Connection, account_id: int, fingerprint: str | None = None, only: int | None = None) -> int:
    """Sign out an account's browsers and void its codes: all, those of one key, or `only` one; return how many."""
    of_key = () if fingerprint is None else (browsers.c.fingerprint == fingerprint,)
    one = () if only is None else (browsers.c.id == only,)
    gone = connection.execute(delete(browsers).where(browsers.c.account_id == account_id, *of_key, *one)).rowcount
    if only is None:
        made = () if fingerprint is None else (browser_codes.c.fingerprint == fingerprint,)
        connection.execute(delete(browser_codes).where(browser_codes.c.account_id == account_id, *made))
    return gone


def forget_over(connection: Connection, now: datetime) -> None:
    """Delete the browsers and codes whose time is over."""
    for table in (browsers, browser_codes):
        connection.execute(delete(table).where(table.c.expires_at <= now))
