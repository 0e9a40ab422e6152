"""A random stream for play-outs, faster than the SHA-256 stream of `game.rng`."""

from __future__ import annotations


class Toss:
    """A 64-bit linear congruential generator; `toss(n)` draws a number below n.

    Source: the multiplier and increment of D. E. Knuth's MMIX, of which the high bits are used.
    """

    __slots__ = ("x",)

    def __init__(self, seed: int) -> None:
        self.x = seed

    def __call__(self, n: int) -> int:
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.x >> 33) % n
