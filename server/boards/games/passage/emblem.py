"""Passage in a few cards: the others' hands, the pile with what one fears in it, a hand of one's own."""

from __future__ import annotations

from server.terminal.lines import Line, Span
from server.terminal.look import Look


def emblem(look: Look) -> list[Line]:
    """Draw the emblem, within `EMBLEM_COLS` and `EMBLEM_ROWS` of `screens/gametable.py`."""
    glyphs = look.glyphs
    gap: Span = ("", " ")
    card: Span = ("card", f" {glyphs.dot} ")
    hands: Line = (("tile1", glyphs.hidden * 4), gap, ("tile2", glyphs.hidden * 5), gap, ("tile3", glyphs.hidden * 4))
    pile: Line = (("cell", glyphs.hidden * 9), ("danger", glyphs.face_up), ("cell", glyphs.hidden * 5))
    return [hands, (), pile, (card, gap, card, gap, card, gap, card)]
