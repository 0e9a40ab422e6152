"""How much memory channels take that are admitted and never read: `python -m tests.hostile.unread`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from tests.bench.harness import terminal
from tests.hostile.by_networks import hold_unread
from tests.hostile.by_programs import long_match
from tests.hostile.stage import Innocent, alongside, open_stage, watch_memory

MOST_MIB = 300.0
RAISED = {
    "PATCHBAY_LIMIT_UNAUTHENTICATED": "1000",
    "PATCHBAY_LIMIT_UNAUTHENTICATED_PER_SOURCE": "1000",
    "PATCHBAY_LIMIT_CONNECTIONS_PER_SOURCE": "2000",
    "PATCHBAY_LIMIT_STALL_S": "600",
}
WATCHER = "127.0.20.9"  # an address that some of the readers have, too


async def measure(readers: int, seconds: float) -> int:
    """Print what the server took; return 1 where that is too much, or the watcher was sent away."""
    async with open_stage(RAISED, whole=True) as stage:
        innocent = await Innocent.sit_down(stage)
        match, base = await long_match(stage), stage.rss_mib()
        watcher = await stage.connect(WATCHER)
        board = await terminal(watcher, f"watch {match}")
        await board.quiet()
        most = [base]
        async with alongside(watch_memory(stage, most), innocent.press()):
            admitted = await hold_unread(stage, match, seconds, readers)
            stayed = not board.closed and not watcher.is_closed()
        with contextlib.suppress(OSError):
            watcher.close()
        innocent.close()
    is_met = most[0] <= MOST_MIB and stayed and admitted >= readers
    print(f"{admitted} of {readers} channels admitted; keys p99 {innocent.at_ms(0.99):.0f} ms")
    print(f"memory, with the bots' processes: {base:.0f} -> {most[0]:.0f} MiB (bound {MOST_MIB:.0f})")
    print(f"the honest watcher {'stayed' if stayed else 'was closed'}: {'ok' if is_met else 'MISSED'}")
    return 0 if is_met else 1


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.unread", description=__doc__)
    parser.add_argument("--readers", type=int, default=1250)
    parser.add_argument("--seconds", type=float, default=60, help="for how long they stay, the logins included")
    given = parser.parse_args()
    return asyncio.run(measure(given.readers, given.seconds))


if __name__ == "__main__":
    sys.exit(main())
