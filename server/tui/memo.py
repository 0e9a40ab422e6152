"""Remembers what was made from the last few objects, by identity: views and choices are frozen but costly to hash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

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
