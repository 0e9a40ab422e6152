"""Vacations from daily play, by account: when each began, and until when it lasts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, or_, select, update

from server.clock import rfc3339
from server.errors import Refused
from server.store.accounts import lock
from server.store.tables import vacations

MOST_DAYS = 14  # a calendar year (UTC)
MOST_BEGINNINGS = 2  # within BEGINNINGS_COUNT_FOR: each beginning and each early end is an entry in others' matches
BEGINNINGS_COUNT_FOR = timedelta(days=7)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Vacation:
    """How somebody stands: on vacation `until` then (None: not), and the whole days that are left of the year's."""

    until: datetime | None
    days_left: int


def of(connection: Connection, account_id: int, now: datetime) -> Vacation:
    """Return how an account stands at `now`. A day that has begun counts as taken, the first one at once."""
    year = now.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    chosen = select(vacations.c.began_at, vacations.c.until).where(vacations.c.account_id == account_id)
    rows = connection.execute(chosen.where(or_(vacations.c.until > year, vacations.c.began_at >= year))).all()
    spans = ((max(row.began_at, year), row.until) for row in rows)
    taken = sum(max(1, -((began - until) // DAY)) for began, until in spans)
    until = max((row.until for row in rows if row.until > now), default=None)
    return Vacation(until, max(0, MOST_DAYS - taken))


def begin(connection: Connection, account_id: int, days: int, now: datetime) -> datetime:
    """Begin a vacation of so many days; return until when it lasts.

    Raises Refused for too many days, in a vacation, and after MOST_BEGINNINGS within a week.
    """
    lock(connection, account_id)  # or two terminals at once would each find that there is none
    found = of(connection, account_id, now)
    if found.until is not None:
        raise Refused("vacation.error.taken")
    if not 1 <= days <= found.days_left:
        raise Refused("vacation.error.days", left=found.days_left)
    lately = _beginnings(connection, account_id, now - BEGINNINGS_COUNT_FOR)
    if len(lately) >= MOST_BEGINNINGS:
        raise Refused("vacation.error.often", until=rfc3339(lately[-MOST_BEGINNINGS] + BEGINNINGS_COUNT_FOR))
    until = now + days * DAY
    connection.execute(insert(vacations).values(account_id=account_id, began_at=now, until=until))
    return until


def _beginnings(connection: Connection, account_id: int, since: datetime) -> list[datetime]:
    """Return when an account's vacations since then began, also those that were over at once; the earliest first."""
    mine = (vacations.c.account_id == account_id, vacations.c.began_at > since)
    return list(connection.scalars(select(vacations.c.began_at).where(*mine).order_by(vacations.c.began_at)))


def end(connection: Connection, account_id: int, now: datetime) -> None:
    """End a vacation for good; the days that have not begun are given back. Raises Refused where there is none."""
    running = (vacations.c.account_id == account_id, vacations.c.until > now)
    if not connection.execute(update(vacations).where(*running).values(until=now)).rowcount:
        raise Refused("vacation.error.none")
