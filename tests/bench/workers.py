"""What an action costs with several processes: the server's CPU in all of them, on real PostgreSQL and Redis.

Pairs of programs play RaiNet, each player on whatever process the kernel gives; runs with one and with two workers take
turns.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from server.store.choose import open_database
from server.store.migrate import upgrade
from tests.bench.cpu import children, cpu_s
from tests.bench.filled import register
from tests.bench.harness import GENEROUS, Process, Program, connect, patchbay, quantile
from tests.bench.report import Figure
from tests.deploy.match import any_of
from tests.durability.redis_server import redis_server
from tests.services import drop_postgres, make_postgres

PAIRS = int(os.environ.get("BENCH_PAIRS", "16"))
ACTIONS = int(os.environ.get("BENCH_ACTIONS", "1500"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
THINKS_S = 0.08
WARM = 200  # actions before the measurement


def figures() -> Iterator[Figure]:
    """Measure rounds of one and two workers in turn."""
    costs = asyncio.run(collect())
    one, two = (quantile(costs[workers], 0.5) for workers in (1, 2))
    each = {workers: ", ".join(f"{cost * 1e3:.2f}" for cost in found) for workers, found in costs.items()}
    how = f"{two * 1e3:.2f} ms ({each[2]}) / {one * 1e3:.2f} ms ({each[1]}) in {ACTIONS} actions"
    yield Figure("CPU per action, 2 workers / 1 worker", two / one, "", 1.3, how=how)


async def collect() -> dict[int, list[float]]:
    """Return the seconds of CPU an action cost, by the number of workers."""
    costs: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for workers, found in costs.items():
            found.append(await measure(workers))
    return costs


async def measure(workers: int) -> float:
    """Play on a fresh server; return the seconds of CPU an action cost."""
    url = await make_postgres()
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2 * PAIRS)]
    try:
        await upgrade(url)
        database = await open_database(url)
        await register(database, [key.export_public_key().decode() for key in keys])
        await database.close()
        with tempfile.TemporaryDirectory(prefix="patchbay-bench-") as data, redis_server() as redis:
            limits = {**GENEROUS, "PATCHBAY_LIMIT_ACTIONS_PER_MIN": "100000"}
            settings = {
                "PATCHBAY_DATABASE_URL": url,
                "PATCHBAY_BUS_URL": redis.url,
                "PATCHBAY_WORKERS": str(workers),
            }
            async with patchbay(Path(data), limits, None, **settings) as server:
                return await played(server, keys)
    finally:
        await drop_postgres(url)


@dataclass
class Count:
    """Actions that all pairs have done."""

    actions: int = 0

    async def reach(self, actions: int) -> None:
        while self.actions < actions:
            await asyncio.sleep(0.02)


async def played(server: Process, keys: list[asyncssh.SSHKey]) -> float:
    """Let the pairs play; return the CPU an action cost once everything was warm."""
    count = Count()
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(talking(server.port, key, i)) for i, key in enumerate(keys)]
        pairs = [
            asyncio.create_task(play_for_ever(programs[i], programs[i + 1], count, random.Random(i)))
            for i in range(0, len(keys), 2)
        ]
        gone = asyncio.gather(*pairs)
        measured = asyncio.create_task(between(server, count))
        await asyncio.wait((gone, measured), return_when=asyncio.FIRST_COMPLETED)
        if gone.done():
            measured.cancel()
            await gone  # it never ends by itself: this raises what went wrong
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        return measured.result()


async def between(server: Process, count: Count) -> float:
    await count.reach(WARM)
    began, first = whole_cpu_s(server.pid), count.actions
    await count.reach(first + ACTIONS)
    return (whole_cpu_s(server.pid) - began) / (count.actions - first)


def whole_cpu_s(pid: int) -> float:
    """Return the CPU of a process and its children: the parent of the workers and the workers."""
    return cpu_s(pid) + sum(cpu_s(child) for child in children(pid))


@asynccontextmanager
async def talking(port: int, key: asyncssh.SSHKey, i: int) -> AsyncIterator[Program]:
    async with await connect(port, key, i) as connection:
        yield await Program.over(connection)


async def play_for_ever(a: Program, b: Program, count: Count, rng: random.Random) -> None:
    """Play one match after the other."""
    while True:
        a.send(do="create", game="rainet", players=2, private=True, speed="slow")
        code = (await a.until("room"))["code"]
        b.send(do="join", code=code)
        await asyncio.gather(play(a, count, rng), play(b, count, rng))


async def play(program: Program, count: Count, rng: random.Random) -> None:
    """Answer every turn of a match to its end."""
    while (heard := await program.until("turn", "end"))["type"] == "turn":
        await asyncio.sleep(THINKS_S * rng.random() * 2)
        action = any_of(heard["pending"]["choice"], rng)
        program.send(do="act", match=heard["match"], seq=heard["seq"], action=action)
        count.actions += 1
