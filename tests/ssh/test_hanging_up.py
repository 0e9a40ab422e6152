"""However a program goes, nothing of it stays: not in the lobby, not among the seeks, not in a room."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import asyncssh

from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.waiting import PATIENCE_S


async def hang_up(server: Server, key: Path) -> None:
    """Come in, seek, open a room, begin a match, close the input, and hang up while the server says goodbye."""
    client = await asyncssh.connect(
        "127.0.0.1", server.port, username="x", client_keys=[str(key)], known_hosts=None, agent_path=None, config=None
    )
    program = await client.create_process("bot")
    orders: tuple[dict[str, object], ...] = (
        {"do": "seek", "game": "rainet", "players": 2, "rated": False},
        {"do": "create", "game": "rainet", "players": 2},
        {"do": "seek", "game": "rainet", "against": "bot:easy"},
    )
    for order in orders:
        program.stdin.write(json.dumps(order) + "\n")
    async for line in program.stdout:
        if json.loads(line)["type"] == "turn":
            break
    program.stdin.write_eof()
    await asyncio.sleep(0)
    client.abort()


async def test_who_hangs_up_right_after_closing_the_input_is_gone(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        key = new_key(tmp_path, "ada")
        await server.register("ada", key)
        for _ in range(12):
            await hang_up(server, key)
        async with asyncio.timeout(PATIENCE_S):
            while await server.json("games", "--open") or (await server.beside("admin", "sessions"))[1]:
                await asyncio.sleep(0.1)
