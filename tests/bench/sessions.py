"""Sessions on the real server, beside the same on bare asyncssh, in one run; CPU is the server process's own."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Protocol

from server.screens.match import GALLERY_TICK_S
from server.session.heldkeys import HOLD_S
from tests.bench.cpu import cpu_s, rss_kb
from tests.bench.harness import (
    Players,
    Process,
    Program,
    Terminal,
    bare,
    connect,
    one_by_one,
    patchbay,
    quantile,
    terminal,
)
from tests.bench.report import Figure

PRESSES = 200
CROWD = int(os.environ.get("BENCH_CROWD", "200"))
WATCHERS = int(os.environ.get("BENCH_WATCHERS", "500"))
SECONDS = 15
LOGINS = 40
MOVES = 20
MOVE_EVERY_S = 1.0
ALONE = ("a1a2", "h8h7", "b1b2", "g8g7", "h1h2", "c8c7")
SHOWN = ("g1g2", "a8a7", "d2d3", "b8b7", "e2e3", "e7e6", "c1c2", "d7d6", "f1f2", "f8f7")


class Watching(Protocol):
    """Somebody who looks on. `received`: bytes."""

    received: int


def figures() -> Iterator[Figure]:
    """Measure everything, each figure as soon as it is known; one server for all, and one bare one."""
    return one_by_one(collect)


async def collect() -> AsyncIterator[Figure]:
    """Run the measurements one after the other."""
    async with patchbay() as ours, bare() as yardstick:
        players = Players(ours.port, CROWD + 2)
        await players.register()
        for measure in (first_screen, cursor_key, crowd, moves, fan_out):
            async for figure in measure(ours, yardstick, players):
                yield figure


async def first_screen(ours: Process, yardstick: Process, players: Players) -> AsyncIterator[Figure]:
    """CPU of a login alone, and of a login with the lobby drawn; without what the server does anyway meanwhile."""
    costs, loop = [], asyncio.get_running_loop()
    idle_s = await at_rest(ours)
    for shows in (False, True):
        began, started = cpu_s(ours.pid), loop.time()
        for i in range(LOGINS):
            async with await players.connection(i % CROWD) as connection:
                if shows:
                    await (await terminal(connection)).quiet(0.15)
        await asyncio.sleep(0.3)
        costs.append((cpu_s(ours.pid) - began - idle_s * (loop.time() - started)) / LOGINS)
    handshake, both = costs
    how = f"{(both - handshake) * 1e3:.1f} ms / {handshake * 1e3:.1f} ms"
    yield Figure("first screen's CPU / the handshake's", (both - handshake) / handshake, "", 0.5, how=how)
    costs = []
    for shows in (False, True):
        began = cpu_s(yardstick.pid)
        for i in range(LOGINS):
            async with await connect(yardstick.port, None, i) as connection:
                if shows:
                    await (await terminal(connection)).answer(b"x")
        await asyncio.sleep(0.3)
        costs.append((cpu_s(yardstick.pid) - began) / LOGINS)
    handshake, both = costs
    how = f"{(both - handshake) * 1e3:.1f} ms / {handshake * 1e3:.1f} ms, nothing drawn"
    yield Figure("bare asyncssh: a terminal's CPU / the handshake's", (both - handshake) / handshake, how=how)


async def cursor_key(ours: Process, yardstick: Process, players: Players) -> AsyncIterator[Figure]:
    """Latency of one session, pressed in turn with the bare echo; and bytes of a changed cell."""
    match = await players.match(0)
    connection, plain = await players.connection(0), await connect(yardstick.port, None)
    board = await terminal(connection, f"watch {match}")
    await board.quiet(1)
    full, echo = board.received, await terminal(plain)
    mine, theirs = [], []
    before = board.received
    for i in range(PRESSES):
        mine.append(await board.answer(b"\x1b[C" if i % 2 else b"\x1b[D"))
        theirs.append(await echo.answer(b"\x1b[C"))
        await asyncio.sleep(0.005)
    each = (board.received - before) / PRESSES
    ratio = quantile(mine, 0.5) / quantile(theirs, 0.5)
    how = f"{quantile(mine, 0.5) * 1e3:.2f} ms / {quantile(theirs, 0.5) * 1e3:.2f} ms"
    yield Figure("cursor key to changed screen, p50 / bare echo", ratio, "", 3, how=how)
    yield Figure("one cell changed: bytes / full frame", each / full * 100, " %", 10, how=f"{each:.0f} B / {full} B")
    connection.close()
    plain.close()


async def crowd(ours: Process, yardstick: Process, players: Players) -> AsyncIterator[Figure]:
    """CPU of cursor keys and memory at many sessions on boards, then as many watchers of one match."""
    ids = [await players.match(i) for i in range(CROWD)]
    await asyncio.sleep(1)
    base, still = rss_kb(ours.pid), await at_rest(ours)
    connections = [await players.connection(i) for i in range(CROWD)]
    boards = [await terminal(c, f"watch {m}") for c, m in zip(connections, ids, strict=True)]
    await asyncio.sleep(2)
    yield Figure("RSS per player on a board", (rss_kb(ours.pid) - base) / CROWD, " kB", 200)
    before = sum(board.received for board in boards)
    ticking = await at_rest(ours, SECONDS) - still
    each = (sum(board.received for board in boards) - before) // CROWD // (SECONDS + 1)
    plain = [await connect(yardstick.port, None, i) for i in range(CROWD)]
    echoes = [await terminal(connection) for connection in plain]
    floor = await ticked(yardstick, each)
    at_500 = 500 / CROWD * 100
    yield Figure(
        "500 players at boards, nobody moving: CPU of one core",
        ticking * at_500,
        " %",
        6,
        how=f"bare writes of {each} B to each a second: {floor * at_500:.1f} %",
    )
    theirs, theirs_s = await pressed(yardstick, echoes)
    mine, mine_s = await pressed(ours, boards)
    yield Figure(
        f"CPU per cursor key at {CROWD} sessions / bare echo",
        mine_s / theirs_s,
        "",
        6,
        how=f"{mine_s * 1e3:.2f} ms / {theirs_s * 1e3:.2f} ms",
    )
    yield Figure("the same, latency p99", quantile(mine, 0.99) * 1e3, " ms", how=f"p50 {quantile(mine, 0.5) * 1e3:.1f}")
    yield Figure("bare echo, latency p99", quantile(theirs, 0.99) * 1e3, " ms")
    for connection in (*connections, *plain):
        connection.close()
    await asyncio.sleep(1)


async def pressed(process: Process, sessions: list[Terminal]) -> tuple[list[float], float]:
    """Press a key a second in every session, spread out; return the latencies and the CPU a key took."""
    times: list[float] = []

    async def one(i: int, session: Terminal) -> None:
        await asyncio.sleep(i / len(sessions))
        for n in range(SECONDS):
            times.append(await session.answer(b"\x1b[C" if n % 2 else b"\x1b[D"))
            await asyncio.sleep(max(0.0, 1 - times[-1]))

    began = cpu_s(process.pid)
    await asyncio.gather(*(one(i, session) for i, session in enumerate(sessions)))
    return times, (cpu_s(process.pid) - began) / len(times)


async def moves(ours: Process, yardstick: Process, players: Players) -> AsyncIterator[Figure]:
    """A move, from the key on one board to the changed screen on the other, commit included."""
    times: list[float] = []
    for _ in range(4):
        async with duel(players) as (match, south, north):
            del south, north
            connections = [await players.connection(CROWD + i) for i in range(2)]
            boards = [await terminal(c, f"watch {match}") for c in connections]
            await asyncio.sleep(1 + HOLD_S)
            for i in range(8):
                mover, other = boards[i % 2], boards[1 - i % 2]
                mover.press(b"\r")
                await mover.quiet(0.1)
                mover.press(b"\x1b[A")
                await mover.quiet(0.1)
                other.changed.clear()
                times.append(await timed_change(mover, other))
                await asyncio.sleep(HOLD_S + 0.2)  # the other's keys are ignored just after a move
            for connection in connections:
                connection.close()
    yield Figure(
        "a move: key to the opponent's screen, p50",
        quantile(times, 0.5) * 1e3,
        " ms",
        how=f"p99 {quantile(times, 0.99) * 1e3:.1f} ms, {len(times)} moves",
    )


async def timed_change(mover: Terminal, other: Terminal) -> float:
    """Press enter on one board; return the seconds until a frame with more than a clock's tick comes to the other."""
    loop = asyncio.get_running_loop()
    began, before = loop.time(), other.received
    mover.press(b"\r")
    while other.received - before < 60 and loop.time() - began < 5:
        other.changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(other.changed.wait(), 5)
    return loop.time() - began


@contextlib.asynccontextmanager
async def duel(players: Players, first: int = CROWD) -> AsyncIterator[tuple[str, Program, Program]]:
    """Begin a match between player `first` and the next over the bot protocol, cards placed, South to move."""
    async with await players.connection(first) as a, await players.connection(first + 1) as b:
        south, north = await Program.over(a), await Program.over(b)
        south.send(do="create", game="rainet", players=2, private=False, speed="slow", options={"first": "S"})
        code = (await south.until("room"))["code"]
        north.send(do="join", code=code)
        match = str((await south.until("start"))["match"])
        await north.until("start")
        for side in (south, north):
            await side.until("turn")
            side.send(do="act", match=match, seq=0, action="setup LVLVVLVL")
            await side.until("ok")
        yield match, south, north
        south.send(do="resign", match=match)
        await south.until("end")


@dataclass(frozen=True, slots=True)
class Cost:
    """What watchers of one kind cost: CPU seconds of a move, and of a second at rest; kB of memory; bytes of a move."""

    move_s: float
    rest_s: float
    each_kb: float
    each_bytes: int


Look = Callable[[str, int, AsyncExitStack], Awaitable[Watching]]


def by_ssh(port: int, size: tuple[int, int] = (80, 24)) -> Look:
    """Return how guest `i`, from an address of their own, looks on at a match by ssh until the stack is closed."""

    async def look(match: str, i: int, stack: AsyncExitStack) -> Watching:
        connection = await stack.enter_async_context(await connect(port, None, i))
        return await terminal(connection, f"watch {match}", size)

    return look


async def cost(ours: Process, players: Players, look: Look, first: int = CROWD) -> Cost:
    """Let many look on at a new match, and measure what they cost, without what the match costs alone."""
    async with duel(players, first) as (match, south, north), AsyncExitStack() as stack:
        before_s = await at_rest(ours)
        alone_s, _ = await moved(ours, match, south, north, ALONE, [], before_s)
        base = rss_kb(ours.pid)
        watchers = [await look(match, i, stack) for i in range(WATCHERS)]
        await asyncio.sleep(3)
        each_kb = (rss_kb(ours.pid) - base) / WATCHERS
        idle_s = await at_rest(ours, 2 * GALLERY_TICK_S)
        shown_s, each = await moved(ours, match, south, north, SHOWN, watchers, before_s)
        return Cost(shown_s - alone_s, idle_s - before_s, each_kb, each)


async def fan_out(ours: Process, yardstick: Process, players: Players) -> AsyncIterator[Figure]:
    """CPU of a move shown to many watchers, beside as many bare writes."""
    found = await cost(ours, players, by_ssh(ours.port))
    yield Figure("RSS per watcher", found.each_kb, " kB", 100)
    async with AsyncExitStack() as stack:
        for i in range(WATCHERS):
            await terminal(await stack.enter_async_context(await connect(yardstick.port, None, i)))
        bare_s = await written(yardstick, found.each_bytes)
    yield Figure(
        f"fan-out of a move to {WATCHERS} spectators / bare writes",
        found.move_s / bare_s,
        "",
        1.2,
        how=f"{found.move_s * 1e3:.0f} ms / {bare_s * 1e3:.0f} ms of CPU a move, {found.each_bytes} B each",
    )


async def moved(
    ours: Process,
    match: str,
    south: Program,
    north: Program,
    steps: tuple[str, ...],
    watching: Sequence[Watching],
    idle_s: float,
) -> tuple[float, int]:
    """Make moves, South first; return the server's CPU a move (without what it does at rest) and its bytes.

    No position may come a third time, that would be a draw; so each card goes one step.
    """
    sides, loop = (south, north), asyncio.get_running_loop()
    before = sum(session.received for session in watching)
    began, started = cpu_s(ours.pid), loop.time()
    for i, action in enumerate(steps):
        turn = await sides[i % 2].until("turn")
        sides[i % 2].send(do="act", match=match, seq=turn["seq"], action=action)
        await sides[i % 2].until("ok")
        await asyncio.sleep(max(0.0, started + (i + 1) * MOVE_EVERY_S - loop.time()))
    cost = (cpu_s(ours.pid) - began - idle_s * (loop.time() - started)) / len(steps)
    got = sum(session.received for session in watching) - before
    return cost, got // len(steps) // max(1, len(watching))


async def at_rest(ours: Process, seconds: float = 4) -> float:
    """Return the server's CPU a second while nothing happens: the clocks tick on every screen."""
    await asyncio.sleep(1)
    began = cpu_s(ours.pid)
    await asyncio.sleep(seconds)
    return (cpu_s(ours.pid) - began) / seconds


async def written(yardstick: Process, size: int) -> float:
    """Return the bare server's CPU for writing `size` bytes to everybody once."""
    return await _told(yardstick, f"fan {MOVES} {size}") / MOVES


async def ticked(yardstick: Process, size: int) -> float:
    """Return the bare server's CPU a second for writing `size` bytes to everybody once a second: the floor at rest."""
    return await _told(yardstick, f"tick {SECONDS} {size}") / SECONDS


async def _told(yardstick: Process, what: str) -> float:
    """Return the bare server's CPU for doing something."""
    child = yardstick.child
    assert child.stdin is not None
    assert child.stdout is not None
    began = cpu_s(yardstick.pid)
    child.stdin.write(f"{what}\n".encode())
    await child.stdout.readline()
    return cpu_s(yardstick.pid) - began
