"""What is agreed on, in tests: changed in whatever holds it, and taken out of a builder's arguments."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from server.matches.agreement import Agreement

AGREED = frozenset(one.name for one in fields(Agreement))
T = TypeVar("T")


def agreed(held: T, **changes: Any) -> T:
    """Return a seek, a room's settings, a match or a list's line with some of what is agreed on changed."""
    kept: Any = held
    changed: T = replace(kept, agreement=replace(kept.agreement, **changes))
    return changed


def taken(arguments: dict[str, Any]) -> dict[str, Any]:
    """Take what is agreed on out of a builder's arguments, and return it."""
    return {name: arguments.pop(name) for name in AGREED & arguments.keys()}
