"""The parent of the workers, with workers that misbehave: it neither waits for ever nor begins again for ever."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import socket
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from server import log, supervisor
from server.config import Settings
from server.starting import have_port
from server.supervisor import CANNOT_START, MOST_FAILURES, Supervisor, reserve
from tests.waiting import PATIENCE_S


class Parent(Supervisor):
    """Its workers are a line of Python."""

    def __init__(self, data_dir: Path, does: str, **settings: object) -> None:
        super().__init__(Settings(data_dir=data_dir, port=0).model_copy(update={"workers": 2, **settings}))
        self.does = does
        self.begun: list[asyncio.subprocess.Process] = []

    async def start_worker(self, number: int, port: int) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        self.begun.append(await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", self.does, stdout=pipe))
        return self.begun[-1]


class Refused(Parent):
    """Its first workers can't be started."""

    def __init__(self, data_dir: Path, does: str, refusals: int = MOST_FAILURES - 1) -> None:
        super().__init__(data_dir, does)
        self.refusals = refusals

    async def start_worker(self, number: int, port: int) -> asyncio.subprocess.Process:
        if self.refusals:
            self.refusals -= 1
            raise BlockingIOError(errno.EAGAIN, "no process left")
        return await super().start_worker(number, port)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RESTART_S", 0.001)


async def test_a_start_that_does_not_come_to_an_end_can_be_stopped(tmp_path: Path) -> None:
    """It waited for ever for the word of workers that it had just ended."""
    parent = Parent(tmp_path, "import time; time.sleep(600)")
    running = asyncio.create_task(parent.run())
    async with asyncio.timeout(PATIENCE_S):
        while len(parent.begun) < 2:
            await asyncio.sleep(0.01)
        parent.stopping.set()
        assert await running == 0
    assert all(worker.returncode is not None for worker in parent.begun)


async def test_workers_that_die_before_they_are_ready_end_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were begun again for ever, and nobody was told."""
    parent = Parent(tmp_path, "raise SystemExit(3)")
    async with asyncio.timeout(PATIENCE_S):
        assert await parent.run() == 1
    assert MOST_FAILURES <= len(parent.begun) <= 2 * MOST_FAILURES
    assert "ended with 3 before it was ready" in capsys.readouterr().err


@pytest.mark.usefixtures("logging_put_back")
async def test_the_log_says_how_a_worker_ended(tmp_path: Path) -> None:
    """The field was called `code`, as those of rooms are, and so it was left out."""
    stream = io.StringIO()
    log.configure("json", stream=stream)
    parent = Parent(tmp_path, "import os; os.kill(os.getpid(), 9)")
    async with asyncio.timeout(PATIENCE_S):
        assert await parent.run() == 1
    ended = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert {(one["event"], one["exit_status"]) for one in ended} == {("worker.died", -9)}


async def test_a_worker_that_knows_that_it_cannot_start_is_not_tried_again(tmp_path: Path) -> None:
    parent = Parent(tmp_path, f"raise SystemExit({CANNOT_START})")
    async with asyncio.timeout(PATIENCE_S):
        assert await parent.run() == 1
    assert len(parent.begun) == 2


async def test_a_server_that_was_ready_keeps_beginning_its_workers_again(tmp_path: Path) -> None:
    parent = Parent(tmp_path, f"print('patchbay: ready on x:1', flush=True); raise SystemExit({CANNOT_START})")
    running = asyncio.create_task(parent.run())
    async with asyncio.timeout(PATIENCE_S):
        while len(parent.begun) < 3 * MOST_FAILURES:
            await asyncio.sleep(0.01)
        parent.stopping.set()
        assert await running == 0


async def test_a_worker_that_cannot_be_started_for_a_moment_is_started_later(tmp_path: Path) -> None:
    """A machine without a process to spare ended the server, and with it the workers that were running."""
    says_ready = "import time; print('patchbay: ready on x:1', flush=True); time.sleep(600)"
    parent = Refused(tmp_path, says_ready)
    running = asyncio.create_task(parent.run())
    async with asyncio.timeout(PATIENCE_S):
        while len(parent.begun) < 2:
            await asyncio.sleep(0.01)
        assert parent.refusals == 0
        parent.stopping.set()
        assert await running == 0


async def test_workers_that_cannot_be_started_at_all_end_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parent = Refused(tmp_path, "raise SystemExit(0)", refusals=100)
    async with asyncio.timeout(PATIENCE_S):
        assert await parent.run() == 1
    assert "no process left" in capsys.readouterr().err


async def test_a_worker_that_dies_before_it_has_read_its_settings_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole server ended with it."""

    async def begin(*command: str, **pipes: int) -> object:
        async def drain() -> None:
            raise BrokenPipeError

        return SimpleNamespace(stdin=SimpleNamespace(write=lambda data: None, drain=drain))

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin)
    parent = Supervisor(Settings(data_dir=tmp_path, port=0))
    assert await parent.start_worker(0, 2222) is not None


def test_a_machine_without_ipv6_is_no_reason_not_to_start() -> None:
    """One process started where `0.0.0.0,::` was asked for, several did not."""
    port, held = reserve(("127.0.0.1", "2001:db8::1"), 0)
    assert [sock.getsockname() for sock in held] == [("127.0.0.1", port)]
    held[0].close()
    with pytest.raises(OSError, match="2001:db8::1"):
        reserve(("2001:db8::1",), 0)


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(OSError, match=r"203\.0\.113\.7"):
        reserve(("127.0.0.1", "203.0.113.7"), 0)


async def test_browsers_came_in_at_either_of_two_servers_with_several_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers of both shared the browsers' port, and nobody was told."""
    monkeypatch.setattr(supervisor, "have_port", partial(have_port, wait_s=0))
    with socket.socket() as of_a_worker:
        of_a_worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        of_a_worker.bind(("127.0.0.1", 0))
        of_a_worker.listen()
        parent = Parent(tmp_path, "raise SystemExit(1)", web_port=of_a_worker.getsockname()[1])
        with pytest.raises(OSError, match=r"the browsers' port .* PATCHBAY_WEB_PORT"):
            await parent.run()
    assert parent.begun == []


async def test_several_workers_did_not_say_where_their_pages_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as probe:
        port = probe.getsockname()[1]
    says_ready = "import time; print('patchbay: ready on x:1', flush=True); time.sleep(600)"
    parent = Parent(tmp_path, says_ready, web_host="::1", web_port=port)
    running = asyncio.create_task(parent.run())
    said = ""
    async with asyncio.timeout(PATIENCE_S):
        while "patchbay: ready on" not in said:
            await asyncio.sleep(0.01)
            said += capsys.readouterr().out
        parent.stopping.set()
        assert await running == 0
    assert f"pages: http://[::1]:{port}/" in said.splitlines()
