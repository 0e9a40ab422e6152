"""Views as lists of numbers, for learning programs: what the outside may read of any view, hashed to a fixed length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from zlib import crc32

from game.contract import Json

Features = Callable[..., list[float]]  # from a game's own view to its numbers; as many for all views of a match

SIZE = 1024  # numbers of a hashed view
LEFT_OUT = frozenset(("log",))  # grows without end, and the position holds what came of it
HALF = 8.0  # a number n becomes n / (|n| + HALF), so this one becomes 0.5


def hashed(seen: Json, size: int = SIZE) -> list[float]:
    """Return a view's JSON as `size` numbers between -1 and 1 (feature hashing).

    Each value adds to the place that its path in the JSON is hashed to. Numbers are scaled into -1 to 1. A text adds a
    quarter each time it stands there; the order of texts in a list does not count. Places are the same on every
    machine.

    >>> sum(map(abs, hashed({"hand": ["slip", "slip", "judge"], "draws": 8}, 64)))
    1.25
    """
    found = [0.0] * size
    for name, amount in _named("", seen):
        at, sign = _place(name, size)
        found[at] += sign * amount
    return [max(-1.0, min(1.0, value)) for value in found]


@lru_cache(maxsize=65536)
def _place(name: str, size: int) -> tuple[int, int]:
    """Return the place of a name and its sign: names that share a place cancel as often as they add up."""
    code = crc32(name.encode())
    return code % size, 1 if code >> 31 else -1


def _named(path: str, value: Json) -> Iterator[tuple[str, float]]:
    """Yield each value below `value` with its path; a text is part of its path."""
    match value:
        case None:
            return
        case bool():
            yield path, float(value)
        case int():
            yield path, value / (abs(value) + HALF)
        case str():
            yield f"{path}={value}", 0.25
        case list():
            for i, item in enumerate(value):
                yield from _named(f"{path}[]" if isinstance(item, str) else f"{path}[{i}]", item)
        case dict():
            for name, item in value.items():
                if name not in LEFT_OUT:
                    yield from _named(f"{path}.{name}", item)
