"""A page whose worker is killed comes back on another one, as it was."""

from __future__ import annotations

import asyncio
import os
import re
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

IN_HAND = re.compile(r"^ [› ] Kotodama ", re.MULTILINE)
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
    means, entry = seen.means, seen.means["entry"] or {}
    return {
        "place": means["place"],
        "under": [{"place": one} for one in means["under"]],
        "cursor": means["cursor"],
        "half_done": means["half_done"],
        **{one: entry.get(one, "") for one in ("command", "label", "text")},
    }


def labels(seen: Page) -> list[str]:
    """Return what the keys on show are called."""
    return [one["label"] for one in seen.means["keys"]]


async def press(seen: Page, label: str) -> None:
    """Press the key that is called so, as soon as it shows and keys do something."""
    await seen.means_that(lambda means: not means["holds"] and label in labels(seen))
    await seen.send(key=next(one["key"] for one in seen.means["keys"] if one["label"] == label))


async def lose_worker(server: Server, seen: Page) -> dict[str, Any]:
    """Kill the worker that serves a page; return what the page had."""
    had = left(seen)
    os.kill(worker_of(server, seen), signal.SIGKILL)
    await seen.socket.wait_closed()
    return had


async def comes_back(server: Server, cookie: str, had: dict[str, Any]) -> None:
    """Come back, and find what there was."""
    place, _, match = had["place"].partition(" ")
    place, match = (place, match) if place == "watch" else ("page", had["place"])
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                async with page(server, place, match, cookie=cookie, left=had) as again:
                    await again.means_that(lambda means: left(again) == had)
                    assert again.means["kept_s"] == 60
                    return
            except (OSError, WebSocketException):
                await asyncio.sleep(0.1)


async def guest_of(server: Server) -> str:
    """Return the cookie of a new guest."""
    return (await get(server, "/play")).headers["set-cookie"].partition(";")[0]


async def test_a_guest_s_match_cursor_and_unsent_text_survive_the_worker(server: Server) -> None:
    cookie = await guest_of(server)
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
        had = await lose_worker(server, mine)
    await comes_back(server, cookie, had)


async def sit_down_as(mine: Page, side: str) -> None:
    """Change the side in the form until it is this one."""
    await mine.means_that(lambda means: any(one["text"] == "Side" for one in means["items"]))
    while (row := next(one for one in mine.means["items"] if one["text"] == "Side"))["value"] != side:
        await mine.send(row=row["number"], text="Side")
        await mine.means_that(lambda means: row not in means["items"])


async def half_chosen(mine: Page, game: str) -> None:
    """Choose half of an action on a board that has just opened."""
    match game:
        case "rainet":
            await press(mine, "Choose")
        case "relati":
            await press(mine, "Choose")
            await press(mine, "Escape")
        case "passage":
            await mine.means_that(lambda means: "Choose" in labels(mine))
            while not IN_HAND.search(mine.text):
                for label in ("Resign", "Yes", "Rematch"):
                    await press(mine, label)
                await mine.means_that(lambda means: "Choose" in labels(mine))
            while "› Kotodama" not in mine.text:
                await mine.send(key="down")
                await mine.take()
            await press(mine, "Choose")
        case "netrunner":
            await press(mine, "Keep")
            await press(mine, "Run")
    await mine.means_that(lambda means: means["half_done"] and not means["holds"])


@pytest.mark.parametrize("game", ["rainet", "relati", "passage", "netrunner"])
async def test_what_was_half_chosen_survives_the_worker(server: Server, game: str) -> None:
    cookie = await guest_of(server)
    begins, key = ("lobby", "RaiNet now") if game == "rainet" else (f"page bots {game}", "Start")
    place, _, argument = begins.partition(" ")
    async with page(server, place, argument, cookie=cookie) as mine:
        if game == "netrunner":
            await sit_down_as(mine, "Runner")
        await press(mine, key)
        await mine.means_that(lambda means: means["kept_s"])
        await half_chosen(mine, game)
        had = await lose_worker(server, mine)
    await comes_back(server, cookie, had)
