"""Sessions in a browser: what a watcher's socket gets, and who may open one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.ssh.server import Server
from tests.web.pages import open_door, page


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with open_door(tmp_path) as made:
        yield made


async def test_two_watchers_of_one_match_get_the_same_bytes_of_each_move(server: Server) -> None:
    async with server.bot() as bot:
        await bot.send(do="seek", game="relati", against="bot:easy")
        match = (await bot.until("start"))["match"]
        async with page(server, "watch", match) as first, page(server, "watch", match) as second:
            for one in (first, second):
                while not one.means.get("title", "").startswith("Relati"):
                    await one.take()
            turn = await bot.until("turn")
            action = turn["pending"]["choice"]["one_of"][0]
            for one in (first, second):
                while len(one.told) < turn["seq"]:  # the other's move, where it came first
                    await one.take()
            n = len(first.lines), len(second.lines)
            await bot.send(do="act", match=match, seq=turn["seq"], action=action)
            await bot.until("turn")
            for one in (first, second):
                while len(one.told) == turn["seq"]:
                    await one.take()
            shared = min(len(first.lines) - n[0], len(second.lines) - n[1])
            assert shared
            assert first.lines[n[0] : n[0] + shared] == second.lines[n[1] : n[1] + shared]
            assert first.told == second.told


async def test_a_page_of_another_site_may_not_open_a_socket(server: Server) -> None:
    for origin in ("https://elsewhere.example", None):
        with pytest.raises(InvalidStatus):
            async with page(server, "lobby", origin=origin):
                pass


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
