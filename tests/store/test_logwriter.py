"""Group commit: durable, in order, each append for itself; on both databases."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from sqlalchemy import Connection, event, update

from server.store import matches as stored
from server.store.appends import Append, LogEntry
from server.store.choose import open_database
from server.store.database import Database
from server.store.errors import NoSuchRow, NotSaved, SeqTaken
from server.store.logwriter import LogWriter, store_batch
from server.store.postgres import PostgresDatabase
from server.store.sqlite import SqliteDatabase
from server.store.tables import matches
from tests.store.builders import START, append, entry, match


@pytest.fixture
async def writer(either: Database) -> AsyncIterator[LogWriter]:
    for name in ("m1", "m2", "m3"):
        await either.write(stored.create, match(name))
    made = LogWriter(either)
    made.start()
    yield made
    await made.close()


async def test_an_append_is_stored_with_all_its_fields(writer: LogWriter) -> None:
    told = LogEntry(2, "clock_credited", START, data={"ms": 1500, "seats": [0, 1]})
    await writer.append(Append("m1", (entry(1), told), deadline=START))
    assert await writer.database.read(stored.log, "m1") == [entry(1), told]
    found = await writer.database.read(stored.get, "m1")
    assert found is not None
    assert (found.last_seq, found.deadline, found.status) == (2, START, "live")


async def test_who_comes_too_late_is_told_where_the_log_ends(writer: LogWriter) -> None:
    await writer.append(append("m1", 1))
    with pytest.raises(SeqTaken) as late:
        await writer.append(append("m1", 1, action="d2d3"))
    assert late.value.last_seq == 1
    with pytest.raises(SeqTaken):
        await writer.append(append("m1", 3))
    assert [e.action for e in await writer.database.read(stored.log, "m1")] == ["c2c3"]


async def test_an_unknown_match_is_refused(writer: LogWriter) -> None:
    with pytest.raises(NoSuchRow):
        await writer.append(append("nowhere", 1))


async def test_one_bad_append_does_not_fail_its_batch_mates(writer: LogWriter) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(update(matches).where(matches.c.id == "m2").values(room="half done"))
        raise ZeroDivisionError

    unfit = Append("m3", (LogEntry(1, None, START),))  # type: ignore[arg-type]
    results = await asyncio.gather(
        writer.append(append("m1", 1)),
        writer.append(append("m2", 1, broken)),
        writer.append(unfit),
        return_exceptions=True,
    )
    assert results[0] is None
    assert isinstance(results[1], ZeroDivisionError)
    assert isinstance(results[2], Exception)
    assert not isinstance(results[2], NotSaved)
    assert writer.commits == 1
    logs = await writer.database.read(stored.logs, ["m1", "m2", "m3"])
    assert {name: len(log) for name, log in logs.items()} == {"m1": 1, "m2": 0, "m3": 0}
    second = await writer.database.read(stored.get, "m2")
    assert second is not None
    assert (second.room, second.last_seq) == (None, 0)
    await writer.append(append("m2", 1))
    await writer.append(append("m3", 1))


async def test_the_end_is_stored_with_the_entry_that_brings_it(writer: LogWriter) -> None:
    result = {"reason": "rainet.reason.links", "placements": [[1], [0]]}
    await writer.append(append("m2", 1, stored.finish("m2", result, "ab" * 32, START)))
    await writer.append(append("m1", 1, stored.finish("m1", result, "cd" * 32, START)))
    ended = await writer.database.read(stored.finished_in_order)
    assert [(m.id, m.finish_no, m.status, m.deadline) for m in ended] == [
        ("m2", 1, "finished", None),
        ("m1", 2, "finished", None),
    ]
    assert ended[0].result == result
    assert ended[0].state_hash == "ab" * 32


async def test_many_in_flight_share_commits(either: Database) -> None:
    names = [f"x{i}" for i in range(40)]
    for name in names:
        await either.write(stored.create, match(name))
    seen: list[tuple[float, int]] = []
    writer = LogWriter(either, observe=lambda seconds, appends: seen.append((seconds, appends)))
    writer.start()

    async def play(name: str) -> None:
        for seq in range(1, 6):
            await writer.append(append(name, seq))

    await asyncio.gather(*map(play, names))
    await writer.close()
    assert writer.stored == 200
    assert writer.commits <= 20
    assert (len(seen), sum(appends for _, appends in seen)) == (writer.commits, 200)
    assert min(seconds for seconds, _ in seen) > 0
    logs = await either.read(stored.logs, names)
    assert all([e.seq for e in log] == [1, 2, 3, 4, 5] for log in logs.values())


async def test_eight_writers_race_without_gap_or_double(either: Database) -> None:
    await either.write(stored.create, match("race"))
    writers = [LogWriter(either) for _ in range(8)]
    acknowledged: list[tuple[int, str]] = []

    async def play(writer: LogWriter, name: str) -> None:
        writer.start()
        done, seq = 0, 1
        while done < 5:
            try:
                await writer.append(append("race", seq, action=f"{name} {done}"))
                acknowledged.append((seq, f"{name} {done}"))
                done, seq = done + 1, seq + 1
            except SeqTaken as late:
                seq = late.last_seq + 1
        await writer.close()

    await asyncio.gather(*(play(writer, f"w{i}") for i, writer in enumerate(writers)))
    log = await either.read(stored.log, "race")
    assert [e.seq for e in log] == list(range(1, 41))
    assert [(e.seq, e.action) for e in log] == sorted(acknowledged)


async def test_closing_stores_what_waits_and_then_refuses(writer: LogWriter) -> None:
    waiting = asyncio.create_task(writer.append(append("m1", 1)))
    await asyncio.sleep(0)
    await writer.close()
    await waiting
    with pytest.raises(NotSaved):
        await writer.append(append("m1", 2))


async def test_a_cancelled_caller_does_not_disturb_the_others(writer: LogWriter) -> None:
    gone = asyncio.create_task(writer.append(append("m1", 1)))
    stays = asyncio.create_task(writer.append(append("m2", 1)))
    await asyncio.sleep(0)
    gone.cancel()
    await stays
    await writer.append(append("m3", 1))
    with pytest.raises(asyncio.CancelledError):
        await gone
    logs = await writer.database.read(stored.logs, ["m2", "m3"])
    assert [len(log) for log in logs.values()] == [1, 1]


async def test_a_locked_database_refuses_and_recovers(sqlite_url: str, database: Database) -> None:
    assert isinstance(database, SqliteDatabase)
    impatient = SqliteDatabase(database.url, busy_timeout_ms=10)
    await impatient.write(stored.create, match("m1"))
    writer = LogWriter(impatient)
    writer.start()
    other = sqlite3.connect(str(database.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotSaved):
        await writer.append(append("m1", 1))
    assert await impatient.read(stored.log, "m1") == []  # readers go on meanwhile
    other.execute("ROLLBACK")
    other.close()
    await writer.append(append("m1", 1))
    await writer.close()
    await impatient.close()


async def test_a_full_disk_refuses_and_recovers(database: Database) -> None:
    assert isinstance(database, SqliteDatabase)
    await database.write(stored.create, match("m1"))
    pages = await database.read(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one())
    small = await open_database(str(database.url))
    assert isinstance(small, SqliteDatabase)
    writer = LogWriter(small)
    writer.start()
    await small.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}").scalar_one())
    stored_seqs = 0

    async def play_until_refused() -> None:
        nonlocal stored_seqs
        for seq in range(1, 100):
            await writer.append(append("m1", seq, action="x" * 2000))
            stored_seqs = seq

    with pytest.raises(NotSaved) as refused:
        await play_until_refused()
    assert "full" in refused.value.why
    assert len(await small.read(stored.log, "m1")) == stored_seqs
    await small.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count=1000000").scalar_one())
    await writer.append(append("m1", stored_seqs + 1))
    await writer.close()
    await small.close()


@pytest.mark.services
async def test_a_lost_answer_to_a_commit_is_found_out(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("m1", "m2"):
        await postgres.write(stored.create, match(name))
    await postgres.write(store_batch, [append("m2", 1, action="a2a3")], lock=True)
    writer = LogWriter(postgres)
    writer.start()
    for name in ("write", "write_alone"):
        monkeypatch.setattr(postgres, name, commits_but_fails(getattr(postgres, name)))
    stays, late = await asyncio.gather(
        writer.append(append("m1", 1)), writer.append(append("m2", 1)), return_exceptions=True
    )
    assert stays is None
    assert isinstance(late, NotSaved), "its batch-mate is stored, it is not: somebody else was faster"
    ends = append("m1", 2, lambda connection: None)
    await writer.append(ends)
    for name in ("write", "write_alone"):
        monkeypatch.setattr(postgres, name, fails)
    with pytest.raises(NotSaved):
        await writer.append(append("m1", 3))
    monkeypatch.undo()
    await writer.append(append("m1", 3))
    assert [e.seq for e in await postgres.read(stored.log, "m1")] == [1, 2, 3]
    assert [e.action for e in await postgres.read(stored.log, "m2")] == ["a2a3"]
    await writer.close()


def commits_but_fails(real: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[None]]:
    async def write(*args: object, **kwargs: object) -> None:
        await real(*args, **kwargs)
        raise NotSaved("connection lost")

    return write


async def fails(*args: object, **kwargs: object) -> None:
    raise NotSaved("connection lost")


@pytest.mark.services
async def test_a_plain_group_is_one_statement_on_postgresql(postgres: Database) -> None:
    assert isinstance(postgres, PostgresDatabase)
    names = [f"m{i}" for i in range(5)]
    for name in names:
        await postgres.write(stored.create, match(name))
    said: list[str] = []
    event.listen(postgres.engine.sync_engine, "before_cursor_execute", lambda *args: said.append(args[2]))
    event.listen(postgres.engine.sync_engine, "begin", lambda connection: said.append("BEGIN"))
    writer = LogWriter(postgres)
    writer.start()
    results = await asyncio.gather(
        writer.append(append("m0", 1)),
        writer.append(Append("m1", (entry(1), LogEntry(2, "resign", START, 1, data={"x": "\u2603"})))),
        writer.append(append("m2", 2)),
        writer.append(append("nowhere", 1)),
        writer.append(append("m4", 1, action="d2d3")),
        return_exceptions=True,
    )
    assert said == [], "nothing went through SQLAlchemy, so no look, no savepoint, no BEGIN and no COMMIT"
    assert [type(result) for result in results] == [type(None), type(None), SeqTaken, NoSuchRow, type(None)]
    assert isinstance(results[2], SeqTaken)
    assert results[2].last_seq == 0
    logs = await postgres.read(stored.logs, names)
    assert {name: [e.seq for e in log] for name, log in logs.items()} == {
        "m0": [1], "m1": [1, 2], "m2": [], "m3": [], "m4": [1],
    }  # fmt: skip
    assert logs["m1"][1] == LogEntry(2, "resign", START, 1, data={"x": "\u2603"})
    moved = await postgres.read(stored.get, "m1")
    assert moved is not None
    assert (moved.last_seq, moved.deadline) == (2, None)
    await writer.close()


@pytest.mark.services
async def test_writers_with_the_same_matches_in_other_orders_never_wait_in_a_circle(postgres: Database) -> None:
    names = [f"m{i}" for i in range(12)]
    for name in names:
        await postgres.write(stored.create, match(name))
    rng = random.Random(7)

    async def play(writer: LogWriter, who: str) -> list[tuple[str, int, str]]:
        acknowledged, ends = [], dict.fromkeys(names, 0)

        async def once(name: str, action: str) -> None:
            try:
                await writer.append(append(name, ends[name] + 1, action=action))
            except SeqTaken as late:
                ends[name] = late.last_seq
            else:
                ends[name] += 1
                acknowledged.append((name, ends[name], action))

        writer.start()
        for i in range(15):
            await asyncio.gather(*(once(name, f"{who} {i}") for name in rng.sample(names, len(names))))
        await writer.close()
        return acknowledged

    told = await asyncio.gather(*(play(LogWriter(postgres), f"w{i}") for i in range(4)))
    logs = await postgres.read(stored.logs, names)
    assert all([e.seq for e in log] == list(range(1, len(log) + 1)) for log in logs.values())
    truth = sorted((name, e.seq, e.action or "") for name, log in logs.items() for e in log)
    assert truth == sorted(one for each in told for one in each)
