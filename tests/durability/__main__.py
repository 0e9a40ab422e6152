"""`python -m tests.durability`: run seeds of the simulation; `--digests` prints what each comes to."""

from __future__ import annotations

import argparse
import sys

from tests.durability.simulation import simulate
from tests.durability.sweeping import sweep
from tests.matches import odd_bots  # brings the game that is simulated

assert odd_bots


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.durability", description=__doc__)
    parser.add_argument("--begin", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--digests", action="store_true", help="print a digest of everything that happened, by seed")
    asked = parser.parse_args()
    seeds = range(asked.begin, asked.begin + asked.seeds)
    if asked.digests:
        for seed in seeds:
            print(seed, simulate(seed).digest, flush=True)
        return 0
    try:
        sweep(seeds, lambda matchlog: print(matchlog, flush=True))
    except AssertionError as error:
        print(error)
        return 1
    return 0


sys.exit(main())
