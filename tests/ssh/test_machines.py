"""Programs play rated for accounts that are marked as machines, and everybody sees the mark, by every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.ssh import schemas
from tests.ssh.client import new_key
from tests.ssh.server import BotClient, Server, running
from tests.texts import en
from tests.waiting import until

SEEK = {"do": "seek", "game": "rainet", "speed": "slow"}
RATED = {**SEEK, "rated": True}
BOT = {"do": "declare", "as": "bot"}


async def people(server: Server, folder: Path, *names: str) -> dict[str, Path]:
    keys = {name: new_key(folder, name) for name in names}
    for name, key in keys.items():
        await server.register(name, key)
    return keys


async def met(*bots: BotClient) -> list[dict[str, Any]]:
    return [await bot.until("start") for bot in bots]


async def test_a_program_plays_rated_only_for_a_marked_account_and_what_runs_goes_on(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        keys = await people(server, tmp_path, "ada", "bob")
        async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob:
            assert (ada.hello["machine"], bob.hello["machine"]) == (False, False)
            refused = await ada.ask(**RATED)
            assert (refused["error"], "account bot --yes ada" in refused["why"]) == ("not_marked", True)
            schemas.check("bot-server", refused)
            assert (await ada.ask(do="create", game="rainet", rated=True))["error"] == "not_marked"
            assert (await ada.ask(**SEEK, against="bot:easy", rated=True))["type"] == "ok", "that is casual anyway"
            assert (await bob.ask(**BOT))["type"] == "ok"
            room = await bob.ask(do="create", game="rainet", rated=True, speed="slow", machines=False)
            assert (await ada.ask(do="join", code=room["code"]))["error"] == "not_marked"
            assert (await ada.ask(**BOT))["type"] == "ok"
            assert (await ada.ask(do="join", code=room["code"]))["error"] == "refused", "its host wants people alone"
            for bot in (ada, bob):
                assert (await bot.ask(**SEEK))["type"] == "ok", "left out, a machine's seek is rated, and for machines"
            starts = [await bot.until("start", rated=True) for bot in (ada, bob)]
            assert [[one["machine"] for one in start["players"]] for start in starts] == [[True, True]] * 2
            match = starts[0]["match"]
            assert (await ada.ask(do="declare", **{"as": "person"}))["error"] == "refused", "for good by now"
            assert (await ada.ask(do="resign", match=match))["type"] == "ok"
            ended = [await bot.until("end", match=match) for bot in (ada, bob)]
            assert set(ended[0]["rating"]) == {"0", "1"}
        ratings = (await server.json("user", "ada", key=keys["bob"]))[0]
        assert (ratings["machine"], set(ratings["ratings"])) == (True, {"rainet-machines"})


async def test_a_rated_match_that_began_without_the_mark_goes_on_but_is_not_repeated_without_it(tmp_path: Path) -> None:
    """What was begun before, or by screens, is played to its end by a program too."""
    with running(tmp_path) as server:
        keys = await people(server, tmp_path, "ada", "bob")
        for key in keys.values():
            assert (await server.ssh("account", "bot", "--yes", key.name, key=key))[0] == 0
        async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob:
            for bot in (ada, bob):
                await bot.ask(**RATED)
            match = (await met(ada, bob))[0]["match"]
        await server.beside("admin", "void", match, "--why", "so that the mark can go")
        assert (await server.ssh("account", "person", "--yes", "ada", key=keys["ada"]))[0] == 0
        async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob:
            assert (await ada.ask(do="offer", match=match, what="rematch"))["error"] == "not_marked"
            assert (await ada.ask(do="accept", match=match, what="rematch"))["error"] == "not_marked"
            assert (await ada.ask(do="decline", match=match, what="rematch"))["error"] != "not_marked"


async def test_a_machine_became_a_person_while_it_waited_for_a_rated_match(tmp_path: Path) -> None:
    """It then met people who would not play with machines, and for their ratings."""
    person = {"do": "declare", "as": "person"}
    with running(tmp_path) as server:
        keys = await people(server, tmp_path, "ada")
        async with server.bot(keys["ada"]) as ada:
            await ada.ask(**BOT)
            assert (await ada.ask(**RATED, machines=False))["type"] == "ok"
            assert (await ada.ask(**person))["why"] == en("machine.waits")
            await ada.ask(do="cancel")
            room = await ada.ask(do="create", game="rainet", rated=True, speed="slow")
            assert room["rated"]
            assert (await server.ssh("account", "person", "--yes", "ada", key=keys["ada"]))[0] == 1
            await ada.ask(do="cancel")

            async def is_person() -> bool:
                return bool((await ada.ask(**person))["type"] == "ok")

            await until(is_person)


async def test_the_mark_stands_wherever_the_name_does(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        keys = await people(server, tmp_path, "ada", "bob")
        for words, code in ((("account", "robot", "--yes", "ada"), 2), (("account", "bot", "--yes", "bob"), 2)):
            assert (await server.ssh(*words, key=keys["ada"]))[0] == code
        assert (await server.ssh("account", "bot", "--yes", "ada"))[0] == 4, "a guest has no account to mark"
        await server.ssh("follow", "ada", key=keys["bob"])
        async with server.bot(keys["ada"]) as ada, server.bot(keys["bob"]) as bob:
            await ada.ask(**{**SEEK, "rated": False})
            await bob.ask(**{**SEEK, "rated": False, "players": 2, "options": {"first": "S"}})
            assert (await server.ssh("account", "bot", "--yes", "ada", key=keys["ada"]))[0] == 0

            async def is_listed() -> bool:
                games = await server.json("games", "--open")
                marks = {seat["player"]: seat["machine"] for one in games for seat in one["seats"] if seat["player"]}
                return marks == {"ada": True, "bob": False}

            await until(is_listed)
            assert (await server.json("following", key=keys["bob"]))[0]["machine"] is True
            assert (await server.json("whoami", key=keys["ada"]))[0]["machine"] is True
            listed = (await server.ssh("games", "--open"))[1]
            assert ("ada.bot" in listed or "ada·bot" in listed, "bob·bot" in listed) == (True, False)
            await bob.ask(do="cancel")
            await bob.ask(**{**SEEK, "rated": False, "machines": True})
            first, second = await met(ada, bob)
            machine = {one["player"]: one["machine"] for one in first["players"]}
            assert machine == {"ada": True, "bob": False}
            shown = await server.json("show", second["match"])
            assert {one["player"]: one["machine"] for one in shown[0]["seats"]} == machine
