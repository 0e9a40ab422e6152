"""The drill: back up while running, restore elsewhere, verify; also into the other kind of database."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, MetaData, select

from server.accounts.accounts import Accounts
from server.admin.backup import NOT_KEPT, BadBackup, backup, restore
from server.admin.replay import verify_matches
from server.config import Limits
from server.store import chat, matches, processes
from server.store.choose import open_database
from server.store.database import Database
from server.store.logwriter import LogWriter
from tests.accounts.keyring import public_key
from tests.admin.played import play_and_store
from tests.clocks import FakeClock
from tests.services import drop_postgres, make_postgres
from tests.store.builders import START, append, match


async def fill(database: Database) -> None:
    accounts = Accounts(database, FakeClock(), Limits(accounts_per_hour=100))
    for i in range(3):
        await accounts.register(f"player{i}x", public_key(str(i)), "192.0.2.1")
        await play_and_store(database, f"m{i}", i)
    await play_and_store(database, "running", 9, entries=7)
    await database.write(chat.add, "lobby", 1, "player0x", "你好", START)


def everything(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    tables = MetaData()
    tables.reflect(connection)
    return {
        table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
        for table in tables.sorted_tables
        if table.name not in NOT_KEPT
    }


@asynccontextmanager
async def empty(kind: str, tmp_path: Path) -> AsyncIterator[Database]:
    """Give a database with nothing in it, not even a schema."""
    url = f"sqlite:///{tmp_path / 'other.db'}" if kind == "sqlite" else await make_postgres()
    opened = await open_database(url)
    yield opened
    await opened.close()
    if kind != "sqlite":
        await drop_postgres(url)


@pytest.mark.parametrize("other", ["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
async def test_everything_comes_back_in_either_database(either: Database, other: str, tmp_path: Path) -> None:
    await fill(either)
    host_key, file = tmp_path / "a" / "host_key", tmp_path / "backup"
    host_key.parent.mkdir()
    host_key.write_text("secret")
    (tmp_path / "a" / "host_key_rsa").write_text("another secret")
    counted = await backup(either, file, host_key, START)
    assert file.stat().st_mode & 0o777 == 0o600
    before = await either.read(everything)
    assert counted.rows == sum(map(len, before.values()))
    async with empty(other, tmp_path) as target:
        restored, kept = await restore(target, file, tmp_path / "b" / "host_key", START, kept_in=tmp_path / "b")
        assert (restored.rows, kept) == (counted.rows, None)
        assert await target.read(everything) == before
        assert (tmp_path / "b" / "host_key").read_text() == "secret"
        assert (tmp_path / "b" / "host_key_rsa").read_text() == "another secret"
        bad: dict[str, list[str]] = {}
        tally = await verify_matches(target, bad.__setitem__)
        assert (tally.matches, bad) == (4, {})
        later = Accounts(target, FakeClock(), Limits())
        assert (await later.register("newcomer", public_key("n"), "192.0.2.9")).account.id == 4


async def test_a_backup_made_during_play_is_one_moment_of_it(either: Database, tmp_path: Path) -> None:
    names = [f"m{i}" for i in range(6)]
    for name in names:
        await either.write(matches.create, match(name))
    writer, played = LogWriter(either), asyncio.Event()
    writer.start()

    async def play(name: str) -> None:
        seq = 0
        while not played.is_set() or seq < 10:
            seq += 1
            await writer.append(append(name, seq))

    games = [asyncio.create_task(play(name)) for name in names]
    files = [tmp_path / f"backup{i}" for i in range(3)]
    for file in files:
        await asyncio.sleep(0)
        await backup(either, file, tmp_path / "host_key", START)
    played.set()
    await asyncio.gather(*games)
    await writer.close()
    seen: list[int] = []
    for i, file in enumerate(files):
        async with empty("sqlite", tmp_path / str(i)) as target:
            await restore(target, file, tmp_path / str(i) / "host_key", START, kept_in=tmp_path)
            rows = await target.read(matches.with_logs, await target.read(matches.ids_after, "", 100))
            assert all([e.seq for e in log] == list(range(1, row.last_seq + 1)) for row, log in rows)
            seen.append(sum(row.last_seq for row, _ in rows))
    assert seen == sorted(seen)
    assert seen[-1] > 0


async def test_what_was_there_is_kept_and_can_be_restored(database: Database, tmp_path: Path) -> None:
    await fill(database)
    file, host_key = tmp_path / "backup", tmp_path / "host_key"
    await backup(database, file, host_key, START)
    await database.write(chat.add, "lobby", 1, "player0x", "after the backup", START)
    full = await database.read(everything)
    _, kept = await restore(database, file, host_key, START, kept_in=tmp_path)
    assert kept is not None
    assert len((await database.read(everything))["chat_lines"]) == 1
    await restore(database, kept, host_key, START, kept_in=tmp_path)
    assert await database.read(everything) == full


async def test_a_running_server_is_not_overwritten(database: Database, tmp_path: Path) -> None:
    file, now = tmp_path / "backup", FakeClock().now()
    await database.write(processes.arrive, "p1", 1, "here", now)
    await backup(database, file, tmp_path / "host_key", now)
    with pytest.raises(BadBackup, match="running"):
        await restore(database, file, tmp_path / "host_key", now, kept_in=tmp_path)
    await database.write(processes.leave, "p1", now)
    await restore(database, file, tmp_path / "host_key", now, kept_in=tmp_path)


async def test_a_file_that_is_cut_short_or_changed_changes_nothing(database: Database, tmp_path: Path) -> None:
    await fill(database)
    file, bad = tmp_path / "backup", tmp_path / "bad"
    await backup(database, file, tmp_path / "host_key", START)
    before, whole = await database.read(everything), file.read_bytes()
    plain = gzip.decompress(whole)
    spoiled = (
        b"",
        b"nonsense",
        whole[: len(whole) // 2],
        gzip.compress(plain[: len(plain) // 2]),
        gzip.compress(plain.replace(b"player0x", b"player0y")),
        gzip.compress(b'{"type":"end","rows":0,"sha256":""}\n'),
        gzip.compress(b'{"type":"end","rows":0}\n'),
        whole[:10] + b"\xff" * 100,  # zlib has an error of its own for these
    )
    for content in spoiled:
        bad.write_bytes(content)
        with pytest.raises(BadBackup):
            await restore(database, bad, tmp_path / "host_key", START, kept_in=tmp_path)
    assert await database.read(everything) == before
    assert not list(tmp_path.glob("*.part"))
