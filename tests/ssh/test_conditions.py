"""Conditional moves without screens: by command, in the bot protocol, and over the death of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, running

SETUP = "setup LLVVLVLV"


async def at_turn(south: BotClient, north: BotClient) -> dict[str, Any]:
    """Begin a daily match of RaiNet; return South's first turn."""
    made = await south.ask(do="create", game="rainet", speed="daily", options={"first": "S"})
    await north.ask(do="join", code=made["code"])
    for bot in (south, north):
        turn = await bot.until("turn")
        await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action=SETUP)
    return await south.until("turn")


async def test_two_people_play_on_by_themselves_also_over_a_crash(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn:
            turn = await at_turn(mira, tarn)
            match, seq = turn["match"], turn["seq"]
            wrong = {"do": "act", "match": match, "seq": seq, "action": "d2d3", "if": [["d7d6"]]}
            assert (await mira.ask(**wrong))["error"] == "illegal"
            act = {**wrong, "if": [["d7d6", "d3d4", "e7e6", "e2e3"], ["e7e6", "e2e3"]]}
            schemas.check("bot-client", act)
            assert (await mira.ask(**act))["seq"] == seq + 1
            asked = await mira.ask(do="conditions", match=match)
            schemas.check("bot-server", asked)
            assert (asked["if"], asked["due"]) == (act["if"], False)
            assert (await tarn.ask(do="conditions", match=match))["if"] == []
            [shown] = await server.json("conditions", match, "--json", key=keys["mira"])
            schemas.check("commands", shown)
            assert shown["if"] == act["if"]
            first = await tarn.until("turn")
            await tarn.ask(do="act", match=match, seq=first["seq"], action="d7d6")
            reply = await tarn.until("turn")
            assert reply["view"]["log"][-1] == "d3d4"
            assert reply["seq"] == first["seq"] + 2
            await tarn.ask(do="act", match=match, seq=reply["seq"], action="e7e6")
        server.crash()  # in the moment before the answer
        async with server.bot(keys["tarn"]) as tarn:
            start = await tarn.until("start")
            while len(start["view"]["log"]) < 5:
                start = await tarn.until("turn")
            assert start["view"]["log"] == ["d2d3", "d7d6", "d3d4", "e7e6", "e2e3"]
        status, out, err = await server.ssh("conditions", match, key=keys["mira"])
        assert (status, err) == (0, "")
        assert "e2e3" not in out


async def test_a_move_is_played_with_lines_by_command_and_they_are_replaced_and_dropped(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn:
            match = (await at_turn(mira, tarn))["match"]
        ssh, mine = server.ssh, keys["mira"]
        status, out, err = await ssh("move", match, "d2d3", "--if", "d7d6", "--json", key=mine)
        assert (status, out) == (1, ""), err
        status, out, err = await ssh("move", match, "d2d3", "--if", "d7d6", "d3d4", "--if", "e7e6", "e2e3", key=mine)
        assert (status, out) == (0, ""), err
        assert (await ssh("conditions", match, key=mine))[1] == "d7d6 d3d4\ne7e6 e2e3\n"
        status, out, err = await ssh("conditions", match, "--if", "d7d6", "e2e3", key=mine)
        assert (status, out) == (0, "d7d6 e2e3\n"), err
        assert (await ssh("conditions", match, "--if", "d7d6", "e2e3", "--drop", key=mine))[0] == 2
        assert (await ssh("conditions", match, "--if", "d7d6", "e2e3", "--seq", "1", key=mine))[0] == 1
        [dropped] = await server.json("conditions", match, "--drop", "--json", key=mine)
        assert dropped["if"] == []
        assert (await ssh("conditions", match))[0] == 4, "a guest has no seat there"
