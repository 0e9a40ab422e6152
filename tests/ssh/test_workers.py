"""Several server processes on one port, with one PostgreSQL and one Redis: players don't notice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.services import REDIS_URL, drop_postgres, make_postgres
from tests.ssh.client import fingerprint, new_key
from tests.ssh.server import Server
from tests.ssh.test_lifecycle import children
from tests.ssh.test_metrics import fetch
from tests.ssh.workers import several_workers
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.services
METRICS = {"PATCHBAY_METRICS_PORT": "0"}


@pytest.fixture
def server(tmp_path: Path, postgres_url: str) -> Iterator[Server]:
    """A server to kill."""
    with several_workers(tmp_path, postgres_url, METRICS) as server:
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, migrated_postgres: str) -> Iterator[Server]:
    """A server for tests whose people are their own, and who leave it running."""
    url = asyncio.run(make_postgres(migrated_postgres))
    with several_workers(tmp_path_factory.mktemp("server"), url, METRICS) as server:
        yield server
    asyncio.run(drop_postgres(url))


async def test_players_of_two_processes_meet_in_one_match(shared: Server, tmp_path: Path) -> None:
    assert shared.process is not None
    assert len(children(shared.process.pid)) == 2
    assert len(list((shared.data_dir / "logs").glob("patchbay-*.log"))) == 2, "where the guide says"
    keys = {name: new_key(tmp_path, name) for name in ("ada", "bob")}
    for name, key in keys.items():
        await shared.register(name, key)
    async with shared.bot(keys["ada"]) as ada, shared.bot(keys["bob"]) as bob:
        for bot in (ada, bob):
            assert (await bot.ask(do="seek", game="rainet", speed="slow"))["type"] == "ok"
        starts = [await bot.until("start") for bot in (ada, bob)]
        match = starts[0]["match"]
        assert match == starts[1]["match"]
        for bot in (ada, bob):
            turn = await bot.until("turn")
            answer = await bot.ask(do="act", match=match, seq=turn["seq"], action="setup LLLLVVVV")
            assert answer["type"] == "ok"
        assert (await ada.ask(do="say", match=match, text="hello"))["type"] == "ok"
        assert (await bob.until("say"))["text"] == "hello"
        assert (await bob.ask(do="resign", match=match))["type"] == "ok"
        assert (await ada.until("end"))["result"]["placements"][0] == [starts[0]["seat"]]


async def test_workers_that_cannot_start_end_the_start_with_a_sentence(tmp_path: Path, postgres_url: str) -> None:
    """A metrics port that is taken had them die and begin again for ever, while the parent said nothing."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        env = {"PATCHBAY_DATABASE_URL": postgres_url, "PATCHBAY_BUS_URL": REDIS_URL, "PATCHBAY_WORKERS": "2"}
        env["PATCHBAY_METRICS_PORT"] = str(other.getsockname()[1])
        server = Server(tmp_path / "var", env, whole=True)
        with pytest.raises(AssertionError, match="ended with 1"):
            await asyncio.to_thread(server.start)
    assert "before it was ready" in server.errors()
    assert "address already in use" in server.errors().lower()


async def test_a_killed_worker_is_replaced_and_nothing_is_lost(server: Server, tmp_path: Path) -> None:
    assert server.process is not None
    key = new_key(tmp_path, "id")
    await server.register("cleo", key)
    before = children(server.process.pid)
    async with server.bot(key) as bot:
        match = (await bot.ask(do="seek", game="rainet", against="bot:easy"))["match"]
        turn = await bot.until("turn")
        acked = await bot.ask(do="act", match=match, seq=turn["seq"], action="setup LLLLVVVV")
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        await bot.hung_up()
    async with asyncio.timeout(PATIENCE_S):
        while (await server.ssh("whoami"))[0] != 0:
            pass
    async with server.bot(key) as bot:
        assert bot.hello["running"] == [match]
        turn = await bot.until("turn")
        assert turn["seq"] >= acked["seq"]
    assert set(children(server.process.pid)).isdisjoint(before)


async def test_every_worker_tells_where_its_metrics_are(shared: Server) -> None:
    told = [line.removeprefix("metrics: ") for line in shared.said if line.startswith("metrics: ")]
    assert len(set(told)) == 2
    for url in told:
        status, text = fetch(url)
        assert status == 200
        assert "patchbay_commit_seconds" in text
    assert shared.said[-1].startswith("patchbay: ready on ")


async def test_a_line_of_the_log_did_not_say_which_worker_wrote_it(shared: Server, tmp_path: Path) -> None:
    """The journal holds the lines of all of them."""
    await shared.register("walter", new_key(tmp_path, "walter"))
    logs = shared.data_dir / "logs"
    for number in range(2):
        lines = [json.loads(line) for line in (logs / f"patchbay-{number}.log").read_text().splitlines()]
        assert "started" in {line["event"] for line in lines}
        assert {line.get("worker") for line in lines} == {number}


async def test_workers_end_with_their_parent(server: Server) -> None:
    assert server.process is not None
    left = children(server.process.pid)
    server.kill()
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))


async def test_a_worker_that_does_not_stop_is_ended_soon_after_its_parent() -> None:
    deaf = "import os, signal, time; from server.supervisor import die_with_parent; die_with_parent(os.getppid());"
    deaf += "signal.signal(signal.SIGTERM, signal.SIG_IGN); print(os.getpid(), flush=True); time.sleep(600)"
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {deaf!r}]).wait()"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = int(process.stdout.readline())
        process.kill()
        await until(lambda: not Path(f"/proc/{left}").exists())


async def test_a_ban_sends_somebody_away_from_every_process_and_keeps_them_out(shared: Server, tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("dora", "emil")}
    for name, key in keys.items():
        await shared.register(name, key)
    async with shared.bot(keys["dora"]) as one, shared.bot(keys["dora"]) as two, shared.bot(keys["emil"]) as other:
        status, _, err = await shared.beside("admin", "ban", "dora", "--for", "1h", "--why", "spam")
        assert status == 0, err
        assert [await bot.hung_up() for bot in (one, two)] == [4, 4]
        assert (await other.ask(do="cancel"))["type"] == "ok", "nobody else notices"
    refused = 0
    async with asyncio.timeout(PATIENCE_S):
        while refused < 6:  # in a row: by then every process knows
            status, out, err = await shared.ssh("whoami", key=keys["dora"])
            refused = refused + 1 if status == 4 else 0
    assert out == ""
    assert "spam" in err
    assert (await shared.beside("admin", "unban", "dora"))[0] == 0
    async with asyncio.timeout(PATIENCE_S):
        while (await shared.ssh("whoami", key=keys["dora"]))[0] != 0:
            pass


async def test_a_banned_network_may_not_even_try(shared: Server, tmp_path: Path) -> None:
    status, _, err = await shared.beside("admin", "ban", "127.0.0.77", "--why", "a flood")
    assert status == 0, err
    refused = 0
    async with asyncio.timeout(PATIENCE_S):
        while refused < 6:  # in a row: by then every process knows
            status, _, err = await shared.ssh("whoami", options=("-b", "127.0.0.77"))
            refused = refused + 1 if status == 255 else 0
    assert "you can't come in: a flood" in err
    assert (await shared.ssh("whoami"))[0] == 0, "others may"


async def test_a_ban_of_a_network_costs_those_nobody_meant_no_match(shared: Server, tmp_path: Path) -> None:
    """Both players were sent away and ran out of time: whose clock was the slower lost, and had left."""
    keys = {name: new_key(tmp_path, name) for name in ("finn", "gwen")}
    for name, key in keys.items():
        await shared.register(name, key)
    async with shared.bot(keys["finn"], "127.0.0.88") as finn, shared.bot(keys["gwen"], "127.0.0.89") as gwen:
        for bot in (finn, gwen):
            assert (await bot.ask(do="seek", game="rainet", speed="slow"))["type"] == "ok"
        match = (await finn.until("start"))["match"]
        assert (await gwen.until("start"))["match"] == match
        status, _, err = await shared.beside("admin", "ban", "127.0.0.88/31", "--why", "a flood")
        assert status == 0, err
        assert [await bot.hung_up() for bot in (finn, gwen)] == [4, 4]
    async with asyncio.timeout(PATIENCE_S):
        while not await shared.json("history", "finn"):
            pass
    [ended] = await shared.json("history", "finn")
    assert (ended["match"], ended["result"]) == (match, None)


async def test_what_came_by_a_removed_key_ends_in_both_processes(shared: Server, tmp_path: Path) -> None:
    first, second = new_key(tmp_path, "first"), new_key(tmp_path, "second")
    await shared.register("hugo", first)
    _, code, _ = await shared.ssh("keys", "code", key=first)
    assert (await shared.ssh("keys", "link", code.strip(), key=second))[0] == 0
    async with AsyncExitStack() as open_bots:
        bots = [await open_bots.enter_async_context(shared.bot(second)) for _ in range(8)]
        assert (await shared.ssh("keys", "remove", fingerprint(second), key=first))[0] == 0
        began = time.monotonic()
        assert set(await asyncio.gather(*(bot.hung_up() for bot in bots))) == {4}
        print(f"ended after {time.monotonic() - began:.2f} s")


async def test_a_rolling_restart_replaces_every_worker_and_people_can_come_in_all_the_while(
    server: Server, tmp_path: Path
) -> None:
    assert server.process is not None
    before, came = children(server.process.pid), list[int]()
    restarting = asyncio.create_task(server.beside("admin", "restart"))
    while not restarting.done():
        came.append((await server.ssh("version"))[0])
    status, _, err = await restarting
    assert (status, err.count("has restarted")) == (0, 2), err
    assert set(children(server.process.pid)).isdisjoint(before)
    assert len(came) > 1
    assert came.count(0) >= len(came) - 2, "at most the one who is inside a worker that ends comes again"
    status, out, _ = await server.beside("admin", "audit")
    assert out.count("(console)\trestart") == 2
