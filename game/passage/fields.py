"""Reading single fields of a position: numbers, seats, lists of cards, what is known. All raise BadNotation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NoReturn

from game.contract import Json
from game.errors import BadNotation
from game.passage.cards import REAL
from game.passage.state import Cards, Held, Known

POSITION: Final = re.compile(r"0|[1-9][0-9]{0,3}")
KEYS: Final = {card.value: card for card in REAL}
BIG: Final = 1000  # the greatest number that a field takes unless it says otherwise


def bad(detail: str) -> NoReturn:
    """Raise BadNotation for a position that can't be read."""
    raise BadNotation("passage.error.position", detail[:80])


def number(data: Mapping[str, Json], name: str, default: int, low: int = 0, high: int = BIG) -> int:
    """Read a whole number in a range."""
    value = data.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        bad(f"{name}: not a number from {low} to {high}")
    return value


def word(data: Mapping[str, Json], name: str, default: str, words: tuple[str, ...]) -> str:
    """Read a text that is one of `words`."""
    value = data.get(name, default)
    if not isinstance(value, str) or value not in words:
        bad(f"{name}: not one of {', '.join(words)}")
    return value


def cards(value: Json, name: str) -> Cards:
    """Read a list of cards."""
    if not isinstance(value, list):
        bad(f"{name}: not a list of cards")
    found = []
    for item in value:
        if not isinstance(item, str) or item not in KEYS:
            bad(f"{name}: unknown card")
        found.append(KEYS[item])
    return tuple(found)


def seats(data: Mapping[str, Json], name: str, n_seats: int) -> tuple[int, ...]:
    """Read a list of different seats."""
    value = data.get(name, [])
    if not isinstance(value, list):
        bad(f"{name}: not a list of seats")
    found = []
    for item in value:
        if not isinstance(item, int) or isinstance(item, bool) or not 0 <= item < n_seats or item in found:
            bad(f"{name}: not different seats")
        found.append(item)
    return tuple(found)


def per_seat(data: Mapping[str, Json], name: str, n_seats: int, default: Json) -> list[Json]:
    """Read a list with one entry for each seat; entries left out at its end have the default."""
    value = data.get(name, [])
    if not isinstance(value, list) or len(value) > n_seats:
        bad(f"{name}: not one entry for each of {n_seats} seats")
    return [*value, *[default] * (n_seats - len(value))]


def known(value: Json, pile: Cards, name: str) -> Known:
    """Read what is known of the pile: an object from position to card, which must agree with the pile."""
    if not isinstance(value, dict):
        bad(f"{name}: not an object")
    found = {}
    for at, card in value.items():
        if POSITION.fullmatch(at) is None or int(at) >= len(pile) or card != pile[int(at)].value:
            bad(f"{name}: not what lies at {at}")
        found[int(at)] = pile[int(at)]
    return tuple(sorted(found.items()))


def held(value: Json, sides: tuple[Cards, ...], name: str) -> Held:
    """Read what is known of others' hands: an object from seat to cards, no more than that seat has.

    Whether these cards are in the hand is not checked: a view must not depend on it.
    """
    if not isinstance(value, dict):
        bad(f"{name}: not an object")
    found: list[Cards] = [()] * len(sides)
    for seat, listed in value.items():
        if POSITION.fullmatch(seat) is None or int(seat) >= len(sides):
            bad(f"{name}: no seat {seat}")
        told = cards(listed, name)
        if len(told) > len(sides[int(seat)]):
            bad(f"{name}: more than seat {seat} has")
        found[int(seat)] = tuple(sorted(told, key=REAL.index))
    return tuple(found)


def seed(value: Json) -> bytes:
    """Read a seed of 64 hex digits."""
    if not isinstance(value, str) or re.fullmatch(r"[0-9a-fA-F]{64}", value) is None:
        bad("seed: not 64 hex digits")
    return bytes.fromhex(value)
