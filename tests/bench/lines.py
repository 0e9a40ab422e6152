"""Lines on the real server: CPU of one command, and memory of one session; CPU is the server process's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import asyncssh

from tests.bench.cpu import cpu_s, rss_kb
from tests.bench.harness import Players, one_by_one, patchbay, quantile
from tests.bench.report import Figure

SESSIONS = 50
ROUNDS = 20
COMMANDS = ("again", "help", "people", "again", "back", "me", "back", "ladders", "back", "clock")
BETWEEN_S = 0.05  # two commands: more at once would wait for the session's share of the core
PROMPT = "> "


def figures() -> Iterator[Figure]:
    """Measure everything, each figure as soon as it is known."""
    return one_by_one(collect)


async def collect() -> AsyncIterator[Figure]:
    """Open sessions, then have one of them type."""
    async with patchbay() as server:
        players = Players(server.port, SESSIONS)
        await players.register()
        connections = [await players.connection(i) for i in range(SESSIONS)]
        await asyncio.sleep(1)
        base = rss_kb(server.pid)
        said = [await connection.create_process("lines") for connection in connections]
        for process in said:
            await heard(process)
        await asyncio.sleep(1)
        yield Figure(
            "RSS per session in lines, beside its connection", (rss_kb(server.pid) - base) / SESSIONS, " kB", 40
        )
        costs = []
        for _ in range(ROUNDS):
            for command in COMMANDS:
                began = cpu_s(server.pid)
                said[0].stdin.write(command + "\n")
                await heard(said[0])
                costs.append(cpu_s(server.pid) - began)
                await asyncio.sleep(BETWEEN_S)
        for q in (0.5, 0.9):
            goal = 5 if q == 0.5 else None
            yield Figure(f"a command's CPU, p{q * 100:.0f}", quantile(costs, q) * 1e3, " ms", goal)
        for connection in connections:
            connection.close()


async def heard(process: asyncssh.SSHClientProcess[str]) -> str:
    """Read up to a prompt."""
    said = ""
    while not said.endswith(PROMPT):
        said += await process.stdout.read(65536)
    return said
