"""An account that an admin deletes beside the server: its sessions end, its matches are resigned."""

from __future__ import annotations

from pathlib import Path

from tests.ssh.client import new_key
from tests.ssh.server import running


async def test_a_deleted_account_left_its_opponent_waiting(tmp_path: Path) -> None:
    mira, tarn = new_key(tmp_path, "mira"), new_key(tmp_path, "tarn")
    with running(tmp_path) as server:
        for name, key in (("mira", mira), ("tarn", tarn)):
            assert (await server.ssh(f"register {name}", key=key))[0] == 0
        async with server.bot(key=mira) as one, server.bot(key=tarn) as other:
            await one.ask(do="seek", game="rainet", players=2)
            await other.ask(do="seek", game="rainet", players=2)
            match = (await other.until("start"))["match"]
            assert (await server.beside("admin", "delete", "mira", "--why", "asked for by mail"))[0] == 0
            end = await other.until("end", match=match)
            assert end["result"]["reason"]
            assert await one.hung_up() == 4
        assert (await server.beside("verify"))[0] == 0
