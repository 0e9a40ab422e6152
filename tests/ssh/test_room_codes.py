"""Codes of private rooms at a real server: one answer, and one limit for commands and programs."""

from __future__ import annotations

import json
from pathlib import Path

from tests.ssh.client import new_key
from tests.ssh.server import running
from tests.texts import en

FEW = {"PATCHBAY_LIMIT_WRONG_CODES_PER_MIN": "6"}


async def test_a_room_that_is_not_for_one_answers_byte_for_byte_like_no_room(tmp_path: Path) -> None:
    """Exit 3 against 4 told which codes exist."""
    with running(tmp_path) as server:
        host = new_key(tmp_path, "host")
        await server.register_machine("mira", host)
        async with server.bot(host) as mira, server.bot() as guest:
            made = {"do": "create", "game": "rainet", "private": True}
            rated = (await mira.ask(**made, rated=True))["code"]
            casual = (await mira.ask(**made))["code"]

            wrong = await server.ssh("join", "ZZZZZZZZ")
            assert wrong[0] == 3
            assert wrong[2].strip() == f"patchbay: {en('room.error.unknown')}"
            assert await server.ssh("join", rated) == wrong
            assert (await server.ssh("join", casual))[0] == 4, "it is theirs to enter, with a terminal"

            answers = [await guest.ask(do="join", code=code) for code in ("ZZZZZZZZ", rated)]
            assert len({json.dumps({**one, "re": 0}) for one in answers}) == 1
            assert answers[0]["error"] == "not_found"


async def test_commands_and_programs_have_one_limit_for_wrong_codes(tmp_path: Path) -> None:
    """`ssh HOST join` had no limit, and `bot` only that of its orders."""
    with running(tmp_path, FEW) as server:
        async with server.bot() as guest, server.bot(source="127.0.0.9") as elsewhere:
            code = (await elsewhere.ask(do="create", game="rainet", private=True))["code"]
            for _ in range(3):
                assert (await guest.ask(do="join", code="ZZZZZZZZ"))["error"] == "not_found"
                assert (await server.ssh("join", "ZZZZZZZZ"))[0] == 3
            refused = await guest.ask(do="join", code=code)
            assert (refused["error"], refused["limit"]) == ("rate_limited", "wrong_codes_per_min")
            status, out, err = await server.ssh("join", code)
            assert (status, out) == (5, "")
            told = json.loads(err)
            assert (told["error"], told["limit"]) == ("rate_limited", "wrong_codes_per_min")
            assert 0 < told["retry_after_ms"] <= 60_000
        async with server.bot(source="127.0.0.10") as clean:
            assert (await clean.ask(do="join", code=code))["error"] == "not_found", "its host has gone"
