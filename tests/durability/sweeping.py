"""Many seeds of the simulation, one after the other, with what happened in all of them together."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tests.durability.simulation import simulate

TOLD = (
    "steps", "virtual seconds", "crashes", "stored after the crash", "store down", "calls", "write: refused",
    "write: answer lost", "read: refused", "hints lost", "hints doubled", "sent", "acknowledged", "entries", "timeouts",
    "resignations", "credits", "finished",
)  # fmt: skip


def sweep(seeds: Sequence[int], say: Callable[[str], None], every: int = 500) -> Counter[str]:
    """Run seeds; return what happened in all of them. Says now and then how far it is. Raises AssertionError."""
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with _rarely_collecting():
        for done, seed in enumerate(seeds, 1):
            outcome = simulate(seed)
            assert outcome.wrong == [], f"seed {seed} (`python -m tests.durability --begin {seed}`): {outcome.wrong}"
            counts += outcome.counts
            if done % every == 0 or done == len(seeds):
                gc.collect()
                say(f"{done:,} seeds in {time.monotonic() - began:.0f} s: {summary(counts)}")
    return counts


def summary(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[name]:,} {name}" for name in TOLD)


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Leave the collector off: a run leaves little behind, and looking for it takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()
