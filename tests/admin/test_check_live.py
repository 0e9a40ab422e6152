"""The health check: a server that speaks SSH, and a database that can be read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.admin.check import ANSWERS, NO_ANSWER, NO_SSH, check_live
from server.config import Settings, load
from server.store.migrate import upgrade
from tests.ssh.server import running


@asynccontextmanager
async def saying(greeting: bytes, data_dir: Path) -> AsyncIterator[Settings]:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await reader.readline()
        writer.close()

    listener = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with listener:
        yield load({"data_dir": data_dir, "host": "0.0.0.0,::", "port": port})


async def looked_at(settings: Settings) -> tuple[bool, str]:
    said: list[str] = []
    return await check_live(settings, said.append), "\n".join(said)


async def test_an_answering_server_with_its_database_is_healthy(tmp_path: Path) -> None:
    async with saying(b"SSH-2.0-x\r\n", tmp_path) as settings:
        await upgrade(settings.database)
        healthy, said = await looked_at(settings)
    assert healthy, said


async def test_without_a_schema_it_is_not(tmp_path: Path) -> None:
    async with saying(b"SSH-2.0-x\r\n", tmp_path) as settings:
        healthy, said = await looked_at(settings)
    assert not healthy
    assert ANSWERS.format(host="127.0.0.1", port=settings.port) in said


@pytest.mark.parametrize("greeting", [b"HTTP/1.1 400\r\n", b"\n", b""])
async def test_something_else_on_the_port_is_not_our_server(tmp_path: Path, greeting: bytes) -> None:
    async with saying(greeting, tmp_path) as settings:
        await upgrade(settings.database)
        healthy, said = await looked_at(settings)
    assert not healthy
    assert NO_SSH.format(host="127.0.0.1", port=settings.port) in said


async def test_nobody_there(tmp_path: Path) -> None:
    async with saying(b"", tmp_path) as settings:
        await upgrade(settings.database)
    healthy, said = await looked_at(settings)
    assert not healthy
    assert NO_ANSWER.partition("(")[0].format(host="127.0.0.1", port=settings.port) in said


async def test_a_server_that_waits_for_a_proxy_header_from_here_is_healthy_too(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_PROXY_FROM": "127.0.0.0/8"}) as server:
        given = {"data_dir": server.data_dir, "port": server.port, "proxy_from": "127.0.0.0/8"}
        healthy, said = await looked_at(load(given))
        assert healthy, said
