"""Events over a real connection: followed, resumed over kill -9, and used by the examples."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from server.matches.own_events import MOST_FOLLOWING
from tests.ssh import schemas
from tests.ssh.client import new_key, ssh_options
from tests.ssh.server import ROOT, Server, running
from tests.texts import en

MOST_LINES = 40


async def pair(server: Server, folder: Path) -> tuple[Path, Path, str]:
    """Register two people who play a daily match; return their keys and the match."""
    keys = [new_key(folder, name) for name in ("mira", "tarn")]
    for name, key in zip(("mira", "tarn"), keys, strict=True):
        await server.register(name, key)
    async with server.bot(keys[0]) as mira, server.bot(keys[1]) as tarn:
        room = await mira.ask(do="create", game="rainet", speed="daily")
        await tarn.ask(do="join", code=room["code"])
        match = (await mira.until("start"))["match"]
    return keys[0], keys[1], str(match)


async def events(server: Server, key: Path, *words: str) -> list[dict[str, Any]]:
    found = await server.json("events", *words, key=key)
    for one in found:
        schemas.check("commands", one)
    return found


async def move_any(server: Server, key: Path, match: str) -> int:
    """Play the first legal move by command."""
    async with server.bot(key) as bot:
        turn = await bot.until("turn", match=match)
    choice = turn["pending"]["choice"]
    action = choice["one_of"][0] if "one_of" in choice else None
    if action is None:
        items = choice["subset"]["items"][: choice["subset"]["min"]]
        action = " ".join([choice["subset"]["verb"], *items])
    (answer,) = await server.json("move", match, f"'{action}'", "--seq", str(turn["seq"]), key=key)
    schemas.check("commands", answer)
    assert answer["match"] == match
    return int(answer["seq"])


@asynccontextmanager
async def started(*command: str, cwd: Path | None = None) -> AsyncIterator[Callable[[], Awaitable[str]]]:
    """Run a program; yield what reads its next line."""
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=cwd)
    assert process.stdout is not None
    lines = process.stdout

    async def line() -> str:
        return (await asyncio.wait_for(lines.readline(), 30)).decode().strip()

    try:
        yield line
    finally:
        process.kill()
        await process.wait()


async def test_events_are_told_once_over_kill_9(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        mira, tarn, match = await pair(server, tmp_path)
        seen = {key: await events(server, key) for key in (mira, tarn)}
        assert {one[0]["kind"] for one in seen.values()} == {"paired"}
        for _ in range(3):
            whose = mira if (await turn_of(server, mira, match)) else tarn
            await move_any(server, whose, match)
            server.crash()
            for key, found in seen.items():
                found += await events(server, key, "--after", found[-1]["cursor"])
        for key, found in seen.items():
            assert found == await events(server, key)
            assert len({one["cursor"] for one in found}) == len(found)
        other = seen[tarn][-1]["cursor"]
        refused = [await server.ssh("events", "--after", cursor, key=mira) for cursor in (other, "no-cursor")]
        assert {one[0] for one in refused} == {3}
        assert {one[1:] for one in refused} == {refused[0][1:]}, "another's is answered like an unknown one"
        assert (await server.ssh("events"))[0] == 4, "a guest has none"


async def turn_of(server: Server, key: Path, match: str) -> bool:
    """Tell whether a match waits for the person with this key."""
    found = await server.json("games", "--mine", key=key)
    me = (await server.json("whoami", key=key))[0]["player"]
    (one,) = [one for one in found if one["match"] == match]
    return any(one["seats"][seat]["player"] == me for seat in one["to_act"])


async def test_one_account_followed_its_events_dozens_of_times_at_once(tmp_path: Path) -> None:
    """Each asks the store every second: 38 of them took a third of a core, and nobody else had to do anything."""
    with running(tmp_path) as server:
        keys = [new_key(tmp_path, name) for name in ("mira", "tarn")]
        for name, key in zip(("mira", "tarn"), keys, strict=True):
            await server.register(name, key)
        await server.ssh("challenge", "mira", "relati", key=keys[1])  # of which each tells
        follow = ("ssh", *ssh_options(server.port, keys[0]), "127.0.0.1", "events", "--follow", "--json")
        async with AsyncExitStack() as others:
            for _ in range(MOST_FOLLOWING):
                line = await others.enter_async_context(started(*follow))
                assert json.loads(await line())["kind"] == "challenge"
            status, out, err = await server.ssh("events", "--follow", key=keys[0])
            assert (status, out, json.loads(err)["limit"]) == (5, "", "events_followed")
            assert len(await events(server, keys[0], "--json")) == 1, "who does not follow may ask"


async def test_a_stale_move_and_a_stranger_s_are_refused(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        mira, tarn, match = await pair(server, tmp_path)
        whose = mira if await turn_of(server, mira, match) else tarn
        other = tarn if whose == mira else mira
        assert (await server.ssh("move", match, "z9z8", key=whose))[0] in (1, 2)
        await move_any(server, whose, match)
        assert (await server.ssh("move", match, "a2a3", "--seq", "999", key=other))[0] == 1
        assert (await server.ssh("move", match, "a2a3"))[0] == 4


async def test_a_challenge_was_listed_before_the_turns_of_hours_before_it(tmp_path: Path) -> None:
    """Turns are noted when somebody asks, challenges at once: people read them in that order."""
    with running(tmp_path) as server:
        mira, tarn, _ = await pair(server, tmp_path)
        assert (await server.ssh("challenge", "tarn", "relati", key=mira))[0] == 0
        status, out, _ = await server.ssh("events", key=tarn)
        at = [one["at"] for one in await events(server, tarn)]
        lines = out.splitlines()
        assert (status, len(lines)) == (0, len(at))
        assert at != sorted(at), "programs get them by cursor"
        challenged = en("events.challenge.game", who="mira", game=en("game.relati"))
        assert lines[-1].endswith(challenged)


async def test_the_status_bar_shows_a_turn_and_a_challenge(tmp_path: Path) -> None:
    script = ROOT / "docs/examples/statusbar.py"
    assert len(script.read_text().splitlines()) <= MOST_LINES
    with running(tmp_path) as server:
        mira, tarn, match = await pair(server, tmp_path)
        async with started(sys.executable, str(script), *ssh_options(server.port, tarn), "127.0.0.1") as line:
            if await turn_of(server, mira, match):
                assert (await line()).startswith("turns 0 ")
                await move_any(server, mira, match)
            while not (said := await line()).startswith("turns 1 (against mira)"):
                assert said


async def test_the_bridge_posts_each_event_once_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    script = ROOT / "docs/examples/bridge.py"
    assert len(script.read_text().splitlines()) <= MOST_LINES
    posted = list[str]()
    came = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        posted.append(json.loads(await reader.readexactly(length))["text"])
        came.set()
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        writer.close()

    async def wait_for(n: int) -> None:
        while len(posted) < n:
            came.clear()
            await asyncio.wait_for(came.wait(), 30)

    chat = await asyncio.start_server(take, "127.0.0.1", 0)
    hook = f"http://127.0.0.1:{chat.sockets[0].getsockname()[1]}/"
    with running(tmp_path) as server:
        mira, _, match = await pair(server, tmp_path)
        n = len(await events(server, mira))
        bridge = (sys.executable, str(script), hook, *ssh_options(server.port, mira), "127.0.0.1")
        async with started(*bridge, cwd=tmp_path):
            await wait_for(n)
            while not (tmp_path / "bridge.cursor").exists():
                await asyncio.sleep(0.01)
        async with server.bot(mira) as bot:
            await bot.until("start", match=match)
            await bot.ask(do="resign", match=match)
        kept = (tmp_path / "bridge.cursor").read_text()
        left = len(await events(server, mira, "--after", kept))
        async with started(*bridge, cwd=tmp_path):
            await wait_for(len(posted) + left)
        every = await events(server, mira)
    chat.close()
    assert posted[-1] == f"a match has ended {match} tarn"
    assert len(every) <= len(posted) <= len(every) + 1, "one more only where it was stopped between post and cursor"
    assert shutil.which("ssh")
