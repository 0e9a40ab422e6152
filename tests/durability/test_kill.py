"""Kill -9 at any moment: what was acknowledged is there, once."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Callable

import pytest

from server.store import matches as store
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, open_matches

Acknowledged = list[tuple[int, int, str]]


async def play_and_be_killed(url: str, match_id: str, after: int) -> Acknowledged:
    """Run a player, kill it after `after` acknowledgements, and return all that it printed."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "tests.durability.player", url, match_id)
    player = await asyncio.create_subprocess_exec(*command, stdout=pipe)
    assert player.stdout is not None
    lines: list[bytes] = []
    while len(lines) < after and (matchlog := await player.stdout.readline()):
        lines.append(matchlog)
    player.kill()
    lines += (await player.stdout.read()).splitlines()
    await player.wait()
    whole = [matchlog.decode().split(maxsplit=2) for matchlog in lines if matchlog.strip()]
    return [(int(seq), int(seat), said.strip()) for seq, seat, said in whole]


async def check_kills(url: str, clock: FakeClock, kills: int, say: Callable[[str], None]) -> None:
    seed = random.randrange(10**6)
    print("seed", seed)
    rng = random.Random(seed)
    async with open_matches(url, clock, start=False) as table:
        match_id = (await table.begin(MIRA, TARN)).id
    acknowledged: Acknowledged = []
    for _ in range(kills):
        acknowledged += await play_and_be_killed(url, match_id, rng.randrange(1, 60))
    async with open_matches(url, clock, start=False) as table:
        rows = {row.seq: row for row in await table.database.read(store.log, match_id)}
        again = await table.matches.open(match_id)
        assert again.live.shown.seq == len(rows)
    assert sorted(rows) == list(range(1, len(rows) + 1))
    assert len({seq for seq, _, _ in acknowledged}) == len(acknowledged)
    for seq, seat, said in acknowledged:
        assert (rows[seq].kind, rows[seq].seat, rows[seq].action) == ("setting", seat, said)
    say(f"{kills} kills of a writing process: {len(acknowledged)} entries acknowledged, {len(rows)} stored, none lost")


async def test_every_acknowledged_entry_survives_being_killed(
    url: str, clock: FakeClock, say: Callable[[str], None]
) -> None:
    await check_kills(url, clock, 4, say)


@pytest.mark.soak
async def test_every_acknowledged_entry_survives_two_hundred_kills(
    url: str, clock: FakeClock, say: Callable[[str], None]
) -> None:
    await check_kills(url, clock, 200, say)
