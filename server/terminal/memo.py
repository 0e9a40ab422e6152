"""Caches by the identity of an object: views and choices are frozen, but costly to hash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

A = TypeVar("A")
R = TypeVar("R")


def by_identity(size: int = 64) -> Callable[[Callable[[A], R]], Callable[[A], R]]:
    """Cache a function of one frozen object by which object it is; the object is kept alive with its result."""

    def wrap(function: Callable[[A], R]) -> Callable[[A], R]:
        kept: dict[int, tuple[Any, R]] = {}

        def remembered(given: A) -> R:
            found = kept.get(id(given))
            if found is None or found[0] is not given:
                if len(kept) >= size:
                    del kept[next(iter(kept))]
                found = kept[id(given)] = (given, function(given))
            return found[1]

        return remembered

    return wrap


class OneValueCache(Generic[R]):
    """A cache of one value, which may be None: what was made last, of one object and a key."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: tuple[object, object, R] | None = None

    def get(self, of: object, key: object, make: Callable[[], R]) -> R:
        """Return the cached value if it was made of this very object and an equal key; else make it now."""
        if (made := self._made) is None or made[0] is not of or made[1] != key:
            made = self._made = (of, key, make())
        return made[2]


class PerObjectCache(Generic[R]):
    """A cache of one value for each of the `size` newest objects: what was made of it last, with a key."""

    __slots__ = ("_of",)

    def __init__(self, size: int) -> None:
        def fresh(of: object) -> OneValueCache[R]:
            return OneValueCache()

        self._of = by_identity(size)(fresh)

    def get(self, of: object, key: object, make: Callable[[], R]) -> R:
        """Return the cached value if it was made of this very object and an equal key; else make it now."""
        return self._of(of).get(of, key, make)
