"""`make hostile`: each attack alone for a while, and what it did to the server and to an innocent player."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import sys
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from tests.bench.harness import quantile
from tests.hostile.attacks import ATTACKS, OUTCOMES
from tests.hostile.stage import (
    Innocent,
    Stage,
    alongside,
    bot_answers,
    neighbours,
    newcomers,
    open_stage,
    returning,
    watch_memory,
)

MOST_MIB = 64.0
MOST_P99_MS = 500.0
MOST_LOGGED_KIB = 256.0
MOST_REFUSED = 0.01  # of those who try for five seconds, where an attack takes the places of logins
FILL_THE_DOOR = frozenset(("idle-sockets-from-fifty-sources",))
KEEP_BOTS_BUSY = frozenset(
    ("one-guest-200-bot-matches", "master-matches-of-one-48", "master-matches-of-thirty-48s", "tables-left-to-bots")
)
AT_A_PLAYERS_ADDRESS = frozenset(("idle-guests-at-a-players-address",))
MOST_BOT_P95_MS, MOST_BOT_P99_MS = 1_000.0, 2_000.0  # of a move of somebody else's built-in player
MOST_UNREAD_MIB = 200.0  # what all clients leave unread (64 MiB), and 600 sessions
UNREAD = frozenset(("channels-that-nobody-reads", "sockets-that-nobody-reads"))
MOST_STORED = {  # more than this of something in the database is too much
    "accounts-of-one-48": {"accounts": 12},
    "codes-of-one-48": {"wrong codes": 40},
    "wrong-codes-by-the-ten-thousand": {"wrong codes": 40},
    "rooms-and-seeks-of-one-48": {"rooms": 400},
    "tables-left-to-bots": {"running": 8},  # of those who hung up in the middle: for a minute
    "matches-begun-and-resigned": {"running": 8},
}
WARM_UP_S = 5.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one attack did."""

    name: str
    grown_mib: float
    p50_ms: float
    p99_ms: float
    ran: float
    waited: float
    keys: int
    refused: int
    logins: int
    logged_kib: float
    errors: int
    left: str
    settled_s: float
    moves: tuple[float, ...] = ()  # seconds that somebody else's built-in player took, each

    def move_ms(self, q: float) -> float:
        """Return how long a share `q` of the built-in player's moves took at most."""
        return quantile([*self.moves], q) * 1000

    @property
    def is_missed(self) -> bool:
        may_be_refused = MOST_REFUSED * self.logins if self.name in FILL_THE_DOOR else 0
        most_mib = MOST_UNREAD_MIB if self.name in UNREAD else MOST_MIB
        is_rude = self.grown_mib > most_mib or not self.p99_ms <= MOST_P99_MS or self.refused > may_be_refused
        is_slow = self.move_ms(0.95) > MOST_BOT_P95_MS or self.move_ms(0.99) > MOST_BOT_P99_MS if self.moves else False
        is_rude = is_rude or is_slow
        return is_rude or bool(self.left) or self.logged_kib > MOST_LOGGED_KIB or self.errors > 0

    def __str__(self) -> str:
        verdict = "MISSED" if self.is_missed else "ok"
        bots = f"{self.move_ms(0.5):.0f}/{self.move_ms(0.95):.0f}/{self.move_ms(0.99):.0f}" if self.moves else "-"
        others = f"{self.logins - self.refused}/{self.logins}"
        return (
            f"{self.name:32} {self.grown_mib:8.1f} {self.p50_ms:7.0f} {self.p99_ms:7.0f} {self.keys:5} "
            f"{bots:>14} {others:>9} {self.ran:5.0%} {self.waited:6.0%} {self.logged_kib:7.0f} {self.errors:6}  "
            f"{self.left or '-':20} {self.settled_s:5.1f} s  {verdict}"
        )


HEAD = (
    f"{'attack':32} {'+MiB':>8} {'p50 ms':>7} {'p99 ms':>7} {'keys':>5} {'bot ms':>14} {'others in':>9} "
    f"{'ran':>5} {'waited':>6} {'log KiB':>7} {'errors':>6}  {'left behind':20}   after"
)


def comers_at(stage: Stage, innocent: Innocent, name: str, came: list[float]) -> Coroutine[Any, Any, None]:
    """Return who comes while an attack goes on, and notes in `came` how long it took."""
    if name in AT_A_PLAYERS_ADDRESS:
        return returning(stage, innocent.key, came)
    return newcomers(stage, came) if name in FILL_THE_DOOR else neighbours(stage, came)


async def endure(stage: Stage, innocent: Innocent, name: str, seconds: float) -> Outcome:
    """Let one attack happen in a process of its own, and measure."""
    before, base, held = await stage.calm(), stage.rss_mib(), stage.stored()
    most, came, moves = [base], list[float](), list[float]()
    innocent.latencies.clear()
    began, (ran, waited), (said, failed) = time.monotonic(), stage.times_s(), stage.logged()
    comers = comers_at(stage, innocent, name, came)
    asking = [bot_answers(stage, moves)] if name in KEEP_BOTS_BUSY else []
    async with alongside(watch_memory(stage, most), comers, innocent.press(), *asking):
        await stage.endure(name, seconds)
        p50, p99, keys = innocent.at_ms(0.5), innocent.at_ms(0.99), len(innocent.latencies)
    lasted, (ran_then, waited_then) = time.monotonic() - began, stage.times_s()
    shares = (ran_then - ran) / lasted, (waited_then - waited) / lasted
    after, settled_s = await stage.settled(before)
    said_then, failed_then = stage.logged()
    too_much = [(field, getattr(after, field) - getattr(before, field), 0) for field in before.__slots__]
    stored = stage.stored()
    too_much += [(kind, stored[kind] - held[kind], most) for kind, most in MOST_STORED.get(name, {}).items()]
    left = ", ".join(f"{what} +{more}" for what, more, most in too_much if more > most)
    return Outcome(
        name,
        most[0] - base,
        p50,
        p99,
        *shares,
        keys,
        sum(s == float("inf") for s in came),
        len(came),
        said_then - said,
        failed_then - failed,
        left,
        settled_s,
        tuple(moves),
    )


async def measure(names: list[str], seconds: float) -> int:
    """Run the attacks one after the other on one server; return how many missed a bound."""
    print(HEAD, flush=True)
    missed = 0
    async with open_stage(whole=True) as stage:
        for pid in (os.getpid(), stage.pid):
            with contextlib.suppress(OSError):  # not everybody may
                os.setpriority(os.PRIO_PROCESS, pid, -15)
        innocent = await Innocent.sit_down(stage)
        async with alongside(neighbours(stage, [], 0.1), innocent.press()):
            await asyncio.sleep(WARM_UP_S)
        print(f"{'(nobody attacks)':32} {'':8} {innocent.at_ms(0.5):7.0f} {innocent.at_ms(0.99):7.0f}", flush=True)
        for name in names:
            outcome = await endure(stage, innocent, name, seconds)
            missed += outcome.is_missed
            print(outcome, flush=True)
        innocent.close()
    print(
        f"bounds: +{MOST_MIB:.0f} MiB, p99 {MOST_P99_MS:.0f} ms, others get in, {MOST_LOGGED_KIB:.0f} KiB of log, "
        f"no error, nothing left; missed: {missed}"
    )
    return missed


async def attack_and_leave(stage: Stage, name: str, seconds: float) -> None:
    """Attack, and be gone at once: a connection whose bytes the server does not read never closes by itself."""
    await ATTACKS[name](stage, seconds)
    print("   ", "; ".join(f"{how} ×{n}" for how, n in OUTCOMES.most_common(4)) or "held on", file=sys.stderr)
    sys.stderr.flush()
    os._exit(0)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for how long each attack goes on")
    parser.add_argument("--attack", action="append", choices=sorted(ATTACKS), help="only this one; may be repeated")
    parser.add_argument("--at", metavar="PID:PORT:WEB", help=argparse.SUPPRESS)
    parser.add_argument("--nice", type=int, default=10, help=argparse.SUPPRESS)
    given = parser.parse_args()
    names = given.attack or list(ATTACKS)
    if given.at is None:
        return 1 if asyncio.run(measure(names, given.seconds)) else 0
    logging.disable()  # a socket that the server closed is no news here
    os.setpriority(os.PRIO_PROCESS, 0, given.nice)  # the attackers' machine is not ours: here it shares our cores
    pid, port, web_port = map(int, given.at.split(":"))
    asyncio.run(attack_and_leave(Stage(pid, port, web_port), names[0], given.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
