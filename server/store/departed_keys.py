"""Keys that have left an account while a ban or mute of it was in force: which account each was of.

Matches that the account left, which count towards a pause, are counted for the key's hash as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, delete, select

from server.store import conduct
from server.store.accounts import CUT, LEAVING_COUNTS_FOR, LEFT, add_strikes, strikes_since
from server.store.tables import departed_keys, strikes
from server.store.upsert import put_if_missing


def is_held(connection: Connection, account_id: int, now: datetime) -> bool:
    """Tell whether a ban or mute of an account is in force, or matches that it left still count towards a pause."""
    left = strikes_since(connection, LEFT, str(account_id), now - LEAVING_COUNTS_FOR)
    return bool(left or conduct.in_force(connection, now, account_id=account_id))


def depart(connection: Connection, account_id: int, hashes: Iterable[str], now: datetime) -> None:
    """Store that these keys leave an account, with what is in force of it."""
    is_sanctioned = bool(conduct.in_force(connection, now, account_id=account_id))
    for one in sorted(hashes):
        if is_sanctioned:
            put_if_missing(connection, departed_keys, {"hash": one, "account_id": account_id})
        _count_leavings(connection, str(account_id), one, now)


def take_back(connection: Connection, key_hash: str, account_id: int, now: datetime) -> list[int]:
    """Count for an account the matches that its new key has left; return the accounts whose sanctions the key brings.

    It is forgotten that the key had left them.
    """
    _count_leavings(connection, key_hash, str(account_id), now)
    connection.execute(delete(strikes).where(strikes.c.kind.in_((LEFT, CUT)), strikes.c.who == key_hash))
    gone = delete(departed_keys).where(departed_keys.c.hash == key_hash).returning(departed_keys.c.account_id)
    return sorted(before for before in connection.scalars(gone) if before != account_id)


def _count_leavings(connection: Connection, before: str, after: str, now: datetime) -> None:
    for kind in (LEFT, CUT):
        known = strikes_since(connection, kind, after, now - LEAVING_COUNTS_FOR)
        theirs = strikes_since(connection, kind, before, now - LEAVING_COUNTS_FOR)
        add_strikes(connection, kind, after, [at for at in theirs if at not in known])


def pass_on(connection: Connection, before: int, account_id: int, now: datetime) -> list[str]:
    """Give an account the sanctions of another that last longer than its own; return which (`ban`, `mute`)."""
    own = {one.act: one for one in conduct.in_force(connection, now, account_id=account_id)}
    given = []
    for one in conduct.in_force(connection, now, account_id=before):
        if one.act not in own or one.lasts_longer_than(own[one.act]):
            conduct.impose(connection, one.act, "account", str(account_id), one.why, one.by_name, now, one.until)
            given.append(one.act)
    return given


def every(connection: Connection) -> dict[str, frozenset[str]]:
    """Return by key hash the ids of the accounts that each has left, as sanctions name them."""
    found: dict[str, frozenset[str]] = {}
    for row in connection.execute(select(departed_keys)):
        found[row.hash] = found.get(row.hash, frozenset()) | {str(row.account_id)}
    return found


def forget_over(connection: Connection, now: datetime) -> None:
    """Forget the keys that have left accounts of which nothing is in force any more, and matches left long ago."""
    left = connection.scalars(select(departed_keys.c.account_id).distinct()).all()
    over = [one for one in left if not conduct.in_force(connection, now, account_id=one)]
    connection.execute(delete(departed_keys).where(departed_keys.c.account_id.in_(over)))
    gone = strikes.c.kind.in_((LEFT, CUT)) & (strikes.c.at <= now - LEAVING_COUNTS_FOR)
    connection.execute(delete(strikes).where(gone))
