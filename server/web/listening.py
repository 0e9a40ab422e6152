"""Listening for browsers: uvicorn as part of our process, with its limits and without its signal handlers and logs.

The library bounds neither how many connections a source may have, nor how long a request may take, nor what is kept for
who does not read; each method that is replaced here says what it adds.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import Any

import uvicorn
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from server.admission.accepting import Acceptor, claim_files
from server.admission.gate import Gate, Knocking, TurnedAway
from server.config import Limits
from server.tokenbucket import Bucket
from server.web.answers import SafeHeaders, too_much
from server.web.socket import MESSAGE_BYTES
from server.web.visitor import Visitors

HEAD_S = 5.0  # in which the head of a connection's first request is to come
ANSWER_S = 30.0  # in which a request is to be answered and to be read, and the next one to come
PARTING_S = 5.0  # in which a page is to read why its socket is closed
HEAD_BYTES = 16 * 1024
REQUEST_BYTES = HEAD_BYTES + 8 * 1024  # of a head and a form
UNSENT_BYTES = 16 * 1024  # of a page that a connection holds before its sender waits; of a socket, the system
UNREAD_BYTES = 64 * 1024  # with so much that was not read, a socket that asks for more is closed
RECEIVED_BYTES = 16 * 1024  # that the system takes for a connection at once
PIECE = 512  # bytes of a socket between two turns of others
ODD_PER_S, ODD_BURST = 1.0, 20.0  # frames of a socket that are no message: no page sends them
MOST_PAGES = 512  # connections that are no sockets
MOST_OF_SOURCE = 32  # of them; networks around a source have more
FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class SmallHttp(H11Protocol):
    """A connection that asks for pages: bounded by how many its source has, its size and its time.

    Its place is that of an ssh connection before the login, at a gate of its own: when all are taken, the oldest of the
    fullest network makes room, those without a request first. A socket has left this gate.
    """

    def __init__(self, *args: Any, gate: Gate, visitors: Visitors, **kwargs: Any) -> None:
        """`visitors`: tells for whom a proxy asks. Its connections are many people's: each request has a place."""
        super().__init__(*args, **kwargs)
        self._gate, self._visitors = gate, visitors
        self._site, self.app = self.app, self._answer
        self._peer = ""
        self._place: Knocking | None = None  # None: a proxy's
        self._is_late: asyncio.TimerHandle | None = None
        self._came = 0  # bytes since the last answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place among the peer's connections, and wait for a request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=UNSENT_BYTES)
        self._peer = self.client[0] if self.client else ""
        self._wait(HEAD_S)
        if not self._visitors.is_proxy(self._peer):
            try:
                self._place = self._enter(self._peer)
            except TurnedAway:
                transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take no more than a request of ours may have."""
        self._came += len(data)
        if self._came > REQUEST_BYTES:
            self.transport.abort()
        else:
            super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._came = 0
        self._wait(ANSWER_S)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Become a socket, which is counted and timed by itself."""
        if self._place is not None:
            self._place.ask()
        self._end()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._end()
        super().connection_lost(exc)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request whose head has come, until its body has gone."""
        self._wait(ANSWER_S)
        try:
            place = self._place or self._enter(self._visitors.source(self._peer, Headers(scope=scope)))
        except TurnedAway:
            await SafeHeaders(too_much(1))(scope, receive, send)
            return
        place.ask()
        place.serve(True)
        try:
            await self._site(scope, receive, send)
        finally:
            place.serve(False)
            if place is not self._place:
                place.logged_in()

    def _enter(self, source: str) -> Knocking:
        return self._gate.knock(source, lambda why: self.transport.abort())

    def _wait(self, seconds: float) -> None:
        if self._is_late is not None:
            self._is_late.cancel()
        self._is_late = self.loop.call_later(seconds, self.transport.abort)

    def _end(self) -> None:
        if self._is_late is not None:
            self._is_late.cancel()
        if self._place is not None and self._place.has_asked:
            self._place.logged_in()
        elif self._place is not None:
            self._place.gave_up()


class SmallSocket(WebSocketsSansIOProtocol):
    """A socket that keeps little of what its page does not read, and takes what it sends in pieces."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._backlog = bytearray()  # received, not yet passed to the library
        self._is_taking = False
        self._odd = Bucket(ODD_PER_S, ODD_BURST, monotonic())
        self._parting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Bound what is kept, by the system too: what waits there is old when it is read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)  # the next message waits until the last one is gone
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)

    def data_received(self, data: bytes) -> None:
        """Keep what came, and read no more before it was taken."""
        self._backlog += data
        self.transport.pause_reading()
        self._take_soon()

    async def receive(self) -> Any:
        """Return what the application is told next, and take what came after it."""
        message = await super().receive()
        if self._backlog:
            self.transport.pause_reading()
            self._take_soon()
        return message

    async def send(self, message: Any) -> None:
        """Send, until the page takes it. Forget the request's headers once it is accepted: they take kilobytes."""
        await super().send(message)
        await self.writable.wait()
        if message["type"] == "websocket.accept":
            self.request.headers.clear()
            self.scope["headers"] = []
            del self.request, self.response

    def _take_soon(self) -> None:
        if not self._is_taking:
            self._is_taking = True
            self.loop.call_soon(self._pass_on)

    def _pass_on(self) -> None:
        """Pass a piece to the library, unless a message waits: one of thousands of tiny frames takes long."""
        self._is_taking = False
        if self.read_paused or self.transport.is_closing():
            return
        piece, self._backlog = bytes(self._backlog[:PIECE]), self._backlog[PIECE:]
        super().data_received(piece)
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            self.transport.abort()
        elif self._backlog:
            self._take_soon()
        elif not self.read_paused:
            self.transport.resume_reading()

    def handle_text(self, event: Any) -> None:
        """Take a message. One that is no UTF-8 ends the socket; the library logs a traceback."""
        try:
            bytes(event.data).decode()
        except UnicodeDecodeError:
            self.transport.abort()
        else:
            super().handle_text(event)
            self._is_odd(not event.fin)

    def handle_cont(self, event: Any) -> None:
        """Take a part of a message, at a bounded rate: empty parts would be kept without end."""
        self._is_odd()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, at a bounded rate."""
        self._is_odd()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Take a pong, at a bounded rate."""
        self._is_odd()
        super().handle_pong(event)

    def _is_odd(self, is_odd: bool = True) -> None:
        if is_odd and self._odd.try_take(1, monotonic()):
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Drop who is not there any more; the library would wait until they have read everything."""
        self.transport.abort()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Wait for what is still to be read, but not for ever."""
        super().on_task_complete(task)
        self._parting = self.loop.call_later(PARTING_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        if self._parting is not None:
            self._parting.cancel()
        super().connection_lost(exc)


class QuietServer(uvicorn.Server):
    """A server that leaves signals to our process and accepts as ssh's door does. `is_up` is set once it serves."""

    def __init__(self, config: uvicorn.Config, acceptor: Acceptor) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()
        self.servers = []
        self._acceptor = acceptor

    def connection(self) -> asyncio.Protocol:
        """Return what serves a new connection."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state={}
        )
        return made

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        self._acceptor.start()
        self.started = True
        self.is_up.set()

    def end(self) -> None:
        """Serve no longer, soon."""
        self._acceptor.close()
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle none."""
        yield


@asynccontextmanager
async def listening(
    app: ASGIApp, host: str, port: int, reuse_port: bool = False, visitors: Visitors | None = None
) -> AsyncIterator[int]:
    """Serve the application while the block runs; yield the port. `visitors`: None: no proxy asks. Raises OSError."""
    files = claim_files()
    limits = Limits(unauthenticated=min(MOST_PAGES, files // 8), unauthenticated_per_source=MOST_OF_SOURCE)
    config: dict[str, Any] = {
        "http": partial(SmallHttp, gate=Gate(limits), visitors=visitors or Visitors(())),
        "ws": SmallSocket,
        "ws_max_size": MESSAGE_BYTES,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 60.0,
        "ws_ping_timeout": 30.0,
        "lifespan": "off",
        "access_log": False,
        "log_config": None,
        "log_level": "critical",  # an error of ours is logged where it happens; what else goes wrong is clients' doing
        "proxy_headers": False,
        "server_header": False,
        "h11_max_incomplete_event_size": HEAD_BYTES,
        "timeout_keep_alive": 10,
        "timeout_graceful_shutdown": 2,
    }
    acceptor = Acceptor(lambda: server.connection(), FULL, files, monotonic)
    server = QuietServer(uvicorn.Config(app, **config), acceptor)
    port = await acceptor.bind(host, port, reuse_port, RECEIVED_BYTES)
    task = asyncio.create_task(server.serve(), name="web")
    try:
        await asyncio.wait((task, asyncio.ensure_future(server.is_up.wait())), return_when=asyncio.FIRST_COMPLETED)
        yield port
    finally:
        server.end()
        await asyncio.gather(task, return_exceptions=True)
