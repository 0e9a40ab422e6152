"""Attacks by who has many addresses, or much going on at one: what all of a network may take from the others."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

import asyncssh

from tests.bench.harness import Program
from tests.hostile.attacking import EXPECTED, Silent, attack, pause_reading, shell, storm
from tests.hostile.by_programs import long_match
from tests.hostile.stage import PLAYER, Stage, first_of

ONE_48 = "2001:db8:1:{:x}00::7"  # each of a /56 of its own
MANY_48S = "2001:db8:{:x}::7"
SOURCES = 30
MATCHES_OF_ONE = 3
READERS = 600
LITTLE = 1024  # bytes of a window: what does not fit waits at the server


async def think(stage: Stage, address: str, ends: float) -> None:
    """Play three matches at once against the players that think longest, as a guest behind the balancer."""
    async with await stage.connect_from(address) as connection:
        program = await Program.over(connection)
        for game in ("rainet", "relati", "passage")[:MATCHES_OF_ONE]:
            program.send(do="seek", game=game, against="bot:master", speed="daily", players=2)
        while asyncio.get_running_loop().time() < ends:  # a `wait_for` may swallow being cancelled
            with contextlib.suppress(RuntimeError):  # told to slow down
                heard = await program.until("turn", "end")
                if heard["type"] == "turn":
                    action = first_of(heard["pending"]["choice"])
                    program.send(do="act", match=heard["match"], seq=heard["seq"], action=action)


async def think_from(stage: Stage, seconds: float, addresses: str) -> None:
    """Let masters think for guests of so many sources."""
    numbers, ends = count(), asyncio.get_running_loop().time() + seconds
    await storm(seconds, SOURCES, lambda: think(stage, addresses.format(next(numbers) % SOURCES + 1), ends))


@attack
async def master_matches_of_one_48(stage: Stage, seconds: float) -> None:
    """Let masters think in 90 matches, begun by guests of 30 networks of /64 in one of /48."""
    await think_from(stage, seconds, ONE_48)


@attack
async def master_matches_of_thirty_48s(stage: Stage, seconds: float) -> None:
    """Let masters think in 90 matches, begun by guests of 30 networks of /48."""
    await think_from(stage, seconds, MANY_48S)


@attack
async def tables_left_to_bots(stage: Stage, seconds: float) -> None:
    """Begin matches of six seats against bots, and resign at once: the bots would play on by themselves."""
    await _begin_and_resign(stage, seconds, game="relati", players=6)


@attack
async def matches_begun_and_resigned(stage: Stage, seconds: float) -> None:
    """Begin matches of two against bots, and resign at once."""
    await _begin_and_resign(stage, seconds, game="rainet")


async def _begin_and_resign(stage: Stage, seconds: float, **asked: Any) -> None:
    async def one() -> None:
        async with await stage.connect() as connection:
            program = await Program.over(connection)
            for _ in range(50):
                with contextlib.suppress(RuntimeError):  # told to slow down
                    program.send(do="seek", against="bot:easy", **asked)
                    match = (await program.until("start"))["match"]
                    program.send(do="resign", match=match)
                    await program.until("end")

    await storm(seconds, 4, one)


@attack
async def idle_guests_at_a_players_address(stage: Stage, seconds: float) -> None:
    """Hold as many connections as may be at the address of somebody who plays: with and without a command."""
    ends = asyncio.get_running_loop().time() + seconds
    numbers = count()

    async def one() -> None:
        async with await stage.connect(PLAYER) as connection:
            if next(numbers) % 2:
                await Program.over(connection)
            await asyncio.wait_for(connection.wait_closed(), max(0.1, ends - asyncio.get_running_loop().time()))

    await storm(seconds, 22, one, 1)


@attack
async def channels_that_nobody_reads(stage: Stage, seconds: float) -> None:
    """Ask for whole matches as recordings from many addresses, and read none of it."""
    match = await long_match(stage)
    await hold_unread(stage, match, seconds, READERS)


async def hold_unread(stage: Stage, match: str, seconds: float, readers: int) -> int:
    """Open so many channels from many addresses that are never read; return how many were admitted.

    Each connection has a board as large as may be, and a recording.
    """
    admitted, numbers, ends = [0], count(), asyncio.get_running_loop().time() + seconds
    held: list[asyncssh.SSHClientConnection] = []

    async def one() -> None:
        while (number := next(numbers)) < readers // 2 and asyncio.get_running_loop().time() < ends:
            with contextlib.suppress(*EXPECTED):
                connection = await stage.connect_narrow(f"127.0.{20 + number % 100}.9")
                held.append(connection)
                await shell(connection, f"watch {match}", window=LITTLE, term_size=(300, 120))
                await connection.create_session(Silent, f"replay {match} --format cast", window=LITTLE, encoding=None)
                pause_reading(connection)
                admitted[0] += 2

    try:
        await asyncio.gather(*(one() for _ in range(12)))
        await asyncio.sleep(max(0.0, ends - asyncio.get_running_loop().time()))
    finally:
        for connection in held:
            connection.abort()
    return admitted[0]


def from_one_48(stage: Stage, ask: Callable[[asyncssh.SSHClientConnection], Coroutine[Any, Any, None]]) -> Any:
    """Return what asks something as a guest of another /64 of one /48 each time."""

    async def one() -> None:
        address = ONE_48.format(random.randrange(1, 2**8))
        async with await stage.connect_from(address, asyncssh.generate_private_key("ssh-ed25519")) as connection:
            await ask(connection)

    return one


@attack
async def accounts_of_one_48(stage: Stage, seconds: float) -> None:
    """Register key after key, each from another /64."""

    async def ask(connection: asyncssh.SSHClientConnection) -> None:
        await connection.run(f"register m{random.randrange(10**9)}", check=False)

    await storm(seconds, 8, from_one_48(stage, ask), 0)


@attack
async def codes_of_one_48(stage: Stage, seconds: float) -> None:
    """Guess codes of keys and rooms, each from another /64."""

    async def ask(connection: asyncssh.SSHClientConnection) -> None:
        await connection.run(f"keys link guess{random.randrange(10**5)}", check=False)
        program = await Program.over(connection)
        program.send(do="join", code="K7QX")
        with contextlib.suppress(RuntimeError):
            await program.until("ok")

    await storm(seconds, 8, from_one_48(stage, ask), 0)


@attack
async def rooms_and_seeks_of_one_48(stage: Stage, seconds: float) -> None:
    """Open rooms and seeks, and speak, as guest after guest of another /64 each."""

    async def ask(connection: asyncssh.SSHClientConnection) -> None:
        program = await Program.over(connection)
        for _ in range(20):
            program.send(do="create", game="rainet", title="room")
            program.send(do="seek", game="relati", players=5, rated=False)
        with contextlib.suppress(RuntimeError, TimeoutError):
            await asyncio.wait_for(program.until("never"), 2)

    await storm(seconds, 8, from_one_48(stage, ask), 0)
