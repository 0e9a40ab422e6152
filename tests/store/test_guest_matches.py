"""Ended matches in which only guests and bots sat are deleted after a while, and no others."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, func, insert, select

from server.store import chat, matches
from server.store.accounts import create as create_account
from server.store.appends import LogEntry
from server.store.database import Database
from server.store.matches import FINISHED, LIVE, VOID, StoredSeat
from server.store.tables import chat_lines, entries, reports, seats
from server.upkeep import GuestMatches
from tests.clocks import FakeClock
from tests.store.builders import START, entry, match

WEEK = timedelta(days=7)
BOT = StoredSeat("bot", "bot:easy")
GUEST = StoredSeat("guest", "guest-a", guest_id="guest-a")


def fill(connection: Connection) -> None:
    mira = create_account(connection, "mira", ["mira"], START)
    old, young = FakeClock().now() - WEEK - timedelta(hours=1), FakeClock().now() - WEEK + timedelta(hours=1)
    person = StoredSeat("account", "mira", account_id=mira.id)
    for match_id, status, ended, held in (
        ("guests", FINISHED, old, (GUEST, BOT)),
        ("nobody", VOID, old, (GUEST, GUEST, BOT)),
        ("young", FINISHED, young, (GUEST, BOT)),
        ("running", LIVE, None, (GUEST, BOT)),
        ("person", FINISHED, old, (GUEST, person)),
        ("reported", FINISHED, old, (GUEST, BOT)),
    ):
        matches.create(connection, match(match_id, *held, status=status, ended_at=ended))
        row: LogEntry = entry(1)
        connection.execute(
            insert(entries).values(match_id=match_id, seq=1, kind=row.kind, at=row.at, action=row.action)
        )
        for channel in (f"match:{match_id}", f"gallery:{match_id}"):
            chat.add(connection, channel, None, "guest-a", "hello", START)
    connection.execute(
        insert(reports).values(at=START, about_name="guest-a", match_id="reported", why="rude", lines=[])
    )


def left(connection: Connection) -> set[str]:
    found = set(connection.scalars(select(entries.c.match_id)))
    assert set(connection.scalars(select(seats.c.match_id))) == found
    assert connection.scalar(select(func.count()).select_from(chat_lines)) == 2 * len(found)
    return found


async def test_matches_of_guests_against_bots_were_kept_for_ever(either: Database) -> None:
    """One address made 0.9 GB of them a day."""
    await either.write(fill)
    clock = FakeClock()
    upkeep = GuestMatches(either, clock, 7)
    await upkeep.forget()
    assert await either.read(left) == {"young", "running", "person", "reported"}
    clock.shift(3 * 3600)
    await upkeep.forget()
    assert await either.read(left) == {"running", "person", "reported"}
