"""Reading the fields of a position: numbers, lists, objects, titles. All raise BadNotation for what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from game.contract import Json
from game.errors import BadNotation
from game.netrunner.cards import ENTRIES
from game.netrunner.facts import CODES, FACTS, plain_title
from game.options import plain


def bad(detail: str) -> NoReturn:
    """Refuse a position. Raises BadNotation."""
    raise BadNotation("netrunner.error.position", detail[:100])


def number(data: Mapping[str, Json], name: str, default: int, low: int = 0, most: int = 999_999) -> int:
    """Read a whole number from `low` to `most`."""
    value = data.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= most:
        bad(f"{name}: not a number")
    return value


def flag(data: Mapping[str, Json], name: str, default: bool) -> bool:
    """Read true or false."""
    value = data.get(name, default)
    if not isinstance(value, bool):
        bad(f"{name}: neither true nor false")
    return value


def mapping(value: Json, name: str, keys: set[str] | None = None) -> dict[str, Json]:
    """Read an object with no other keys than these."""
    if not isinstance(value, dict):
        bad(f"{name}: not an object")
    if keys is not None and value.keys() - keys:
        bad(f"{name}: unknown field {min(value.keys() - keys)}")
    return value


def array(value: Json, name: str) -> list[Json]:
    """Read a list."""
    if not isinstance(value, list):
        bad(f"{name}: not a list")
    return value


def code(value: Json, side: int | None = None) -> str:
    """Read a title, of a side if one is given; return the card's code."""
    found = CODES.get(plain_title(value)) if isinstance(value, str) else None
    if found is None or found not in ENTRIES or (side is not None and FACTS[found].side != side):
        bad(f"unknown card {plain(value)[:60]}")
    return found


def words(data: dict[str, Json], name: str) -> tuple[str, ...]:
    """Read a list of texts."""
    found = array(data.get(name, []), name)
    if not all(isinstance(item, str) for item in found):
        bad(name)
    return tuple(map(str, found))


def ints(data: dict[str, Json], name: str) -> tuple[int, ...]:
    """Read a list of whole numbers; anything else in it is left out."""
    return tuple(item for item in array(data.get(name, []), name) if isinstance(item, int))
