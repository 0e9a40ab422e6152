"""A network between clients and the server that is slow, stalls, cuts connections, and delivers byte by byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

CHUNK = 16_384


@dataclass(frozen=True)
class Weather:
    """How bad the network is: chances are for each chunk that passes, times in seconds."""

    latency_s: float = 0.02
    stall: float = 0.004
    stall_s: float = 0.6
    reset: float = 0.002
    dribble: float = 0.02  # the chunk comes in pieces of one byte
    dribbled: int = 200  # bytes of it, at most
    delay_s: float = 0.0  # that each chunk takes at least
    cut: float = 0.0  # the chunk is cut anywhere, and its rest held up like one that stalls
    held_s: float = 0.0  # what is held up is so at least


CALM = Weather(0, 0, 0, 0, 0, 0)


@dataclass
class Proxy:
    """Passes connections on to a port, through the weather."""

    target: int
    weather: Weather
    rng: Random
    port: int = 0
    resets: int = 0
    stalls: int = 0
    dribbles: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on, both ways, until either end closes or it is cut."""
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ways = [asyncio.create_task(self._pass(reader, there[1])), asyncio.create_task(self._pass(there[0], writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, there[1]):
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        rng = self.rng
        with contextlib.suppress(OSError):
            while chunk := await reader.read(CHUNK):
                weather = self.weather  # it may change
                await asyncio.sleep(weather.delay_s + rng.random() * weather.latency_s)
                if rng.random() < weather.cut:
                    at = rng.randrange(len(chunk))
                    await self._write(writer, chunk[:at])
                    chunk = chunk[at:]
                    await self._hold()
                if rng.random() < weather.stall:
                    await self._hold()
                if rng.random() < weather.reset:
                    self.resets += 1
                    writer.write(chunk[: rng.randrange(len(chunk))])
                    return
                await self._write(writer, chunk)

    async def _hold(self) -> None:
        self.stalls += 1
        least, most = self.weather.held_s, self.weather.stall_s
        await asyncio.sleep(least + self.rng.random() * (most - least))

    async def _write(self, writer: asyncio.StreamWriter, chunk: bytes) -> None:
        single = 0
        if self.rng.random() < self.weather.dribble:
            self.dribbles += 1
            single = min(len(chunk), self.weather.dribbled)
            for i in range(single):
                writer.write(chunk[i : i + 1])
                await asyncio.sleep(0)
        writer.write(chunk[single:])
        await writer.drain()


@asynccontextmanager
async def proxy(target: int, weather: Weather, rng: Random) -> AsyncIterator[Proxy]:
    """Listen on a free port for as long as the block lasts."""
    made = Proxy(target, weather, rng)
    connections: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(made.serve(reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    listener = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=200)
    made.port = listener.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        listener.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
