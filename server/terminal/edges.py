"""The edges that two neighbouring cells of a board share: the mark of whichever has more to say."""

from __future__ import annotations

from typing import Final, NamedTuple

from server.terminal.glyphs import Glyphs
from server.terminal.lines import Span
from server.terminal.look import Look

# What the edges of a cell can say, strongest first; a board says what alerts.
CURSOR: Final = 0
CHOSEN: Final = 1
TARGET: Final = 2
WALL: Final = 3
ALERT: Final = 4
LAST: Final = 5
NONE: Final = 6

SIGNS: Final = {CURSOR: ("mark", "]", "["), CHOSEN: ("mark", ")", "("), TARGET: ("target", "<", ">")}
STYLES: Final = {CURSOR: "mark", CHOSEN: "mark", TARGET: "target", WALL: "wall", ALERT: "bad", LAST: "last"}
# the long sides of cells that have more than one line: upright, and across
SIDES: Final = {CURSOR: ("┃", "━"), CHOSEN: ("║", "═"), TARGET: ("╏", "╍"), ALERT: ("!", "!"), LAST: ("┊", "┈")}
ASCII_SIDES: Final = {CURSOR: ("|", "="), CHOSEN: ("|", "="), TARGET: (":", "~"), ALERT: ("!", "!"), LAST: (":", ".")}


class Edge(NamedTuple):
    """What the edges of one cell say. `style`: theirs where something was just done there, whatever they say."""

    says: int = NONE
    style: str = ""


PLAIN: Final = Edge()


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return what the edges of a cell show of every board, with what it means, for help."""
    sides = ASCII_SIDES if look.glyphs.name == "ascii" else SIDES
    shown = {"cursor": CURSOR, "chosen": CHOSEN, "target": TARGET}
    found = [(f"{SIGNS[says][2]} {SIGNS[says][1]}  {sides[says][0]}", name) for name, says in shown.items()]
    found.append((f"{look.glyphs.last}  {sides[LAST][0]}", "last"))
    return tuple([(mark, look.t(f"board.mark.{name}")) for mark, name in found])


def strongest(one: Edge, other: Edge) -> Edge:
    """Return what the side says that two cells share."""
    if one.says == other.says:
        return one if one.style >= other.style else other
    return one if one.says < other.says else other


def edge_between(left: Edge, right: Edge, glyphs: Glyphs, alert: Span, plain: Span, wall: Span = ("wall", "#")) -> Span:
    """Return the edge between what two cells say (PLAIN where the board ends), opening or closing.

    `alert`, `plain` and `wall` are the board's own for ALERT, NONE and WALL.
    """
    says, own = strongest(left, right)
    style, sign = {WALL: wall, ALERT: alert, LAST: ("last", glyphs.last)}.get(says, plain)
    if says in SIGNS:
        style, closing, opening = SIGNS[says]
        sign = opening if right.says == says else closing
    return (own or style, sign)


def side_between(one: Edge, other: Edge, glyphs: Glyphs, upright: bool) -> Span:
    """Return a column or row of the side that two cells share, where cells have room for whole sides."""
    says, own = strongest(one, other)
    sides = ASCII_SIDES if glyphs.name == "ascii" else SIDES
    sign = glyphs.wall if says == WALL else sides[says][0 if upright else 1]
    return (own or STYLES[says], sign)
