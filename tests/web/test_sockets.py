"""Sessions in a browser: what a watcher's socket gets, and who may open one."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import structlog
from starlette.websockets import WebSocketDisconnect
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from server.i18n.catalogues import catalogue
from server.web.socket import end_of
from tests.hostile.on_pages import HELLO, TEXT, frame, said, upgrade
from tests.services import drop_postgres, make_postgres
from tests.ssh.server import Server
from tests.waiting import PATIENCE_S
from tests.web.pages import open_door, page, web_port

FLIPS = 50  # from one size to another and back, each of which draws the whole screen


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with open_door(tmp_path) as made:
        yield made


async def test_two_watchers_of_one_match_get_the_same_bytes_of_each_move(server: Server) -> None:
    async with server.bot() as bot:
        await bot.send(do="seek", game="relati", against="bot:easy")
        match = (await bot.until("start"))["match"]
        large = [120, 40]  # there is room for who looks on
        async with (
            page(server, "watch", match, size=large) as first,
            page(server, "watch", match, size=large) as second,
        ):
            for one in (first, second):
                await one.until("2 watching")
            turn = await bot.until("turn")
            action = turn["pending"]["choice"]["one_of"][0]
            n = len(first.lines), len(second.lines)
            told = {number: text for one in (first, second) for number, text in one.told.items()}
            await bot.send(do="act", match=match, seq=turn["seq"], action=action)
            await bot.until("turn")
            for one in (first, second):
                while one.told.keys() <= told.keys():
                    await one.take()
            shared = min(len(first.lines) - n[0], len(second.lines) - n[1])
            assert shared
            assert first.lines[n[0] : n[0] + shared] == second.lines[n[1] : n[1] + shared]


@pytest.mark.parametrize("ground", ["dark", "light"])
async def test_a_light_page_first_got_the_styles_of_a_dark_one(server: Server, ground: str) -> None:
    """The board that the page had brought stood in black patches until the next message."""
    async with server.bot() as bot:
        await bot.send(do="seek", game="relati", against="bot:easy")
        match = (await bot.until("start"))["match"]
        async with page(server, "watch", match, ground=ground) as one:
            await one.until("Relati")
        sent = [json.loads(line)["styles"] for line in one.lines if line.startswith('{"styles"')]
        assert sent
        assert all(styles == sent[-1] and "" not in styles for styles in sent), "it brings no ground of its own"


async def test_a_page_of_another_site_may_not_open_a_socket(server: Server) -> None:
    for origin in ("https://elsewhere.example", None):
        with pytest.raises(InvalidStatus):
            async with page(server, "lobby", origin=origin):
                pass


@pytest.mark.services
async def test_a_place_with_a_nul_ended_the_session_with_a_traceback(tmp_path: Path) -> None:
    """PostgreSQL takes none in a question: each socket of a stranger wrote one into the log."""
    url = await make_postgres()
    try:
        async with open_door(tmp_path, PATCHBAY_DATABASE_URL=url) as server:
            for place, argument in (("watch", "\0"), ("replay", "a\0b"), ("page", "profile a\0"), ("join", "\0")):
                had = {"place": "me", "under": [{"place": f"{place} {argument}"}]}
                for left in (None, had):
                    async with page(server, place, argument, left=left) as mine:
                        await mine.means_that(lambda means: means.get("keys"))
                        await mine.send(key="?")
                        await mine.means_that(lambda means: means.get("place") == "help")
            assert "Traceback" not in server.errors()
    finally:
        await drop_postgres(url)


async def test_a_guest_in_the_lobby_has_buttons_for_its_keys(server: Server) -> None:
    async with page(server, "lobby") as mine:
        while "keys" not in mine.means:
            await mine.take()
        assert {"p", "?"} <= {one["key"] for one in mine.means["keys"]}
        await mine.send(key="?")
        while mine.means["keys"][0]["key"] == "p":
            await mine.take()
        await mine.send(size=[120, 40])
        while len(mine.rows) != 40:
            await mine.take()
        assert sum(width for _, _, width in mine.rows[3]) == 120


async def test_a_page_in_a_tiny_window_had_no_buttons(server: Server) -> None:
    """The board has no room there; what it means is told all the same."""
    async with page(server, "lobby", size=[30, 12]) as mine:
        await mine.means_that(lambda means: any(one["key"] == "?" for one in means.get("keys", ())))


async def test_who_reads_nothing_is_cut_off(tmp_path: Path) -> None:
    async with open_door(tmp_path, PATCHBAY_LIMIT_STALL_S="1") as server:
        with socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect(("127.0.0.1", web_port(server)))
            sock.sendall(upgrade())
            assert b" 101 " in await asyncio.to_thread(sock.recv, 1024)
            sock.sendall(frame(TEXT, json.dumps(HELLO).encode()))
            async with asyncio.timeout(PATIENCE_S):
                while "stalled" not in server.log.read_text():
                    sock.sendall(said(size=[300, 119]) + said(size=[300, 120]))
                    await asyncio.sleep(0.2)


async def test_a_page_that_reads_again_gets_the_newest_screen_at_the_largest_size(server: Server) -> None:
    async with page(server, "lobby", size=[300, 120], receive_bytes=32 * 1024) as mine:
        await mine.means_that(lambda means: "keys" in means)
        keys, drawn = mine.means["keys"], len("".join(mine.lines))
        for _ in range(FLIPS):
            await mine.send(size=[300, 119])
            await mine.send(size=[300, 120])
            await asyncio.sleep(0.01)
        await mine.send(key="?")
        await mine.means_that(lambda means: means["keys"] != keys)
        await mine.send(key="esc")
        await mine.means_that(lambda means: means["keys"] == keys)
        assert [sum(columns for _, _, columns in row) for row in mine.rows] == [300] * 120
        assert len("".join(mine.lines)) < FLIPS * drawn, "frames were skipped"


async def test_a_session_that_was_ended_before_its_page_said_hello_began_all_the_same(server: Server) -> None:
    at = f"127.0.0.1:{web_port(server)}"
    silent = connect(f"ws://{at}/socket", origin=Origin(f"http://{at}"), compression=None)
    async with silent as socket, page(server, "lobby") as other:
        await other.means_that(lambda means: "keys" in means)
        assert (await server.beside("admin", "ban", "127.0.0.1/32", "--why", "spoiling"))[0] == 0
        while "over" not in other.others:
            await other.take()
        await socket.send(json.dumps(HELLO))
        async with asyncio.timeout(PATIENCE_S):
            [(kind, (why, comes_back))] = json.loads(await socket.recv()).items()
    assert (kind, comes_back) == ("over", False)
    assert "spoiling" in why


async def test_nonsense_ends_the_socket_and_nothing_else(server: Server) -> None:
    async with page(server, "lobby", size=["x", None], lang=3) as mine:
        while "keys" not in mine.means:
            await mine.take()
        nonsense: tuple[dict[str, object], ...] = (
            {"key": 3},
            {"key": "\x1b[2J"},
            {"tap": [10**9, -1]},
            {"wheel": []},
            {"line": None},
            {"size": []},
        )
        for odd in nonsense:
            await mine.send(**odd)
        await mine.send(key="?")
        while mine.means["keys"][0]["key"] == "p":
            await mine.take()
    assert "session failed" not in server.errors()


async def test_bytes_that_are_no_text_left_a_traceback(server: Server) -> None:
    for message in (b"\x00", "[" * 10_000, "null"):
        async with page(server, "lobby") as mine:
            while "keys" not in mine.means:
                await mine.take()
            await mine.socket.send(message)
            if isinstance(message, bytes):
                await mine.socket.wait_closed()
            else:
                await mine.send(key="?")
                while mine.means["keys"][0]["key"] == "p":
                    await mine.take()
    assert "Traceback" not in server.errors()


async def test_a_page_that_was_gone_before_its_socket_was_accepted_left_a_traceback(server: Server) -> None:
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", web_port(server))) as sock:
            sock.sendall(upgrade())
    async with page(server, "lobby") as mine:
        while "keys" not in mine.means:
            await mine.take()
    assert "Traceback" not in server.errors()


def test_an_error_of_ours_ended_a_browser_s_session_without_a_word() -> None:
    with structlog.testing.capture_logs() as said:
        say, status = end_of([None, WebSocketDisconnect()])
        assert (say(catalogue("en")), status, said) == ("", 0, [])
        say, status = end_of([ValueError("odd"), None])
    assert say(catalogue("en"))
    assert status != 0
    assert [(one["event"], one["log_level"]) for one in said] == [("session failed", "error")]
