"""Who is served or listed where there is no room for all: in turn, so that who asks for much leaves room for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from operator import itemgetter
from random import Random
from typing import TypeVar

T = TypeVar("T")
Owners = tuple[Hashable, ...]

ROTATES_S = 60.0  # how long one choice of what is listed stays


def in_turn(items: Iterable[T], *shares: Callable[[T], Owners]) -> list[T]:
    """Return all of these, everyone's first before anybody's second and so on; within a turn in the order given.

    Each of `shares` returns whose something is; what is several people's comes when all of them have their turn. Where
    there are several `shares`, the last counts most, and the others order what is one owner's.

    >>> in_turn(["anna's", "again anna's", "bob's"], lambda one: (one[-6:],))
    ["anna's", "bob's", "again anna's"]
    """
    dealt = list(items)
    for share in shares:
        had = Counter[Hashable]()
        turns = []
        for item in dealt:
            owners = set(share(item))
            turns.append((max((had[owner] for owner in owners), default=0), item))
            had.update(owners)
        dealt = [item for _, item in sorted(turns, key=itemgetter(0))]
    return dealt


def some_in_turn(items: Sequence[T], most: int, rng: Random, *shares: Callable[[T], Owners]) -> list[T]:
    """Return at most `most` of these, in the order given. Which of too many, `in_turn` says, and else chance."""
    if len(items) <= most:
        return list(items)
    drawn = rng.sample(list(enumerate(items)), len(items))
    dealt = in_turn(drawn, *(_of_second(share) for share in shares))
    return [item for _, item in sorted(dealt[:most], key=itemgetter(0))]


def _of_second(share: Callable[[T], Owners]) -> Callable[[tuple[int, T]], Owners]:
    return lambda numbered: share(numbered[1])


def rotating(now: datetime) -> Random:
    """Return the chance that chooses at this time: the same in all processes, and another one every minute."""
    return Random(int(now.timestamp() // ROTATES_S))
