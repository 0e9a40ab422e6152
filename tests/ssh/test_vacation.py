"""Vacations without screens: by command, and in the bot protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, Server, running


async def vacation(server: Server, key: Path | None, *words: str) -> tuple[int, dict[str, object]]:
    status, out, err = await server.ssh("vacation", *words, "--json", key=key)
    assert bool(out) == (status == 0), err
    if status == 0:
        schemas.check("commands", json.loads(out))
    return status, json.loads(out) if out else {}


async def happened(bot: BotClient, kind: str) -> dict[str, Any]:
    while (told := await bot.until("event"))["event"]["kind"] != kind:
        pass
    return told


async def test_a_vacation_is_taken_and_ended_by_command_and_by_programs(tmp_path: Path) -> None:
    """Only the screens could take one."""
    keys = {name: new_key(tmp_path, name) for name in ("mira", "tarn")}
    with running(tmp_path) as server:
        for name, key in keys.items():
            await server.register(name, key)
        assert await vacation(server, keys["mira"]) == (0, {"v": 1, "type": "vacation", "until": None, "days_left": 14})
        assert (await vacation(server, keys["mira"], "end"))[0] == 1, "there is none"
        for wish, expected in (("15", 1), ("0", 1), ("soon", 2), ("-3", 2)):
            assert (await vacation(server, keys["mira"], wish))[0] == expected, wish
        assert (await vacation(server, None))[0] == 4, "a guest has none"
        async with server.bot(keys["mira"]) as mira, server.bot(keys["tarn"]) as tarn, server.bot() as guest:
            made = await mira.ask(do="create", game="rainet", speed="daily")
            await tarn.ask(do="join", code=made["code"])
            await mira.until("start")
            await tarn.until("start")
            status, taken = await vacation(server, keys["mira"], "5")
            assert (status, taken["days_left"]) == (0, 9)
            told = await happened(tarn, "match.vacation")
            seat = told["event"]["params"]["seat"]
            assert told["event"]["params"]["until"][:16] == str(taken["until"])[:16]
            asked = await mira.ask(do="vacation")
            schemas.check("bot-server", asked)
            assert (asked["type"], asked["until"], asked["days_left"]) == ("ok", taken["until"], 9)
            assert (await mira.ask(do="vacation", days=3))["error"] == "refused", "in one already"
            back = await mira.ask(do="vacation", days=0)
            assert (back["until"], back["days_left"]) == (None, 13), "the day that has begun is taken"
            over = await happened(tarn, "match.vacation_over")
            assert over["event"]["params"]["seat"] == seat
            assert (await mira.ask(do="vacation", days=0))["error"] == "refused"
            assert (await mira.ask(do="vacation", days=14))["error"] == "refused"
            assert (await mira.ask(do="vacation", days=2))["days_left"] == 11
            assert (await guest.ask(do="vacation", days=2))["error"] == "not_allowed"
        assert (await vacation(server, keys["mira"], "end"))[0] == 0
