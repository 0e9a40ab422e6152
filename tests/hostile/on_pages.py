"""Attacks on the door for browsers: crawlers, sockets, slow and broken requests, guessed codes, forged addresses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

from tests.hostile.attacking import attack, storm
from tests.hostile.by_programs import long_match
from tests.hostile.stage import ATTACKER, BALANCER, HOST, Stage

CRAWLERS = 200
CRAWLER = "127.0.{}.{}"
PAGES: tuple[str, ...] = (
    "/",
    "/top/rainet",
    "/top/netrunner",
    "/@innocent",
    "/@innocent?before=2026-01-01T00:00:00Z",
    "/rules/netrunner",
    "/rules/allgames",
    "/language",
    "/@nobody",
    "/play",
    "/robots.txt",
    "/theme.css",
)
PAGES += ("/static/app.js", "/static/style.css", "/m/nothing", "/nothing", "/feed/x.atom", "/signin/x")
OF_A_MATCH = ("", ".json", ".cast", ".record", "?at=7", "?at=999999", "?at=-1", "?at=x")
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
LITTLE = 4096  # bytes that a system takes for a program that reads nothing
HELLO = {"place": "lobby", "size": [300, 120], "lang": "en"}


def frame(kind: int, data: bytes, is_last: bool = True, size: int | None = None, masked: bool = True) -> bytes:
    """Return a frame of a socket; `size`: what it says its length is."""
    length = len(data) if size is None else size
    head, flag = bytes((kind | (0x80 if is_last else 0),)), 0x80 if masked else 0
    if length < 126:
        head += bytes((flag | length,))
    elif length < 2**16:
        head += bytes((flag | 126,)) + length.to_bytes(2, "big")
    else:
        head += bytes((flag | 127,)) + length.to_bytes(8, "big")
    return head + (bytes(4) if masked else b"") + data  # a mask of zeros changes nothing


def said(**message: object) -> bytes:
    """Return a message of a page as a frame."""
    return frame(TEXT, json.dumps(message).encode())


def asking(path: str, *more: str, method: str = "GET") -> bytes:
    """Return a request."""
    return "\r\n".join((f"{method} {path} HTTP/1.1", f"Host: {HOST}", *more, "", "")).encode()


def upgrade(*more: str, origin: str = f"http://{HOST}") -> bytes:
    """Return a request for a socket."""
    words = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    return asking("/socket", *words, key, *([f"Origin: {origin}"] if origin else []), *more)


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def browsing(stage: Stage, source: str = ATTACKER, receive_bytes: int | None = None) -> AsyncIterator[Streams]:
    """Open a connection, and drop it at the end."""
    reader, writer = await stage.browse(source, receive_bytes)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def answered(streams: Streams, request: bytes) -> tuple[int, bytes]:
    """Send a request and read its answer: status and body."""
    reader, writer = streams
    writer.write(request)
    async with asyncio.timeout(60):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        body = bytearray()
        if (length := re.search(r"content-length: (\d+)", head)) is not None:
            body += await reader.readexactly(int(length[1]))
        elif "transfer-encoding: chunked" in head:
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readline()
            await reader.readline()
    return int(head.split(" ")[1]), bytes(body)


async def upgraded(streams: Streams, *more: str, hello: object = None) -> None:
    """Open a socket on a connection and say hello. Raises ConnectionError where it is refused."""
    status, _ = await answered(streams, upgrade(*more))
    if status != 101:
        raise ConnectionRefusedError(str(status))
    streams[1].write(frame(TEXT, json.dumps(hello or HELLO).encode()))


async def addresses_of_matches(stage: Stage) -> list[str]:
    """Return what a crawler finds on the first page, and a long match."""
    async with browsing(stage) as streams:
        _, body = await answered(streams, asking("/"))
    found = re.findall(r"/m/\w+", body.decode())
    return [*dict.fromkeys(found), f"/m/{await long_match(stage)}"]


async def crawl(stage: Stage, seconds: float, sources: Sequence[str]) -> None:
    """Ask for page after page, as fast as each is answered, one crawler from each of these sources."""
    matches = await addresses_of_matches(stage)
    numbers = count()

    async def one() -> None:
        source = sources[next(numbers) % len(sources)]
        async with browsing(stage, source) as streams:
            while True:
                path = random.choice((random.choice(PAGES), random.choice(matches) + random.choice(OF_A_MATCH)))
                await answered(streams, asking(path))

    await storm(seconds, len(sources), one)


@attack
async def crawlers_of_every_page(stage: Stage, seconds: float) -> None:
    """Read all there is, two hundred at once, each from an address of its own."""
    await crawl(stage, seconds, [CRAWLER.format(30 + n // 50, 1 + n % 50) for n in range(CRAWLERS)])


@attack
async def crawlers_at_one_address(stage: Stage, seconds: float) -> None:
    """Read all there is, two hundred at once, from one address."""
    await crawl(stage, seconds, [ATTACKER] * CRAWLERS)


@attack
async def socket_floods(stage: Stage, seconds: float) -> None:
    """Open sockets as fast as may be, from one address and from many, look at a board and drop them."""
    numbers = count()

    async def one() -> None:
        number = next(numbers)
        source = ATTACKER if number % 2 else CRAWLER.format(40, 1 + number % 100)
        async with browsing(stage, source) as streams:
            await upgraded(streams)
            await streams[0].read(10_000)

    await storm(seconds, 40, one, 0)


@attack
async def idle_sockets_and_connections(stage: Stage, seconds: float) -> None:
    """Hold as many connections as may be, from one address and from many: silent, half a request, a silent socket."""
    numbers, ends = count(), asyncio.get_running_loop().time() + seconds

    async def one() -> None:
        number = next(numbers)
        source = ATTACKER if number % 2 else CRAWLER.format(50 + number % 50, 1 + number % 200)
        async with browsing(stage, source) as streams:
            if number % 3 == 1:
                streams[1].write(asking("/")[:-2])
            elif number % 3 == 2:
                streams[1].write(upgrade())
            left_s = ends - asyncio.get_running_loop().time()
            await asyncio.wait_for(streams[0].read(-1), max(0.1, left_s))

    await storm(seconds, 2000, one, 1)


@attack
async def silent_connections_of_sixteen_addresses(stage: Stage, seconds: float) -> None:
    """Take all places of connections that ask for pages, and take them again whenever one is closed."""
    numbers, ends = count(), asyncio.get_running_loop().time() + seconds

    async def one() -> None:
        async with browsing(stage, CRAWLER.format(70, 1 + next(numbers) % 16)) as streams:
            await asyncio.wait_for(streams[0].read(-1), max(0.1, ends - asyncio.get_running_loop().time()))

    await storm(seconds, 16 * 32, one)


@attack
async def dear_recordings_at_once(stage: Stage, seconds: float) -> None:
    """Lower what recordings seem to cost with short ones, and ask for a long one fifteen times at once."""
    matches = await addresses_of_matches(stage)

    async def one() -> None:
        async with browsing(stage) as streams:
            for match in matches:
                await answered(streams, asking(f"{match}.cast"))

    await storm(seconds, 15, one)


@attack
async def sockets_that_nobody_reads(stage: Stage, seconds: float) -> None:
    """Look at boards as large as may be, make them change, ask for pongs, and read nothing."""
    numbers, ends = count(), asyncio.get_running_loop().time() + seconds
    pings = frame(PING, b"p" * 125) * 500
    keys = b"".join(said(key=key) for key in ("?", "esc", "down", "up"))

    async def one() -> None:
        number = next(numbers)
        async with browsing(stage, CRAWLER.format(20, 1 + number % 100), LITTLE) as streams:
            await upgraded(streams)
            writer = streams[1]
            while asyncio.get_running_loop().time() < ends:
                writer.write(random.choice((pings, keys, said(size=[300 - number % 2, 120]))))
                await writer.drain()
                await asyncio.sleep(0.02)

    await storm(seconds, 300, one)


@attack
async def giant_frames(stage: Stage, seconds: float) -> None:
    """Send messages that never end, frames larger than they may be, lengths that lie, and what is no text."""
    odd = [
        frame(TEXT, b"x" * 2**20),
        frame(TEXT, b"", size=2**62),
        frame(TEXT, b"x" * 15_000, is_last=False) + frame(CONTINUED, b"x" * 15_000, is_last=False) * 50,
        frame(TEXT, b"", is_last=False) + frame(CONTINUED, b"", is_last=False) * 20_000,
        frame(TEXT, b"\xff\xfe\xc0"),
        frame(TEXT, b"x", masked=False),
        frame(BINARY, os.urandom(9000)),
        frame(PING, b"p" * 126),
        frame(CLOSE, b"\x00"),
        frame(CLOSE, (999).to_bytes(2, "big") + b"\xff"),
        frame(3, b"x"),
        frame(TEXT | 0x40, b"x"),
        frame(CONTINUED, b"x"),
        frame(PONG, b"x") * 5000,
        frame(TEXT, b"[" * 15_000),
        frame(TEXT, json.dumps({"line": "x" * 15_000, "under": "", "whole": True}).encode()) * 40,
        said(tap=[10**30, -(10**30)], key="x" * 1000, size=[10**9, -1]) * 200,
        b"".join(said(key=key) for key in ("?", "esc", "enter", "p", "esc", "o", "tab")) * 300,
    ]

    async def one() -> None:
        async with browsing(stage) as streams:
            await upgraded(streams)
            for data in random.choices(odd, k=3):
                streams[1].write(data)
                await asyncio.wait_for(streams[1].drain(), 5)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(streams[0].read(-1), 1)

    await storm(seconds, 10, one)


@attack
async def slow_requests(stage: Stage, seconds: float) -> None:
    """Send heads and bodies a byte at a time, on new and on used connections; take answers a byte at a time."""
    numbers, ends = count(), asyncio.get_running_loop().time() + seconds
    form = asking("/signin/x", "Content-Length: 4000", "Origin: null", "Sec-Fetch-Site: same-origin", method="POST")

    async def one() -> None:
        number = next(numbers)
        source = ATTACKER if number % 2 else CRAWLER.format(60, 1 + number % 200)
        async with browsing(stage, source, LITTLE) as (reader, writer):
            match number % 4:
                case 0:
                    slowly = asking("/", "X-Padding: " + "x" * 2000)
                case 1:
                    await answered((reader, writer), asking("/robots.txt"))
                    slowly = b"G" + b"x" * 2000
                case 2:
                    writer.write(form)
                    slowly = b"token=" + b"x" * 3000
                case _:
                    writer.write(asking("/static/app.js") * 20)
                    slowly = b""
                    await asyncio.sleep(max(0.0, ends - asyncio.get_running_loop().time()))
            for byte in slowly:
                writer.write(bytes((byte,)))
                await writer.drain()
                if reader.at_eof():
                    return
                await asyncio.sleep(0.5)

    await storm(seconds, 400, one)


@attack
async def wrong_codes_by_the_ten_thousand(stage: Stage, seconds: float) -> None:
    """Guess links to sign in and feeds, on many connections, from one address and through the proxy from a /48."""
    numbers = count()

    async def one() -> None:
        async with browsing(stage, random.choice((ATTACKER, BALANCER))) as streams:
            while True:
                address = f"X-Forwarded-For: 2001:db8:1:{next(numbers) % 256:x}00::7"
                code = secrets.token_urlsafe(24)
                path = random.choice((f"/signin/{code}", f"/feed/{code}.atom"))
                await answered(streams, asking(path, address))
                length, cookie = "Content-Length: 7", "Cookie: patchbay-form=x; patchbay=a." + code
                form = asking(f"/signin/{code}", address, length, cookie, f"Origin: http://{HOST}", method="POST")
                await answered(streams, form + b"token=x")

    await storm(seconds, 20, one, 0)


@attack
async def forged_addresses(stage: Stage, seconds: float) -> None:
    """Say in headers to come from elsewhere: rubbish, lists, other networks; ask for sockets from other sites."""
    numbers = count()
    odd = ("", ",", "127.0.7.7", "x" * 3000, "1.1.1.1, " * 200, "::1%eth0", "\u00ff", "127.0.5.5", "999.1.1.1")

    async def one() -> None:
        number = next(numbers)
        forged = f"X-Forwarded-For: {random.choice((*odd, f'198.51.{number % 256}.{number % 200}'))}"
        async with browsing(stage, ATTACKER if number % 3 else BALANCER) as streams:
            if number % 2:
                for path in PAGES:
                    await answered(streams, asking(path, forged))
            else:
                await upgraded(streams, forged, f"Origin: {random.choice(('null', 'https://elsewhere.example', ''))}")
                await streams[0].read(1000)

    await storm(seconds, 30, one, 0)


@attack
async def broken_requests(stage: Stage, seconds: float) -> None:
    """Send what is no request: rubbish, lengths that lie, odd methods and paths, heads without end."""
    lies = ("Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked, gzip")
    odd = [
        os.urandom(5000),
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/0.9\r\n\r\n",
        b"GET " + b"/" * 100_000,
        asking("/" + "%2e%2e/" * 500),
        asking("/%ff%fe%00/" + "%0a" * 100),
        asking("//" + "@" * 5000),
        asking("/m/" + "x" * 9000),
        asking("/m/x?at=" + "9" * 8000),
        asking("/static/..%2f..%2fsite.py"),
        asking("*", method="OPTIONS"),
        asking("http://elsewhere.example/", method="CONNECT"),
        asking("/", *(f"X-{n}: {n}" for n in range(900))),
        asking("/", "X-Long: " + "x" * 15_000),
        asking("/", "Cookie: " + "patchbay=g.;" * 1000),
        asking("/", "Cookie: patchbay=g.guest-x.99.\u00e9; patchbay-form=\u00e9"),
        asking("/", "Cookie: patchbay=g.x.x.x", "Accept-Language: " + "zh-" * 3000),
        asking("/signin/x", *lies[:1], method="POST"),
        asking("/signin/x", *lies[1:2], method="POST") + b"x" * 2**20,
        asking("/signout", "Transfer-Encoding: chunked", method="POST") + b"FFFFFFFFF\r\n" + b"x" * 2**18,
        asking("/", *lies[2:], method="POST"),
        asking("/", "Expect: 100-continue", "Content-Length: 5", method="PUT"),
        asking("/", method="HEAD") * 200,
        asking("/robots.txt") * 500,
        asking("/", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings"),
        upgrade(*(f"X-{n}: {n}" for n in range(300))),
        upgrade("X-Long: " + "x" * 12_000),
        upgrade("Sec-WebSocket-Key: twice", "Content-Length: 10"),
        upgrade("Cookie: patchbay=a.\u00e9"),
        asking("/socket", "Upgrade: websocket", "Connection: Upgrade"),
        asking("/m/x", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 99"),
    ]

    async def one() -> None:
        async with browsing(stage) as streams:
            streams[1].write(random.choice(odd))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(streams[0].read(-1), 0.5)

    await storm(seconds, 20, one, 0)
