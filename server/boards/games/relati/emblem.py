"""Relati in a few cells: pieces of two players, and the links between them."""

from __future__ import annotations

from game.relati.state import MARKS
from server.terminal.lines import Line, Span
from server.terminal.look import Look


def emblem(look: Look) -> list[Line]:
    """Draw the emblem, within `EMBLEM_COLS` and `EMBLEM_ROWS` of `screens/gametable.py`."""
    glyphs = look.glyphs
    across = glyphs.wires(False)[0]
    gap: Span = ("", " ")
    empty: Span = ("dim", f" {glyphs.dot} ")
    one, other = (("tile0", f" {MARKS[0]} "), ("tile1", f" {MARKS[1]} "))
    link: Span = ("seat0", across)
    cut: Span = ("seat1", across)
    return [
        (one, link, one, gap, empty, gap, other),
        (empty, gap, one, link, one, gap, other),
        (other, cut, other, gap, one, gap, empty),
        (empty, gap, empty, gap, one, link, one),
    ]
