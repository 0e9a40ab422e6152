"""What the listener for browsers closes, and what it leaves open."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from server.web.listening import listening


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


async def test_a_socket_was_closed_as_if_its_request_had_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.listening.HEADERS_S", 0.2)
    app = Starlette(routes=[WebSocketRoute("/", echo)])
    async with listening(app, "127.0.0.1", 0) as port, connect(f"ws://127.0.0.1:{port}/", compression=None) as socket:
        end = asyncio.get_running_loop().time() + 0.6
        while asyncio.get_running_loop().time() < end:
            await socket.send("here")
            assert await socket.recv() == "here"
