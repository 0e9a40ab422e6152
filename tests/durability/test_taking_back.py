"""Kill -9 between asking to take back, the answer and what comes of it: all of it happens once, or did not begin."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable

import pytest

from game.replay import TAKEBACK, standing
from server.clock import SystemClock
from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, open_matches

Step = tuple[str, ...]


async def thinking_twice(url: str, match_id: str, after: int, word: str, seed: str) -> list[Step]:
    """Run a player, kill it once it has said so much and then `word`, or the match is over; return what it said."""
    command = (sys.executable, "-m", "tests.durability.second_thoughts", url, match_id, seed)
    player = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert player.stdout is not None
    lines: list[bytes] = []
    while line := await player.stdout.readline():
        lines.append(line)
        last = line.decode().split()[0]
        if last == "over" or (len(lines) >= after and last == word):
            break
    player.kill()
    lines += (await player.stdout.read()).splitlines()
    await player.wait()
    return [tuple(line.decode().split()) for line in lines if line.strip()]


async def check_kills(url: str, clock: FakeClock, kills: int, say: Callable[[str], None]) -> None:
    """Kill players so often; where a match is over, they go on with another."""
    seed = random.randrange(10**6)
    print("seed", seed)
    rng = random.Random(seed)
    clock.shift((SystemClock().now() - clock.now()).total_seconds())  # the players are processes of the real time
    n = agreements = taken = 0
    while n < kills:
        async with open_matches(url, clock, start=False) as table:
            match_id = (await table.begin(MIRA, TARN, game="relati", speed="daily")).id
        said: list[Step] = []
        began = n
        while n < kills and ("over",) not in said:
            word = ("asked", "agreed", "acted", "back")[n % 4]
            said += await thinking_twice(url, match_id, rng.randrange(2, 20), word, f"{seed} {n}")
            n += ("over",) not in said
        said += await thinking_twice(url, match_id, 1, "acted", f"{seed} end")  # what is agreed to is done by then
        more = await check_match(url, clock, match_id, said, n - began)
        agreements, taken = agreements + more[0], taken + more[1]
    assert taken
    say(f"{kills} kills between asking and taking back: {agreements} agreements said, {taken} taken back")


async def check_match(url: str, clock: FakeClock, match_id: str, said: list[Step], kills: int) -> tuple[int, int]:
    """Compare what players said of a match with its log; return how many agreements they said and how many it has."""
    async with open_matches(url, clock, start=False) as table:
        rows = await table.database.read(store.log, match_id)
        again = await table.matches.open(match_id)
        entries = again.live.log.entries
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    taken = [row for row in rows if row.kind == TAKEBACK]
    for step in said:
        match step:
            case ("acted", seq, action):
                assert rows[int(seq) - 1].action == action
            case ("back", seq, seat, to):
                row = rows[int(seq) - 1]
                assert (row.kind, row.seat, row.data) == (TAKEBACK, int(seat), {"to": int(to)})
            case ("agreed", seat, to, before):
                found = [row for row in taken if row.seq > int(before) and row.data == {"to": int(to)}]
                assert found, f"agreed to, and never done: {step}"
                assert found[0].seq == int(before) + 1, "nothing came between what was agreed to and what came of it"
                assert found[0].seat == int(seat)
    agreements = sum(step[0] == "agreed" for step in said)
    assert agreements <= len(taken) <= agreements + kills, "each once; at most one a kill was stored and not said"
    assert (len(standing(entries)) < len(entries)) is bool(taken)
    return agreements, len(taken)


async def test_what_was_agreed_to_happens_once_over_every_kill(
    url: str, clock: FakeClock, say: Callable[[str], None]
) -> None:
    await check_kills(url, clock, 4, say)


@pytest.mark.soak
async def test_what_was_agreed_to_happens_once_over_a_hundred_kills(
    url: str, clock: FakeClock, say: Callable[[str], None]
) -> None:
    await check_kills(url, clock, 100, say)
