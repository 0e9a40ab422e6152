"""The file for caddy: read by caddy, which passes on who asks and logs no link to sign in."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.deploy.test_files import DEPLOY, tool
from tests.hostile.on_pages import asking
from tests.waiting import PATIENCE_S

SECRET = "a1b2c3d4e5f6"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@asynccontextmanager
async def caddy(folder: Path, upstream: int) -> AsyncIterator[tuple[int, Path]]:
    """Run caddy with our file before an upstream on this machine; yield its port and its log."""
    program, port, log = tool("caddy"), free_port(), folder / "log"
    said = (DEPLOY / "Caddyfile").read_text().replace("patchbay:8080", f"127.0.0.1:{upstream}")
    (folder / "Caddyfile").write_text(said.replace("{", "{\n\tadmin off", 1))
    env = {"PATCHBAY_DOMAIN": f"http://127.0.0.1:{port}", "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    with log.open("wb") as stderr:
        child = await asyncio.create_subprocess_exec(
            program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile", env=env, stderr=stderr
        )
    try:
        yield port, log
    finally:
        child.terminate()
        await child.wait()


async def ask(port: int, request: bytes) -> bytes:
    """Ask caddy, once it listens."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
                continue
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            writer.close()
            return head


async def test_caddy_logged_links_to_sign_in_while_the_server_restarted(tmp_path: Path) -> None:
    """It logs each request that it can't pass on, with its path."""
    async with caddy(tmp_path, free_port()) as (port, log):
        for path in (f"/signin/{SECRET}", f"/feed/{SECRET}.atom"):
            assert b" 502 " in await ask(port, asking(path))
    assert "serving" in log.read_text()
    assert SECRET not in log.read_text()


async def test_nobody_says_through_caddy_to_come_from_elsewhere(tmp_path: Path) -> None:
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    async with (
        await asyncio.start_server(answer, "127.0.0.1", 0) as upstream,
        caddy(tmp_path, upstream.sockets[0].getsockname()[1]) as (port, _),
    ):
        assert b" 204 " in await ask(port, asking(f"/signin/{SECRET}", "X-Forwarded-For: 198.51.100.7, 10.0.0.1"))
    [head] = heads
    said = [line for line in head.decode().lower().split("\r\n") if line.startswith("x-forwarded-for:")]
    assert said == ["x-forwarded-for: 127.0.0.1"]
