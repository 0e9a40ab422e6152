"""RaiNet in a few cells: cards of two players, some of them known, and exits."""

from __future__ import annotations

from server.terminal.lines import Line, Span
from server.terminal.look import Look


def emblem(look: Look) -> list[Line]:
    """Draw the emblem, within `EMBLEM_COLS` and `EMBLEM_ROWS` of `screens/gametable.py`."""
    glyphs = look.glyphs
    gap: Span = ("", " ")
    empty: Span = ("cell", "   ")
    way_out: Span = ("cell.exit", f" {glyphs.exit} ")
    hidden: Span = ("tile1", glyphs.theirs + glyphs.hidden * 2)
    mine: Span = ("tile0", glyphs.ours)
    link, virus = ("link", "L "), ("virus", "V ")
    return [
        (hidden, gap, empty, gap, way_out, gap, hidden),
        (empty, gap, hidden, gap, empty, gap, empty),
        (empty, gap, mine, link, gap, empty, gap, mine, virus),
        (mine, virus, gap, empty, gap, way_out, gap, mine, link),
    ]
