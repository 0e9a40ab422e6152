"""Following by command and by programs, across a kill of the server."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from server.matches.speeds import SPEEDS
from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.texts import en
from tests.waiting import until


async def objects(server: Server, key: Path, *words: str) -> list[dict[str, Any]]:
    status, out, err = await server.ssh(*words, "--json", key=key)
    assert status == 0, err
    found = [json.loads(line) for line in out.splitlines()]
    for one in found:
        schemas.check("commands", one)
    return found


async def test_people_are_followed_and_noted_by_command_and_by_programs(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        mira = keys["mira"]
        for words, expected in (
            (("follow", "nobody"), 3),
            (("follow", "mira"), 1),
            (("follow", "tarn", "--tell", "sleeps"), 2),
            (("unfollow", "tarn"), 3),
        ):
            status, out, _ = await server.ssh(*words, key=mira)
            assert (status, out) == (expected, ""), words
        assert (await server.ssh("follow", "tarn"))[0] == 4, "a guest follows nobody"
        assert (await server.ssh("follow", "tarn", "--tell", "plays", key=mira))[0] == 0
        assert (await server.ssh("note", "tarn", "plays", "fast", key=mira))[0] == 0
        [one] = await objects(server, mira, "following")
        assert (one["player"], one["here"], one["playing"], one["tell"]) == ("tarn", False, None, "plays")
        assert (await objects(server, mira, "note", "tarn"))[0]["text"] == "plays fast"
        assert await objects(server, keys["tarn"], "following") == []
        async with server.bot(keys["tarn"]) as tarn:

            async def is_here() -> bool:
                return bool((await objects(server, mira, "following"))[0]["here"])

            await until(is_here)
            assert (await server.ssh("invisible", "maybe", key=keys["tarn"]))[0] == 2
            assert (await server.ssh("invisible", "on"))[0] == 4, "a guest has no account"
            assert (await server.ssh("invisible", "on", key=keys["tarn"]))[:2] == (0, "")

            async def is_gone() -> bool:
                return not await is_here()

            await until(is_gone)
            assert (await tarn.ask(do="invisible", on=False))["type"] == "ok"
            await until(is_here)
            said = await tarn.ask(do="follow", player="mira")
            assert said["type"] == "ok", said
            assert [one["player"] for one in await objects(server, keys["tarn"], "following")] == ["mira"]
            assert (await tarn.ask(do="unfollow", player="mira"))["type"] == "ok"
            assert (await tarn.ask(do="follow", player="nobody"))["type"] == "error"
        assert (await server.ssh("unfollow", "tarn", key=mira))[0] == 0
        assert await objects(server, mira, "following") == []


def grow_old(server: Server) -> None:
    """Have every account be two days old."""
    with sqlite3.connect(server.data_dir / "patchbay.db") as database:
        database.execute("UPDATE accounts SET created_at = created_at - ?", (2 * 86_400 * 10**6,))


async def test_messages_are_written_by_command_and_by_programs_answered_alike_and_kept(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn", "lio")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        assert (await server.ssh("tell", "tarn", "hello", key=keys["mira"]))[0] == 1, "too young"
        grow_old(server)
        for one, other in (("mira", "tarn"), ("tarn", "mira")):
            assert (await server.ssh("follow", other, key=keys[one]))[0] == 0
        async with server.bot(keys["tarn"]) as tarn:
            answers = {await server.ssh("tell", other, "hello", "there", key=keys["mira"]) for other in ("tarn", "lio")}
            assert answers == {(0, "", f"{en('message.sent')}\n")}, "it said nothing"
            told = await tarn.until("message")
            schemas.check("bot-server", told)
            assert (told["from"], told["to"], told["text"]) == ("mira", "tarn", "hello there")
            assert (await tarn.ask(do="tell", player="mira", text="yes"))["type"] == "ok"
            assert (await server.ssh("block", "mira", key=keys["tarn"]))[0] == 0
            assert await server.ssh("tell", "tarn", "still", "there?", key=keys["mira"]) in answers
        server.crash()
        read = {name: [one["text"] for one in await objects(server, key, "messages")] for name, key in keys.items()}
        assert read == {
            "mira": ["hello there", "hello there", "yes", "still there?"],
            "tarn": ["hello there", "yes"],
            "lio": [],
        }
        assert [one["to"] for one in await objects(server, keys["mira"], "messages", "lio")] == ["lio"]


async def test_commands_that_had_nothing_to_print_said_nothing(tmp_path: Path) -> None:
    """Nobody saw whether a note was kept, whether there were no messages, or which speeds and seats there are."""
    key = new_key(tmp_path, "mira")
    with running(tmp_path) as server:
        await server.register("mira", key)
        for words, key_of_text in ((("messages",), "messages.none-read"), (("decks",), "decks.none-own")):
            status, out, err = await server.ssh(*words, key=key)
            assert (status, out) == (0, "")
            assert en(key_of_text) in err
        await server.register("tarn", new_key(tmp_path, "tarn"))
        assert en("note.kept", name="tarn") in (await server.ssh("note", "tarn", "fast", key=key))[2]
        wrong = ("challenge", "tarn", "rainet", "--speed", "blitz")
        _, _, err = await server.ssh(*wrong, key=key)
        assert all(speed in err for speed in SPEEDS)
