"""Stored conditional moves, on both databases: moved on, played and dropped in the transaction of an entry."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import Connection

from server.store import conditional_moves
from server.store import matches as stored
from server.store.conditional_moves import LinesChanged, StoredLines
from server.store.database import Database
from server.store.logwriter import store_batch
from tests.store.builders import START, append, match

LINES = StoredLines(0, 0, [[{"if": ["d7d6"], "then": "d3d4"}]], is_due=False)
DUE = StoredLines(0, 1, [[{"if": [], "then": "d3d4"}]], is_due=True)


async def standing(database: Database, match_id: str = "m1") -> list[StoredLines]:
    return (await database.read(conditional_moves.of_matches, [match_id])).get(match_id, [])


async def put(database: Database, lines: StoredLines, match_id: str = "m1") -> bool:
    return await database.write(conditional_moves.put_at, match_id, lines)


@pytest.fixture
async def begun(either: Database) -> Database:
    """A database with two matches that run."""
    for name in ("m1", "m2"):
        await either.write(stored.create, match(name))
    return either


async def test_lines_take_the_place_of_earlier_ones_where_the_log_still_ends_there(begun: Database) -> None:
    assert await put(begun, LINES)
    other = replace(LINES, lines=[[{"if": ["e7e6"], "then": "e2e3"}]])
    assert await put(begun, other)
    assert not await put(begun, replace(LINES, seq=7)), "the log ends elsewhere"
    assert await standing(begun) == [other]
    assert await standing(begun, "m2") == []


async def test_an_entry_moves_them_on_and_the_due_ones_are_found(begun: Database) -> None:
    await put(begun, LINES)
    await put(begun, LINES, "m2")
    moved = append("m1", 1, conditional_moves.followed("m1", lambda row: DUE))
    dropped = append("m2", 1, conditional_moves.followed("m2", lambda row: None))
    assert await begun.write(store_batch, [moved, dropped], lock=not begun.is_sqlite) == [None, None]
    assert await begun.read(conditional_moves.standing, ["m1", "m2"]) == ({"m1": [DUE]}, ["m1"])


async def test_what_was_changed_meanwhile_is_not_played_and_stores_nothing(begun: Database) -> None:
    await put(begun, LINES)
    wrong = append("m1", 1, conditional_moves.expected("m1", DUE))
    [refused] = await begun.write(store_batch, [wrong], lock=not begun.is_sqlite)
    assert isinstance(refused, LinesChanged)
    assert await begun.read(stored.log, "m1") == []
    right = append("m1", 1, conditional_moves.expected("m1", LINES))
    assert await begun.write(store_batch, [right], lock=not begun.is_sqlite) == [None]


async def test_only_lines_of_one_entry_are_forgotten_where_it_is_named(begun: Database) -> None:
    await put(begun, LINES)
    await begun.write(conditional_moves.forget, "m1", 0, 9)
    assert await standing(begun) == [LINES]
    await begun.write(conditional_moves.forget, "m1", 0)
    assert await standing(begun) == []


async def test_the_end_of_a_match_forgets_them(begun: Database) -> None:
    await put(begun, LINES)
    ends = append("m1", 1, stored.finish("m1", None, "ab" * 32, START))
    assert await begun.write(store_batch, [ends], lock=not begun.is_sqlite) == [None]
    assert await standing(begun) == []


@pytest.mark.services
async def test_who_deletes_them_waits_for_who_plays_them(postgres: Database) -> None:
    """A line was deleted, which was acknowledged, and played all the same by a transaction that had read it before."""
    await postgres.write(stored.create, match("m1"))
    await postgres.write(conditional_moves.put_at, "m1", LINES)
    held, done = asyncio.Event(), list[str]()
    loop = asyncio.get_running_loop()

    def play(connection: Connection) -> None:
        conditional_moves.expected("m1", LINES)(connection)
        loop.call_soon_threadsafe(held.set)
        connection.exec_driver_sql("SELECT pg_sleep(0.3)")
        done.append("played")

    playing = asyncio.create_task(postgres.write(play))
    await held.wait()
    await postgres.write(conditional_moves.forget, "m1", 0)
    done.append("deleted")
    await playing
    assert done == ["played", "deleted"]
