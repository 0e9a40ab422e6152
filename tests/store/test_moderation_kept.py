"""How long is kept what admins and moderators did."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, select

from server.store import conduct
from server.store.conduct import Report
from server.store.database import Database
from server.store.tables import audit, reports, sanctions
from server.upkeep import forget_old
from tests.clocks import FakeClock

DAY_S = 86_400


async def fill(database: Database, clock: FakeClock) -> None:
    """Store what is over, then the same a day younger; a report and a ban in between are not over."""
    for day in (0, 1):
        now = clock.now()
        for about in (f"closed-{day}", f"open-{day}"):
            number = await database.write(conduct.add_report, Report(0, now, None, None, about, None, "rude", []))
            if about.startswith("closed"):
                assert await database.write(conduct.close_report, number, "mod", now)
        for target, until in ((f"over-{day}", now), (f"lifted-{day}", None), (f"held-{day}", None)):
            await database.write(conduct.impose, "ban", "key", target, "a flood", "mod", now, until)
        await database.write(conduct.lift, "ban", "key", f"lifted-{day}", now)
        await database.write(conduct.record_act, "mod", "note", f"act-{day}", "rude", now)
        clock.shift(DAY_S)


def left(connection: Connection) -> set[str]:
    columns = (reports.c.about_name, sanctions.c.target, audit.c.target)
    return {name for column in columns for name in connection.scalars(select(column))}


async def test_closed_reports_and_the_audit_log_were_kept_for_good_whatever_the_admin_wanted(either: Database) -> None:
    clock = FakeClock()
    await fill(either, clock)
    clock.shift(29 * DAY_S - 3600)
    before = await either.read(left)
    await forget_old(either, clock, None)
    assert await either.read(left) == before
    await forget_old(either, clock, 30)
    assert before - await either.read(left) == {"closed-0", "over-0", "lifted-0", "act-0"}


async def test_a_year_later_what_is_not_over_is_there(either: Database) -> None:
    clock = FakeClock()
    await fill(either, clock)
    clock.shift(timedelta(days=365).total_seconds())
    await forget_old(either, clock, 30)
    assert await either.read(left) == {"open-0", "open-1", "held-0", "held-1"}
