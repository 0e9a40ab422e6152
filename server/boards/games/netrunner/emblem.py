"""Netrunner in a few bars: three servers, the ice before them, and who runs."""

from __future__ import annotations

from server.boards.games.netrunner.columns import ice_mark
from server.terminal.lines import Line
from server.terminal.look import Look


def emblem(look: Look) -> list[Line]:
    """Draw the emblem, within `EMBLEM_COLS` and `EMBLEM_ROWS` of `screens/gametable.py`."""
    glyphs = look.glyphs
    gap, lane = ("", " "), ("", "     ")
    server, ice = ("cell", f" {glyphs.hidden * 3} "), ("tile0", f"{ice_mark(look)}{glyphs.hidden * 4}")
    met, runner = ("danger", f"{glyphs.turn}{glyphs.hidden * 4}"), ("tile1", f"  {glyphs.ours}  ")
    return [
        (server, gap, server, gap, server),
        (ice, gap, ice, gap, ice),
        (lane, gap, met, gap, ice),
        (lane, gap, runner),
    ]
