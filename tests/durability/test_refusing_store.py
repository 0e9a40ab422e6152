"""A store that refuses: the move is refused too, views are still served, and it recovers by itself."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url

from game.contract import Seat, Watcher
from server.matches.match import Match
from server.matches.model import MatchQuery
from server.store import matches as store
from server.store.errors import NotSaved
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, Table, first_answer, new_database, open_matches

A, B = Seat(0), Seat(1)


def file_of(url: str) -> str:
    return str(make_url(url).database)


async def check_refused(table: Table, match: Match) -> None:
    """The move is refused, nothing has changed, and everything can still be looked at."""
    before = match.snapshot(A)
    with pytest.raises(NotSaved):
        await match.act(A, first_answer(before.pending), before.turn_seq, table.clock.now())
    assert match.snapshot(A) is before
    assert match.snapshot(Watcher.PUBLIC).view is not None
    assert match.events(B) != []


async def check_accepted(table: Table, match: Match) -> None:
    seq = match.live.shown.seq
    assert await table.play_any(match, 0) == seq + 1
    assert len(await table.database.read(store.log, match.id)) == seq + 1


async def test_a_locked_database_refuses_the_move_and_recovers(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN)
        other = sqlite3.connect(file_of(url), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await check_refused(table, match)
        assert len(await table.matches.list(MatchQuery())) == 1
        other.execute("ROLLBACK")
        other.close()
        await check_accepted(table, match)


async def test_a_database_that_may_not_grow_refuses_the_move_and_recovers(url: str, clock: FakeClock) -> None:
    async with open_matches(url, clock, start=False) as table:
        match = await table.begin(MIRA, TARN)
        limit(table, 1)
        await use_up(match)
        await check_refused(table, match)
        limit(table, 10**6)
        await check_accepted(table, match)


def limit(table: Table, pages: int) -> None:
    """Let the database have no more pages than it has (or many), for the connection that writes."""
    raw = table.database.inner.writing.raw_connection()  # type: ignore[attr-defined]
    raw.execute(f"PRAGMA max_page_count={pages}").fetchall()
    raw.close()


async def use_up(match: Match) -> None:
    """Write until no page has room left."""
    for _ in range(1000):
        try:
            await match.act(A, "auto on", match.live.shown.seq)
        except NotSaved:
            return
    raise AssertionError("there is still room")


@asynccontextmanager
async def matches_on(disk: Path, migrated: Path, clock: FakeClock) -> AsyncIterator[Table]:
    async with open_matches(await new_database(disk, migrated), clock, start=False) as table:
        yield table


async def test_a_full_disk_refuses_the_move_and_recovers(
    small_disk: Path, migrated_file: Path, clock: FakeClock
) -> None:
    async with matches_on(small_disk, migrated_file, clock) as table:
        match = await table.begin(MIRA, TARN)
        filler = small_disk / "filler"
        fill_disk(filler)
        await use_up(match)
        await check_refused(table, match)
        filler.unlink()
        await check_accepted(table, match)


def fill_disk(filler: Path) -> None:
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            os.fsync(file.fileno())
