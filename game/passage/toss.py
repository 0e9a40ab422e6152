"""A small fast random stream, for play-outs."""

from __future__ import annotations


class Toss:
    """A small fast random stream for play-outs."""

    __slots__ = ("x",)

    def __init__(self, seed: int) -> None:
        self.x = seed

    def __call__(self, n: int) -> int:
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self.x >> 33) % n
