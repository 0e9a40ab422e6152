"""Every attack for a second: bounded memory, nothing left behind, and others still get in (`make hostile` measures)."""

from __future__ import annotations

import asyncio

from tests.hostile.attacks import ATTACKS
from tests.hostile.on_pages import answered, asking, browsing
from tests.hostile.stage import NEIGHBOUR, Innocent, alongside, open_stage, watch_memory

MOST_MIB = 64
SECONDS = 1.0
ANSWERED_S = 120.0  # a neighbour who waits longer waits for ever
ALL_S = 540.0  # for the attacks of one server: then the trace says what was waited for
TOGETHER = 6  # attacks that one server endures, one after the other


# A guest's match stands for a minute after them, and with it the tasks of the room or the clock (`make hostile` waits).
BEGIN_MATCHES = (
    "actions-that-take-long-to-read",
    "giant-frames",
    "input-that-nobody-reads",
    "channels-that-nobody-reads",
    "master-matches-of-one-48",
    "master-matches-of-thirty-48s",
    "matches-in-masses",
    "one-guest-200-bot-matches",
    "recordings-in-masses",
    "rooms-and-seeks-in-masses",
    "rooms-and-seeks-of-one-48",
)
NAMES = sorted(ATTACKS)


GROUPS = [NAMES[i : i + TOGETHER] for i in range(0, len(NAMES), TOGETHER)]


async def endure(names: list[str]) -> None:
    """Assert that these attacks, one after the other, grow and leave nothing and keep nobody out."""
    async with asyncio.timeout(ALL_S), open_stage() as stage:
        innocent = await Innocent.sit_down(stage)
        before = await stage.calm()
        for name in names:
            base = stage.rss_mib()
            most, pressed = [base], len(innocent.latencies)
            async with alongside(watch_memory(stage, most), innocent.press()):
                attack = asyncio.create_task(stage.endure(name, SECONDS, quiet=True))
                async with asyncio.timeout(ANSWERED_S), await stage.connect(NEIGHBOUR) as connection:
                    assert "guest" in str((await connection.run("whoami", check=True)).stdout), name
                async with asyncio.timeout(ANSWERED_S), browsing(stage, NEIGHBOUR) as streams:
                    assert (await answered(streams, asking("/")))[0] == 200, name
                await attack
                async with asyncio.timeout(60):
                    while len(innocent.latencies) == pressed:
                        await asyncio.sleep(0.01)
            assert most[0] - base <= MOST_MIB, name
            but = ("tasks",) if name in BEGIN_MATCHES else ()
            after, _ = await stage.settled(before, but)
            assert after.is_back_to(before, but), (name, before, after)
            before = await stage.calm() if but else before
        innocent.close()
