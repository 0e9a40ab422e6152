"""Questions about stored matches, and that none of them goes over everything ever played."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, event, update

from server.clock import rfc3339
from server.store import matches, tables
from server.store.appends import LogEntry
from server.store.database import Database
from server.store.listing import listed
from server.store.logwriter import store_batch
from server.store.matches import MatchFilter, StoredSeat
from server.store.sqlite import SqliteDatabase
from tests.store.builders import START, append, match

GUEST, OTHER, BOT = (
    StoredSeat("guest", "guest-a", guest_id="guest-a"),
    StoredSeat("guest", "guest-b", guest_id="guest-b"),
    StoredSeat("bot", "bot:easy"),
)


@pytest.fixture
async def played(either: Database) -> Database:
    for match_id, seats, more in (
        ("m1", (GUEST, BOT), {}),
        ("m2", (BOT, GUEST, OTHER), {}),
        ("m3", (GUEST, BOT), {"status": matches.FINISHED}),
        ("m4", (OTHER, BOT), {}),
        ("m5", (BOT, BOT), {}),
    ):
        await either.write(matches.create, match(match_id, *seats, **more))
    return either


async def test_a_guest_s_running_matches_are_found(played: Database) -> None:
    found = await played.read(matches.query, MatchFilter(statuses=matches.RUNNING, guest_id="guest-a"))
    assert sorted(one.id for one in found) == ["m1", "m2"]


async def test_live_matches_with_guests_are_found_with_their_seats(played: Database) -> None:
    assert await played.read(matches.live_with_guests) == {"m1": [0], "m2": [1, 2], "m4": [0]}


async def test_neither_goes_over_all_seats_there_are(database: SqliteDatabase) -> None:
    asked: list[tuple[str, object]] = []
    event.listen(database.reading, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))

    def work(connection: Connection) -> list[str]:
        matches.query(connection, MatchFilter(statuses=matches.RUNNING, guest_id="guest-a"))
        matches.live_with_guests(connection)
        questions = [(said, given) for said, given in asked if said.startswith("SELECT") and "seats" in said]
        plans = (connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", given) for said, given in questions)  # type: ignore[arg-type]
        return [str(row[3]) for plan in plans for row in plan]

    await database.write(matches.create, match("m1", GUEST, BOT))
    plans = await database.read(work)
    assert plans
    assert not any("SCAN seats" in plan for plan in plans), plans


async def test_a_history_stood_in_the_order_in_which_its_matches_began_but_told_when_they_ended(
    either: Database,
) -> None:
    for hour, (match_id, ended_after_h) in enumerate((("long", 9), ("short", 1), ("middle", 3))):
        began = START + timedelta(hours=hour)
        await either.write(matches.create, match(match_id, GUEST, BOT, started_at=began))
        ended = {"status": matches.FINISHED, "ended_at": began + timedelta(hours=ended_after_h)}
        await either.write(set_row, match_id, ended)
    finished = await either.read(matches.query, MatchFilter(statuses=(matches.FINISHED, matches.VOID)))
    assert [one.id for one in finished] == ["long", "middle", "short"]
    newest = await either.read(matches.query, MatchFilter(statuses=(matches.FINISHED, matches.VOID), limit=1))
    assert [one.id for one in newest] == ["long"]
    begun = await either.read(matches.query, MatchFilter())
    assert [one.id for one in begun] == ["middle", "short", "long"]
    older = MatchFilter(statuses=(matches.FINISHED, matches.VOID), before=finished[0].ended_at)
    assert [one.id for one in await either.read(matches.query, older)] == ["middle", "short"]
    older = MatchFilter(before=begun[0].started_at)
    assert [one.id for one in await either.read(matches.query, older)] == ["short", "long"]


def set_row(connection: Connection, match_id: str, values: dict[str, Any]) -> None:
    connection.execute(update(tables.matches).where(tables.matches.c.id == match_id).values(**values))


@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        ({"statuses": matches.OVER}, "ix_matches_ended_at (ended_at>?)"),
        ({"statuses": (matches.FINISHED,)}, "ix_matches_ended_at (ended_at>?)"),
        ({"statuses": matches.OVER, "game": "rainet"}, "ix_matches_game_ended_at (game=? AND ended_at>?)"),
        ({"statuses": matches.RUNNING, "game": "rainet"}, "ix_matches_game_ended_at (game=? AND ended_at=?)"),
    ],
)
async def test_to_list_what_ended_last_all_that_ever_ended_was_sorted(
    database: SqliteDatabase, wanted: dict[str, Any], index: str
) -> None:
    """With 200,000 matches the first page in a browser, and each look at the lobby, took 0.3 s of the store."""
    plans = await planned(database, MatchFilter(limit=50, **wanted))
    assert f"SEARCH matches USING INDEX {index}" in plans


async def planned(database: SqliteDatabase, wanted: MatchFilter) -> list[str]:
    """Return how SQLite looks for matches."""
    asked: list[tuple[str, Any]] = []
    event.listen(database.reading, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))

    def work(connection: Connection) -> list[str]:
        matches.query(connection, wanted)
        said, given = next(one for one in asked if "FROM matches" in one[0])
        return [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", given)]

    return await database.read(work)


@pytest.mark.parametrize("whose", [{"account_id": 1}, {"guest_id": "guest-a"}])
async def test_ended_matches_of_a_person_were_looked_for_among_all_there_are(
    database: SqliteDatabase, whose: dict[str, Any]
) -> None:
    """With 200,000 ended matches it took 0.4 s to learn that a guest has none."""
    plans = await planned(database, MatchFilter(statuses=(matches.FINISHED,), limit=50, **whose))
    assert [plan for plan in plans if plan.startswith("SEARCH seats USING INDEX ix_seats_")]
    assert [plan for plan in plans if plan.startswith("SEARCH matches")] == [
        "SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)"
    ]


async def test_a_list_reads_no_log_of_a_match_that_withholds_nothing(database: SqliteDatabase) -> None:
    """Each list had read the last moves of every match that was moved in within 30 s, every few seconds."""
    for match_id in ("m1", "m2", "m3"):
        await database.write(matches.create, match(match_id, GUEST, OTHER))
        await database.write(store_batch, [append(match_id, 1)], lock=False)
    held = append("m4", 1)
    quiet = LogEntry(1, "act", START, 0, "c2c3", {"quiet_until": rfc3339(START + timedelta(minutes=1))})
    await database.write(matches.create, match("m4", GUEST, OTHER))
    await database.write(store_batch, [replace(held, entries=(quiet,))], lock=False)
    asked: list[tuple[str, Any]] = []
    event.listen(database.reading, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
    found = await database.read(listed, MatchFilter(), START)
    assert {one.match.id: one.match.last_seq for one in found} == {"m1": 1, "m2": 1, "m3": 1, "m4": 0}
    assert [given[0] for said, given in asked if "entries.action" in said] == ["m4"]
