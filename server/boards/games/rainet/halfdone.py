"""A selection in words, for a player who comes back, and what of such words may still be selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from game.rainet.board import NAMES, SQUARES, START_SQUARES
from server.boards.games.rainet.selection import (
    BOOST,
    CARD,
    CHECK,
    ENTER,
    FIRST,
    FREE,
    SECOND,
    SETUP,
    SWAP,
    WALL,
    LegalActions,
    Mode,
    Selection,
    Shown,
    offers,
    places_cards,
    side,
)

PLACES: Final = {**SQUARES, "north": 64, "south": 65}  # where a cursor stands, by name
NAMED: Final = {place: name for name, place in PLACES.items()}
HALF: Final = "LLLLVVVV"  # a setup, sorted
MODES: Final[dict[str, Mode]] = {one: one for one in (CARD, ENTER, BOOST, CHECK, WALL, FIRST, SECOND, SWAP)}


def to_words(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    """Return what is being done, the cards chosen for it and where the cursor is: `card d2`, `at d3`."""
    squares = [NAMES[square] for square in chosen.squares]
    if chosen.mode == SETUP:
        return (f"{SETUP} {chosen.placed}", *(f"swap {name} {NAMES[chosen.cursor]}" for name in squares))
    if chosen.mode == FREE or chosen.cursor not in NAMED:
        return ()
    return " ".join((chosen.mode, *squares)), f"at {NAMED[chosen.cursor]}"


def from_words(snapshot: Shown, chosen: Selection, words: Sequence[str]) -> Selection:
    """Return the selection with what such words say, where that may be selected now."""
    match [word.split() for word in words]:
        case [["setup", placed], *swapped] if places_cards(snapshot) and chosen.mode == SETUP:
            return _set_up(snapshot, chosen, placed, swapped)
        case [[str(mode), *names], ["at", str(at)]] if mode in MODES and at in PLACES and {*names} <= SQUARES.keys():
            squares = tuple(SQUARES[name] for name in names)
            if _may_select(offers(snapshot), MODES[mode], squares):
                return replace(chosen, mode=MODES[mode], squares=squares, cursor=PLACES[at])
    return chosen


def _set_up(snapshot: Shown, chosen: Selection, placed: str, swapped: Sequence[Sequence[str]]) -> Selection:
    if "".join(sorted(placed)) != HALF:
        return chosen
    here = replace(chosen, placed=placed, squares=())
    match swapped:
        case [["swap", first, cursor]] if {first, cursor} <= {
            NAMES[square] for square in START_SQUARES[side(snapshot)]
        }:
            return replace(here, squares=(SQUARES[first],), cursor=SQUARES[cursor])
    return here


def _may_select(found: LegalActions, mode: Mode, squares: tuple[int, ...]) -> bool:
    """Tell whether so many cards are chosen in a mode, and may be."""
    match mode, squares:
        case "card", (square,):
            return square in found.moves or square in found.enters
        case "enter", (square,):
            return len(found.enters.get(square, ())) > 1
        case (("boost" | "check" | "wall"), ()):
            return bool({BOOST: found.boost, CHECK: found.check, WALL: found.wall}[mode])
        case "404-first", ():
            return bool(found.hide)
        case "404-second", (square,):
            return square in found.hide
        case "404-swap", (one, other):
            return one != other and {one, other} <= found.hide
    return False
