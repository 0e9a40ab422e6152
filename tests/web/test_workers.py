"""Pages on two workers: one that is killed, and orders that end a browser's sessions on both."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from server.session.heldkeys import AGAIN_S
from tests.ssh.client import fingerprint, new_key
from tests.ssh.server import Server
from tests.ssh.test_lifecycle import children
from tests.ssh.workers import several_workers
from tests.waiting import PATIENCE_S
from tests.web.pages import Page, get, own_links, page, sign_in

IN_HAND = re.compile(r"^ [› ] Kotodama ", re.MULTILINE)
pytestmark = pytest.mark.services
TRIES = 40  # to reach both workers; the kernel spreads connections at random
ENDS_S = 2.0
Act = Callable[[Server, Path, Path], Awaitable[tuple[int, str, str]]]


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Server]:
    """A server with two workers and a door for browsers."""
    with several_workers(tmp_path, postgres_url, own_links()) as made:
        yield made


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


def is_asked(mine: Page) -> bool:
    """Return whether a match waits for me: for a card of mine, or for an answer to one of the bot's."""
    return "Resign" in labels(mine) and str(mine.others.get("window")).endswith("your move")


async def half_chosen(mine: Page, game: str) -> None:
    """Choose half of an action on a board that has just opened; at once, Enter may be the one that opened it."""
    await asyncio.sleep(AGAIN_S)
    match game:
        case "rainet":
            await press(mine, "Choose")
        case "relati":
            await press(mine, "Choose")
            await press(mine, "Escape")
        case "passage":
            await mine.means_that(lambda means: is_asked(mine))
            while "End" not in labels(mine) or not IN_HAND.search(mine.text):
                for label in ("Resign", "Yes", "Rematch"):
                    await press(mine, label)
                await mine.means_that(lambda means: is_asked(mine))
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


async def remove_key(server: Server, own: Path, lost: Path) -> tuple[int, str, str]:
    return await server.ssh("keys", "remove", fingerprint(lost), key=own)


async def log_out_everywhere(server: Server, own: Path, lost: Path) -> tuple[int, str, str]:
    return await server.ssh("keys", "logout", key=own)


async def ban(server: Server, own: Path, lost: Path) -> tuple[int, str, str]:
    return await server.beside("admin", "ban", "mira", "--why", "spoiling")


async def delete(server: Server, own: Path, lost: Path) -> tuple[int, str, str]:
    return await server.ssh("delete-me", "--yes", "mira", key=own)


@asynccontextmanager
async def on_both(server: Server, cookie: str) -> AsyncIterator[list[Page]]:
    """Open a browser's pages until there is one on each worker; yield one on each."""
    async with AsyncExitStack() as stack:
        found: dict[int, Page] = {}
        for _ in range(TRIES):
            mine = await stack.enter_async_context(page(server, "lobby", cookie=cookie))
            await mine.means_that(lambda means: "keys" in means)
            found.setdefault(worker_of(server, mine), mine)
            if len(found) == 2:
                yield list(found.values())
                return
        raise AssertionError(f"one worker has all of {TRIES} sockets")


@pytest.mark.parametrize("act", [remove_key, log_out_everywhere, ban, delete], ids=lambda act: act.__name__)
async def test_a_browser_s_sessions_end_within_two_seconds_on_both_workers(
    server: Server, tmp_path: Path, act: Act
) -> None:
    own, lost = new_key(tmp_path, "own"), new_key(tmp_path, "lost")
    await server.register("mira", own)
    code = (await server.ssh("keys", "code", key=own))[1].strip()
    assert (await server.ssh("keys", "link", code, key=lost))[0] == 0
    async with on_both(server, await sign_in(server, lost)) as pages:
        for one in pages:
            while "mira" not in f"{one.text} {one.others.get('badge')}":
                await one.take()
        ending = [asyncio.create_task(ended(one)) for one in pages]
        status, _, said = await act(server, own, lost)
        assert status == 0, said
        done, waiting = await asyncio.wait(ending, timeout=ENDS_S)
        print(act.__name__, "told:", [one.result() for one in done])
        assert not waiting
        assert all(why and not comes_back for why, comes_back in (one.result() for one in done))


async def ended(seen: Page) -> list[Any]:
    """Wait until a page is told that it is over; return why, and whether it comes back."""
    while "over" not in seen.others:
        await seen.take()
    over: list[Any] = seen.others["over"]
    return over
