"""The same on bare asyncssh, in the same run, on the same processor: what no server of ours can be cheaper than."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.bench.cpu import cpu_s
from tests.bench.harness import Process, bare
from tests.bench.report import Figure
from tests.load.client import RIGHT, SIZE, TERM, Client, Screen, all_of, connect, few_at_once
from tests.load.loaded import server_core
from tests.load.measure import spread, using
from tests.load.people import Somebody, guests

ROUNDS = 20


async def keys(sessions: int, keys_per_s: float, seconds: float) -> AsyncIterator[Figure]:
    """Type as many keys a second over as many sessions that echo."""
    async with bare(server_core()) as server:
        clients = await few_at_once([echo(server.port, who) for who in guests(sessions)])
        times: list[float] = []
        async with using(server.pid) as usage:
            await asyncio.gather(*(typing(c.screen, sessions / max(keys_per_s, 0.1), seconds, times) for c in clients))
        await all_of(clients)
    for figure in spread("  bare asyncssh: key to echo", times):
        yield figure
    yield Figure("  bare asyncssh: CPU of one core, as many keys a second", usage.share, " %")
    yield Figure("  bare asyncssh: RSS, as many sessions", usage.most_rss_mb, " MB")


async def typing(screen: Screen, every_s: float, seconds: float, times: list[float]) -> None:
    """Press a key every so often, out of step with the others."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    await asyncio.sleep(hash(id(screen)) % 997 / 997 * min(every_s, seconds))
    while loop.time() < until:
        times.append(await screen.answer(RIGHT, RIGHT))
        await asyncio.sleep(max(0.0, min(every_s, until - loop.time())))


async def echo(port: int, who: Somebody) -> Client:
    """Open a session that echoes; it says nothing by itself."""
    connection = await connect(port, who)
    _, screen = await connection.create_session(
        Screen, term_type=TERM, term_size=SIZE, encoding=None, request_pty="force"
    )
    assert isinstance(screen, Screen)
    return Client(who, connection, screen)


async def writes(sessions: int, size: int) -> float:
    """Return the CPU seconds of writing so many bytes to every session once."""
    async with bare(server_core()) as server:
        clients = await few_at_once([echo(server.port, who) for who in guests(sessions)])
        before = cpu_s(server.pid)
        await told(server, f"fan {ROUNDS} {size}")
        spent = (cpu_s(server.pid) - before) / ROUNDS
        await all_of(clients)
    return spent


async def told(server: Process, order: str) -> None:
    """Have the bare server do something."""
    child = server.child
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(f"{order}\n".encode())
    await child.stdout.readline()


@contextlib.asynccontextmanager
async def listening() -> AsyncIterator[Process]:
    """Run the bare server for a while."""
    async with bare(server_core()) as server:
        yield server
