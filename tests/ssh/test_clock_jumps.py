"""A real server whose machine's clock is set forward and back while people play: faked for it alone (libfaketime)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.services import missing
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, Server
from tests.waiting import until

LIBRARY = "faketime/libfaketimeMT.so.1"
HOUR_S = 3600
SPARE = timedelta(minutes=5)  # that a test may take on a loaded machine


def library() -> str:
    found = sorted(Path("/usr/lib").glob(f"*/{LIBRARY}"))
    if not found:
        missing("libfaketime", f"no {LIBRARY} under /usr/lib; Debian's package is faketime")
    return str(found[0])


class Machine:
    """What the server takes for its machine's clock, ahead of the true one by so many seconds."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set_by(0)

    def set_by(self, seconds: int) -> None:
        self._file.write_text(f"{seconds:+d}\n")

    @property
    def env(self) -> dict[str, str]:
        faked = {"FAKETIME_TIMESTAMP_FILE": str(self._file), "FAKETIME_CACHE_DURATION": "1"}
        return {"LD_PRELOAD": library(), "FAKETIME_DONT_FAKE_MONOTONIC": "1", **faked}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def server(tmp_path: Path, machine: Machine) -> Iterator[Server]:
    server = Server(tmp_path / "var", machine.env, whole=True)
    server.start()
    yield server
    assert server.stop() == 0, server.errors()


async def begin(server: Server, folder: Path, stack: AsyncExitStack) -> list[BotClient]:
    """Begin a fast match of RaiNet between two people, who set up; return them by seat. Seat 0 moves first."""
    bots = []
    for name in ("ada", "bob"):
        key = new_key(folder, name)
        await server.register(name, key)
        bots.append(await stack.enter_async_context(server.bot(key)))
    for bot in bots:
        wished = await bot.ask(do="seek", game="rainet", speed="fast", options={"first": "S"})
        assert wished["type"] == "ok", wished
    starts = [await bot.until("start") for bot in bots]
    seated = [bot for _, bot in sorted(zip((start["seat"] for start in starts), bots, strict=True), key=first)]
    for bot in seated:
        await act(bot, "setup LLLLVVVV")
    return seated


def first(pair: tuple[int, BotClient]) -> int:
    return pair[0]


async def act(bot: BotClient, action: str) -> int:
    """Answer the next turn; return how many milliseconds were left for it when it was told."""
    turn = await bot.until("turn")
    answer = await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action=action)
    assert answer["type"] == "ok", answer
    left_ms: int = turn["pending"]["deadline_ms"]
    return left_ms


async def jump(server: Server, machine: Machine, seconds: int, times: int) -> None:
    """Set the machine's clock, and wait until the server has noticed."""
    machine.set_by(seconds)
    await until(lambda: server.log.read_text().count("clock.jumped") == times)


def moments(server: Server) -> list[datetime]:
    """Return when everything happened that the server has stored."""
    with sqlite3.connect(server.data_dir / "patchbay.db") as database:
        rows = database.execute("SELECT at FROM entries ORDER BY seq").fetchall()
        rows += database.execute("SELECT started_at FROM matches UNION SELECT created_at FROM accounts").fetchall()
    return [datetime.fromtimestamp(at / 1e6, UTC) for (at,) in rows]


async def test_nobody_s_time_runs_out_by_a_clock_that_is_set(server: Server, machine: Machine, tmp_path: Path) -> None:
    """An hour forward ended every running match; an hour back dated what came next before what had been."""
    began = datetime.now(UTC)
    async with AsyncExitStack() as stack:
        ada, bob = await begin(server, tmp_path, stack)
        await jump(server, machine, HOUR_S, 1)
        left = [await act(ada, "a1a2"), await act(bob, "h8h7")]
        status, _, err = await server.beside("admin", "announce", "soon")
        assert status == 0, err
        await jump(server, machine, -HOUR_S, 2)
        left += [await act(ada, "a2a3"), await act(bob, "h7h8")]
        assert all(120_000 < ms <= 190_000 for ms in left), left
        match = ada.seen[-1]["match"]
        keys = [tmp_path / player.hello["player"] for player in (ada, bob)]
    assert all(began - SPARE < at < datetime.now(UTC) + SPARE for at in moments(server)), moments(server)
    assert server.stop() == 0  # the next process begins an hour before this one
    server.start()
    async with server.bot(keys[0]) as ada, server.bot(keys[1]) as bob:
        assert ada.hello["running"] == [match]
        assert await act(ada, "a3a4") > 120_000
        assert await act(bob, "h8h7") > 120_000
