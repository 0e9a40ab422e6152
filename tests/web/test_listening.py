"""The listener for browsers: what a connection may take of time, memory and places, whatever its other side does."""

from __future__ import annotations

import asyncio
import io
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from ipaddress import ip_network

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from server import log
from server.web import listening as listening_module
from server.web.answers import SafeHeaders
from server.web.listening import REQUEST_BYTES, listening
from server.web.visitor import Visitors
from tests.hostile.on_pages import CONTINUED, PING, TEXT, asking, frame, upgrade

LARGE = b"x" * 2**22


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


async def poured(socket: WebSocket) -> None:
    await socket.accept()
    with suppress(TimeoutError):
        async with asyncio.timeout(0.1):
            await socket.send_text(LARGE.decode())


TAKEN = asyncio.Event()


async def told(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text(LARGE.decode())
    TAKEN.set()
    await socket.receive()


async def page(request: Request) -> Response:
    return Response(LARGE if request.url.path == "/large" else b"well")


async def form(request: Request) -> Response:
    return Response(await request.body())


async def streamed(request: Request) -> Response:
    return StreamingResponse(iter([LARGE[:65536]] * 64))


async def broken(request: Request) -> Response:
    raise ValueError("odd")


APP = Starlette(
    routes=[
        WebSocketRoute("/socket", echo),
        WebSocketRoute("/poured", poured),
        WebSocketRoute("/told", told),
        Route("/", page),
        Route("/large", page),
        Route("/form", form, methods=["POST"]),
        Route("/streamed", streamed),
        Route("/broken", broken),
    ]
)
BEHIND_PROXY = Visitors((ip_network("127.0.0.0/8"),))
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Return the port of a listener whose patience is short."""
    monkeypatch.setattr(listening_module, "HEAD_S", 0.3)
    monkeypatch.setattr(listening_module, "ANSWER_S", 0.3)
    monkeypatch.setattr(listening_module, "PARTING_S", 0.3)
    async with listening(APP, "127.0.0.1", 0) as made:
        yield made


@asynccontextmanager
async def open_to(port: int, source: str = "127.0.0.1") -> AsyncIterator[Streams]:
    """Connect, with a system that takes little unread."""
    sock = socket.socket()
    sock.bind((source, 0))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1024)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def ends(streams: Streams) -> int:
    """Wait until the other side has closed, however it does; return how many bytes still came."""
    got = 0
    with suppress(ConnectionResetError):
        async with asyncio.timeout(60):
            while data := await streams[0].read(4096):
                got += len(data)
    return got


async def head(streams: Streams) -> bytes:
    async with asyncio.timeout(60):
        return await streams[0].readuntil(b"\r\n\r\n")


async def until_let_in(port: int) -> None:
    """Try until a page is answered."""
    async with asyncio.timeout(60):
        while True:
            with suppress(ConnectionResetError, asyncio.IncompleteReadError):
                async with open_to(port) as streams:
                    streams[1].write(asking("/"))
                    assert b" 200 " in await head(streams)
                    return


async def test_a_socket_was_closed_ten_seconds_after_it_opened(port: int) -> None:
    """The bound for a connection's first request ended the sockets that it had become."""
    async with connect(f"ws://127.0.0.1:{port}/socket") as opened:
        async with open_to(port) as silent:
            await ends(silent)  # a later connection, which says nothing, is closed
        await opened.send("kept")
        assert await opened.recv() == "kept"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        asking("/")[:-2],
        asking("/") + b"GET / HT",
        asking("/form", "Content-Length: 10", method="POST") + b"half",
    ],
    ids=["nothing", "half a head", "half a head after an answer", "half a form"],
)
async def test_half_a_request_kept_its_connection_for_ever(port: int, sent: bytes) -> None:
    async with open_to(port) as streams:
        streams[1].write(sent)
        await ends(streams)


async def test_an_answer_that_nobody_read_was_kept_for_ever(port: int) -> None:
    async with open_to(port) as streams:
        streams[1].write(asking("/large"))
        await head(streams)
        await asyncio.sleep(1)  # more than the listener's patience
        assert await ends(streams) < len(LARGE)


@pytest.mark.parametrize("kind", ["chunked", "long"])
async def test_a_request_had_no_end(port: int, kind: str) -> None:
    more = ("Transfer-Encoding: chunked",) if kind == "chunked" else ("Content-Length: 999999999",)
    async with open_to(port) as streams:
        streams[1].write(asking("/form", *more, method="POST") + b"1\r\nx\r\n" * (REQUEST_BYTES // 3))
        await ends(streams)


async def test_a_broken_socket_ended_and_no_other(port: int) -> None:
    """Pings whose answers nobody reads, parts of a message without end, what is no text: all was kept or logged."""
    endless = frame(TEXT, b"", is_last=False) + frame(CONTINUED, b"", is_last=False) * 10_000
    async with connect(f"ws://127.0.0.1:{port}/socket") as other:
        for sent in (frame(PING, b"p" * 125) * 10_000, endless, frame(TEXT, b"\xff\xfe"), frame(TEXT, b"x") * 50_000):
            async with open_to(port) as streams:
                streams[1].write(upgrade())
                assert b" 101 " in await head(streams)
                streams[1].write(sent)
                if sent[-1:] != b"x":
                    await ends(streams)
        await other.send("kept")
        assert await other.recv() == "kept"


async def test_thousands_of_tiny_messages_come_one_by_one(port: int) -> None:
    async with connect(f"ws://127.0.0.1:{port}/socket", compression=None) as opened:
        for number in range(3000):
            await opened.send(json.dumps(number))
        assert [json.loads(await opened.recv()) for _ in range(3000)] == list(range(3000))


async def test_a_closed_socket_that_nobody_read_stayed(port: int) -> None:
    async with open_to(port) as streams:
        streams[1].write(upgrade().replace(b"/socket", b"/poured"))
        await head(streams)
        await asyncio.sleep(1)  # more than the listener's patience
        assert await ends(streams) < len(LARGE)


async def test_what_waited_in_a_transport_counted_as_read(port: int) -> None:
    """So the next frame was added to it, and the budget of unsent bytes did not know of it."""
    TAKEN.clear()
    async with open_to(port) as streams:
        streams[1].write(upgrade().replace(b"/socket", b"/told"))
        await head(streams)
        await asyncio.sleep(0.5)
        assert not TAKEN.is_set()
        await streams[0].readexactly(len(LARGE))
        async with asyncio.timeout(60):
            await TAKEN.wait()


def places(monkeypatch: pytest.MonkeyPatch, most: int, of_source: int) -> None:
    """Give listeners so many places."""
    monkeypatch.setattr(listening_module, "MOST_PAGES", most)
    monkeypatch.setattr(listening_module, "MOST_OF_SOURCE", of_source)


async def is_answered(streams: Streams, *more: str) -> bool:
    streams[1].write(asking("/", *more))
    return b" 200 " in await head(streams)


async def begin_form(streams: Streams, *more: str) -> None:
    """Send the head of a form, and wait until the server asks for the rest."""
    streams[1].write(asking("/form", "Content-Length: 4", "Expect: 100-continue", *more, method="POST"))
    assert b" 100 " in await head(streams)


async def test_one_source_took_every_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, 100, 3)
    async with (
        listening(APP, "127.0.0.1", 0) as port,
        listening(APP, "127.0.0.1", 0, visitors=BEHIND_PROXY) as behind_proxy,
    ):
        for at, is_let_in in ((port, False), (behind_proxy, True)):
            async with open_to(at) as one, open_to(at) as two, open_to(at) as three, open_to(at) as four:
                for streams in (one, two, three):
                    assert await is_answered(streams)
                if is_let_in:
                    assert await is_answered(four)
                else:
                    four[1].write(asking("/"))
                    await ends(four)
            await until_let_in(at)


async def test_silent_connections_of_some_addresses_kept_all_browsers_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Newcomers were dropped while all places were taken, and a silent connection held its own for half a minute."""
    places(monkeypatch, 32, 8)
    async with listening(APP, "127.0.0.1", 0) as port, AsyncExitStack() as stack:
        opened = await stack.enter_async_context(connect(f"ws://127.0.0.1:{port}/socket"))
        silent = [
            await stack.enter_async_context(open_to(port, f"127.0.{1 + address}.1"))
            for address in range(4)
            for _ in range(8)
        ]
        for address in range(8):
            newcomer = await stack.enter_async_context(open_to(port, f"127.0.9.{1 + address}"))
            assert await is_answered(newcomer)
        await asyncio.gather(*(ends(streams) for streams in silent[:32:8]))  # the oldest of each address
        await opened.send("kept")
        assert await opened.recv() == "kept"


async def test_a_connection_without_a_request_ends_before_one_that_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, 3, 3)
    async with listening(APP, "127.0.0.1", 0) as port, open_to(port, "127.0.1.1") as asks:
        await begin_form(asks)
        async with (
            open_to(port, "127.0.1.1") as silent,
            open_to(port, "127.0.1.1") as answered,
            open_to(port, "127.0.2.1") as newcomer,
        ):
            assert await is_answered(answered)
            assert await is_answered(newcomer)
            await ends(silent)
            asks[1].write(b"well")
            assert b" 200 " in await head(asks)
            assert await is_answered(answered)


async def test_a_silent_connection_kept_its_place_for_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening_module, "HEAD_S", 0.1)
    async with listening(APP, "127.0.0.1", 0) as port, open_to(port) as silent, open_to(port) as other:
        assert await is_answered(other)
        silent[1].write(asking("/")[:-2])
        await ends(silent)
        assert await is_answered(other)  # it has asked: there is time


async def test_behind_a_proxy_one_client_took_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, 3, 3)
    async with listening(APP, "127.0.0.1", 0, visitors=BEHIND_PROXY) as port, AsyncExitStack() as stack:
        slow = [await stack.enter_async_context(open_to(port)) for _ in range(3)]
        for streams in slow:
            await begin_form(streams, "X-Forwarded-For: 192.0.2.1")
        other = await stack.enter_async_context(open_to(port))
        assert await is_answered(other, "X-Forwarded-For: 198.51.100.1")
        await ends(slow[0])


async def test_behind_a_proxy_one_client_streamed_more_answers_at_once_than_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The place among its requests was given back when the answer began, not when its body had ended."""
    places(monkeypatch, 100, 3)
    client = "X-Forwarded-For: 192.0.2.1"
    async with listening(APP, "127.0.0.1", 0, visitors=BEHIND_PROXY) as port, AsyncExitStack() as stack:
        unread = [await stack.enter_async_context(open_to(port)) for _ in range(3)]
        for streams in unread:
            streams[1].write(asking("/streamed", client))
            assert b" 200 " in await head(streams)
        one, other = [await stack.enter_async_context(open_to(port)) for _ in range(2)]
        one[1].write(asking("/", client))
        assert b" 429 " in await head(one)
        assert await is_answered(other, "X-Forwarded-For: 198.51.100.1")


@pytest.mark.usefixtures("logging_put_back")
async def test_what_failed_was_logged_by_the_library_with_the_address_that_was_asked() -> None:
    stream = io.StringIO()
    log.configure("text", stream=stream)
    async with listening(SafeHeaders(APP), "127.0.0.1", 0) as port, open_to(port) as streams:
        streams[1].write(asking("/broken?code=secret"))
        answer = await head(streams)
    assert b" 500 " in answer
    assert b"content-security-policy" in answer
    assert "odd" in stream.getvalue()
    assert "secret" not in stream.getvalue()
