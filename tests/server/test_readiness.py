"""Whether a server says that it is ready: while it can store what people do, and asks seldom."""

from __future__ import annotations

import contextlib
from pathlib import Path

import asyncpg
import pytest
import structlog.testing
from sqlalchemy import event, make_url

from server.log import get_logger
from server.readiness import TRY_EVERY_S, WriteCheck, readiness
from server.store import failedwrites, matches, outages
from server.store.choose import open_database
from server.store.database import Database, counted
from server.store.errors import NotSaved
from server.store.failedwrites import FailedWrites
from server.store.logwriter import LogWriter
from server.store.sqlite import SqliteDatabase
from tests.clocks import FakeClock
from tests.durability.test_refusing_store import fill_disk
from tests.matches.table import new_database
from tests.store.builders import START, append, match


class Bots:
    can = True

    async def can_start(self) -> bool:
        return self.can


def counting(database: Database) -> list[str]:
    """Collect the statements that write."""
    assert isinstance(database, SqliteDatabase)
    said: list[str] = []
    event.listen(database.writing, "before_cursor_execute", lambda *args: said.append(args[2]))
    return said


async def test_a_write_is_tried_once_in_five_seconds_whoever_asks(database: Database) -> None:
    clock = FakeClock()
    check = WriteCheck(database, FailedWrites(clock.monotonic), clock.monotonic)
    said = counting(database)
    for _ in range(100):
        assert await check.passes()
    assert len([one for one in said if one.startswith("INSERT")]) == 1
    clock.shift(TRY_EVERY_S)
    assert await check.passes()
    assert len([one for one in said if one.startswith("INSERT")]) == 2
    await check.close()


async def test_what_fails_elsewhere_is_known_at_once(database: Database) -> None:
    clock = FakeClock()
    failed = FailedWrites(clock.monotonic)
    check = WriteCheck(database, failed, clock.monotonic)
    assert await check.passes()
    failed.record("disk I/O error")
    assert not await check.passes()
    clock.shift(TRY_EVERY_S + 0.1)
    assert await check.passes()
    await check.close()


async def played(writer: LogWriter) -> int:
    """Play until nothing can be stored any more: what is allotted already is used up first. Return what comes next."""
    for seq in range(1, 1_000):
        try:
            await writer.append(append("m1", seq))
        except NotSaved:
            return seq
    raise AssertionError("there is still room")


async def test_a_full_disk_was_green(small_disk: Path, migrated_file: Path) -> None:
    """While moves fail, so does what is tried: it finds as little room as they do."""
    clock = FakeClock()
    failed = FailedWrites(clock.monotonic)
    database = await open_database(await new_database(small_disk, migrated_file), failed)
    check, writer = WriteCheck(database, failed, clock.monotonic), LogWriter(database)
    writer.start()
    assert await check.passes()
    await database.write(matches.create, match("m1"))
    filler = small_disk / "filler"
    fill_disk(filler)
    seq = await played(writer)
    assert not await check.passes()
    for _ in range(3):
        clock.shift(TRY_EVERY_S + 0.1)
        before = failed.n
        assert not await check.passes()
        assert failed.n == before + 1, "it was tried"
        with pytest.raises(NotSaved):
            await writer.append(append("m1", seq))
    filler.unlink()
    clock.shift(TRY_EVERY_S + 0.1)
    assert await check.passes()
    await check.close()
    await writer.close()
    await database.close()


@pytest.mark.services
async def test_a_standby_took_every_write_for_a_fault_of_ours(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL that was read-only ended sessions with an error instead of telling players that nothing was saved."""
    monkeypatch.setattr(failedwrites, "log", get_logger("store"))  # one that was used before is not captured
    url = make_url(postgres_url)
    failed = FailedWrites(FakeClock().monotonic)  # no minute passes
    first = await open_database(postgres_url)
    await first.write(matches.create, match("m1"))
    await first.close()
    admin = await asyncpg.connect(url.set(drivername="postgresql").render_as_string(hide_password=False))
    await admin.execute(f'ALTER DATABASE "{url.database}" SET default_transaction_read_only = on')
    await admin.close()
    database = await open_database(postgres_url, failed)
    writer = LogWriter(database)
    writer.start()
    with structlog.testing.capture_logs() as said:
        with pytest.raises(NotSaved):
            await database.write(outages.arrive, "p1", 1, "here", START, False)
        with pytest.raises(NotSaved):
            await writer.append(append("m1", 1))
    assert failed.n >= 2
    assert [one["event"] for one in said].count("store.write-failed") == 1, "once a minute"
    await writer.close()
    await database.close()


async def test_nothing_said_that_a_database_takes_writes_again() -> None:
    clock = FakeClock()
    failed = FailedWrites(clock.monotonic)
    with structlog.testing.capture_logs() as said:
        for outcome, seconds in (("disk is full", 1), ("", 1), ("disk is full", 11), ("", 1), ("", 1)):
            with contextlib.suppress(NotSaved), counted(failed):
                if outcome:
                    raise NotSaved(outcome)
            clock.pass_time(seconds)
    assert [one["event"] for one in said] == ["store.write-failed", "store.writes-again"]


@pytest.mark.parametrize(
    ("drains", "files", "writes", "bots", "says"),
    [
        (False, True, True, True, (True, "ok")),
        (False, True, True, False, (True, "degraded: bots")),
        (False, True, False, False, (False, "the database takes no writes")),
        (False, False, False, False, (False, "no file descriptors left")),
        (True, False, False, False, (False, "draining")),
    ],
)
async def test_what_it_says(
    database: Database, drains: bool, files: bool, writes: bool, bots: bool, says: tuple[bool, str]
) -> None:
    failed, starter = FailedWrites(), Bots()
    check = WriteCheck(database, failed, FakeClock().monotonic)
    starter.can = bots
    if not writes:
        failed.record("for the test")
    assert await readiness(drains, files, check, starter) == says
    await check.close()
