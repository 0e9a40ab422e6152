"""The server under load: the real server in a process of its own, on one processor, under its ordinary limits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from server.store import matches
from server.store.choose import open_database
from tests.bench.cpu import cpu_s, named_with_ends, open_files, rss_kb
from tests.bench.harness import Process, patchbay

LINE = re.compile(r"^(patchbay_\w+)(?:\{[^}]*\})? (\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Counts:
    """What a server holds at one moment; all of it goes back to where it was when people have left.

    `named`: its open files by name.
    """

    sessions: int
    tasks: int
    files: int
    screens: int
    canvases: int
    rss_kb: int
    named: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def beyond(self, before: Counts) -> dict[str, int]:
        """Return what is more than before, memory left out."""
        names = ("sessions", "tasks", "files", "screens", "canvases")
        more = {name: getattr(self, name) - getattr(before, name) for name in names}
        return {name: n for name, n in more.items() if n > 0}

    def files_beyond(self, before: Counts) -> list[str]:
        """Return the names of the open files that were not open before."""
        return sorted((Counter(self.named) - Counter(before.named)).elements())


@dataclass(slots=True)
class LoadedServer:
    """A running server and its data directory."""

    process: Process
    data_dir: Path

    @property
    def port(self) -> int:
        return self.process.port

    @property
    def pid(self) -> int:
        return self.process.pid

    def cpu_s(self) -> float:
        """Return the seconds of CPU the server has used (not its children, which think for bots)."""
        return cpu_s(self.pid)

    def rss_mb(self) -> float:
        """Return the server's resident memory in MB."""
        return rss_kb(self.pid) / 1024

    async def metrics(self) -> dict[str, float]:
        """Return what the server counts, values with labels added up."""
        [line] = [line for line in self.process.said if line.startswith("metrics: ")]
        url = line.removeprefix("metrics: ")

        def fetch() -> str:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return str(answer.read().decode())

        found: dict[str, float] = {}
        for name, value in LINE.findall(await asyncio.to_thread(fetch)):
            found[name] = found.get(name, 0.0) + float(value)
        return found

    async def counts(self) -> Counts:
        """Return what the server holds now."""
        found = await self.metrics()
        sessions, tasks, screens, canvases = (
            int(found[f"patchbay_{name}"]) for name in ("sessions", "tasks", "screens", "canvases")
        )
        files = open_files(self.pid)
        named = tuple(named_with_ends(self.pid, files))
        return Counts(sessions, tasks, len(files), screens, canvases, rss_kb(self.pid), named)

    async def cut_off(self) -> int:
        """Return how many clients the server has cut off itself."""
        return int((await self.metrics()).get("patchbay_disconnects_forced_total", 0))

    async def actions_of(self, match_ids: list[str]) -> dict[str, int]:
        """Return how many actions the stored log of each match holds."""
        database = await open_database(f"sqlite:///{self.data_dir / 'patchbay.db'}")
        try:
            return {
                match_id: sum(entry.kind == "action" for entry in await database.read(matches.log, match_id))
                for match_id in match_ids
            }
        finally:
            await database.close()


@contextlib.asynccontextmanager
async def serving(data_dir: Path) -> AsyncIterator[LoadedServer]:
    """Serve a data directory on one processor; the clients get the others."""
    settings = {"PATCHBAY_METRICS_PORT": "0", "PATCHBAY_LOG_LEVEL": "warning"}
    async with patchbay(data_dir, limits={}, core=server_core(), **settings) as process:
        yield LoadedServer(process, data_dir)


CORES = frozenset(os.sched_getaffinity(0))


def server_core() -> int:
    """Return the processor that servers get."""
    return min(CORES)


def take_other_cores() -> None:
    """Keep this process, which is all the clients, off the servers' processor; where there is one only, share it."""
    os.sched_setaffinity(0, CORES - {server_core()} or CORES)
