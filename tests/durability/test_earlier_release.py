"""Take-backs beside a real process of release 0.2.0, which knows no such entry: it stops at one, and only there."""

from __future__ import annotations

import asyncio
import io
import subprocess
import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from server.store import tables
from server.store.choose import open_database
from server.store.processes import LOG_VERSION
from tests.services import drop_postgres, make_postgres
from tests.ssh.client import new_key
from tests.ssh.server import ROOT, BotClient, Server

pytestmark = [pytest.mark.services, pytest.mark.logs("match not followed", "match.unreadable", "match.broken")]
EARLIER = "9ea58e1e"  # the commit of release 0.2.0


class EarlierServer(Server):
    """A server of an earlier release, from its own files."""

    def __init__(self, source: Path, data_dir: Path, env: dict[str, str]) -> None:
        super().__init__(data_dir, {**env, "PYTHONPATH": str(source)})
        self.files = 1024  # it is no fork of this process


def earlier_files(folder: Path) -> Path:
    """Unpack the files of the earlier release; where its history is not at hand the test is skipped."""
    packed = subprocess.run(["git", "archive", EARLIER], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip(f"no history with release 0.2.0 ({EARLIER}) here: an old worker is NOT tried beside a new one")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


@contextmanager
def side_by_side(folder: Path, url: str) -> Iterator[tuple[Server, Server]]:
    """Run a server of the earlier release and one of this, on one database."""
    env = {"PATCHBAY_DATABASE_URL": url, "PATCHBAY_BUS_URL": url.replace("+asyncpg", "")}
    for name in ("old", "new"):
        (folder / name).mkdir()
    old = EarlierServer(earlier_files(folder / "source"), folder / "old" / "var", env)
    new = Server(folder / "new" / "var", env)
    try:
        old.start()
        new.start()  # changes the schema under the old one, as an upgrade does
        yield old, new
    finally:
        for server in (old, new):
            if server.process is not None and server.process.poll() is None:
                server.stop()


async def two_at(bots: tuple[BotClient, BotClient], **more: Any) -> tuple[str, dict[str, Any]]:
    """Begin a casual match of Relati; return its id and the first turn."""
    made = await bots[0].ask(do="create", game="relati", speed="slow", **more)
    await bots[1].ask(do="join", code=made["code"])
    match = (await bots[0].until("start"))["match"]
    return match, await bots[0].until("turn", match=match)


async def act(bot: BotClient, turn: dict[str, Any]) -> dict[str, Any]:
    action = turn["pending"]["choice"]["one_of"][0]
    return await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action=action)


@pytest.fixture
async def empty_url() -> AsyncIterator[str]:
    """The URL of an empty PostgreSQL database."""
    url = await make_postgres()
    yield url
    await drop_postgres(url)


async def unregister(url: str) -> None:
    """Have every process count as one that reads take-backs: as one would that is not registered, for a moment."""
    opened = await open_database(url)
    await opened.write(lambda connection: connection.execute(update(tables.processes).values(log_version=LOG_VERSION)))
    await opened.close()


@pytest.mark.soak
async def test_an_old_process_stops_at_a_take_back_and_at_nothing_else(tmp_path: Path, empty_url: str) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with side_by_side(tmp_path, empty_url) as (old, new):
        for name, key in keys.items():
            await new.register(name, key)
        async with old.bot(keys["mira"]) as mira, new.bot(keys["tarn"]) as tarn:
            match, first = await two_at((mira, tarn))
            other, turn = await two_at((mira, tarn))
            await act(mira, first)
            theirs = await tarn.until("turn", match=match)
            await act(tarn, theirs)
            mine = await mira.until("turn", match=match)
            refused = await tarn.ask(do="takeback", match=match)
            assert refused["error"] == "refused", "an old process is registered"
            await unregister(empty_url)
            assert (await tarn.ask(do="takeback", match=match))["type"] == "ok"
            status, _, err = await new.ssh("takeback", match, "accept", key=keys["mira"])
            assert status == 0, err
            while (told := await tarn.until("event", match=match))["event"]["kind"] != "takeback":
                pass
            answer = await act(mira, mine)
            assert answer["error"] in ("stale", "paused"), "the old process takes nothing on top of what it can't read"
            assert (await act(mira, turn))["type"] == "ok", "and plays on elsewhere"
            assert (await act(tarn, await tarn.until("turn", match=other)))["type"] == "ok"
        async with new.bot(keys["tarn"]) as tarn:
            start = await tarn.until("start", match=match)
            assert start["seq"] == told["seq"], "nothing was written after the take-back"
            again = await tarn.until("turn", match=match)
            assert (again["seq"], again["view"]) == (told["seq"], theirs["view"])
            assert (await act(tarn, again))["type"] == "ok"
        status, _, why = await new.beside("verify")
        assert status == 0, why
        await asyncio.to_thread(old.stop)
