"""Durable actions: group commit beside one commit each, on the embedded database with full synchronisation."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from server.store import matches
from server.store.choose import open_database
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.store.migrate import upgrade
from tests.bench.report import Figure
from tests.store.builders import append, match

IN_FLIGHT = 50
ACTIONS_EACH = 60


def figures() -> Iterator[Figure]:
    """Measure both on one disk in one run, CPU and wall."""
    (alone_wall, alone_cpu), (grouped_wall, grouped_cpu) = asyncio.run(both())
    yield Figure(
        "durable actions/s, 50 in flight / one commit each",
        alone_wall / grouped_wall,
        "",
        20,
        True,
        f"{1 / grouped_wall:,.0f}/s against {1 / alone_wall:,.0f}/s",
    )
    yield Figure(
        "the same in CPU time",
        alone_cpu / grouped_cpu,
        how=f"{1 / grouped_cpu:,.0f}/s against {1 / alone_cpu:,.0f}/s of CPU",
    )


async def both() -> tuple[tuple[float, float], tuple[float, float]]:
    """Return (wall, CPU) seconds an action takes: each in a commit of its own, then in groups."""
    with tempfile.TemporaryDirectory(prefix="patchbay-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        await upgrade(url)
        database = await open_database(url)
        try:
            alone = await timed(database, "a", max_batch=1, each=ACTIONS_EACH // 6)
            return alone, await timed(database, "b", max_batch=256, each=ACTIONS_EACH)
        finally:
            await database.close()


async def timed(database: Database, prefix: str, max_batch: int, each: int) -> tuple[float, float]:
    """Let IN_FLIGHT matches play `each` actions; return (wall, CPU) seconds an action took."""
    names = [f"{prefix}{i}" for i in range(IN_FLIGHT)]
    for name in names:
        await database.write(matches.create, match(name))
    writer = LogWriter(database, max_batch=max_batch)
    writer.start()

    async def play(name: str) -> None:
        for seq in range(1, each + 1):
            await writer.append(append(name, seq))

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(play, names))
    total = IN_FLIGHT * each
    took = (time.perf_counter() - wall) / total, (time.process_time() - cpu) / total
    await writer.close()
    return took
