"""Which key acts on an account, and what a young one may not do."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.clock import rfc3339
from server.store import accounts as stored
from server.store.accounts import BY_ADMIN, BY_RECOVERY, Account, StoredKey

YOUNG_FOR = timedelta(days=1)


def check_acting(
    connection: Connection, account_id: int, by: str | None, now: datetime, over: Collection[str] | None = None
) -> None:
    """Lock an account for what the key `by` does to it, beyond playing; None: the server does it.

    `over`: the keys that it is about; None: the account as a whole. Raises AccountError when the account is gone, the
    key no longer opens it, or is too young: it came less than a day ago, and one that it is about was there before.
    Whoever reached an unlocked terminal may have linked it, and the owner has that day to notice. So it can't rename,
    export or delete the account, add keys or codes, moderate, or remove or log out older keys; itself it may.
    The key that an account was registered with finds no older one; one by a recovery code or an admin always may.
    """
    stored.lock(connection, account_id)  # or two keys removed at once would each not be the last
    found_account(stored.by_id(connection, account_id))
    if by is None:
        return
    held = {key.fingerprint: key for key in stored.keys_of(connection, account_id)}
    if by not in held:
        raise AccountError("key.gone")
    if _is_too_young(held[by], [key for key in held.values() if over is None or key.fingerprint in over], now):
        raise AccountError("key.young", until=rfc3339(held[by].added_at + YOUNG_FOR))


def has_say(connection: Connection, account_id: int, by: str, now: datetime) -> bool:
    """Tell whether a key opens an account, and is old enough to act on it as a whole."""
    held = {key.fingerprint: key for key in stored.keys_of(connection, account_id)}
    return by in held and not _is_too_young(held[by], list(held.values()), now)


def _is_too_young(actor: StoredKey, concerned: Collection[StoredKey], now: datetime) -> bool:
    if actor.how in (BY_RECOVERY, BY_ADMIN) or now - actor.added_at >= YOUNG_FOR:
        return False
    return any(one.added_at < actor.added_at for one in concerned)


def found_account(account: Account | None) -> Account:
    """Return the account, raise AccountError for None."""
    if account is None or account.deleted_at is not None:
        raise AccountError("account.gone")
    return account
