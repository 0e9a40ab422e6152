"""Attacks by who is let in: what programs and commands may ask for, asked for without end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from typing import Any

import asyncssh

from tests.bench.harness import Program
from tests.hostile.attacking import FULL_WINDOW, Silent, attack, shell, storm
from tests.hostile.stage import Stage, first_of


async def ask(connection: asyncssh.SSHClientConnection, instructions: list[dict[str, Any]]) -> None:
    """Give a program's instructions as fast as the server takes them, and throw away what it says."""
    process = await connection.create_process("bot", encoding=None)
    lines = b"".join(json.dumps(instruction).encode() + b"\n" for instruction in instructions)

    async def listen() -> None:
        while await process.stdout.read(65536):
            continue

    listening = asyncio.create_task(listen())
    try:
        while not connection.is_closed():
            process.stdin.write(lines)
            await process.stdin.drain()
            await asyncio.sleep(0)
    finally:
        listening.cancel()


@attack
async def rooms_and_seeks_in_masses(stage: Stage, seconds: float) -> None:
    """Open rooms and seeks without end; everybody's lobby has to list them."""

    async def one() -> None:
        async with await stage.connect() as connection:
            instructions: list[dict[str, Any]] = [
                {"do": "create", "game": "rainet", "title": f"room {n}" + "W" * 60} for n in range(10)
            ]
            instructions += [{"do": "seek", "game": "netrunner", "rated": False, "speed": "slow"} for _ in range(10)]
            instructions += [{"do": "seek", "game": "relati", "players": 5, "rated": False} for _ in range(10)]
            await ask(connection, instructions)

    await storm(seconds, 8, one)


def beginning(game: str) -> dict[str, Any]:
    """Return an instruction for a match against a built-in player."""
    return {"do": "seek", "game": game, "against": "bot:hard"}


@attack
async def matches_in_masses(stage: Stage, seconds: float) -> None:
    """Begin matches against built-in players without end, and play none."""

    async def one() -> None:
        async with await stage.connect() as connection:
            games = ("rainet", "relati", "passage", "netrunner")
            with contextlib.suppress(TimeoutError):  # a guest may have only so many: then come as another
                await asyncio.wait_for(ask(connection, [beginning(game) for game in games]), 4)

    await storm(seconds, 8, one)


MATCHES_OF_ONE = 200


@attack
async def one_guest_200_bot_matches(stage: Stage, seconds: float) -> None:
    """Play so many matches at once against the players that think longest, as one guest, as fast as they answer."""
    ends = asyncio.get_running_loop().time() + seconds

    async def one() -> None:
        async with await stage.connect() as connection:
            program = await Program.over(connection)
            for n in range(MATCHES_OF_ONE):
                program.send(**beginning(("passage", "netrunner", "rainet", "relati")[n % 4]), speed="daily")
            while asyncio.get_running_loop().time() < ends:  # a `wait_for` may swallow being cancelled
                with contextlib.suppress(RuntimeError):  # told to slow down
                    await play_next(program)

    await storm(seconds, 1, one)


async def play_next(program: Program) -> str:
    """Answer the next turn, or begin another match for one that has ended; return which it was."""
    heard = await program.until("turn", "end")
    if heard["type"] == "turn":
        action = first_of(heard["pending"]["choice"])
        program.send(do="act", match=heard["match"], seq=heard["seq"], action=action)
    else:
        program.send(**beginning("passage"), speed="daily")
    return str(heard["type"])


@attack
async def talk_without_end(stage: Stage, seconds: float) -> None:
    """Come as guest after guest, each chatting as much as one may, in the lobby and in rooms."""

    async def one() -> None:
        async with await stage.connect() as connection:
            session = await shell(connection)
            await asyncio.sleep(0.3)
            session.chan.write(b"\rt")
            for n in range(30):
                session.chan.write(f"\x1b[200~line {n} {'雷' * 280}\x1b[201~\r".encode())
            await asyncio.sleep(1)

    await storm(seconds, 12, one, 0)


@attack
async def accounts_in_masses(stage: Stage, seconds: float) -> None:
    """Register key after key."""

    async def one() -> None:
        key = asyncssh.generate_private_key("ssh-ed25519")
        async with await stage.connect(key=key) as connection:
            await connection.run(f"register m{random.randrange(10**9)}", check=False)

    await storm(seconds, 10, one, 0)


async def long_match(stage: Stage) -> str:
    """Play a match of hundreds of entries that anybody may look at; return its id."""
    async with await stage.connect() as connection:
        program = await Program.over(connection)
        program.send(do="seek", game="passage", against="bot:easy", speed="daily", players=2)
        match = str((await program.until("start"))["match"])
        for _ in range(150):
            turn = await program.until("turn", "end")
            if turn["type"] == "end":
                break
            choice = turn["pending"]["choice"]
            action = first_of(choice)
            program.send(do="act", match=match, seq=turn["seq"], action=action)
        else:
            program.send(do="resign", match=match)
            await program.until("end")
    return match


@attack
async def recordings_in_masses(stage: Stage, seconds: float) -> None:
    """Ask for whole matches drawn frame by frame, and for every list, over windows of 4 GiB."""
    match = await long_match(stage)

    async def one() -> None:
        async with await stage.connect() as connection:
            for command in (
                f"replay {match} --format cast",
                f"replay {match}",
                "games --finished",
                f"record {match}",
            ):
                await connection.run(command, check=False, window=FULL_WINDOW, encoding=None)

    await storm(seconds, 12, one, 0)


@attack
async def input_that_nobody_reads(stage: Stage, seconds: float) -> None:
    """Send lines, and a line without end, to a command that reads none."""

    async def one() -> None:
        async with await stage.connect() as connection:
            program = await Program.over(connection)
            program.send(do="seek", game="rainet", against="bot:easy", speed="daily")
            running = (await program.until("start"))["match"]
            _, session = await connection.create_session(Silent, f"watch {running}", encoding=None)
            assert isinstance(session, Silent)
            while not connection.is_closed():
                session.chan.write(b"\n" * 20_000)
                while session.chan.get_write_buffer_size() > 2**16 and not connection.is_closed():
                    await asyncio.sleep(0.02)

    await storm(seconds, 12, one)


@attack
async def nested_instructions(stage: Stage, seconds: float) -> None:
    """Bring decks and options that are nested deep, numbers beyond all bounds, keys twice, halves of characters."""
    lines = [
        b'{"do":"seek","game":"rainet","deck":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"do":"seek","game":"netrunner","deck":' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}",
        b'{"do":"create","game":"relati","options":{"x":' + b"[" * 30_000 + b"]" * 30_000 + b"}}",
        b'{"do":"act","match":"m","seq":1e400,"action":"x","id":1e400}',
        b'{"do":"act","match":"m","seq":NaN,"action":"x"}',
        b'{"do":"seek","game":"rainet","deck":1e999999,"id":-0.0}',
        b'{"do":"seek","game":"rainet","deck":' + b"9" * 60_000 + b"}",
        b'{"do":"say","match":"\\ud800","text":"\\udfff\\ud800"}',
        b'{"do":"cancel","do":"act","id":1,"id":"\\ud800"}',
        b'{"do":"seek","game":"netrunner","deck":{' + b",".join(b'"c%d":%d' % (n, n) for n in range(5000)) + b"}}",
        b'{"do":"seek","game":"netrunner","deck":"' + b"3 Sure Gamble\\n" * 4000 + b'"}',
    ]

    async def one() -> None:
        async with await stage.connect() as connection:
            process = await connection.create_process("bot", encoding=None)
            for _ in range(20):
                for line in lines:
                    process.stdin.write(line + b"\n")
                await process.stdin.drain()
            process.stdin.write_eof()
            while await process.stdout.read(65536):
                continue

    await storm(seconds, 8, one)


ENDLESS_ACTIONS = tuple(
    f"{verb} {piece * (3900 // len(piece))}!"
    for verb in ("choose", "order", "pay", "discard", "install", "break", "use", "setup", "x")
    for piece in ("hq ", "identity ", '"a" ', "hand:1 ", "hosted:", "pool 1 ", "c2c3", "a", "1 ", " ")
)


async def heard(program: Program, kind: str) -> dict[str, Any]:
    """Return the next object of a type, whatever is refused before it."""
    while True:
        with contextlib.suppress(RuntimeError):
            return await program.until(kind)


@attack
async def actions_that_take_long_to_read(stage: Stage, seconds: float) -> None:
    """Answer turns of each game with kilobytes that are almost an action."""

    async def one() -> None:
        async with await stage.connect() as connection:
            program = await Program.over(connection)
            for game in ("netrunner", "rainet", "passage", "relati"):
                program.send(do="seek", game=game, against="bot:easy", speed="daily")
                match = (await heard(program, "start"))["match"]
                for action in ENDLESS_ACTIONS:
                    program.send(do="act", match=match, seq=0, action=action)
                program.send(do="pong", id="done")
                await heard(program, "ok")

    await storm(seconds, 6, one)
