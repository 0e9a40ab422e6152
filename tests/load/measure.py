"""What is measured while a scenario goes on: CPU and memory of a server process, and how latencies are spread."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from tests.bench.cpu import cpu_s, rss_kb
from tests.bench.harness import quantile
from tests.bench.report import Figure

SAMPLE_S = 2.0


@dataclass(slots=True)
class Usage:
    """What a process used while something went on."""

    seconds: float = 0.0
    cpu_s: float = 0.0
    own_cpu_s: float = 0.0  # of this process: the clients
    most_rss_mb: float = 0.0

    @property
    def share(self) -> float:
        """Return the CPU in percent of one core."""
        return self.cpu_s / self.seconds * 100

    @property
    def own_share(self) -> float:
        """Return the clients' CPU in percent of one core."""
        return self.own_cpu_s / self.seconds * 100


@contextlib.asynccontextmanager
async def using(pid: int) -> AsyncIterator[Usage]:
    """Measure a process until the block ends; its memory is looked at every few seconds."""
    loop, usage = asyncio.get_running_loop(), Usage()

    async def look() -> None:
        while True:
            usage.most_rss_mb = max(usage.most_rss_mb, rss_kb(pid) / 1024)
            await asyncio.sleep(SAMPLE_S)

    looking = asyncio.create_task(look())
    began, before, own = loop.time(), cpu_s(pid), time.process_time()
    try:
        yield usage
    finally:
        usage.seconds, usage.cpu_s = loop.time() - began, cpu_s(pid) - before
        usage.own_cpu_s = time.process_time() - own
        looking.cancel()
        usage.most_rss_mb = max(usage.most_rss_mb, rss_kb(pid) / 1024)


def spread(what: str, times: list[float], p50_ms: float | None = None, p99_ms: float | None = None) -> list[Figure]:
    """Return p50, p95 and p99 in milliseconds, beside their goals."""
    if not times:
        return []
    goals = {0.5: p50_ms, 0.95: None, 0.99: p99_ms}
    how = f"{len(times)} times"
    return [
        Figure(f"{what}, p{round(q * 100)}", quantile(times, q) * 1e3, " ms", goal, how=how)
        for q, goal in goals.items()
    ]
