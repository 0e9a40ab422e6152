"""How much of a match was played, and who left it: what a rating needs to know besides the places."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

Pair = tuple[int, int]  # seats, the lower one first


@dataclass(frozen=True, slots=True)
class Leaver:
    """A person who resigned, left or ran out of time: `still` are the seats of the people who played on.

    `part`: what the match counts for those who played on, as `part_played` says it.
    """

    seat: int
    still: frozenset[int]
    part: float


@dataclass(frozen=True, slots=True)
class HowPlayed:
    """How a match was played. `drawn_part`: what an agreed draw counts; 1 where none was agreed.

    `near`: the pairs of seats whose people came from one network at the start. `machines`: the seats of machines.
    """

    leavers: tuple[Leaver, ...] = ()
    drawn_part: float = 1.0
    near: Collection[Pair] = ()
    private: bool = False
    machines: Collection[int] = ()


WHOLE = HowPlayed()


def part_played(decisions: int, usual: int) -> float:
    """Return what a match counts that somebody cut short after so many decisions, 0 to 1.

    It grows all the way to a usual match, and faster at the start: half a match counts three quarters.

    >>> [part_played(n, 40) for n in (0, 4, 20, 40, 90)]
    [0.0, 0.18999999999999995, 0.75, 1.0, 1.0]
    """
    return 1.0 - (1.0 - min(1.0, decisions / usual)) ** 2
