"""Where tests that draw at random begin: the same place each time, or where the environment says."""

from __future__ import annotations

import os

FIXED = 20_261_121


def drawn() -> int:
    """Return the seed, and print it; `make soak` sets another each time (TEST_SEED repeats one)."""
    seed = int(os.environ.get("TEST_SEED", FIXED))
    print("seed", seed)
    return seed
