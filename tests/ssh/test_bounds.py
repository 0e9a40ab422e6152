"""What one program may have going on, and how commands that make much leave room for others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server.accounts.identity import Identity
from server.config import Settings
from server.lobby.permissions import MOST_ROOMS
from server.matches.match_quota import MOST_MATCHES
from server.roundrobin import RoundRobin
from server.ssh import call as calls
from server.ssh.bot.session import BotSession
from server.ssh.call import Call
from server.tokenbucket import Rates
from tests.ssh.client import new_key
from tests.ssh.server import Server, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("bounds")) as server:
        yield server


async def test_matches_and_rooms_are_not_begun_without_end(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_LIMIT_BEGINNINGS_PER_MIN": "5"}) as server:
        async with server.bot(source="127.0.0.61") as bot:
            assert bot.hello["limits"]["beginnings_per_min"] == 5
            for _ in range(2):
                assert (await bot.ask(do="seek", game="rainet", against="bot:easy"))["type"] == "ok"
                assert (await bot.ask(do="create", game="rainet"))["type"] == "room"
            assert (await bot.ask(do="create", game="relati"))["type"] == "room"
            limited = await bot.ask(do="seek", game="relati", against="bot:easy")
            assert (limited["error"], limited["limit"]) == ("rate_limited", "beginnings_per_min")
            assert limited["retry_after_ms"] > 0
            assert (await bot.ask(do="pong"))["type"] == "ok", "everything else goes on"
            assert (await bot.ask(do="seek", game="relati", rated=False))["type"] == "ok", "whoever seeks a person, too"
            async with server.bot(source="127.0.0.61") as another:
                limited = await another.ask(do="create", game="rainet")
                assert limited["error"] == "rate_limited", "another connection is the same source"
            async with server.bot(source="127.0.0.62") as elsewhere:
                assert (await elsewhere.ask(do="create", game="rainet"))["type"] == "room"


async def test_a_guest_begins_so_many_matches_at_most(server: Server) -> None:
    async with server.bot(source="127.0.0.63") as bot:
        matches = [(await bot.ask(do="seek", game="rainet", against="bot:easy"))["match"] for _ in range(MOST_MATCHES)]
        assert (await bot.ask(do="seek", game="rainet", against="bot:easy"))["error"] == "refused"
        assert (await bot.ask(do="resign", match=matches[0]))["type"] == "ok"
        assert (await bot.ask(do="seek", game="rainet", against="bot:easy"))["type"] == "ok"


async def test_a_room_that_has_played_gives_way_to_a_new_one(server: Server) -> None:
    async with server.bot(source="127.0.0.65") as bot:
        for _ in range(MOST_ROOMS + 5):
            made = await bot.ask(do="create", game="rainet", bots=["bot:easy"])
            assert made["type"] == "room", made
            start = await bot.until("start")
            await bot.ask(do="resign", match=start["match"])
            await bot.until("end", match=start["match"])


async def test_commands_take_turns() -> None:
    turns, done, rounds = RoundRobin(), list[str](), list[int]()

    async def makes_much(name: str) -> None:
        for _ in range(3):
            await turns.give()
            done.append(name)

    async def lives() -> None:
        while len(done) < 9:
            rounds.append(len(done))
            await asyncio.sleep(0)

    await asyncio.gather(lives(), *(makes_much(name) for name in "abc"))
    assert sorted(done) == sorted("abc" * 3)
    assert all(later - before <= 1 for before, later in pairwise(rounds)), rounds
    assert set(done[:3]) == set("abc"), done


async def test_orders_that_are_refused_at_once_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of them wait in one window; each is done without a pause of its own."""
    monkeypatch.setattr(calls, "SLICE_S", -1.0)  # every slice is over at once
    lines, rounds = [b"nonsense"] * 50, 0

    class LineReader:
        async def line(self) -> bytes:
            if not lines:
                raise EOFError
            return lines.pop()

    class ChannelWriter:
        paused = False

        def write(self, data: bytes, to_stderr: bool = False) -> None: ...

    who = Identity(None, "guest-x", frozenset(), None, None, "", "127.0.0.1")
    call = Call(who, "bot", {}, None, ChannelWriter(), LineReader(), "s", Rates(lambda: 0.0))  # type: ignore[arg-type]
    services: Any = SimpleNamespace(settings=Settings())
    doing = asyncio.create_task(BotSession(call, services).take_instructions())
    while not doing.done():
        rounds += 1
        await asyncio.sleep(0)
    await doing
    assert rounds >= 50


async def test_who_is_too_fast_is_told_in_json_how_long_to_wait(tmp_path: Path) -> None:
    with running(tmp_path, {"PATCHBAY_LIMIT_ACCOUNTS_PER_HOUR": "1"}) as server:
        await server.register("mira", new_key(tmp_path, "first"))
        for more in ((), ("--json",)):
            status, out, err = await server.ssh("register", "tarn", *more, key=new_key(tmp_path, f"other{len(more)}"))
            assert (status, out) == (5, "")
            limited = json.loads(err)
            assert (limited["error"], limited["limit"]) == ("rate_limited", "accounts_per_hour")
