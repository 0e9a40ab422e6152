"""Listening for browsers: uvicorn as part of our process, with its limits and without its signal handlers and logs."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from server.web.socket import MESSAGE_BYTES

HEADERS_S = 10.0  # in which a connection's first request is to be complete
UNSENT_BYTES = 16 * 1024  # that a connection holds before its sender waits
MOST_CONNECTIONS = 4096


class PromptHttp(H11Protocol):
    """A connection that is closed where its first request takes too long."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=UNSENT_BYTES)
        self._is_late = self.loop.call_later(HEADERS_S, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._is_late.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        begun: object = self.cycle
        if begun is None and self.transport.get_protocol() is self:  # else it is a socket by now
            self.transport.close()


class SmallSocket(WebSocketsSansIOProtocol):
    """A socket that keeps little of what its page does not read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Set the bound."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=UNSENT_BYTES)


class QuietServer(uvicorn.Server):
    """A server that leaves signals to our process, and says when it serves. `is_up` is set then."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self.is_up.set()

    def end(self) -> None:
        """Serve no longer, soon."""
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle none."""
        yield


def bound(host: str, port: int, reuse_port: bool) -> socket.socket:
    """Return a listening socket. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind((host, port))
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


@asynccontextmanager
async def listening(app: Starlette, host: str, port: int, reuse_port: bool = False) -> AsyncIterator[int]:
    """Serve the application while the block runs; yield the port. Raises OSError."""
    sock = bound(host, port, reuse_port)
    config: dict[str, Any] = {
        "http": PromptHttp,
        "ws": SmallSocket,
        "ws_max_size": MESSAGE_BYTES,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 30.0,
        "ws_ping_timeout": 30.0,
        "lifespan": "off",
        "access_log": False,
        "log_config": None,
        "log_level": "warning",
        "proxy_headers": False,
        "server_header": False,
        "h11_max_incomplete_event_size": 16 * 1024,
        "limit_concurrency": MOST_CONNECTIONS,
        "timeout_keep_alive": 10,
        "timeout_graceful_shutdown": 2,
    }
    server = QuietServer(uvicorn.Config(app, **config))
    task = asyncio.create_task(server.serve([sock]), name="web")
    try:
        await asyncio.wait((task, asyncio.ensure_future(server.is_up.wait())), return_when=asyncio.FIRST_COMPLETED)
        yield sock.getsockname()[1]
    finally:
        server.end()
        await asyncio.gather(task, return_exceptions=True)
        sock.close()
