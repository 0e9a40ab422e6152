"""Rate limits by source or account, counted in the store, so that all processes share them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection

from server.accounts.sources import Sources
from server.accounts.young_keys import has_say
from server.errors import RateLimited
from server.store import accounts as stored
from server.store import processes
from server.store.columns import Json

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WRONG_CODES_PER_HOUR = 10
ORDERS_PER_HOUR = 300


def count_or_refuse(
    connection: Connection, limit: str, kind: str, who: str, allowed: int, within: timedelta, now: datetime
) -> None:
    """Count one event, or raise RateLimited without counting it."""
    before = stored.strike(connection, kind, who, now, now - within)
    if len(before) >= allowed:
        raise RateLimited(limit, wait_ms((before[0] if before else now) + within, now), allowed)


def count_sources(
    connection: Connection,
    limit: str,
    kind: str,
    who: Sources,
    own: int,
    within: timedelta,
    now: datetime,
    about: str = "",
) -> None:
    """Count one event of all of `who`, or raise RateLimited; the transaction must end with that. `own`: of a source.

    `about`: the person to whom it is done, where each of them is counted by themselves.
    """
    for name, allowed in who.budgets(own):
        count_or_refuse(connection, limit, kind, f"{name} {about}".strip(), int(allowed), within, now)


def order_for(
    connection: Connection,
    account_id: int,
    kind: str,
    data: Mapping[str, Json],
    now: datetime,
    key: str | None = None,
) -> None:
    """Order something for a person, which every process has to do, or raise RateLimited; the transaction ends with it.

    `key`: the fingerprint that it counts for, so that a stolen key can't use up what its owner needs to remove it. One
    that is young, or gone, has no budget of its own: it counts for the account.
    """
    who = str(account_id)
    if key is not None and has_say(connection, account_id, key, now):
        who = f"{account_id} {key}"
    count_or_refuse(connection, "orders_per_hour", "order", who, ORDERS_PER_HOUR, HOUR, now)
    processes.give_order(connection, kind, data, now)


def check_wrong_codes(connection: Connection, who: Sources, now: datetime) -> None:
    """Raise RateLimited where too many wrong codes came from a source, or the networks around it, within an hour.

    Called before a code is looked up, in the same transaction, so that parallel tries gain nothing.
    """
    for name, allowed in who.budgets(WRONG_CODES_PER_HOUR):
        stored.count_alone(connection, "code", name)
        wrong = stored.strikes_since(connection, "code", name, now - HOUR)
        if len(wrong) >= allowed:
            raise RateLimited("wrong_codes_per_hour", wait_ms(wrong[-int(allowed)] + HOUR, now))


def count_wrong_code(connection: Connection, who: Sources, now: datetime) -> None:
    """Count a wrong code. The caller must commit: an exception in this transaction would undo the count."""
    for name in who.names:
        stored.strike(connection, "code", name, now, now - HOUR)


def wait_ms(until: datetime, now: datetime) -> int:
    """Return the milliseconds until then, at least one."""
    return max(1, (until - now) // timedelta(milliseconds=1))
