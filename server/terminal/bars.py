"""Numbers as bars: how many of each as columns beside each other, and how far one number has come as a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from server.terminal.itemlines import STEPS
from server.terminal.lines import Line, after, before, pad_left
from server.terminal.look import Look

BAR_COLS: Final = 2  # of a bar, with a blank column behind it
FULL: Final = {"unicode": "━", "ascii": "="}
MARK: Final = {"unicode": "◆", "ascii": "*"}  # of a place on a track
HERE: Final = {"unicode": "●", "ascii": "O"}


def bar_lines(counts: Sequence[int], names: Sequence[str], look: Look, rows: int) -> list[Line]:
    """Draw how many there are of each as bars: `rows` lines, each with its number on top, and a line of names.

    The tallest bar has `rows - 1` lines, so that its number stands in the first one.
    """
    steps = STEPS["ascii" if look.glyph_set == "ascii" else "unicode"]
    whole, most = len(steps), max(1, *counts)
    heights = [-(-count * (rows - 1) * whole // most) for count in counts]
    lines: list[Line] = []
    for level in range(rows - 1, -1, -1):
        drawn = (_part(count, height - level * whole, steps) for count, height in zip(counts, heights, strict=True))
        lines.append(tuple(chain.from_iterable(drawn)))
    return [*lines, tuple(("dim", f"{pad_left(name, BAR_COLS)} ") for name in names)]


def _part(count: int, height: int, steps: str) -> Line:
    """Draw a bar on one line. `height`: in steps, from the foot of that line; its number stands on the next one."""
    if height > 0:
        return (("accent", steps[min(height, len(steps)) - 1] * BAR_COLS), ("", " "))
    is_top = count and height > -len(steps)
    return (("dim", f"{pad_left(str(count) if is_top else '', BAR_COLS)} "),)


def bar(have: int, of: int, look: Look, cols: int) -> str:
    """Draw how much there is of what there can be as a bar that is `cols` wide where all is there."""
    full = FULL["ascii" if look.glyph_set == "ascii" else "unicode"]
    return full * min(cols, have * cols // max(1, of))


def meter_line(have: int, of: int, look: Look, cols: int, style: str = "accent") -> Line:
    """Draw how much there is of what there can be, `cols` wide."""
    done = bar(have, of, look, cols)
    return ((style, done), ("rule", look.glyphs.rule * (cols - len(done))))


def track_line(at: int, of: int, look: Look, cols: int, marked: int | None = None) -> Line:
    """Draw where one is on a way of so many steps, `cols` wide, with one more place marked on it."""
    glyphs = "ascii" if look.glyph_set == "ascii" else "unicode"
    line = meter_line(at, of, look, cols)
    marks = [] if marked is None else [(marked, "warn", MARK[glyphs])]
    for place, style, glyph in (*marks, (at, "accent", HERE[glyphs])):
        x = place * (cols - 1) // max(1, of)
        line = (*before(line, x), (style, glyph), *after(line, x + 1))
    return line
