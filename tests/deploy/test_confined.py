"""The server under exactly the filters of the unit: nothing of it needs a system call that they deny."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.matches.botpool import FAILURES
from server.ssh.commands.all import TABLE
from tests import services
from tests.deploy import confined, match
from tests.services import REDIS_URL
from tests.ssh.client import new_key, run
from tests.ssh.server import Server
from tests.ssh.test_metrics import address, fetch, until_answer, until_value, value
from tests.waiting import PATIENCE_S

UNIT = confined.UNIT
HOST = "127.0.0.1"
MENDED = ("SystemCallFilter=setpriority", "SystemCallErrorNumber=EPERM")
WORDS = {  # by command, what is written after its name
    "show": "MATCH", "watch": "MATCH", "record": "MATCH", "replay": "MATCH --format cast", "top": "rainet",
    "user": "mira", "register": "mira", "rename": "mirabel", "keys": "recovery", "report": "tarn --why spam",
    "block": "tarn", "unblock": "tarn", "admin": "sessions", "delete-me": "--yes mirabel", "join": "K7QX",
}  # fmt: skip
FIRST, LAST = ("register",), ("rename", "delete-me")
BESIDE = (
    "migrate", "check", "check --live", "admin ban 198.51.100.0/24 --why flood", "admin sessions",
    "admin matches --json", "admin announce hello", "admin audit", "backup FILE", "verify", "ratings rebuild",
)  # fmt: skip


@pytest.fixture(autouse=True)
def loaded() -> None:
    """Skip loudly where the filters can't be loaded."""
    if lacking := confined.missing():
        services.missing(lacking, "not installed")


@contextmanager
def serving(folder: Path, **env: str) -> Iterator[Server]:
    server = Server(folder / "var", {"PATCHBAY_METRICS_PORT": "0", **env})
    server.module = "tests.deploy.confined"
    server.start()
    assert server.process is not None
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    if server.process.poll() is None:
        assert server.stop() == 0, server.errors()


async def beside(server: Server, *words: str) -> tuple[int, str, str]:
    """Run `patchbay WORDS…` under the filters."""
    env = {**os.environ, "PATCHBAY_DATA_DIR": str(server.data_dir), "PATCHBAY_PORT": str(server.port), **server.env}
    return await run([sys.executable, "-m", "tests.deploy.confined", *words], env=env)


def test_the_filter_is_the_unit_s() -> None:
    calls = confined.allowed(UNIT)
    assert {"read", "execve", "setpriority", "clone3", "fsync"} <= calls
    assert calls.isdisjoint({"chown", "mount", "ptrace", "bpf", "reboot", "setuid", "sched_setaffinity", "swapon"})


async def test_nothing_that_the_server_does_is_denied(tmp_path: Path) -> None:
    """Every bot died at its start: a bot's process lowers its own priority."""
    with serving(tmp_path, CONFINED_DEADLY="1") as server:
        assert "agrees" in await match.play(HOST, server.port)
        text = fetch(f"{address(server)}/metrics")[1]
        assert all(value(text, f'patchbay_bot_failures_total{{why="{why}"}}') == 0 for why in FAILURES)
        assert value(text, "patchbay_bot_processes") == 1
        assert fetch(f"{address(server)}/readyz") == (200, "ok\n")
        finished, key = (await server.json("games", "--finished"))[0]["match"], new_key(tmp_path, "mira")
        others = [name for name in TABLE if name not in (*FIRST, *LAST)]
        for name in (*FIRST, *others, *LAST):
            status, _, err = await server.ssh(
                *name.split(), *WORDS.get(name, "").replace("MATCH", finished).split(), key=key
            )
            assert status in range(6), (name, status, err, server.errors())
        for words in BESIDE:
            status, _, err = await beside(server, *words.replace("FILE", str(tmp_path / "backup")).split())
            assert status == 0, (words, err)
        staying = asyncio.create_task(match.stay(HOST, server.port))
        await until_value(address(server), "patchbay_sessions", 1)
        await until_value(address(server), "patchbay_screens", 1)
        assert await asyncio.to_thread(server.stop) == 0
        assert "ended with 75" in await staying


@pytest.mark.services
async def test_nothing_that_two_workers_do_is_denied(tmp_path: Path, postgres_url: str) -> None:
    env = {"PATCHBAY_DATABASE_URL": postgres_url, "PATCHBAY_BUS_URL": REDIS_URL, "PATCHBAY_WORKERS": "2"}
    with serving(tmp_path, CONFINED_DEADLY="1", **env) as server:
        assert "agrees" in await match.play(HOST, server.port)


async def test_a_filter_that_kills_bots_was_seen_only_in_the_log(tmp_path: Path) -> None:
    """Their answers were drawn at random, whatever the level; four interpreters were started for each decision."""
    unit = tmp_path / "patchbay.service"
    kept = [line for line in UNIT.read_text().splitlines() if line not in MENDED]
    unit.write_text("\n".join(kept))
    assert len(kept) == len(UNIT.read_text().splitlines()) - len(MENDED)
    with serving(tmp_path, CONFINED_UNIT=str(unit)) as server:
        async with server.bot() as bot:
            begun = await bot.ask(do="seek", game="rainet", against="bot:master")
            turn = await bot.until("turn")
            acted = await bot.ask(do="act", match=begun["match"], seq=turn["seq"], action="setup LLLLVVVV")
            told = bot.last("presence", here=False) or await bot.until("presence", here=False)  # seats are drawn
            assert told["claim_in_ms"] > 0
            await until_answer(f"{address(server)}/readyz", (200, "degraded: bots\n"))
            text = fetch(f"{address(server)}/metrics")[1]
            assert value(text, 'patchbay_bot_failures_total{why="not_started"}') >= 1
            assert value(text, "patchbay_bots_degraded") == 1
            [listed] = await server.json("games", "--live")
            assert listed["seq"] == acted["seq"], "nobody has answered for it"
            async with asyncio.timeout(PATIENCE_S):
                while (await bot.ask(do="claim", match=begun["match"], what="void"))["type"] != "ok":
                    await asyncio.sleep(0.5)
            assert (await bot.until("end"))["result"]["reason"] == "void"
