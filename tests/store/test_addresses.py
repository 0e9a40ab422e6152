"""Addresses are forgotten after a while, but not who is kept out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from server.store import accounts, addresses, conduct, processes
from server.store.conduct import Report
from server.store.database import Database
from server.store.processes import StoredSession
from server.store.tables import audit, reports, sanctions, sessions, strikes

LONG_AGO, NOW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
BEFORE = NOW - timedelta(days=30)
HELD, OVER, LIFTED = "192.0.2.0/24", "198.51.100.7/32", "203.0.113.9/32"
KEY = "SHA256:a/b+cabcabcabcabcabcabcabcabcabcabcabcabcab"


async def fill(database: Database) -> None:
    await database.write(accounts.strike, "register", "192.0.2.1", LONG_AGO, LONG_AGO)
    await database.write(accounts.strike, "register", "192.0.2.2", NOW, LONG_AGO)
    await database.write(accounts.strike, "left", "7", LONG_AGO, LONG_AGO)
    await database.write(processes.arrive, "p1", 1, "here", LONG_AGO)
    session = StoredSession("s1", "p1", "guest-x", "192.0.2.3", LONG_AGO)
    await database.write(processes.beat, "p1", LONG_AGO, [session])
    for network, until in ((HELD, None), (OVER, LONG_AGO + timedelta(days=1)), (LIFTED, None)):
        await database.write(conduct.impose, "ban", "network", network, "a flood", "mod", LONG_AGO, until)
        data = {"network": network} if network is LIFTED else None
        await database.write(
            conduct.record_act, "mod", "ban", "guest-y" if data else network, "a flood", LONG_AGO, data
        )
    await database.write(conduct.lift, "ban", "network", LIFTED, LONG_AGO)
    await database.write(conduct.record_act, "mod", "ban", "198.51.100.8/32", "a flood", NOW)
    report = Report(0, LONG_AGO, None, None, "guest-z", None, "rude", [], source="192.0.2.4", fingerprint="SHA256:z")
    await database.write(conduct.add_report, report)


async def test_addresses_of_long_ago_are_forgotten_everywhere(either: Database) -> None:
    await fill(either)
    gone = await either.write(addresses.forget_before, BEFORE)
    assert gone == 6
    assert await either.write(addresses.forget_before, BEFORE) == 0

    def left(connection: Connection) -> list[list[Any]]:
        return [
            sorted(connection.scalars(select(strikes.c.who))),
            list(connection.scalars(select(sessions.c.source))),
            list(connection.scalars(select(sanctions.c.target))),
            list(connection.scalars(select(audit.c.target).order_by(audit.c.id))),
            list(connection.scalars(select(audit.c.data).where(audit.c.data.is_not(None)))),
            list(connection.scalars(select(reports.c.lines))),
        ]

    assert await either.read(left) == [
        ["192.0.2.2", "7"],
        [],
        [HELD],
        [HELD, addresses.INSTEAD, "guest-y", "198.51.100.8/32"],
        [],
        [[]],
    ]


async def test_the_audit_log_keeps_which_key_was_banned(either: Database) -> None:
    """Half of all fingerprints hold a slash: after thirty days the log said that an address was banned."""
    await either.write(conduct.record_act, "mod", "ban", KEY, "a flood", LONG_AGO, {"kind": "key", "for_s": None})
    assert await either.write(addresses.forget_before, BEFORE) == 0
    [line] = await either.read(conduct.audit_lines)
    assert line.target == KEY
