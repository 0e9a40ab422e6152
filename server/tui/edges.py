"""The edges that two neighbouring cells of a board share: the mark of whichever has more to say."""

from __future__ import annotations

from typing import Final

from server.tui.lines import Span
from server.tui.theme import Glyphs

# What the edges of a cell can say, strongest first; a board says what alerts.
CURSOR: Final = 0
CHOSEN: Final = 1
TARGET: Final = 2
ALERT: Final = 3
LAST: Final = 4
NONE: Final = 5

SIGNS: Final = {CURSOR: ("mark", "]", "["), CHOSEN: ("mark", ")", "("), TARGET: ("target", "<", ">")}


def edge_between(left: int, right: int, glyphs: Glyphs, alert: Span, plain: Span) -> Span:
    """Return the edge between what two cells say (NONE where the board ends), opening or closing.

    `alert` and `plain` are the board's own for ALERT and NONE.
    """
    strongest = min(left, right)
    if strongest in SIGNS:
        style, closing, opening = SIGNS[strongest]
        return (style, opening if right == strongest else closing)
    if strongest == LAST:
        return ("last", glyphs.last)
    return alert if strongest == ALERT else plain
