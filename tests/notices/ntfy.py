"""A server as ntfy is one: it takes POSTs to a topic; told to, it answers with malice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Ntfy:
    """What arrived: path and text of each POST; `connections` counts those that were opened."""

    port: int = 0
    connections: int = 0
    posted: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answer: bytes | Answer = OK
    came: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            named = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            body = await reader.readexactly(int(named.get("content-length", "0")))
            self.posted.append((first.split(" ")[1], body.decode()))
            self.headers.append(named)
            self.came.set()
            if isinstance(self.answer, bytes):
                writer.write(self.answer)
                await writer.drain()
            else:
                await self.answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # it hung up, or the test is over
        finally:
            writer.close()

    async def wait_for(self, n: int) -> list[tuple[str, str]]:
        """Return what was posted, once there is so much."""
        async with asyncio.timeout(30):
            while len(self.posted) < n:
                self.came.clear()
                await self.came.wait()
        return self.posted


@asynccontextmanager
async def ntfy() -> AsyncIterator[Ntfy]:
    """Run one on a free port of 127.0.0.1."""
    one = Ntfy()
    server = await asyncio.start_server(one.take, "127.0.0.1", 0)
    one.port = server.sockets[0].getsockname()[1]
    try:
        yield one
    finally:
        server.close()
