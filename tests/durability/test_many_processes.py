"""Several server processes under real clients: workers killed, PostgreSQL and Redis stopped and started again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.clusters import Cluster, cluster
from tests.durability.proxy import CALM, Weather
from tests.durability.redis_server import RedisServer, redis_server
from tests.durability.trouble import GENEROUS, Crowd, Report, Trouble, through
from tests.ssh.server import Server
from tests.ssh.test_lifecycle import children

pytestmark = pytest.mark.services
OUTAGES_SOAKED = 20
WORKERS = 3
Say = Callable[[str], None]


@contextmanager
def playing_crowd(folder: Path, postgres: Cluster, bus_url: str) -> Iterator[Crowd]:
    """Run several processes on a database; they must stop cleanly."""
    seed = random.randrange(10**6)
    print("seed", seed)
    env = {"PATCHBAY_DATABASE_URL": postgres.url, "PATCHBAY_BUS_URL": bus_url, "PATCHBAY_WORKERS": str(WORKERS)}
    server = Server(folder / "var", {**GENEROUS, **env})
    server.start()
    try:
        yield Crowd(server, postgres.url, Random(seed))
    finally:
        code = server.stop()
    assert code == 0, server.errors()


async def verify(crowd: Crowd) -> None:
    """Play every stored match again, and make the ratings again: both must come to what is stored."""
    status, _, why = await crowd.server.beside("verify")
    assert status == 0, why


def stopped(service: Cluster | RedisServer, rng: Random) -> Trouble:
    """Return an outage of a service: it is stopped at once, and started again a little later."""

    async def outage() -> None:
        await asyncio.to_thread(service.stop)
        await asyncio.sleep(rng.uniform(0, 1.5))
        await asyncio.to_thread(service.start)

    return outage


def without(redis: RedisServer, crowd: Crowd) -> Trouble:
    """Return an outage in which the play goes on."""

    async def outage() -> None:
        await asyncio.to_thread(redis.stop)
        await crowd.progress(12)
        await asyncio.to_thread(redis.start)

    return outage


def killed(crowd: Crowd) -> Trouble:
    """Return the death of one worker."""

    async def kill() -> None:
        assert crowd.server.process is not None
        workers = children(crowd.server.process.pid)
        os.kill(crowd.rng.choice(workers), signal.SIGKILL)

    return kill


async def outages(folder: Path, count: int, bus: str, say: Say) -> Report:
    """Stop PostgreSQL `count` times under play. Sessions stay: everybody logs in once."""
    with cluster() as postgres, redis_server() as redis:
        bus_url = redis.url if bus == "redis" else postgres.url.replace("+asyncpg", "")
        with playing_crowd(folder, postgres, bus_url) as crowd:
            await crowd.enlist(players=4, spectators=0, pause_s=0.05)
            report = await through(crowd, CALM, [stopped(postgres, crowd.rng)] * count)
        await verify(crowd)
    say(f"{count} outages of PostgreSQL, hints by {bus}: {report}")
    assert report.wrong == []
    assert report.visits == [1] * 4, "the sessions stay"
    return report


async def test_nothing_is_lost_and_nobody_disconnected_when_postgresql_stops(tmp_path: Path, say: Say) -> None:
    await outages(tmp_path, 1, "postgres", say)


@pytest.mark.soak
@pytest.mark.parametrize("bus", ["redis", "postgres"])
async def test_nothing_is_lost_and_nobody_disconnected_when_postgresql_stops_twenty_times(
    tmp_path: Path, bus: str, say: Say
) -> None:
    await outages(tmp_path, OUTAGES_SOAKED, bus, say)


async def all_troubles(folder: Path, rounds: int, say: Say) -> None:
    """Kill workers, stop PostgreSQL and Redis, in a bad network."""
    with cluster() as postgres, redis_server() as redis:
        with playing_crowd(folder, postgres, redis.url) as crowd:
            await crowd.enlist(players=6, spectators=2, pause_s=0.05)
            troubles = [killed(crowd), without(redis, crowd), stopped(postgres, crowd.rng)] * rounds
            report = await through(crowd, Weather(), troubles)
        await verify(crowd)
    say(f"{rounds} rounds of three troubles (a worker, Redis, PostgreSQL): {report}")
    assert report.wrong == []


async def test_a_history_of_many_processes_under_every_trouble_is_true(tmp_path: Path, say: Say) -> None:
    await all_troubles(tmp_path, 1, say)


@pytest.mark.soak
async def test_a_long_history_of_many_processes_under_every_trouble_is_true(tmp_path: Path, say: Say) -> None:
    await all_troubles(tmp_path, 30, say)
