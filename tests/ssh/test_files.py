"""File descriptors run out: nobody who is inside notices, and the log stays short.

4,760 tracebacks in seconds filled a disk: the event loop wrote one for every try to accept a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog.testing

from server.admission.accepting import SPARE, Acceptor, capacity_for
from server.admission.gate import KEPT_SHARE
from server.clock import SystemClock
from server.config import Limits
from server.log import SAY_EVERY_S, ThrottledWarning, get_logger
from tests.ssh.client import new_key
from tests.ssh.server import Server
from tests.waiting import until

FILES = 160


@pytest.mark.parametrize("files", [64, 100, 256, 1024, 65_536])
def test_there_is_room_for_some_of_every_kind_however_few_files_there_are(files: int) -> None:
    room = capacity_for(files, Limits())
    assert min(room.knocking, room.inside, room.parting) >= 1
    assert room.knocking + room.inside + room.parting == max(16, files - SPARE)


def test_a_warning_is_written_once_a_minute() -> None:
    now = 0.0
    warning = ThrottledWarning(get_logger("ssh"), lambda: now)
    with structlog.testing.capture_logs() as said:
        for _ in range(1000):
            warning.say("full")
        now += SAY_EVERY_S
        warning.say("full")
    assert [(line["event"], line["times"]) for line in said] == [("full", 1), ("full", 1000)]


@contextlib.asynccontextmanager
async def crowd(server: Server, many: int) -> AsyncIterator[None]:
    """Keep so many sockets open from many addresses; one that is closed is opened anew."""

    async def one(number: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                source = (f"127.3.{number % 100}.{number // 100 + 1}", 0)
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=source)
                try:
                    while await reader.read(4096):
                        pass
                finally:
                    writer.close()
            await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(one(number)) for number in range(many)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def open_files(server: Server) -> int:
    """Return how many files a running server has open."""
    assert server.process is not None
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


async def test_a_server_out_of_files_says_so_once_and_serves_on(tmp_path: Path) -> None:
    server = Server(tmp_path / "var", {"PATCHBAY_LIMIT_UNAUTHENTICATED": "1000"})
    server.files = FILES
    server.start()
    key = new_key(tmp_path, "id")
    try:
        async with server.bot(source="127.0.5.1") as inside:
            before = open_files(server)
            async with crowd(server, 2 * FILES):
                await until(lambda: open_files(server) >= FILES // 2)
                await asyncio.sleep(3)
                assert (await inside.ask(do="pong"))["type"] in ("ok", "error"), "who is inside notices nothing"
            await until(lambda: open_files(server) <= before + 2)  # the crowd's last sockets take a moment to close
            status, out, err = await server.ssh("whoami", "--json", key=key, options=("-b", "127.0.6.1"))
            assert status == 0, err
            assert "SHA256" in out
    finally:
        code = server.stop()
    logged = server.log.read_text()
    assert code == 0
    assert "Traceback" not in logged
    assert len(logged) < 20_000


async def test_logged_in_connections_end_where_the_files_would(tmp_path: Path) -> None:
    """They had no limit in all: with enough addresses one took every file there was."""
    server = Server(tmp_path / "var")
    server.files = FILES
    server.start()
    places = capacity_for(FILES, Limits()).inside
    most = places - places // KEPT_SHARE  # the others are for accounts with a running match
    clients = []
    try:
        command = server.command("bot", options=("-o", "LogLevel=INFO"))
        command = ["LogLevel=INFO" if word == "LogLevel=ERROR" else word for word in command]
        refused = ""
        for n in range(most + 1):
            pipe = asyncio.subprocess.PIPE
            client = await asyncio.create_subprocess_exec(
                *command[:1], "-b", f"127.4.{n // 10}.{n % 10 + 1}", *command[1:], stdin=pipe, stdout=pipe, stderr=pipe
            )
            clients.append(client)
            assert client.stdout is not None
            assert client.stderr is not None
            if not await asyncio.wait_for(client.stdout.readline(), 60):
                refused = (await client.stderr.read()).decode()
                break
        assert len(clients) == most + 1
        assert f"the server is full: {most} connections" in refused
        clients[0].kill()
        await clients[0].wait()
        async with asyncio.timeout(60):
            while (await server.ssh("version", options=("-b", "127.5.0.1")))[0] != 0:
                await asyncio.sleep(0.2)
    finally:
        for client in clients:
            with contextlib.suppress(ProcessLookupError):
                client.kill()
            await client.wait()
        code = server.stop()
    logged = server.log.read_text()
    assert code == 0
    assert logged.count("the server is full") == 1
    assert "Traceback" not in logged


async def test_when_there_is_no_file_at_all_accepting_waits_a_moment() -> None:
    came = asyncio.Event()

    class Greeter(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            came.set()

    acceptor = Acceptor(Greeter, b"full", 4096, SystemClock().monotonic)
    port = await acceptor.bind("127.0.0.1", 0, False)
    acceptor.start()
    errors: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: errors.append(context))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    client = socket.socket()
    client.setblocking(False)
    resource.setrlimit(resource.RLIMIT_NOFILE, (client.fileno() + 1, hard))
    try:
        client.connect_ex(("127.0.0.1", port))
        await asyncio.sleep(0.3)
        assert not came.is_set()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    async with asyncio.timeout(30):
        await came.wait()
    assert errors == []
    client.close()
    acceptor.close()
