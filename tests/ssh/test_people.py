"""Reporting and blocking by command: whom one has met, at a table or by name, here or gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.waiting import until

WHOM_TO_ASK = "mods@example.org"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server"), {"PATCHBAY_CONTACT": WHOM_TO_ASK}) as server:
        yield server


async def people(server: Server, folder: Path, *handles: str) -> dict[str, Path]:
    keys = {handle: new_key(folder, handle) for handle in handles}
    for handle, key in keys.items():
        await server.register(handle, key)
    return keys


async def test_who_has_left_is_reported_by_name_and_by_seat(server: Server, tmp_path: Path) -> None:
    """Only who was in the list of people could be reported: who had left, or sat across, could not."""
    keys = await people(server, tmp_path, "mira", "tarn")
    async with server.bot(keys["mira"]) as mira, server.bot() as guest:
        made = await mira.ask(do="create", game="rainet", private=True)
        await guest.ask(do="join", code=made["code"])
        begun = await mira.until("start")
        across = f"{begun['match']}:{1 - begun['seat']}"
        name = guest.seen[0]["player"]  # of the hello
        assert (await guest.ask(do="say", match=begun["match"], text="you all lose"))["type"] == "ok"
        status, out, err = await server.ssh("report", across, "--why", "rude", "words", key=keys["mira"])
        assert (status, out) == (0, ""), err

        async def blocks() -> bool:
            return (await server.ssh("block", name, key=keys["mira"]))[0] == 0

        await until(blocks)  # who is here is known a moment later
        await mira.ask(do="resign", match=begun["match"])
    assert (await server.ssh("report", "tarn", "--why=stalls", key=keys["mira"]))[0] == 0
    assert (await server.ssh("report", across, "--why", "again", key=keys["mira"]))[0] == 0, "they have gone"
    waiting = (await server.beside("admin", "reports", "--json"))[1]
    [row] = [line for line in waiting.splitlines() if '"why":"rude words"' in line]
    assert name in row
    assert begun["match"] in row
    assert "you all lose" in row, "what was said at the table goes with it"
    assert (await server.ssh("report", f"{begun['match']}:9", "--why", "x", key=keys["mira"]))[0] == 2


async def test_who_cannot_be_reported_or_blocked_is_refused_with_its_exit_code(server: Server, tmp_path: Path) -> None:
    keys = await people(server, tmp_path, "lio", "zoe")
    for words, expected in (
        (("report", "zoe"), 2),
        (("report", "--why", "x"), 2),
        (("report", "nobody-here", "--why", "x"), 3),
        (("report", "lio", "--why", "x"), 1),
        (("report", "nosuch:0", "--why", "x"), 3),
        (("block", "nobody-here"), 3),
        (("block", "guest-gonegone"), 1),
        (("unblock", "zoe"), 3),
    ):
        status, out, err = await server.ssh(*words, key=keys["lio"])
        assert (status, out) == (expected, ""), (words, err)
    assert (await server.ssh("report", "zoe", "--why", "x"))[0] == 4, "guests have no account to answer for it"


async def test_a_block_by_command_holds_everywhere(server: Server, tmp_path: Path) -> None:
    keys = await people(server, tmp_path, "rhea", "ivar")
    assert (await server.ssh("block", "ivar", key=keys["rhea"]))[0] == 0
    assert (await server.ssh("user", "ivar", key=keys["rhea"]))[0] == 3
    async with server.bot(keys["rhea"]) as rhea:
        code = (await rhea.ask(do="create", game="rainet", private=True))["code"]
        wrong = await server.ssh("join", "ZZZZZZZZ", key=keys["ivar"])
        assert await server.ssh("join", code, key=keys["ivar"]) == wrong
        assert (await server.ssh("unblock", "ivar", key=keys["rhea"]))[0] == 0
        assert (await server.ssh("join", code, key=keys["ivar"]))[0] == 4


async def test_the_muted_and_the_banned_are_told_whom_to_write_to(server: Server, tmp_path: Path) -> None:
    keys = await people(server, tmp_path, "omid")
    async with server.bot(keys["omid"]) as omid:
        assert (await server.beside("admin", "mute", "omid", "--for", "1h", "--why", "too loud"))[0] == 0
        told = await omid.until("muted")
        assert told["until"] is not None
        assert "too loud" in told["why"]
        assert WHOM_TO_ASK in told["why"]
        assert (await server.beside("admin", "unmute", "omid"))[0] == 0
        await omid.until("unmuted")
    assert (await server.beside("admin", "ban", "omid", "--why", "spam"))[0] == 0
    told_off = ""

    async def is_refused() -> bool:
        nonlocal told_off
        status, _, told_off = await server.ssh("whoami", key=keys["omid"])
        return status == 4

    await until(is_refused)  # the server reads an act of another process within a second
    assert f"spam (write to {WHOM_TO_ASK} about it)" in told_off
