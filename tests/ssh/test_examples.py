"""Every example of docs/protocol.md and docs/examples is what it says: readable, of its schema, and running."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.ssh.bot.instructions import read_instruction
from tests.ssh.client import new_key, run, ssh_options
from tests.ssh.schemas import check
from tests.ssh.server import ROOT, Server, running

PAGE = (ROOT / "docs" / "protocol.md").read_text()
NAMED = {
    "ID": "kmkj9d6h",
    "G": "rainet",
    "HEX": "ab" * 32,
    "KEY": "rainet.prompt.act",
    "TEXT": "hello",
    "CODE": "stale",
    "HANDLE": "tarn",
}
SAMPLES = (
    ('"players":[…]', '"players":[{"seat":0,"player":"ada","rating":null}]'),
    ('"choice":{…}', '"choice":{"one_of":["c2c3"]}'),
)


def concrete(example: str) -> dict[str, Any]:
    """Read an example of the page: its placeholders stand for values of their kind, `…` for more of the same."""
    for shown, sample in SAMPLES:
        example = example.replace(shown, sample)
    example = re.sub(r",…(?=[}\]])", "", example).replace("{…}", "{}")
    example = re.sub(r":…(?=[,}])", ':"2026-01-02T12:00:00Z"', example)
    example = re.sub(rf":({'|'.join(NAMED)})(?=[,}}])", lambda found: f":{json.dumps(NAMED[found[1]])}", example)
    read: dict[str, Any] = json.loads(example)
    return read


INSTRUCTIONS = [*re.findall(r"^C (\{.*\})$", PAGE, re.MULTILINE), *re.findall(r"`(\{\"do\":.*?\})`", PAGE)]
ANSWERS = [
    *re.findall(r"^S (\{.*\})$", PAGE, re.MULTILINE),
    *(f'{{"v":1,{rest}' for rest in re.findall(r"`\{(\"type\":.*?\})`", PAGE)),
]
MOST = frozenset(("seek", "create", "join", "act", "offer", "claim", "say", "pong"))


def test_the_page_has_examples_of_most_instructions_and_messages() -> None:
    assert {concrete(one)["do"] for one in INSTRUCTIONS} >= MOST
    assert {concrete(one)["type"] for one in ANSWERS} >= {"hello", "start", "turn", "event", "end", "presence", "room"}


@pytest.mark.parametrize("example", INSTRUCTIONS)
def test_an_instruction_of_the_page_is_read_and_is_of_the_schema(example: str) -> None:
    instruction = concrete(example)
    read_instruction(json.dumps(instruction).encode())
    check("bot-client", instruction)


@pytest.mark.parametrize("example", ANSWERS)
def test_a_message_of_the_page_is_of_the_schema(example: str) -> None:
    check("bot-server", concrete(example))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


async def test_every_field_is_explained_and_a_room_is_casual_unless_it_is_said(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register_machine("ada", key)
    explained = {"v", "type", *re.findall(r"`([a-z_]+)`", PAGE)}
    async with server.bot(key) as bot:
        assert set(bot.hello) | set(bot.hello["limits"]) <= explained
        rated = [(await bot.ask(do="create", game="rainet", **said))["rated"] for said in ({}, {"rated": True})]
        assert rated == [False, True]
        match = (await bot.ask(do="seek", game="rainet", against="bot:easy"))["match"]
        start = await bot.until("start", match=match)
    shown = json.loads((await server.ssh("show", match, "--json", key=key))[1])
    for seat in (*start["players"], *shown["seats"]):
        assert set(seat) <= explained
        assert {"bank_ms", "out"} <= set(seat)


async def test_the_example_leaves_another_match_alone(server: Server, tmp_path: Path) -> None:
    """It took every turn for one of its own game's, and the end of any match for that of its own."""
    key = new_key(tmp_path, "id")
    await server.register("bob", key)
    async with server.bot(key) as bot:
        other = (await bot.ask(do="seek", game="netrunner", against="bot:easy"))["match"]
        asked = await bot.until("turn", match=other)
    instruction = json.dumps({"do": "seek", "game": "rainet", "against": "bot:easy"})
    example = [sys.executable, str(ROOT / "docs/examples/bot.py"), instruction]
    status, out, err = await run([*example, *ssh_options(server.port, key), "127.0.0.1"], timeout_s=60)
    assert (status, "placements" in json.loads(out)) == (0, True), err
    async with server.bot(key) as bot:
        assert bot.hello["running"] == [other], "nothing was done in it"
        assert (await bot.until("turn", match=other))["pending"]["prompt"] == asked["pending"]["prompt"]


async def test_the_command_of_the_page_prints_what_stands_under_it(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("mira", key)
    command, printed = re.findall(r"^ssh play\.example\.org (.*)\n(\{.*\})$", PAGE, re.MULTILINE)[0]
    status, out, _ = await server.ssh(*command.split(), key=key)
    assert status == 0
    found, expected = json.loads(out), json.loads(printed)
    assert {**found, "key": expected["key"]} == expected


@pytest.mark.parametrize(
    "given", [(), ("localhost",), ('{"do":"seek","game":"relati","against":"bot:easy"}', "localhost")]
)
async def test_the_example_without_what_it_needs_ended_in_a_traceback(given: tuple[str, ...]) -> None:
    status, out, err = await run([sys.executable, str(ROOT / "docs/examples/bot.py"), *given])
    assert (status, out) == (1, "")
    assert (len(err.splitlines()), "RaiNet" in err, "Traceback" in err) == (1, True, False)


async def test_a_guest_s_rated_room_is_casual_and_its_code_as_long_as_the_page_says(server: Server) -> None:
    async with server.bot() as guest:
        room = await guest.ask(do="create", game="rainet", rated=True)
    assert (room["type"], room["rated"]) == ("room", False)
    assert {len(room["code"])} == {len(code) for code in re.findall(r'"code":"(\w+)"', PAGE)}
