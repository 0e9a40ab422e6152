"""A page whose worker is killed comes back on another one, as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from websockets.exceptions import WebSocketException

from tests.services import REDIS_URL, missing
from tests.ssh.server import Server
from tests.ssh.test_lifecycle import children
from tests.waiting import PATIENCE_S
from tests.web.pages import Page, get, page

pytestmark = pytest.mark.services


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Server]:
    """A server with two workers and a door for browsers."""
    try:
        redis.Redis.from_url(REDIS_URL).ping()
    except redis.RedisError as error:
        missing("Redis", error)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {"PATCHBAY_DATABASE_URL": postgres_url, "PATCHBAY_BUS_URL": REDIS_URL, "PATCHBAY_WORKERS": "2"}
    made = Server(tmp_path / "var", {**env, "PATCHBAY_WEB_PORT": str(port)}, whole=True)
    made.start()
    yield made
    assert made.stop() == 0, made.errors()


def worker_of(server: Server, seen: Page) -> int:
    """Return the process that serves a socket."""
    own = f"{seen.socket.local_address[1]:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {f"socket:[{line[9]}]" for line in lines if line[2].endswith(f":{own}")}
    assert server.process is not None
    for pid in children(server.process.pid):
        if inodes & {os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir() if one.exists() or one.is_symlink()}:
            return pid
    raise AssertionError("no worker has it")


def left(seen: Page) -> dict[str, Any]:
    """Return what a page says that it had, as its script does."""
    entry, means = seen.means["entry"], seen.means
    return {
        "place": means["place"],
        "cursor": means["cursor"],
        **{one: entry[one] for one in ("command", "label", "text")},
    }


async def test_a_guest_s_match_cursor_and_unsent_text_survive_the_worker(server: Server) -> None:
    cookie = (await get(server, "/play")).headers["set-cookie"].partition(";")[0]
    async with page(server, "lobby", cookie=cookie) as mine:
        await mine.means_that(lambda means: any(one["key"] == "1" for one in means["keys"]))
        await mine.send(key="1")
        await mine.means_that(lambda means: means["place"] and means["kept_s"])
        before = mine.means["cursor"]
        await mine.means_that(lambda means: not means["holds"])
        await mine.send(key="up")
        await mine.means_that(lambda means: means["cursor"] != before)
        await mine.send(key="tab")
        await mine.means_that(lambda means: means["entry"])
        await mine.send(line="well pl", under=mine.means["entry"]["label"], whole=False)
        await mine.means_that(lambda means: means["entry"]["text"] == "well pl")
        had = left(mine)
        os.kill(worker_of(server, mine), signal.SIGKILL)
        await mine.socket.wait_closed()
    place, _, match = had["place"].partition(" ")
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                async with page(server, place, match, cookie=cookie, left=had) as again:
                    await again.means_that(lambda means: means["entry"])
                    assert left(again) == had
                    assert again.means["kept_s"] == 60
                    return
            except (OSError, WebSocketException):
                await asyncio.sleep(0.1)
