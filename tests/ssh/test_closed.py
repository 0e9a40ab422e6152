"""A match that is closed to who has no seat, as a real server shows it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh

from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.ssh.test_moderators import COLS, ROWS, Terminal
from tests.texts import en

REFUSED = en("match.error.not-watchable")


@asynccontextmanager
async def screen(server: Server, key: Path, command: str) -> AsyncIterator[Terminal]:
    """Come with a terminal, straight to a command's screen."""
    own = asyncssh.read_private_key(str(key))
    async with asyncssh.connect(
        "127.0.0.1", server.port, username="lio", client_keys=[own], known_hosts=None, config=None, agent_path=None
    ) as connection:
        _, session = await connection.create_session(
            Terminal, command=command, term_type="xterm-256color", term_size=(COLS, ROWS), encoding=None
        )
        assert isinstance(session, Terminal)
        yield session


def close_to_watchers(server: Server, match: str) -> None:
    """Make a stored match a closed one, as its room's host would have."""
    with sqlite3.connect(server.data_dir / "patchbay.db") as database:
        closed = "UPDATE arrangements SET data = json_set(data, '$.watchable', json('false')) WHERE match_id = ?"
        assert database.execute(closed, (match,)).rowcount == 1


async def test_nobody_sees_a_closed_match_in_any_way(tmp_path: Path) -> None:
    """`ssh -t HOST watch ID` opened the live board; `games` told how far it was."""
    key, other = new_key(tmp_path, "mira"), new_key(tmp_path, "lio")
    with running(tmp_path) as server:
        await server.register("mira", key)
        await server.register("lio", other)
        async with server.bot(key=key) as bot:
            await bot.ask(do="create", game="rainet", bots=["bot:easy"], rated=False)
            match = (await bot.until("start"))["match"]
        server.kill()
        close_to_watchers(server, match)
        server.start()
        for who in (other, None):
            for command in ("show", "watch", "replay", "record"):
                status, out, err = await server.ssh(command, match, key=who)
                assert (status, out) == (4, ""), command
                assert REFUSED in err
            [listed] = [one for one in await server.json("games", key=who) if one["match"] == match]
            assert (listed["watchable"], listed["seq"], listed["watchers"], listed["to_act"]) == (False, 0, 0, [])
        for command in ("watch", "replay"):
            async with screen(server, other, f"{command} {match}") as seen:
                await seen.shows(REFUSED)
                assert " Lobby" in seen.text
        assert (await server.ssh("show", match, "--as", "0", key=key))[0] == 0, "its player looks as ever"
        async with server.bot(key=key) as bot:
            await bot.until("start", match=match)
            assert (await bot.ask(do="resign", match=match))["type"] == "ok"
        assert (await server.ssh("show", match, key=other))[0] == 0
