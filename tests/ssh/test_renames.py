"""What open sessions are called once their account has another handle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


async def test_a_session_does_not_go_on_under_the_handle_that_its_account_has_left(
    server: Server, tmp_path: Path
) -> None:
    """A program went on under it after somebody else had it: rooms, matches and chat lines named the wrong person."""
    keys = {handle: new_key(tmp_path, handle) for handle in ("magda", "tarn")}
    for handle, key in keys.items():
        await server.register(handle, key)
    async with server.bot(keys["magda"]) as magda, server.bot(keys["tarn"]) as tarn:
        running_id = (await magda.ask(do="seek", game="relati", against="bot:easy", speed="slow"))["match"]
        room = (await magda.ask(do="create", game="rainet", rated=False))["code"]
        assert (await server.ssh("rename", "zora", key=keys["magda"]))[0] == 0
        assert (await magda.until("renamed"))["player"] == "zora"

        async def is_everywhere() -> bool:
            seen = await server.json("games", key=keys["tarn"])
            named = {one["match"]: one for one in seen if one["match"] in (running_id, room)}
            return len(named) == 2 and not any("magda" in str(one) for one in named.values())

        await until(is_everywhere)  # rooms and seeks follow a moment later
        await tarn.ask(do="join", code=room)
        begun = await tarn.until("start")
        assert {seat["player"] for seat in begun["players"]} == {"zora", "tarn"}
        assert (await magda.until("start", match=begun["match"]))["seat"] != begun["seat"]
        await magda.ask(do="say", match=begun["match"], text="it is still me")
        assert (await tarn.until("say"))["from"] == "zora"
        assert (await server.ssh("register", "magda", key=new_key(tmp_path, "other")))[0] == 1, "nobody else's yet"
