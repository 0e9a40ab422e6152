"""Reproducible randomness: a counter stream inside the state."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Rng:
    """A SHA-256 counter stream, the same on every machine and Python version.

    `seed` is 32 bytes and secret until the match ends; `used` counts the 64-bit draws so far.
    """

    seed: bytes
    used: int = 0

    def below(self, n: int) -> tuple[int, Rng]:
        """Draw a uniform int in [0, n), n >= 1, and return it with the stream after it."""
        limit, used = (1 << 64) - (1 << 64) % n, self.used
        while True:
            block = hashlib.sha256(self.seed + used.to_bytes(8, "big")).digest()
            x = int.from_bytes(block[:8], "big")
            used += 1
            if x < limit:
                return x % n, Rng(self.seed, used)

    def choose(self, items: Sequence[T]) -> tuple[T, Rng]:
        """Draw one of `items` (not empty)."""
        i, after = self.below(len(items))
        return items[i], after

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Rng]:
        """Return `items` in a uniformly random order (Fisher-Yates from the end)."""
        out, rng = list(items), self
        for i in range(len(out) - 1, 0, -1):
            j, rng = rng.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return tuple(out), rng

    def sample(self, items: Sequence[T], k: int) -> tuple[tuple[T, ...], Rng]:
        """Draw `k` different places of `items`, in random order; all of them if there are fewer."""
        shuffled, rng = self.shuffle(items)
        return shuffled[:k], rng

    def split(self) -> tuple[Rng, Rng]:
        """Return a new stream, independent of this one, and this stream after it."""
        seed = hashlib.sha256(b"split" + self.seed + self.used.to_bytes(8, "big")).digest()
        return Rng(seed), Rng(self.seed, self.used + 1)


def commitment(seed: bytes) -> str:
    """Return what is published before a match: the SHA-256 of the seed, as hex."""
    return hashlib.sha256(seed).hexdigest()
