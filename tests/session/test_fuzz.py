"""Whatever is pressed, clicked, typed or resized: no session breaks, and every line fits."""

from __future__ import annotations

import random

import pytest

from server.terminal.lines import width_cols
from tests.answers import offered
from tests.session.evening import busy
from tests.session.fakeserver import BYTES, FakeServer, account

KEYS = (*"abcdefghijklmnoprstuvwxyz/?+-[]=0149 RX雷é", *(key for key in BYTES if key not in ("ctrl c",)))
SIZES = ((80, 24), (120, 40), (40, 20), (62, 21), (200, 50), (30, 10), (80, 24))


@pytest.mark.parametrize("seed", range(3))
async def test_no_key_breaks_a_session(server: FakeServer, seed: int) -> None:
    await press_at_random(server, seed, 200)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 140))
async def test_no_key_breaks_a_session_in_a_long_evening(server: FakeServer, seed: int) -> None:
    await press_at_random(server, seed, 2000)


async def press_at_random(server: FakeServer, seed: int, steps: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    await busy(server)
    seated = await server.connect(account("mira"))
    for _ in range(steps):
        match rng.randrange(20):
            case 0:
                await seated.resize(*rng.choice(SIZES))
            case 1:
                cols, rows = seated.session.display.size
                await seated.click(rng.randrange(cols), rng.randrange(rows))
            case 2 if server.matches.all["m1"].rules.pending(server.matches.all["m1"].state):
                match = server.matches.all["m1"]
                owed = match.rules.pending(match.state)[0]
                match.play(owed.seat, rng.choice(offered(owed)).text)
                await seated.settle()
            case _:
                await seated.type(rng.choice(KEYS))
        if seated.task.done():  # q in the lobby
            assert await seated.task == 0
            seated = await server.connect(account("mira"))
        cols, rows = seated.session.display.size
        frame = seated.session.frames.compose(cols, rows)
        assert [width_cols(line) for line in frame.lines] == [cols] * rows
        assert len(frame.lines) == rows
