"""One match whose players and watchers sit in different processes: moves, presence and chat reach everybody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from server.clock import SystemClock
from server.store import processes
from server.store.choose import open_database
from server.store.database import Database
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, Server
from tests.ssh.test_lifecycle import children
from tests.ssh.workers import several_workers

pytestmark = pytest.mark.services
WORKERS = 4
TRIES = 60  # to reach a process that nobody sits in yet; the kernel spreads connections at random


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Server]:
    with several_workers(tmp_path, postgres_url, {}, WORKERS, whole=False) as server:
        yield server


async def process_of(database: Database, name: str) -> str:
    """Wait until the server has noted where somebody sits; return the process. They are connected once."""
    while True:
        found = await database.read(processes.sessions_now, SystemClock().now())
        mine = {session.process_id for session in found if session.name == name}
        if len(mine) == 1:
            return mine.pop()
        await asyncio.sleep(0.1)


async def gone(database: Database, name: str) -> None:
    while any(one.name == name for one in await database.read(processes.sessions_now, SystemClock().now())):
        await asyncio.sleep(0.1)


@asynccontextmanager
async def apart(server: Server, database: Database, key: Path, name: str, taken: set[str]) -> AsyncIterator[BotClient]:
    """Connect until the kernel gives a process that nobody sits in yet."""
    for _ in range(TRIES):
        async with asyncio.timeout(120) as patience, server.bot(key) as bot:
            where = await process_of(database, name)
            if where not in taken:
                taken.add(where)
                patience.reschedule(None)
                yield bot
                return
        await gone(database, name)
    raise AssertionError(f"no free process for {name} in {TRIES} tries")


async def test_one_match_is_played_watched_and_talked_about_in_four_processes(server: Server, tmp_path: Path) -> None:
    assert server.process is not None
    assert len(children(server.process.pid)) == WORKERS
    database = await open_database(server.env["PATCHBAY_DATABASE_URL"])
    keys = {name: new_key(tmp_path, name) for name in ("ada", "bob", "cleo")}
    for name, key in keys.items():
        await server.register(name, key)
    taken: set[str] = set()
    async with AsyncExitStack() as stack:
        ada, bob, _cleo = [
            await stack.enter_async_context(apart(server, database, key, name, taken)) for name, key in keys.items()
        ]
        assert len(taken) == 3
        for bot in (ada, bob):
            assert (await bot.ask(do="seek", game="rainet", speed="slow"))["type"] == "ok"
        starts = [await bot.until("start") for bot in (ada, bob)]
        match = starts[0]["match"]
        watchers = [await watching(server, match) for _ in range(2)]
        for bot in (ada, bob):
            turn = await bot.until("turn")
            assert (await bot.ask(do="act", match=match, seq=turn["seq"], action="setup LLLLVVVV"))["type"] == "ok"
        for number, (said, heard) in enumerate(((ada, bob), (bob, ada))):
            assert (await said.ask(do="say", match=match, text=f"line {number}"))["type"] == "ok"
            assert (await heard.until("say"))["text"] == f"line {number}"
        assert (await bob.ask(do="resign", match=match))["type"] == "ok"
        end = await ada.until("end")
        assert end["result"]["placements"][0] == [starts[0]["seat"]]
        streams = [await asyncio.wait_for(watcher.communicate(), 60) for watcher in watchers]
    told = [[json.loads(line) for line in out.splitlines()] for out, _ in streams]
    assert all(one == told[0] for one in told)
    assert [one["type"] for one in told[0]][-1] == "end"
    assert told[0][-1]["seq"] == end["seq"] == 3
    await database.close()


async def watching(server: Server, match: str) -> asyncio.subprocess.Process:
    """Look on as a guest, in whatever process."""
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(*server.command("watch", match, "--json"), stdout=pipe, stderr=pipe)
