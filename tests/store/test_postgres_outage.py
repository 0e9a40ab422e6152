"""PostgreSQL stopped at once and started again under play: nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
import random

import pytest

from server.bus.postgres import PostgresBus
from server.clock import SystemClock
from server.store import matches as stored
from server.store.choose import open_database
from server.store.database import Database
from server.store.errors import NotSaved, SeqTaken, StoreUnavailable
from server.store.logwriter import LogWriter
from server.store.migrate import upgrade
from tests import seeds
from tests.clusters import cluster
from tests.store.builders import append, match
from tests.waiting import PATIENCE_S


class Player:
    """Plays in one match for ever, and keeps what was acknowledged."""

    def __init__(self, writer: LogWriter, match_id: str, name: str) -> None:
        self.writer, self.match_id, self.name = writer, match_id, name
        self.acknowledged: list[tuple[int, str]] = []
        self.refused = 0

    async def play(self) -> None:
        seq = number = 0
        while True:
            action = f"{self.name} {number}"
            try:
                await self.writer.append(append(self.match_id, seq + 1, action=action))
                self.acknowledged.append((seq + 1, action))
                seq, number = seq + 1, number + 1
            except SeqTaken as late:
                seq = late.last_seq
                number += 1  # an earlier try may be what is stored: never send the same twice
            except NotSaved:
                self.refused += 1
                number += 1
                await asyncio.sleep(0.02)


async def play_through(outages: int, seed: int) -> None:
    rng = random.Random(seed)
    with cluster() as postgres:
        await upgrade(postgres.url)
        database = await open_database(postgres.url)
        bus = PostgresBus(postgres.url, bytes(32), SystemClock())
        await bus.start()
        for i in range(4):
            await database.write(stored.create, match(f"m{i}"))
        writers = [LogWriter(database) for _ in range(2)]
        for writer in writers:
            writer.start()
        players = [Player(writers[i % 2], f"m{i // 2}", f"p{i}") for i in range(8)]
        tasks = [asyncio.create_task(player.play()) for player in players]
        for _ in range(outages):
            await progress(players, rng.randrange(20, 60))
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(StoreUnavailable):
                await database.read(stored.get, "m0")
            await asyncio.to_thread(postgres.start)
        await progress(players, 20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            await writer.close()
        await check(database, players)
        async with asyncio.timeout(PATIENCE_S):
            while not bus.is_connected:
                await asyncio.sleep(0.05)
        await bus.close()
        await database.close()


async def progress(players: list[Player], more: int) -> None:
    """Wait until so many more actions are acknowledged."""
    wanted = sum(len(player.acknowledged) for player in players) + more
    async with asyncio.timeout(PATIENCE_S):
        while sum(len(player.acknowledged) for player in players) < wanted:
            await asyncio.sleep(0.01)


async def check(database: Database, players: list[Player]) -> None:
    for match_id in {player.match_id for player in players}:
        log = [(entry.seq, entry.action) for entry in await database.read(stored.log, match_id)]
        assert [seq for seq, _ in log] == list(range(1, len(log) + 1))
        assert len({action for _, action in log}) == len(log)
        for player in players:
            if player.match_id == match_id:
                assert set(player.acknowledged) <= set(log)


@pytest.mark.services
async def test_nothing_is_lost_when_the_database_stops() -> None:
    seed = seeds.drawn()
    await play_through(2, seed)


@pytest.mark.services
@pytest.mark.soak
async def test_nothing_is_lost_when_the_database_stops_twenty_times() -> None:
    seed = seeds.drawn()
    await play_through(20, seed)
