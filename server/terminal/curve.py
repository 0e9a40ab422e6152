"""A curve drawn in text: braille dots where the glyphs allow it, stars where they don't."""

from __future__ import annotations

from collections.abc import Sequence

from server.terminal.lines import Line, pad_left
from server.terminal.look import Look

DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # braille: left and right column, top to bottom
LABEL_COLS = 6


def curve(values: Sequence[float], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw values, oldest first, as `rows` lines of `cols` columns; the highest and lowest are written at the left."""
    if not values or cols <= LABEL_COLS + 2 or rows < 1:
        return []
    fine = look.glyph_set != "ascii"
    across, down = (2, 4) if fine else (1, 1)
    plot_cols = cols - LABEL_COLS - 2
    low, high = min(values), max(values)
    dots = _dots(values, plot_cols * across, rows * down, low, high)
    cells = [[0] * plot_cols for _ in range(rows)]
    for x, y in dots:
        cells[y // down][x // across] |= DOTS[x % 2][y % 4] if fine else 1
    labels = {0: f"{high:.0f}", rows - 1: f"{low:.0f}"} if high > low else {rows // 2: f"{high:.0f}"}
    edge = look.glyphs.bar
    return [_row(labels.get(i, ""), edge, cell, fine) for i, cell in enumerate(cells)]


def _row(label: str, edge: str, cells: Sequence[int], fine: bool) -> Line:
    drawn = "".join((chr(0x2800 + bits) if fine else "*") if bits else " " for bits in cells)
    return (("dim", pad_left(label, LABEL_COLS)), ("rule", f" {edge}"), ("", drawn))


def _dots(values: Sequence[float], width: int, height: int, low: float, high: float) -> list[tuple[int, int]]:
    """Place one dot for each column of dots, with upright strokes where the curve jumps."""
    n = len(values)
    span = high - low or 1.0
    heights = [values[min(n - 1, x * n // width)] for x in range(width)] if n < width else _thinned(values, width)
    level = [height // 2 if high == low else round((high - v) / span * (height - 1)) for v in heights]
    dots = [(0, level[0])]
    for x in range(1, width):
        a, b = level[x - 1], level[x]
        step = 1 if b >= a else -1
        dots += [(x, y) for y in range(a + step, b + step, step)] if a != b else [(x, b)]
    return dots


def _thinned(values: Sequence[float], width: int) -> list[float]:
    """Take the last value of each of `width` equal stretches."""
    return [values[max(0, (x + 1) * len(values) // width - 1)] for x in range(width)]
