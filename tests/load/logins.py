"""Logins: many a second, and people who come and go all the time without leaving anything behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from typing import Any

import asyncssh

from tests.bench.report import Figure
from tests.load import yardstick
from tests.load.client import DOWN, UP, Client, all_of
from tests.load.loaded import Counts, LoadedServer
from tests.load.measure import spread, using
from tests.load.people import Somebody, guests
from tests.load.table import Times

WARM_UP = 60  # people who come and go before the counting begins: caches fill
AT_ONCE = 8
SETTLE_S = 60.0
LONGEST_MS = 1000.0  # from connecting to the first screen, in a rush
RSS_MORE_MB = 16.0
Coming = Callable[[Somebody], Coroutine[Any, Any, Client]]


async def rush(server: LoadedServer, people: list[Somebody], per_s: float, seconds: float) -> AsyncIterator[Figure]:
    """Let so many people a second log in, all of whom stay to the end; then as many on bare asyncssh."""

    async def come(who: Somebody) -> Client:
        return await Client.come(server.port, who)

    wanted = int(per_s * seconds)
    async with using(server.pid) as usage:
        clients, times, refused = await arrive(come, people[:wanted], per_s)
    gone = sum(client.screen.closed for client in clients)
    await all_of(clients)
    async with yardstick.listening() as bare_server:

        async def come_bare(who: Somebody) -> Client:
            return await yardstick.echo(bare_server.port, who)

        async with using(server.pid) as bare:
            clients, bare_times, _ = await arrive(come_bare, guests(wanted), per_s)
        await all_of(clients)
    name = f"{per_s:g} logins a second"
    yield Figure(
        f"{name} for {seconds:g} s: refused or dropped", len(refused) + gone, "", 0, how="; ".join(refused[:3])
    )
    for figure in spread(f"{name}: from connecting to the first screen", times, None, LONGEST_MS):
        yield figure
    each, floor = usage.cpu_s / wanted * 1e3, bare.cpu_s / wanted * 1e3
    yield Figure(f"{name}: CPU of one core", usage.share, " %", how=f"the clients' {usage.own_share:.0f} %")
    yield Figure("a login's CPU", each, " ms", 6, how=f"{each - floor:.1f} ms more than bare asyncssh")
    for figure in spread("  bare asyncssh: from connecting to an open session", bare_times):
        yield figure
    yield Figure("  bare asyncssh: CPU of one core", bare.share, " %", how=f"{floor:.1f} ms a login")


async def arrive(come: Coming, people: list[Somebody], per_s: float) -> tuple[list[Client], list[float], list[str]]:
    """Let people come at a steady rate, whatever became of the earlier ones; return who is in, how long, why not."""
    loop = asyncio.get_running_loop()
    clients: list[Client] = []
    times: list[float] = []
    refused: list[str] = []

    async def one(who: Somebody, at: float) -> None:
        await asyncio.sleep(at - loop.time())
        began = loop.time()
        try:
            clients.append(await come(who))
            times.append(loop.time() - began)
        except (OSError, TimeoutError, asyncssh.Error) as error:
            refused.append(f"{type(error).__name__} {error}")

    began = loop.time()
    await asyncio.gather(*(one(who, began + i / per_s) for i, who in enumerate(people)))
    return clients, times, refused


async def comings_and_goings(
    server: LoadedServer, people: list[Somebody], minutes: float, seed: int, warm_up: int = WARM_UP
) -> AsyncIterator[Figure]:
    """Let people come and leave in every way for some minutes; then compare what the server holds with before."""
    rng, times = Random(seed), Times()
    loop = asyncio.get_running_loop()
    await visits(server, people, rng, times, most=warm_up)
    before = await settled(server, None)
    async with using(server.pid) as usage:
        made = await visits(server, people, rng, times, until=loop.time() + minutes * 60)
    after = await settled(server, before)
    left = after.beyond(before)
    yield Figure(f"{made} visits: refused or dropped", len(times.lost), "", 0, how="; ".join(times.lost[:3]))
    how = ", ".join(f"{name} +{n}" for name, n in left.items()) or str(after)
    if "files" in left:
        how += f": {', '.join(after.files_beyond(before))}"
    yield Figure("left behind: sessions, tasks, files, screens, canvases", sum(left.values()), "", 0, how=how)
    more_mb = (after.rss_kb - before.rss_kb) / 1024
    yield Figure("RSS more than before", more_mb, " MB", RSS_MORE_MB, how=f"{before.rss_kb / 1024:.0f} MB before")
    yield Figure("CPU of one core meanwhile", usage.share, " %", how=f"{made / usage.seconds:.1f} visits a second")


async def visits(
    server: LoadedServer,
    people: list[Somebody],
    rng: Random,
    times: Times,
    most: int = 1_000_000_000,
    until: float = 1e300,
) -> int:
    """Let some at a time come, look around and leave, until a moment or a number; return how many have."""
    loop = asyncio.get_running_loop()
    everybody = [*people, *guests(len(people))]
    made = 0

    async def one_after_another() -> None:
        nonlocal made
        while loop.time() < until and made < most:
            who = everybody[made % len(everybody)]
            made += 1
            try:
                await visit(server, who, rng)
            except (OSError, TimeoutError, asyncssh.Error) as error:
                times.lost.append(f"{who.name} from {who.address}: {type(error).__name__} {error}")

    await asyncio.gather(*(one_after_another() for _ in range(AT_ONCE)))
    return made


async def visit(server: LoadedServer, who: Somebody, rng: Random) -> None:
    """Come, look around and leave: by a key (which the first screen of a guest has not), or by hanging up."""
    client = await Client.come(server.port, who)
    try:
        await look_around(client, rng)
    finally:
        await client.leave()


async def look_around(client: Client, rng: Random) -> None:
    """Press a few keys; perhaps quit, perhaps pull the plug."""
    quits = client.who.key is not None and rng.random() < 1 / 3
    for key in rng.choices((DOWN, UP) if quits else (DOWN, UP, b"?", b"\r"), k=3):
        client.screen.press(key)
        await asyncio.sleep(0.05)
    if quits:
        client.screen.press(b"q")
        await client.screen.end()
    elif rng.random() < 0.5:
        client.connection.abort()


async def settled(server: LoadedServer, before: Counts | None) -> Counts:
    """Wait until nobody is there and nothing is left (or a minute has passed); return what the server holds then."""
    loop = asyncio.get_running_loop()
    until = loop.time() + SETTLE_S
    last = await server.counts()
    while loop.time() < until:
        await asyncio.sleep(1)
        now = await server.counts()
        is_quiet = now.sessions == 0 and now == last
        if is_quiet and (before is None or not now.beyond(before)):
            return now
        last = now
    return last
