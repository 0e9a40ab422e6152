"""The database: what is asked at once is read together, and each gets an answer of their own."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from server.store import (
    accounts,
    arrangements,
    chat,
    events,
    lobby,
    machines,
    matches,
    notice_topics,
    outages,
    processes,
)
from server.store.database import ONE_STATEMENT, Database
from server.store.errors import StoreUnavailable
from server.store.postgres import PostgresDatabase
from tests.store.builders import START


def number(connection: Connection, wanted: int) -> tuple[int, int]:
    """Return a number as the database says it, and in which transaction it was read."""
    return connection.execute(text("SELECT CAST(:n AS INTEGER)"), {"n": wanted}).scalar_one(), id(
        connection.get_transaction()
    )


async def test_what_is_asked_in_one_turn_is_read_in_one_transaction(database: Database) -> None:
    found = await asyncio.gather(*(database.read(number, i) for i in range(20)))
    assert [n for n, _ in found] == list(range(20))
    assert len({transaction for _, transaction in found}) == 1


async def test_one_that_fails_does_not_fail_the_others(either: Database) -> None:
    def wrong(connection: Connection) -> None:
        raise LookupError("mine alone")

    def gone(connection: Connection) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    first, second, third, last = await asyncio.gather(
        either.read(number, 1), either.read(wrong), either.read(gone), either.read(number, 2), return_exceptions=True
    )
    assert not isinstance(first, BaseException)
    assert not isinstance(last, BaseException)
    assert (first[0], last[0]) == (1, 2)
    assert isinstance(second, LookupError)
    assert isinstance(third, StoreUnavailable)


async def test_who_does_not_wait_any_more_is_not_answered(database: Database) -> None:
    go_on = threading.Event()

    def slow(connection: Connection) -> None:
        go_on.wait(30)

    waiting = asyncio.create_task(database.read(slow))
    patient = asyncio.create_task(database.read(number, 3))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    assert (await patient)[0] == 3


async def test_a_closed_database_says_so(database: Database) -> None:
    await database.close()
    with pytest.raises(RuntimeError):
        await database.read(number, 1)


@pytest.mark.services
async def test_a_transaction_that_was_given_up_for_another_is_run_again(postgres: Database) -> None:
    await postgres.write(lambda connection: connection.execute(text("CREATE TABLE counted (id int, n int)")) and None)
    await postgres.write(
        lambda connection: connection.execute(text("INSERT INTO counted VALUES (1, 0), (2, 0)")) and None
    )

    def count(connection: Connection, order: tuple[int, int]) -> None:
        for one in order:
            connection.execute(text("UPDATE counted SET n = n + 1 WHERE id = :one"), {"one": one})
            connection.execute(text("SELECT pg_sleep(0.2)"))

    await asyncio.gather(postgres.write(count, (1, 2)), postgres.write(count, (2, 1)))
    found = await postgres.read(lambda connection: connection.execute(text("SELECT n FROM counted")).all())
    assert [tuple(row) for row in found] == [(2,), (2,)]


@pytest.mark.services
async def test_what_is_marked_as_one_statement_is_one(postgres: Database) -> None:
    assert isinstance(postgres, PostgresDatabase)
    now, calls = START, list[tuple[Callable[..., object], tuple[object, ...]]]()
    calls += [(chat.recent, ("lobby", 10)), (chat.channels_after, (0,)), (lobby.all_rooms, ()), (matches.due, (now,))]
    calls += [(lobby.open_seeks, (now,)), (lobby.booked, (["t1"],)), (lobby.room_versions, (["ABCD"],))]
    calls += [(processes.orders_after, (0,)), (processes.sessions_now, (now,)), (outages.quiet_beat, ("p1", now))]
    calls += [(processes.told_time, ()), (outages.since, (0, now)), (chat.newest, ()), (lobby.room, ("ABCD",))]
    calls += [(matches.log, ("m1",)), (matches.begun_since, (now,)), (matches.last_end, (1,))]
    calls += [
        (arrangements.matches_with_offers, (1, None)),
        (matches.count_live, ()),
        (processes.all_read, (processes.LOG_VERSION, now)),
    ]
    calls += [(events.after, (1, 0, now, 10)), (events.unmade, (1, now)), (events.last_no, (1,))]
    calls += [(accounts.strikes_of, ("left", ["1"], now))]
    calls += [(notice_topics.of, (1,)), (notice_topics.confirmed, ()), (machines.handles, ())]
    assert {work for work, _ in calls} == ONE_STATEMENT, "each that is marked is tried here"
    said: list[str] = []
    event.listen(postgres.engine.sync_engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    for work, arguments in calls:
        said.clear()
        await (postgres.write if work is outages.quiet_beat else postgres.read)(work, *arguments)
        assert len(said) == 1, said


async def test_a_quiet_beat_says_what_a_beat_says(either: Database) -> None:
    later = START + timedelta(minutes=1)
    assert await either.write(outages.arrive, "p1", 1, "here", START, True) == outages.ProcessStart(0, drains=False)
    assert await either.write(outages.quiet_beat, "p1", later) == 0
    assert await either.read(processes.last_alive) == later
    noted = await either.write(outages.beat, "p1", later, (), (), START)
    assert noted > 0
    assert await either.write(outages.quiet_beat, "p1", later) == noted


async def test_processes_that_all_died_a_moment_ago_are_no_sign_of_life(either: Database) -> None:
    """Workers start again within seconds: the first one took the dead for living, and nothing was credited."""
    await either.write(outages.arrive, "p1", 1, "here", START, False)
    beside, after = START + timedelta(seconds=1), START + timedelta(seconds=4)
    assert await either.write(outages.arrive, "p2", 2, "here", beside, False) == outages.ProcessStart(0, drains=False)
    found = await either.write(outages.arrive, "p3", 3, "here", after, False)
    [outage] = await either.read(outages.since, 0, START)
    assert (outage.id, outage.began, outage.ended) == (found.last_outage, beside, after)


async def test_what_was_to_be_stored_stands_in_no_error(either: Database) -> None:
    """Errors are logged, and said what people had said and done: the parameters of the statement stood in them."""
    said = "meet me behind the windmill"

    def failing(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nothing_there VALUES (:said)"), {"said": said})

    for ask in (either.read, either.write):
        with pytest.raises(Exception) as refused:
            await ask(failing)
        whole = "".join(traceback.format_exception(refused.value))
        assert "nothing_there" in whole
        assert said not in whole
        if isinstance(refused.value, StoreUnavailable):
            assert "\n" not in refused.value.why
            assert "INSERT" not in refused.value.why


@pytest.mark.parametrize(
    ("before", "statement", "why"),
    [
        ("SET LOCAL ROLE pg_monitor", "UPDATE counters SET value = 1", "permission denied for table counters"),
        ("SET LOCAL ROLE pg_monitor", "CREATE SCHEMA other", "permission denied for database"),
        ("SET LOCAL search_path = ''", "CREATE TABLE other (n integer)", "no schema has been selected to create in"),
    ],
)
async def test_a_right_that_the_role_lacks_ended_commands_with_a_trace(
    before: str, statement: str, why: str, postgres: Database
) -> None:
    """As after a dump that another role has restored: its tables are that role's."""

    def work(connection: Connection) -> None:
        connection.execute(text(before))
        connection.execute(text(statement))

    with pytest.raises(StoreUnavailable) as refused:
        await postgres.write(work)
    assert why in refused.value.why
