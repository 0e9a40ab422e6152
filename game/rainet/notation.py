"""How actions are written: `c2c3`, `d8>+`, `+c2`, `?c7`, `#c3`, `@a1b1=`, `setup LLVVLVLV`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from game.contract import Action
from game.errors import BadNotation
from game.rainet.board import SQUARES


@dataclass(frozen=True, slots=True)
class Move:
    """One or two steps along the grid; `path` begins with the square the card stands on."""

    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Enter:
    """Into the opponent's server centre, perhaps after one boosted step.

    `filing` is '' (face up already), '+' (reveal), 'l' or 'v' (face down, into the LINK or the VIRUS area).
    """

    path: tuple[int, ...]
    filing: str


@dataclass(frozen=True, slots=True)
class AttachBoost:
    """The Line Boost onto an own card."""

    square: int


@dataclass(frozen=True, slots=True)
class DetachBoost:
    """The Line Boost back into the hand."""

    square: int


@dataclass(frozen=True, slots=True)
class VirusCheck:
    """The Virus Check of an enemy card that lies face down."""

    square: int


@dataclass(frozen=True, slots=True)
class PlaceFirewall:
    """The Firewall onto a square."""

    square: int


@dataclass(frozen=True, slots=True)
class TakeFirewall:
    """The Firewall back into the hand; `square` is where it lies."""

    square: int


@dataclass(frozen=True, slots=True)
class NotFound:
    """404: hide two own cards, and swap them or not."""

    first: int
    second: int
    swaps: bool


@dataclass(frozen=True, slots=True)
class Assign:
    """The setup: eight letters L or V, in the order of START_SQUARES."""

    cards: str


Decision = Move | Enter | AttachBoost | DetachBoost | VirusCheck | PlaceFirewall | TakeFirewall | NotFound | Assign

_MOVE = re.compile(r"(?:[a-h][1-8]){2,3}")
_ENTER = re.compile(r"((?:[a-h][1-8]){1,2})>([+lv]?)")
_ONE_SQUARE = re.compile(r"([-+?#~])([a-h][1-8])")
_NOT_FOUND = re.compile(r"@([a-h][1-8])([a-h][1-8])([=x])")
_ASSIGN = re.compile(r"setup ([LV]{8})")
_BY_SIGN: dict[str, Callable[[int], Decision]] = {
    "+": AttachBoost,
    "-": DetachBoost,
    "?": VirusCheck,
    "#": PlaceFirewall,
    "~": TakeFirewall,
}


def _path(text: str) -> tuple[int, ...]:
    return tuple(SQUARES[text[i : i + 2]] for i in range(0, len(text), 2))


@lru_cache(maxsize=16384)
def read_action(text: str) -> Decision:
    """Read one action. Raises BadNotation where it is not well-formed; says nothing about whether it is legal.

    >>> read_action("c2c3")
    Move(path=(10, 18))
    """
    if _MOVE.fullmatch(text):
        return Move(_path(text))
    if m := _ONE_SQUARE.fullmatch(text):
        return _BY_SIGN[m[1]](SQUARES[m[2]])
    if m := _ENTER.fullmatch(text):
        return Enter(_path(m[1]), m[2])
    if m := _NOT_FOUND.fullmatch(text):
        return NotFound(SQUARES[m[1]], SQUARES[m[2]], m[3] == "x")
    if m := _ASSIGN.fullmatch(text):
        return Assign(m[1])
    raise BadNotation("rainet.error.unreadable", text[:80])


@lru_cache(maxsize=16384)
def action(text: str) -> Action:
    """Return the Action of this text; the same object each time, because boards offer the same ones again and again."""
    return Action(text)


def public_text(text: str) -> str:
    """Return the action as everybody may know it: a 404 does not tell whether it swapped (RaiNet §1.9).

    >>> public_text("@a1b1x")
    '@a1b1?'
    """
    return text[:-1] + "?" if text.startswith("@") else text
