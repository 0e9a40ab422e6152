"""How boards put together what is heard of them: lists, actions by kinds, and what is left out where it is too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from server.boards.board import MoveGroup
from server.terminal.look import Look

ENTERING_BYTES = 1_100  # of a position as it is told at once; the prompt comes on top
ENDS = (".", "?", "!", "。", "？", "！")
Move = tuple[str, str, str]  # the title of its kind, what is typed, what it does in words


def listed(items: Iterable[str], look: Look) -> str:
    """Return things one after the other."""
    return look.t("list.comma").join(items)


def sentence(said: str, look: Look) -> str:
    """Return something said with a full stop, where it has none and is no question."""
    return said if not said or said.endswith(ENDS) else look.t("list.sentence", said=said)


def grouped(moves: Iterable[Move]) -> tuple[MoveGroup, ...]:
    """Return actions by kinds, in the order in which the kinds first come."""
    found: dict[str, list[tuple[str, str]]] = {}
    for title, text, words in moves:
        found.setdefault(title, []).append((text, words))
    return tuple(MoveGroup(title, tuple(each)) for title, each in found.items())


def fitting(ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the first way to tell a position, the longest one, that is short enough; else the last."""
    return next((told for told in ways if len("\n".join(told).encode()) <= ENTERING_BYTES), ways[-1])


def is_named(what: str, names: Iterable[str]) -> bool:
    """Tell whether what was typed is one of these names."""
    said = what.strip().casefold()
    return bool(said) and any(said == name.casefold() for name in names)
