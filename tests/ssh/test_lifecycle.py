"""Starting and stopping the server: what it prints, what stops it, and that nothing of it stays behind."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pexpect
import pytest

from server.hostkeys.files import UNREADABLE
from tests.clusters import cluster
from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S, until

ROOT = Path(__file__).parents[2]
STOPS_S = 25  # 10 are promised to admins (docs/operations.md); a loaded machine takes longer, a fault 30 and more


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in listed.stdout.split()]


async def test_what_it_says_when_it_is_ready(tmp_path: Path) -> None:
    with running(tmp_path, whole=True) as server:
        assert server.said[-1] == f"patchbay: ready on 127.0.0.1:{server.port}"
        assert any(f"ssh -p {server.port} localhost" in line for line in server.said)
        assert any("SHA256:" in line for line in server.said)
        key = (server.data_dir / "host_key.pub").read_text().split()
        scanned = subprocess.run(
            ["ssh-keyscan", "-p", str(server.port), "127.0.0.1"], capture_output=True, text=True, check=True
        )
        assert key[1] in scanned.stdout
        before = key
    server.start()
    assert (server.data_dir / "host_key.pub").read_text().split() == before, "the key stays"
    assert server.stop() == 0


async def test_a_host_key_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    server = Server(tmp_path / "var", whole=True)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "host_key").write_text("not a key\n")
    try:
        server.start()
    except AssertionError:
        pass
    else:
        raise AssertionError("it started")
    assert server.process is not None
    assert server.process.wait(PATIENCE_S) == 1
    path = tmp_path / "var" / "host_key"
    assert UNREADABLE.partition(" (")[0].format(path=path) in server.errors()
    assert (tmp_path / "var" / "host_key").read_text() == "not a key\n"


async def test_a_port_that_another_server_still_holds_is_waited_for(tmp_path: Path) -> None:
    server = Server(tmp_path / "var", whole=True)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        server.port = other.getsockname()[1]
        starting = asyncio.create_task(asyncio.to_thread(server.start))
        async with asyncio.timeout(PATIENCE_S):
            while not (server.log.exists() and f"port {server.port} is in use" in server.errors()):
                await asyncio.sleep(0.05)
    await starting
    assert server.stop() == 0


async def test_a_second_server_on_one_data_directory_is_refused(tmp_path: Path) -> None:
    """Both served, and neither knew what the other did; what works beside a server still does."""
    first = Server(tmp_path / "var", whole=True)
    first.start()
    second = Server(tmp_path / "var", whole=True)
    with pytest.raises(AssertionError, match="ended with 1"):
        await asyncio.to_thread(second.start)
    assert first.process is not None
    assert f"another server (process {first.process.pid}) has {first.data_dir / 'patchbay.db'}" in second.errors()
    assert "Traceback" not in second.errors()
    kept = str(tmp_path / "kept.backup")
    for words in (("admin", "sessions"), ("backup", kept), ("verify",), ("check",)):
        status, _, err = await first.beside(*words)
        assert status == 0, err
    status, _, err = await first.beside("restore", kept)
    assert status == 1
    assert "another server" in err
    assert (await first.ssh("whoami"))[0] == 0
    first.kill()
    told = second.errors().count("trying again")
    second.start()
    assert second.errors().count("trying again") == told, "one that was killed leaves it free"
    assert second.stop() == 0


async def test_stopping_with_people_inside_restores_their_terminals(tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    server = Server(tmp_path / "var", whole=True)
    server.start()
    command = server.command(key=key, options=("-t",))
    client: pexpect.spawn[bytes] = pexpect.spawn(
        command[0], command[1:], env={**os.environ, "TERM": "xterm"}, dimensions=(24, 80), timeout=PATIENCE_S
    )
    await client.expect("handle", async_=True)
    assert server.process is not None
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < STOPS_S
    await client.expect(pexpect.EOF, async_=True)
    rest = client.before
    assert rest is not None
    assert b"\x1b[?1049l" in rest
    assert b"restart" in rest
    client.close()
    assert client.exitstatus == 75


@pytest.mark.parametrize("how", ["SIGHUP", "its terminal is closed"])
async def test_a_closed_terminal_killed_the_server_without_draining(how: str, tmp_path: Path) -> None:
    server = Server(tmp_path / "var")
    env = {**os.environ, "PATCHBAY_DATA_DIR": str(tmp_path / "var"), "PATCHBAY_PORT": "0", "PYTHONPATH": str(ROOT)}
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "serve"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
        cwd=tmp_path,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # it is the terminal's own process, as in a shell
    )
    os.close(theirs)
    said = b""
    while (found := re.search(rb"ready on 127\.0\.0\.1:(\d+)\r", said)) is None:
        said += await asyncio.to_thread(os.read, ours, 4096)
    server.port = int(found[1])
    async with server.bot() as bot:
        if how == "SIGHUP":
            process.send_signal(signal.SIGHUP)
        else:
            os.close(ours)  # the kernel sends SIGHUP, and nothing can be written there any more
        assert await bot.hung_up() == 75
    assert await asyncio.to_thread(process.wait, PATIENCE_S) == 0
    log = (tmp_path / "var" / "logs" / "patchbay.log").read_text()
    assert [json.loads(line)["event"] for line in log.splitlines()][-2:] == ["draining", "stopped"]


async def test_whoever_is_at_the_first_screens_is_listed_for_admins(tmp_path: Path) -> None:
    """`admin sessions` showed people from the lobby on only."""
    key = new_key(tmp_path, "id")
    with running(tmp_path) as server:
        command = server.command(key=key, options=("-t",))
        client: pexpect.spawn[bytes] = pexpect.spawn(
            command[0], command[1:], env={**os.environ, "TERM": "xterm"}, dimensions=(24, 80), timeout=PATIENCE_S
        )
        await client.expect("handle", async_=True)

        async def listed() -> str:
            return (await server.beside("admin", "sessions"))[1]

        await until(lambda: _holds(listed, "guest-"))
        client.send("mira\r")
        await until(lambda: _holds(listed, "\tmira\t"))
        client.close()
        await until(lambda: _holds(listed, ""))


async def _holds(listed: Callable[[], Awaitable[str]], text: str) -> bool:
    found = await listed()
    return text in found if text else not found


async def test_nothing_stays_behind_a_killed_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "var", whole=True)
    server.start()
    assert server.process is not None
    async with server.bot() as bot:
        await bot.ask(do="seek", game="rainet", against="bot:easy")
        turn = await bot.until("turn")
        await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action="setup LLLLVVVV")
        await bot.until("turn")
        left = children(server.process.pid)
        assert left, "a bot thinks in a process of its own"
        server.kill()
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))


@pytest.mark.services
async def test_it_stops_in_time_though_the_database_hangs(tmp_path: Path) -> None:
    """It waited for every answer that did not come: half a minute each."""
    with cluster() as postgres:
        server = Server(tmp_path / "var", {"PATCHBAY_DATABASE_URL": postgres.url}, whole=True)
        server.start()
        hanging = postgres.processes()
        async with server.bot():
            try:
                for pid in hanging:
                    os.kill(pid, signal.SIGSTOP)
                began = time.monotonic()
                assert server.stop() == 0
                assert time.monotonic() - began < STOPS_S
            finally:
                for pid in reversed(hanging):
                    os.kill(pid, signal.SIGCONT)
