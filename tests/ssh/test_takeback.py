"""Taking back without screens: by command, and in the bot protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, running


async def taken_back(bot: BotClient) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the event of a take-back, and the start and the turn that follow it."""
    while (told := await bot.until("event"))["event"]["kind"] != "takeback":
        pass
    return told, await bot.until("start"), await bot.until("turn")


async def test_two_programs_take_back_what_both_agree_to(tmp_path: Path) -> None:
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn:
            made = await mira.ask(do="create", game="relati", speed="slow")
            await tarn.ask(do="join", code=made["code"])
            match = (await mira.until("start"))["match"]
            first = await mira.until("turn")
            schemas.check("bot-client", {"do": "takeback", "match": match})
            assert (await mira.ask(do="takeback", match=match))["error"] == "refused", "there is nothing yet"
            action = first["pending"]["choice"]["one_of"][0]
            acted = await mira.ask(do="act", match=match, seq=first["seq"], action=action)
            old = await tarn.until("turn")
            assert (await mira.ask(do="takeback", match=match))["type"] == "ok"
            offer = await tarn.until("offer")
            schemas.check("bot-server", offer)
            assert (offer["seat"], offer["what"]) == (0, "takeback")
            status, _, err = await server.ssh("takeback", match, "decline", key=keys["tarn"])
            assert status == 0, err
            status, _, err = await server.ssh("takeback", match, key=keys["mira"])
            assert status == 0, err
            assert (await tarn.ask(do="accept", match=match, what="takeback"))["type"] == "ok"
            told, start, turn = await taken_back(mira)
            assert told["event"] == {"kind": "takeback", "params": {"seat": 0, "to": 0}}
            assert told["seq"] == start["seq"] == turn["seq"] == acted["seq"] + 1
            assert turn["view"] == start["view"] == first["view"]
            stale = await tarn.ask(do="act", match=match, seq=old["seq"], action=action)
            assert stale["error"] == "stale"
            await mira.ask(do="act", match=match, seq=turn["seq"], action=action)
            await tarn.ask(do="resign", match=match)
            await mira.until("end")
        status, out, err = await server.ssh("record", match)
        assert status == 0, err
        rows = [json.loads(line) for line in out.splitlines()]
        assert [(row["kind"], row["to"]) for row in rows if row.get("kind") == "takeback"] == [("takeback", 0)]
        assert rows[-1]["takebacks"] == 1
        assert (await server.ssh("takeback", match, key=keys["mira"]))[0] == 1, "it is over"
        assert (await server.ssh("takeback", match, "perhaps", key=keys["mira"]))[0] == 2


async def test_against_a_bot_it_is_granted_at_once(tmp_path: Path) -> None:
    key = new_key(tmp_path, "mira")
    with running(tmp_path) as server:
        await server.register("mira", key)
        async with server.bot(key) as mira:
            await mira.ask(do="seek", game="relati", against="bot:easy", **{"as": 0})
            match = (await mira.until("start"))["match"]
            first = await mira.until("turn")
            await mira.ask(do="act", match=match, seq=first["seq"], action=first["pending"]["choice"]["one_of"][0])
            assert (await mira.ask(do="takeback", match=match))["type"] == "ok"
            _, start, _ = await taken_back(mira)
            assert start["view"] == first["view"]
