"""Challenges by command and by programs, answered alike whatever the other may or wants to know."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.texts import en

TOLD = (0, "", f"{en('challenge.left-typed')}\n")  # whatever becomes of it


async def test_a_challenge_by_command_is_accepted_by_a_program_and_told_in_events(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        for words, code in (
            (("challenge", "nobody", "rainet"), 3),
            (("challenge", "mira", "rainet"), 3),
            (("challenge", "tarn", "chess"), 2),
            (("challenge", "tarn", "rainet", "--speed", "soon"), 2),
        ):
            assert (await server.ssh(*words, key=keys["mira"]))[:2] == (code, ""), words
        assert (await server.ssh("challenge", "tarn", "rainet"))[0] == 4, "a guest challenges nobody without staying"
        assert await server.ssh("challenge", "tarn", "rainet", "--option", "first=S", key=keys["mira"]) == TOLD
        server.crash()
        [event] = await server.json("events", key=keys["tarn"])
        assert (event["kind"], event["who"]) == ("challenge", "mira")
        async with server.bot(keys["tarn"]) as tarn:
            [waits] = tarn.hello["waiting"]
            assert (waits["what"], waits["from"], waits["speed"]) == ("challenge", ["mira"], "daily")
            assert (await tarn.ask(do="join", code=waits["code"]))["type"] == "ok"
            start = await tarn.until("start")
            assert (start["speed"], start["rated"], start["options"]) == ("daily", False, {"first": "S"})
        told = await server.json("events", key=keys["mira"])
        assert [(one["kind"], one["who"]) for one in told][:1] == [("paired", "tarn")]
        turns = [one for one in told if one["kind"] == "my_turn"]
        assert [one["match"] for one in turns] == [start["match"]]
        assert (await server.ssh("move", start["match"], "setup", key=keys["mira"]))[0] != 0, "an illegal one"
        assert (await server.ssh("move", start["match"], "setup", "LLLLVVVV", key=keys["mira"]))[0] == 0


async def test_the_answer_is_the_same_byte_for_byte_whatever_the_other_may_know(tmp_path: Path) -> None:
    names = ("mira", "friend", "stranger", "blocker", "hidden", "away", "choosy")
    keys = {name: new_key(tmp_path, name) for name in names}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        await server.ssh("follow", "mira", key=keys["friend"])
        await server.ssh("block", "mira", key=keys["blocker"])
        await server.ssh("invisible", "on", key=keys["hidden"])
        async with server.bot(keys["mira"]) as mira, server.bot(keys["friend"]), server.bot(keys["hidden"]):
            by_command = [await server.ssh("challenge", name, "rainet", key=keys["mira"]) for name in names[1:]]
            assert set(by_command) == {TOLD}
            told = [await mira.ask(do="challenge", player=name, game="rainet") for name in names[1:]]
            for one in told:
                schemas.check("bot-server", one)
            assert {tuple(sorted({**one, "re": 0}.items())) for one in told} == {(("re", 0), ("type", "ok"), ("v", 1))}
            assert (await mira.ask(do="challenge", player="friend", game="rainet", rated=True))["error"] == "not_marked"
        heard = {name: await server.json("events", key=keys[name]) for name in names[1:]}
        assert {name: len(found) for name, found in heard.items()} == {name: 2 * (name != "blocker") for name in heard}


async def test_a_standing_challenge_is_taken_back_by_command_and_by_program(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        async with server.bot(keys["tarn"]) as tarn:
            for speed in ("slow", "daily"):
                said = await server.ssh("challenge", "tarn", "rainet", "--speed", speed, key=keys["mira"])
                assert said[0] == 0
            codes = [(await tarn.until("challenge"))["code"] for _ in range(2)]
            standing = await server.json("challenges", "--json", key=keys["mira"])
            for one in standing:
                schemas.check("commands", one)
            assert [(one["code"], one["to"], one["speed"]) for one in standing] == [
                (code, "tarn", speed) for code, speed in zip(codes, ("slow", "daily"), strict=True)
            ]
            assert (await server.ssh("challenges", "--withdraw", codes[0], key=keys["tarn"]))[0] == 3, "not theirs"
            (left,) = await server.json("challenges", "--withdraw", codes[0], "--json", key=keys["mira"])
            assert left["code"] == codes[1]
            assert (await tarn.until("withdrawn"))["code"] == codes[0]
            assert (await tarn.ask(do="join", code=codes[0]))["error"] == "not_found"
            async with server.bot(keys["mira"]) as mira:
                assert [one["code"] for one in (await mira.ask(do="challenges"))["challenges"]] == [codes[1]]
                assert (await mira.ask(do="challenges", withdraw=codes[0]))["error"] == "not_found"
                assert (await mira.ask(do="challenges", withdraw=codes[1]))["challenges"] == []
            assert (await tarn.until("withdrawn"))["code"] == codes[1]
        assert (await server.ssh("challenges", key=keys["mira"]))[1] == ""


async def test_a_program_s_challenge_ends_with_it_and_begins_when_it_is_accepted(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        async with server.bot(keys["tarn"]) as tarn, server.bot(keys["mira"]) as mira:
            await mira.ask(do="challenge", player="tarn", game="rainet", speed="slow")
            challenge = await tarn.until("challenge")
            await mira.ask(do="cancel")
            assert (await tarn.until("withdrawn"))["code"] == challenge["code"]
            await mira.ask(do="challenge", player="tarn", game="rainet", speed="slow")
            challenge = await tarn.until("challenge")
            assert (await tarn.ask(do="join", code=challenge["code"]))["type"] == "ok"
            starts = await asyncio.gather(mira.until("start"), tarn.until("start"))
            assert starts[0]["match"] == starts[1]["match"]
