"""A server killed in the middle of things and started again: how soon it lets people in, and serves every match.

The database holds BENCH_STORED finished matches and BENCH_RUNNING running ones. The players of the running ones come
back over the bot protocol, each to all of theirs at once; a match is served when every seat was told its position.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from server.store.choose import open_database
from server.store.migrate import upgrade
from tests.bench.cpu import cpu_s
from tests.bench.filled import fill, register
from tests.bench.harness import Program, connect, patchbay, quantile
from tests.bench.report import Figure

STORED = int(os.environ.get("BENCH_STORED", "10000"))
RUNNING = int(os.environ.get("BENCH_RUNNING", "500"))
PEOPLE = 40
RESTARTS = int(os.environ.get("BENCH_RESTARTS", "3"))


@dataclass(frozen=True, slots=True)
class Restart:
    """What one restart took, in seconds."""

    ready: float
    login: float
    served: float  # after the first login
    cpu_ready: float
    cpu_served: float


def figures() -> Iterator[Figure]:
    """Measure a few restarts; the figures are the slowest one's."""
    restarts = asyncio.run(collect())
    logins, served = [one.login for one in restarts], [one.served for one in restarts]
    cpu = f"CPU {restarts[0].cpu_ready:.2f} s to ready, {restarts[0].cpu_served:.2f} s more to serve"
    how = f"{', '.join(f'{one:.2f}' for one in logins)} s; ready {quantile([one.ready for one in restarts], 0.5):.2f} s"
    yield Figure(f"restart to first login, {STORED:,} stored matches", max(logins), " s", 5, how=how)
    how = f"{', '.join(f'{one:.2f}' for one in served)} s; {cpu}"
    yield Figure(f"then all {RUNNING} running matches served", max(served), " s", 5, how=how)


async def collect() -> list[Restart]:
    """Fill a database, and kill and start a server on it a few times."""
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(PEOPLE)]
    with tempfile.TemporaryDirectory(prefix="patchbay-bench-") as place:
        data = Path(place)
        url = f"sqlite:///{data / 'patchbay.db'}"
        await upgrade(url)
        database = await open_database(url)
        await fill(database, await register(database, [k.export_public_key().decode() for k in keys]), STORED, RUNNING)
        await database.close()
        return [await restart(data, keys) for _ in range(RESTARTS)]


async def restart(data: Path, keys: list[asyncssh.SSHKey]) -> Restart:
    """Start a server, kill it as a power failure would, and measure the next start."""
    async with patchbay(data) as victim:
        victim.child.kill()
        await victim.child.wait()
    began = time.perf_counter()
    async with patchbay(data) as server:
        ready = time.perf_counter() - began
        async with await connect(server.port, keys[0], 0) as connection:
            done = await connection.run("whoami", check=True)
            assert "player000x" in str(done.stdout)
        login, cpu_ready = time.perf_counter() - began, cpu_s(server.pid)
        seats = await asyncio.gather(*(come_back(server.port, key, i) for i, key in enumerate(keys)))
        assert len(set().union(*seats)) == RUNNING
        served = time.perf_counter() - began - login
        spent = cpu_s(server.pid) - cpu_ready
    return Restart(ready, login, served, cpu_ready, spent)


async def come_back(port: int, key: asyncssh.SSHKey, i: int) -> set[str]:
    """Connect as a player; come back when every running match of theirs was shown. Returns the matches."""
    async with await connect(port, key, i) as connection:
        program, hello = await Program.greeted(connection)
        missing = set(hello["running"])
        while missing:
            missing.discard((await program.until("start"))["match"])
    return set(hello["running"])
