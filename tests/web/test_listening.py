"""The listener for browsers: who sends nothing is closed, and a socket is not."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from server.web import listening as listening_module
from server.web.listening import listening


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


async def test_a_socket_was_closed_ten_seconds_after_it_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound for a connection's first request ended the sockets that it had become."""
    monkeypatch.setattr(listening_module, "HEADERS_S", 0.2)
    async with (
        listening(Starlette(routes=[WebSocketRoute("/socket", echo)]), "127.0.0.1", 0) as port,
        connect(f"ws://127.0.0.1:{port}/socket") as socket,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.timeout(60):
            assert await reader.read() == b""  # a later connection, which says nothing, is closed
        writer.close()
        await socket.send("kept")
        assert await socket.recv() == "kept"
