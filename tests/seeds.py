"""Where tests that draw at random begin: the same place each time, or where the environment says."""

from __future__ import annotations

import os

FIXED = 20_261_121


def chosen() -> int:
    """Return the seed: that of `make test`, or the one that the environment says."""
    return int(os.environ.get("TEST_SEED", FIXED))


def drawn() -> int:
    """Return the seed, and print it; `make soak` sets another each time (TEST_SEED repeats one)."""
    seed = chosen()
    print("seed", seed)
    return seed
