"""What a release leaves behind for the tests of later ones: a filled database as SQL, and a backup.

Run at a release, once: `python -m tests.store.release` writes schemas/VERSION.sql and schemas/VERSION.backup.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection

from server.accounts.accounts import Accounts
from server.accounts.actor import Actor
from server.admin.acts import Admin
from server.admin.backup import backup
from server.bus.bus import LocalBus
from server.config import Limits
from server.ratings.ratings import rate
from server.store import arrangements, chat, conduct, decks, events, following, messages, vacations
from server.store.choose import open_database
from server.store.database import Database
from server.store.matches import StoredSeat
from server.store.migrate import upgrade
from tests.accounts.keyring import public_key
from tests.admin.played import play_and_store
from tests.clocks import FakeClock
from tests.store.builders import START

SCHEMAS = Path(__file__).parent / "schemas"


async def fill(database: Database) -> None:
    """Store a little of everything."""
    clock = FakeClock()
    for handle in ("mira", "tarn"):
        accounts = Accounts(database, clock, Limits(), random.Random(handle).choice)
        made = await accounts.register(handle, public_key(handle), "192.0.2.1")
        await accounts.change_preferences(made.account.id, lambda before: before)
    seats = (StoredSeat("account", "mira", 1), StoredSeat("account", "tarn", 2))
    for i in (1, 2):
        await play_and_store(database, f"m{i}", i, seats)
        await database.write(rate, f"m{i}", "rainet", [1, 2], [[0], [1]])
    await play_and_store(database, "running", 3, entries=9)
    await database.write(chat.add, "match:m1", 1, "mira", "好棋", START)
    await database.write(fill_around_people, START)
    admin = Admin(Actor(database, clock, LocalBus()))
    await admin.set_role("mira", "admin", held=True)
    await admin.moderation.ban("198.51.100.0/24", "spam", None)


def fill_around_people(connection: Connection, now: datetime) -> None:
    """Store what two people know of each other, and what is kept for one of them."""
    following.follow(connection, 1, 2, now)
    following.set_note(connection, 1, 2, "likes viruses")
    messages.add(connection, 2, 1, "a game tonight?", True, now)
    conduct.block(connection, 2, 1, now)
    conduct.add_report(connection, conduct.Report(0, now, 1, 2, "tarn", "m1", "spam", ()))
    decks.save(connection, 1, decks.StoredDeck(0, "netrunner", 0, "Mine", "1 Hedge Fund", now))
    vacations.begin(connection, 1, 2, now)
    events.add(1, events.NewEvent("challenge", now, None, 2))(connection)
    arrangements.make(connection, "running", arrangements.StoredOffer("draw", 0, 9, now))


async def write(release: str) -> None:
    """Write both files of a release."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "patchbay.db"
        await upgrade(f"sqlite:///{file}")
        database = await open_database(f"sqlite:///{file}")
        await fill(database)
        await backup(database, SCHEMAS / f"{release}.backup", Path(place) / "none", START)
        await database.close()
        raw = sqlite3.connect(file)
        (SCHEMAS / f"{release}.sql").write_text("\n".join(raw.iterdump()) + "\n", encoding="utf-8")
        raw.close()


if __name__ == "__main__":
    asyncio.run(write(version("patchbay")))
