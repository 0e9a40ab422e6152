"""Every row of the table of commands, over the OpenSSH client against the real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from game.record import read_record, verify
from server.accounts.conduct import Conduct
from server.clock import SystemClock
from server.i18n.catalogues import catalogue
from server.ratings.bradley_terry import SETTLED_AFTER
from server.ratings.ladders import all_ladders
from server.ssh.commands.all import TABLE
from server.store import accounts
from server.store.choose import open_database
from server.store.database import Database
from tests.ssh.client import fingerprint, new_key
from tests.ssh.schemas import check
from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


async def test_a_key_registers_once_and_a_handle_too(server: Server, tmp_path: Path) -> None:
    key, other = new_key(tmp_path, "first"), new_key(tmp_path, "other")
    [who] = await server.json("whoami", key=key)
    check("commands", who)
    assert who == {"v": 1, "type": "whoami", "player": None, "guest": True, "key": fingerprint(key), "roles": []}
    await server.register("mira", key)
    [who] = await server.json("whoami", key=key)
    assert (who["player"], who["guest"], who["key"]) == ("mira", False, fingerprint(key))
    status, out, err = await server.ssh("register", "mira", key=other)
    assert (status, out, bool(err)) == (1, "", True)
    assert (await server.ssh("register", "x", key=other))[:2] == (1, "")
    assert (await server.ssh("rename", "tarn", key=other))[0] == 4


async def test_keys_are_linked_by_codes_proposed_listed_and_removed(server: Server, tmp_path: Path) -> None:
    key, other, third = (new_key(tmp_path, name) for name in ("first", "other", "third"))
    codes = await server.register("kayla", key)
    status, code, _ = await server.ssh("keys", "code", key=key)
    assert status == 0
    assert (await server.ssh("keys", "link", "wrong-code", key=other))[:2] == (1, "")
    assert await server.ssh("keys", "link", code.strip(), key=other) == (0, "kayla\n", "")
    assert (await server.ssh("keys", "link", code.strip(), key=third))[:2] == (1, ""), "a code is good once"
    assert await server.ssh("keys", "link", codes[3], key=third) == (0, "kayla\n", ""), "a recovery code links too"
    assert (await server.ssh("keys", "link", codes[3], key=new_key(tmp_path, "fourth")))[0] == 1

    listed = await server.json("keys", "list", key=other)
    for row in listed:
        check("commands", row)
    assert {row["key"] for row in listed} == {fingerprint(key), fingerprint(other), fingerprint(third)}
    assert [row["key"] for row in listed if row["this"]] == [fingerprint(other)]
    added = new_key(tmp_path, "added")
    status, out, _ = await server.ssh("keys", "add", key=key, stdin=Path(f"{added}.pub").read_bytes())
    assert (status, len(out.strip())) == (0, 11), "a code for the new key to link itself with"
    assert (await server.ssh("keys", "remove", fingerprint(added), key=key))[0] == 0
    assert (await server.ssh("keys", "remove", fingerprint(added), key=key))[0] == 1


async def test_an_account_is_renamed_exported_and_deleted(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "first")
    await server.register("wanda", key)
    assert await server.ssh("rename", "wanda2", key=key) == (0, "wanda2\n", "")
    [user] = await server.json("user", "wanda2", key=None)
    check("commands", user)
    [export] = [json.loads(line) for line in (await server.ssh("export-my-data", key=key))[1].splitlines()]
    assert export["type"] == "export"
    assert "wanda2" in json.dumps(export)
    assert (await server.ssh("delete-me", "--yes", "wanda", key=key))[0] == 2
    status, out, _ = await server.ssh("delete-me", "--yes", "wanda2", key=key)
    assert status == 0
    assert out.startswith("deleted-")
    [who] = await server.json("whoami", key=key)
    assert who["player"] is None


async def play_and_resign(server: Server, key: Path) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Play one action against a bot and resign; return the match, the answer to the action and the end."""
    async with server.bot(key=key) as bot:
        await bot.ask(do="seek", game="rainet", against="bot:easy", **{"as": 0})
        turn = await bot.until("turn")
        acted = await bot.ask(do="act", match=turn["match"], seq=turn["seq"], action="setup LLLLVVVV")
        assert acted["type"] == "ok"
        await bot.until("turn")
        assert (await bot.ask(do="resign", match=turn["match"]))["type"] == "ok"
        return turn["match"], acted, await bot.until("end")


async def test_a_running_match_is_listed_and_shown_as_each_may_see_it(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("akio", key)
    async with server.bot(key=key) as bot:
        await bot.ask(do="seek", game="rainet", against="bot:easy", **{"as": 0})
        turn = await bot.until("turn")
        match = turn["match"]
        [listed] = await server.json("games", "--live")
        check("commands", listed)
        assert (listed["match"], listed["state"], listed["seats"][0]["player"]) == (match, "live", "akio")
        assert await server.json("games", "--game", "relati") == []
        assert [row["match"] for row in await server.json("games", "--mine", key=key)] == [match]
        assert await server.json("games", "--mine") == []

        [public] = await server.json("show", match)
        [own] = await server.json("show", match, "--as", "S", key=key)
        check("commands", public)
        check("commands", own)
        assert public["pending"] is None
        assert own["pending"]["choice"] == turn["pending"]["choice"]
        assert f"show {match} --as 0" in (await server.ssh("show", match, key=key))[2], "how to see one's own cards"
        assert (await server.ssh("show", match))[2] == ""
        assert (await server.ssh("show", match, "--as", "0"))[:2] == (4, "")
        assert (await server.ssh("show", match, "--as", "1", key=key))[:2] == (4, "")
        assert (await server.ssh("show", match, "--as", "9", key=key))[:2] == (2, "")
        assert (await server.ssh("record", match, key=key))[:2] == (1, "")
        await bot.ask(do="resign", match=match)


async def test_a_finished_match_has_a_record_an_end_and_a_place_in_lists(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("omid", key)
    match, acted, end = await play_and_resign(server, key)
    status, out, _ = await server.ssh("record", match)
    assert status == 0
    assert verify(read_record(out.splitlines())).agrees
    entry = json.loads(out.splitlines()[acted["seq"]])
    assert {"seq": acted["seq"], "kind": "action", "action": "setup LLLLVVVV"}.items() <= entry.items()
    assert "omid" in (await server.ssh("show", match))[1]

    watched = await server.json("watch", match)
    for row in watched:
        check("commands", row)
    assert (watched[-1]["type"], watched[-1]["result"]) == ("end", end["result"])
    later = await server.json("watch", match, "--after", "2")
    assert later == [row for row in watched if row["seq"] > 2 or row["type"] == "end"]

    finished = {row["match"]: row for row in await server.json("games", "--finished")}
    check("commands", finished[match])
    assert finished[match]["result"] == end["result"]
    assert [row["match"] for row in await server.json("history", "omid")] == [match]


async def test_a_finished_match_is_replayed_as_a_recording_and_as_text(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("yorick", key)
    match, _, _ = await play_and_resign(server, key)
    _, cast, _ = await server.ssh("replay", match, "--format", "cast")
    header, *frames = [json.loads(line) for line in cast.splitlines()]
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert [frame[1] for frame in frames] == ["o"] * len(frames)
    assert [frame[0] for frame in frames] == sorted(frame[0] for frame in frames)
    status, text, _ = await server.ssh("replay", match)
    assert status == 0
    assert "\x1b" not in text


async def test_an_empty_list_of_matches_says_so_and_leaves_stdout_empty(server: Server) -> None:
    status, out, err = await server.ssh("games", "--game", "passage", "--finished")
    assert (status, out) == (0, "")
    assert err.strip() == f"patchbay: {catalogue('en').t('list.no-matches')}"


async def test_who_gave_no_filter_was_told_to_try_another_one(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        status, out, err = await server.ssh("games")
    assert (status, out) == (0, "")
    assert err.startswith(f"patchbay: {catalogue('en').t('list.no-matches-yet', line='ssh ')}"), err


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("nonsense",), 2),
        (("games", "--nonsense"), 2),
        (("games", "--game", "chess"), 2),
        (("show",), 2),
        (("show", "a", "b"), 2),
        (("'unbalanced",), 2),
        (("replay", "nosuch", "--speed", "x"), 2),
        (("show", "nosuch"), 3),
        (("watch", "nosuch"), 3),
        (("record", "nosuch"), 3),
        (("replay", "nosuch"), 3),
        (("join", "ZZZZ"), 3),
        (("top", "nosuch"), 3),
        (("user", "nosuch"), 3),
        (("history", "nosuch"), 3),
        (("keys", "list"), 4),
        (("rename", "mira"), 4),
        (("delete-me", "--yes", "mira"), 4),
        (("export-my-data",), 4),
        (("register", "mira"), 4),
        (("admin", "sessions"), 4),
    ],
)
async def test_a_refusal_says_why_and_prints_no_data(server: Server, words: tuple[str, ...], status: int) -> None:
    found, out, err = await server.ssh(*words)
    assert (found, out) == (status, "")
    assert err.startswith("patchbay: ")
    assert "\x1b" not in err


async def test_top_without_a_ladder_lists_them_and_an_empty_one_says_what_a_place_takes(server: Server) -> None:
    """It was a usage error, and an empty ladder printed nothing."""
    assert [one["ladder"] for one in await server.json("top")] == list(all_ladders())
    status, out, _ = await server.ssh("top")
    assert (status, [line.split()[0] for line in out.splitlines()]) == (0, list(all_ladders()))
    status, out, err = await server.ssh("top", "passage-many")
    assert (status, out) == (0, "")
    assert err.strip() == f"patchbay: {catalogue('en').t('ladders.empty', n=SETTLED_AFTER)}"


def test_help_of_a_command_says_more_than_the_list() -> None:
    """It repeated the command's line of the list, and nothing else."""
    assert [name for name, command in TABLE.items() if not command.details and " " not in name] == []


def test_help_began_a_line_in_the_middle_of_a_sentence() -> None:
    """Each line of a command's help is wrapped alone: a sentence on two of them had a short line in its middle."""
    said = [line for command in TABLE.values() if command.name != "admin" for line in command.details]  # it lists
    assert [line for line in said if not line.endswith((".", ":"))] == []


async def test_help_stands_where_an_option_may(server: Server) -> None:
    """`COMMAND WORD --help` was an option that is not known."""
    for name, command in TABLE.items():
        for asked in ("--help", "-h"):
            status, out, err = await server.ssh(*name.split(), asked)
            assert (status, err) == (0, "")
            assert f"{command.synopsis} {command.about}" in " ".join(out.split())
    assert (await server.ssh("user", "tarn", "--help"))[0] == 0
    assert (await server.ssh("keys", "remove", "tarn", "--json", "--help"))[0] == 0
    assert (await server.ssh("keys", "nothing", "--help"))[0] == 2


async def test_help_was_wider_than_a_terminal_and_showed_guests_what_admins_do(server: Server) -> None:
    for line in ("help", "--help", "help keys", "help admin"):
        lines = (await server.ssh(*line.split()))[1].splitlines()
        assert [one for one in lines if len(one) > 80] == [], line
    assert "admin" not in (await server.ssh("help"))[1]
    assert "admin" not in (await server.ssh("--help"))[1]


async def test_what_a_person_types_was_refused_for_its_case_or_answered_with_nothing(
    server: Server, tmp_path: Path
) -> None:
    key = new_key(tmp_path, "case")
    await server.register("hanna", key)
    assert (await server.ssh("top", "RaiNet"))[0] == 0
    assert (await server.ssh("games", "--game", "RaiNet"))[0] == 0
    status, out, err = await server.ssh("history", "hanna", key=key)
    assert (status, out, err) == (0, "", f"patchbay: {catalogue('en').t('profile.no-matches')}\n")


async def test_register_without_a_key_says_that_the_key_is_the_account(server: Server) -> None:
    status, out, err = await server.ssh("register", "nokey")
    said = catalogue("en").t("account.is-a-key", line="")
    assert (status, out) == (4, "")
    assert err.startswith(f"patchbay: {said}")


async def test_help_lists_every_command(server: Server) -> None:
    status, out, _ = await server.ssh("help")
    assert status == 0
    for name, row in TABLE.items():
        if name in ("help", "admin"):
            continue
        assert f"\n  {row.synopsis if row.is_default else name}" in out
        assert (await server.ssh("help", name.split()[0]))[0] == 0
    assert (await server.ssh("help", "nothing"))[0] == 3
    assert "delete-me [--yes HANDLE]" in out
    [version] = await server.json("version")
    assert version["games"]["rainet"] >= 1


async def test_admins_by_role(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("boss", key)
    assert (await server.ssh("admin", "sessions", key=key))[0] == 4
    assert (await server.beside("admin", "grant", "boss", "--role", "admin"))[0] == 0
    status, out, _ = await server.ssh("admin", "audit", "--json", key=key)
    assert status == 0
    assert json.loads(out.splitlines()[0])["act"] == "grant"
    assert (await server.ssh("admin", "nonsense", key=key))[0] == 2


async def test_draining_tells_scripts_to_come_again(server: Server, tmp_path: Path) -> None:
    async with server.bot() as bot:
        assert (await server.beside("admin", "drain"))[0] == 0
        assert await bot.hung_up() == 75
    status, out, err = await server.ssh("whoami")
    assert (status, out) == (75, "")
    assert "restart" in err
    assert (await server.beside("admin", "undrain"))[0] == 0
    async with asyncio.timeout(PATIENCE_S):
        while (await server.ssh("whoami"))[0] != 0:
            pass  # the order is heard within a second


async def test_a_ban_takes_effect_on_who_is_here(server: Server, tmp_path: Path) -> None:
    key = new_key(tmp_path, "id")
    await server.register("lio", key)
    async with server.bot(key=key) as bot:
        assert (await server.beside("admin", "ban", "lio", "--why", "spoiling"))[0] == 0
        assert await bot.hung_up() == 4
    status, out, err = await server.ssh("whoami", key=key)
    assert (status, out) == (4, "")
    assert "spoiling" in err


@asynccontextmanager
async def opened(server: Server) -> AsyncIterator[Database]:
    """Open the database beside the server."""
    database = await open_database(f"sqlite:///{server.data_dir / 'patchbay.db'}")
    try:
        yield database
    finally:
        await database.close()


async def test_whom_one_has_blocked_is_in_no_listing(server: Server, tmp_path: Path) -> None:
    """Ladder, profile and history, and the rooms of a host who had stood up, still showed them."""
    keys = {name: new_key(tmp_path, name) for name in ("greta", "hugo")}
    for name, key in keys.items():
        await server.register(name, key)
    async with server.bot(keys["hugo"]) as hugo, opened(server) as database:
        await hugo.ask(do="create", game="rainet")
        me = keys["greta"]
        async with asyncio.timeout(PATIENCE_S):
            while not any("hugo" in str(one) for one in await server.json("games", "--open", key=me)):
                pass
        greta = await database.read(accounts.by_handle, "greta")
        assert greta is not None
        await Conduct(database, SystemClock()).block(greta.id, "hugo")
        assert not any("hugo" in str(one) for one in await server.json("games", "--open", key=me))
        for words in (("user", "hugo"), ("history", "hugo")):
            status, out, err = await server.ssh(*words, key=me)
            assert (status, out) == (3, "")
            assert catalogue("en").t("people.you-blocked", handle="hugo") in err
            assert (await server.ssh(*words, key=keys["hugo"]))[0] == 0


async def test_a_connection_that_stays_knows_who_its_person_has_become(server: Server) -> None:
    """Later channels of a connection had the person of its login: who had registered or renamed was still somebody
    else, and who was deleted still had an account."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with asyncssh.connect(
        "127.0.0.1", server.port, client_keys=[key], known_hosts=None, config=None, agent_path=None
    ) as connection:

        async def say(line: str) -> str:
            return str((await connection.run(line, check=True)).stdout).strip()

        guest = json.loads(await say("whoami --json"))
        assert guest["guest"]
        await say("register ottilie")
        assert await say("whoami") == "ottilie"
        await say("rename ottokar")
        assert await say("whoami") == "ottokar"
        await say("delete-me --yes ottokar")
        assert json.loads(await say("whoami --json"))["guest"]
        refused = await connection.run("keys list")
        assert (refused.exit_status, refused.stdout) == (4, "")
