"""Remembers what was made from the last few objects, by identity: views and choices are frozen but costly to hash."""

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


class Last(Generic[R]):
    """Remembers what was made last, by which object it was made of and an equal key."""

    __slots__ = ("_key", "_made", "_of")

    def __init__(self) -> None:
        self._of: object = None
        self._key: object = None
        self._made: R | None = None

    def get(self, of: object, key: object, make: Callable[[], R]) -> R:
        """Return what was made of this very object and key; made now if it is not the last."""
        if self._made is None or self._of is not of or self._key != key:
            self._of, self._key, self._made = of, key, make()
        return self._made
