"""Watchers in browsers on the real server, beside as many by ssh in one run; CPU is the server process's own."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.bench.harness import Players, one_by_one, patchbay, source
from tests.bench.report import Figure
from tests.bench.sessions import WATCHERS, Watching, by_ssh, cost, duel

SIZE = (80, 24)
LARGE = (120, 40)
FILES = ("/static/app.js", "/static/style.css", "/theme.css")


class Looker:
    """A page's socket that counts what comes."""

    def __init__(self) -> None:
        self.received = 0
        self.has_all = asyncio.Event()

    async def look(self, port: int, match: str, i: int, size: tuple[int, int], stack: AsyncExitStack) -> None:
        """Look at a match until the stack is closed, each from another address; return once a frame is there."""
        origin = Origin(f"http://127.0.0.1:{port}")
        opening = connect(
            f"ws://127.0.0.1:{port}/socket",
            origin=origin,
            compression=None,
            local_addr=source(i),
        )
        socket = await stack.enter_async_context(opening)
        await socket.send(json.dumps({"place": "watch", "id": match, "size": size, "lang": "en"}))
        listening = asyncio.create_task(self._listen(socket))
        stack.callback(listening.cancel)
        await self.has_all.wait()

    async def _listen(self, socket: ClientConnection) -> None:
        async for message in socket:
            self.received += len(message if isinstance(message, bytes) else message.encode())
            if '"means"' in str(message):
                self.has_all.set()


def figures() -> Iterator[Figure]:
    """Measure everything, each figure as soon as it is known."""
    return one_by_one(collect)


async def collect() -> AsyncIterator[Figure]:
    """Run the measurements one after the other, on one server."""
    async with patchbay(PATCHBAY_WEB_PORT="0") as ours:
        [web_port] = [int(found[1]) for line in ours.said if (found := re.match(r"pages: http://.*:(\d+)/", line))]
        players = Players(ours.port, 2)
        await players.register()
        async with duel(players, 0) as (match, _, _), AsyncExitStack() as stack:
            looker = Looker()
            await looker.look(web_port, match, WATCHERS, LARGE, stack)
            before = await loaded(web_port, match) / 1000
            how = f"{LARGE[0]}x{LARGE[1]}; the page and its {len(FILES)} files before it: {before:.0f} kB"
            yield Figure("first frame of a board in a browser", looker.received / 1000, " kB", 40, how=how)

        async def by_socket(match: str, i: int, stack: AsyncExitStack) -> Watching:
            looker = Looker()
            await looker.look(web_port, match, i, SIZE, stack)
            return looker

        web = await cost(ours, players, by_socket, 0)
        ssh = await cost(ours, players, by_ssh(ours.port, SIZE), 0)
        yield Figure(f"RSS per watcher in a browser, of {WATCHERS}", web.each_kb, " kB", 40)
        how = f"{web.move_s * 1e3:.0f} ms / {ssh.move_s * 1e3:.0f} ms of CPU a move, "
        how += f"{web.each_bytes} B / {ssh.each_bytes} B"
        yield Figure(f"{WATCHERS} browsers / as many by ssh", web.move_s / ssh.move_s, "", 1.5, how=how)
        how = f"CPU a second; ssh {ssh.rest_s * 1e3:.1f} ms"
        yield Figure(f"a board at rest before {WATCHERS} browsers", web.rest_s * 1e3, " ms", 10, how=how)


async def loaded(port: int, match: str) -> int:
    """Return how many bytes a page has before its socket."""

    def ask(path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path)
        got = connection.getresponse()
        head = sum(len(name) + len(value) + 4 for name, value in got.getheaders())
        return head + len(got.read())

    return sum([await asyncio.to_thread(ask, path) for path in (f"/m/{match}", *FILES)])
