"""Open hands at a real server: who agrees to them, who sees them, and from whom they are kept."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.ssh.client import Guest, new_key
from tests.ssh.schemas import check
from tests.ssh.server import BotClient, Server, running
from tests.ssh.test_moderators import COLS, ROWS, Terminal
from tests.ssh.test_tables import chosen
from tests.texts import en

KEPT = en("match.hands-kept")
KEPT_BEGINS = KEPT[:20]  # a screen wraps the rest
A_TURN_AGO = en("netrunner.a-turn-ago", place="").strip(", ")
OPEN = {"game": "netrunner", "options": {"open_hands": True}}
MIRA, TARN, ELSEWHERE = "127.0.0.21", "127.0.0.22", "127.0.0.23"
ENOUGH = 120  # entries: each side has ended several turns, and has drawn few of its cards
GENEROUS = {"PATCHBAY_LIMIT_ACTIONS_PER_MIN": "6000"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with running(tmp_path, GENEROUS) as server:
        yield server


@dataclass
class Table:
    """A match of two programs, each from an address of its own, with hands that others may see."""

    match: str
    mira_key: Path


@asynccontextmanager
async def table(server: Server, folder: Path) -> AsyncIterator[Table]:
    """Let two sit down, who asked for a rated match, and play until spectators have hands to see."""
    keys = {name: new_key(folder, name) for name in ("mira", "tarn")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["mira"], MIRA) as mira, server.bot(keys["tarn"], TARN) as tarn:
        room = await mira.ask(do="create", rated=True, **OPEN)
        await tarn.ask(do="join", code=room["code"])
        match = (await mira.until("start"))["match"]
        seed = random.randrange(10**6)
        print("seed", seed)
        await asyncio.gather(play(mira, random.Random(seed)), play(tarn, random.Random(seed)))
        assert hands((await shown(server, match, ELSEWHERE))[1]), "some turns have passed"
        yield Table(match, keys["mira"])


async def play(bot: BotClient, rng: random.Random) -> None:
    """Take what may be had, rather than do much with it, for some turns."""
    while (told := await bot.until("turn", "end", "event"))["seq"] < ENOUGH:
        assert told["type"] != "end"
        if told["type"] == "turn":
            await bot.send(do="act", match=told["match"], seq=told["seq"], action=calm(told["pending"]["choice"], rng))


def calm(choice: dict[str, Any], rng: random.Random) -> str:
    return next((one for one in ("keep", "credit") if one in choice.get("one_of", ())), None) or chosen(choice, rng)


async def shown(server: Server, match: str, source: str, key: Path | None = None) -> tuple[str, dict[str, Any]]:
    """Look by a command; return what was said beside it, and the position."""
    status, out, err = await server.ssh("show", match, "--json", key=key, options=("-b", source))
    assert status == 0, err
    return err, json.loads(out)


def hands(position: dict[str, Any]) -> list[str]:
    """Return the cards of both hands that a position shows."""
    [now, _] = position["view"]["position"]["hands"]
    return [*now["hq"], *now["grip"]]


@asynccontextmanager
async def screen(server: Server, source: str, command: str) -> AsyncIterator[Terminal]:
    """Come as a guest with a terminal, from an address, straight to a command's screen."""
    async with asyncssh.connect(
        "127.0.0.1",
        server.port,
        username="someone",
        client_keys=None,
        client_factory=Guest,
        password_auth=False,
        preferred_auth="keyboard-interactive",
        known_hosts=None,
        config=None,
        agent_path=None,
        local_addr=(source, 0),
    ) as connection:
        _, session = await connection.create_session(
            Terminal, command=command, term_type="xterm-256color", term_size=(COLS, ROWS), encoding=None
        )
        assert isinstance(session, Terminal)
        yield session


async def test_a_player_s_second_connection_sees_no_hands_in_any_way(server: Server, tmp_path: Path) -> None:
    """As a guest beside their own match a player saw the opponent's hand and unrezzed cards a turn later."""
    async with table(server, tmp_path) as here:
        for source, key in ((MIRA, None), (TARN, None), (ELSEWHERE, here.mira_key)):
            said, position = await shown(server, here.match, source, key)
            assert (hands(position), KEPT in said) == ([], True), source
        outsider, position = await shown(server, here.match, "127.0.0.24")
        assert hands(position)
        assert KEPT not in outsider

        for source, told in ((MIRA, True), ("127.0.0.24", False)):
            async with screen(server, source, f"watch {here.match}") as seen:
                await seen.shows("Open hands")
                if told:
                    await seen.shows(KEPT_BEGINS)
                    assert A_TURN_AGO not in seen.text
                else:
                    await seen.shows(A_TURN_AGO)
                    assert KEPT_BEGINS not in seen.text


async def test_open_hands_are_told_before_one_agrees_and_while_one_plays_and_never_rated(
    server: Server, tmp_path: Path
) -> None:
    """The answer to `join` said nothing of what the room plays: a program sat down at open hands unknowing."""
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["mira"], MIRA) as mira, server.bot(keys["tarn"], TARN) as tarn:
        await mira.ask(do="seek", rated=True, **OPEN)
        made = await mira.ask(do="create", rated=True, **OPEN)
        assert (made["options"], made["rated"]) == ({"open_hands": True}, False)
        while len(found := await server.json("games", "--open", key=keys["tarn"])) < 2:
            continue  # the lobby looks every few seconds
        for listed in found:
            assert (listed["options"], listed["rated"]) == ({"open_hands": True}, False)
        lines = (await server.ssh("games", "--open", key=keys["tarn"]))[1].splitlines()
        assert len([one for one in lines if en("match.open-hands") in one]) == 2, "a seek and a room"
        joined = await tarn.ask(do="join", code=made["code"])
        check("bot-server", joined)
        assert (joined["type"], joined["game"], joined["players"]) == ("ok", "netrunner", 2)
        assert (joined["options"], joined["rated"]) == ({"open_hands": True}, False)
        for bot in (mira, tarn):
            begun = await bot.until("start")
            assert (begun["options"], begun.get("rated", False)) == ({"open_hands": True}, False)
        [live] = await server.json("games", "--live", key=keys["tarn"])
        assert (live["options"], live["rated"]) == ({"open_hands": True}, False)
        async with screen(server, ELSEWHERE, f"watch {live['match']}") as seen:
            await seen.shows("casual")
            await seen.shows("Open hands")
