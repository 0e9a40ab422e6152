"""What the marks on Netrunner's board mean, as help lists them."""

from __future__ import annotations

from server.boards.games.netrunner.cardtext import credits
from server.boards.games.netrunner.columns import ice_mark
from server.boards.games.netrunner.labels import MARKS
from server.boards.games.netrunner.tiles import sub_mark
from server.terminal.look import Look


def marks(look: Look) -> tuple[tuple[str, str], ...]:
    """Return each mark with what it means, those of cards first."""
    glyphs = look.glyphs
    shown = {
        "hidden": glyphs.hidden,
        "ice": ice_mark(look),
        "turn": glyphs.turn,
        "passed": glyphs.yes,
        "number": "2",
        "sub": sub_mark(look),
        "advanced": "+2 2/4",
        "credits": credits(2, look),
        "counters": " ".join(f"{mark}2" for mark in MARKS.values()),
        "hosted": "( )",
        "clicks": glyphs.meter(2, 3),
        "hand": "4/5",
        "archives": f"1+2{glyphs.hidden}",
        "further": glyphs.pointer,
    }
    return tuple((mark, look.t(f"netrunner.legend.{name}")) for name, mark in shown.items())
