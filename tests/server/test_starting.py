"""A start that has to wait says so, and ends with a sentence when it waited in vain."""

from __future__ import annotations

import asyncio
import errno
import os
import pwd
import socket
import threading
from pathlib import Path

import asyncssh
import pytest

from server.config import Settings
from server.preparing import prepare
from server.starting import Starting, have_port
from server.supervisor import reserve
from tests.waiting import PATIENCE_S


def taken() -> OSError:
    return OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


async def test_a_port_that_is_held_for_a_moment_is_waited_for_and_told_once() -> None:
    said: list[str] = []
    tries = 0

    async def take() -> int:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise taken()
        return 2222

    assert await have_port(take, "port 2222", asyncio.Event(), said.append) == 2222
    assert said == ["port 2222 is in use; trying again for 20 s"]


async def test_a_port_that_stays_held_ends_the_start_and_is_named() -> None:
    async def take() -> int:
        raise taken()

    with pytest.raises(OSError, match="port 2222 can't be had"):
        await have_port(take, "port 2222", asyncio.Event(), lambda text: None, wait_s=0)


async def test_what_waiting_does_not_mend_is_not_waited_for() -> None:
    async def take() -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    with pytest.raises(OSError, match=r"port 22 can't be had \(Permission denied\): ports below 1024 need a right"):
        await have_port(take, "port 22", asyncio.Event(), lambda text: None)


async def test_who_is_told_to_stop_waits_no_longer() -> None:
    stop = asyncio.Event()

    async def take() -> int:
        raise taken()

    assert await have_port(take, "port 2222", stop, lambda text: stop.set()) is None


def test_a_long_start_names_its_step_also_while_the_loop_is_held_up() -> None:
    said: list[str] = []
    heard = threading.Event()

    def tell(text: str) -> None:
        said.append(text)
        heard.set()

    with Starting(tell, every_s=0.01) as start:
        start.step = "the database"
        assert heard.wait(PATIENCE_S)
    assert said[-1].startswith("still starting after ")
    assert said[-1].endswith(": the database")


def test_workers_do_not_share_their_port_with_another_servers_workers() -> None:
    port, held = reserve(("127.0.0.1",), 0)
    try:
        with pytest.raises(OSError, match=os.strerror(errno.EADDRINUSE)):
            reserve(("127.0.0.1",), port)
        with socket.socket() as worker:
            worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            worker.bind(("127.0.0.1", port))
    finally:
        for sock in held:
            sock.close()


async def test_a_user_without_a_home_can_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit's dynamic user is in no list of users where libnss-systemd is missing: no start ever succeeded."""

    def find(number: int) -> object:
        raise KeyError(number)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", find)
    keys = await prepare(Settings(data_dir=tmp_path / "var", port=0))
    assert asyncssh.SSHServerConnectionOptions(server_host_keys=keys)
