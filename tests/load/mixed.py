"""A full server: 10 % play at a move every five seconds, 10 % watch, 80 % are in the lobby and chat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random

from tests.bench.report import Figure
from tests.load import yardstick
from tests.load.client import DOWN, ROW, Client, all_of, few_at_once
from tests.load.loaded import LoadedServer
from tests.load.measure import Usage, spread, using
from tests.load.people import Somebody
from tests.load.table import Table, Times

PLAYING, WATCHING = 0.1, 0.1  # of all who are there
MOVE_EVERY_S = 5.0
LOBBY_KEY_EVERY_S = 30.0  # who is in the lobby looks through the list now and then
CHAT_EVERY_S = 1.0  # in all
BARE_S = 30.0


@dataclass(slots=True)
class Crowd:
    """Everybody who is connected in this scenario."""

    tables: list[Table] = field(default_factory=list)
    lobby: list[Client] = field(default_factory=list)
    watchers: list[Client] = field(default_factory=list)

    @property
    def clients(self) -> list[Client]:
        return [*(client for table in self.tables for client in table.clients), *self.lobby, *self.watchers]

    @property
    def gone(self) -> int:
        """Return how many sessions ended although nobody hung up."""
        return sum(client.screen.closed for client in self.clients)


async def full_server(
    server: LoadedServer, people: list[Somebody], minutes: float, seed: int, move_every_s: float = MOVE_EVERY_S
) -> AsyncIterator[Figure]:
    """Fill the server, let it live for some minutes, and say how it was."""
    rng, times = Random(seed), Times()
    crowd = await gather_crowd(server, people, rng)
    usage = await live(server, crowd, minutes * 60, move_every_s, times, rng)
    lost_moves = await missing(server, crowd)
    gone, cut_off = crowd.gone, await server.cut_off()
    await all_of(crowd.clients)
    n, dropped = len(crowd.clients), gone + cut_off + len(times.lost)
    yield Figure(f"{n} sessions: dropped or refused", dropped, "", 0, how="; ".join(times.lost[:3]))
    yield Figure("moves acknowledged and not stored, or the reverse", lost_moves, "", 0, how=f"of {len(times.move)}")
    for figure in spread("cursor key to changed screen, on a board", times.cursor, 60, 150):
        yield figure
    for figure in spread("the same in the lobby's list", times.lobby, 60, 150):
        yield figure
    yield Figure("keys in the lobby's list without an answer", times.unanswered, how="it has an end")
    for figure in spread("a move's last key to the opponent's bell", times.move, None, None):
        yield figure
    yield Figure("CPU of one core", usage.share, " %")
    yield Figure("the clients' CPU of one core", usage.own_share, " %", how="near 100: the times are the clients' own")
    yield Figure("RSS, highest", usage.most_rss_mb, " MB", 400)
    keys = len(times.cursor) + len(times.lobby)
    yield Figure("keys a second that were timed", keys / usage.seconds, "/s", how=f"{len(times.move)} moves")
    async for figure in yardstick.keys(n, keys / usage.seconds, min(BARE_S, usage.seconds)):
        yield figure


async def gather_crowd(server: LoadedServer, people: list[Somebody], rng: Random) -> Crowd:
    """Let everybody come: some sit down in pairs, some watch a match each, the rest stays in the lobby."""
    seated = max(2, round(len(people) * PLAYING) // 2 * 2)
    looking = max(1, round(len(people) * WATCHING))
    pairs = [(people[i], people[i + 1]) for i in range(0, seated, 2)]
    tables = await few_at_once([Table.sit_down(server.port, pair, Random(rng.random())) for pair in pairs])
    rest = people[seated : len(people) - looking]
    lobby = await few_at_once([Client.come(server.port, who) for who in rest])
    watched = [f"watch {tables[i % len(tables)].match}" for i in range(looking)]
    onlookers = zip(people[len(people) - looking :], watched, strict=True)
    watchers = await few_at_once([Client.come(server.port, who, command) for who, command in onlookers])
    await asyncio.sleep(3)  # the lobby's list is at most so old
    return Crowd(tables, lobby, watchers)


async def live(
    server: LoadedServer, crowd: Crowd, seconds: float, move_every_s: float, times: Times, rng: Random
) -> Usage:
    """Let everybody do what they do for some seconds; return what the server used meanwhile."""
    loop = asyncio.get_running_loop()
    until, talkers = loop.time() + seconds, max(4, len(crowd.lobby) // 10)
    async with using(server.pid) as usage:
        await asyncio.gather(
            *(table.play(move_every_s, until, times) for table in crowd.tables),
            *(browse(client, until, times, Random(rng.random())) for client in crowd.lobby[talkers:]),
            chatter(crowd.lobby[:talkers], until, rng),
        )
    return usage


async def browse(client: Client, until: float, times: Times, rng: Random) -> None:
    """Go down the lobby's list now and then; at its end there is no next row, and so no answer."""
    loop = asyncio.get_running_loop()
    while (pause := rng.uniform(0.2, 1.8) * LOBBY_KEY_EVERY_S) + loop.time() < until:
        await asyncio.sleep(pause)
        try:
            times.lobby.append(await client.screen.answer(DOWN, ROW))
        except TimeoutError:
            times.unanswered += 1
            return
        except OSError as error:
            times.lost.append(f"{client.who.name} in the lobby: {type(error).__name__} {error}")
            return


async def chatter(talkers: list[Client], until: float, rng: Random) -> None:
    """Say a line a second in all."""
    loop = asyncio.get_running_loop()
    said = 0
    while loop.time() + CHAT_EVERY_S < until:
        client = rng.choice(talkers)
        if not client.screen.closed:
            client.screen.press(b"\t")
            client.screen.press(f"does anybody fancy a game? {said}".encode())
            client.screen.press(b"\r")
            client.screen.press(b"\x1b")
        said += 1
        await asyncio.sleep(CHAT_EVERY_S)


async def missing(server: LoadedServer, crowd: Crowd) -> int:
    """Compare the matches' stored logs with what the clients saw acknowledged."""
    expected = {match: n for table in crowd.tables for match, n in table.entries.items()}
    stored = await server.actions_of(list(expected))
    return sum(abs(stored[match] - n) for match, n in expected.items())
