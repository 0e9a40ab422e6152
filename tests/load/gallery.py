"""One match that many watch: two people play, a move a second in all, and must not notice the crowd."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

from tests.bench.report import Figure
from tests.load import yardstick
from tests.load.client import Client, all_of, few_at_once
from tests.load.loaded import LoadedServer
from tests.load.measure import spread, using
from tests.load.people import Somebody, guests
from tests.load.table import Table, Times

EACH_SIDE_EVERY_S = 2.0


async def watched_match(
    server: LoadedServer, people: list[Somebody], watchers: int, seconds: float, seed: int
) -> AsyncIterator[Figure]:
    """Let guests watch a match for some seconds."""
    times = Times()
    table = await Table.sit_down(server.port, (people[0], people[1]), Random(seed))
    table.between_keys_s = 0.05
    crowd = await few_at_once([Client.come(server.port, who, f"watch {table.match}") for who in guests(watchers)])
    await asyncio.sleep(2)
    before = sum(client.screen.received for client in crowd)
    async with using(server.pid) as usage:
        await table.play(EACH_SIDE_EVERY_S, asyncio.get_running_loop().time() + seconds, times)
    moves = max(1, len(times.move))
    each = (sum(client.screen.received for client in crowd) - before) // max(1, watchers) // moves
    gone = sum(client.screen.closed for client in (*crowd, *table.clients))
    await all_of([*crowd, *table.clients])
    name = f"{watchers} watchers"
    yield Figure(f"{name}: dropped or refused", gone + len(times.lost), "", 0, how="; ".join(times.lost))
    for figure in spread(f"{name}: the players' cursor keys", times.cursor, None, 100):
        yield figure
    for figure in spread(f"{name}: a move's last key to the opponent's bell", times.move, None, 100):
        yield figure
    yield Figure(f"{name}: CPU of one core", usage.share, " %", how=f"{moves / usage.seconds:.2f} moves a second")
    yield Figure(f"{name}: RSS, highest", usage.most_rss_mb, " MB")
    bare_s = await yardstick.writes(watchers, max(1, each))
    share = bare_s * moves / usage.seconds * 100
    yield Figure("  bare asyncssh: CPU of one core, the same writes", share, " %", how=f"{each} B to each a move")
