"""Drawing how a rating went: as a curve with its highest and lowest value, or as a trace in one line."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import ceil
from typing import Final

from server.terminal.dots import ACROSS, DOWN, dotted
from server.terminal.itemlines import spark
from server.terminal.items import SparkLine
from server.terminal.lines import Line, pad_left
from server.terminal.look import Look

LEAST_STEPS: Final = 6  # of a rating from which on they look like a curve
LABEL_COLS: Final = 6  # of the highest and the lowest value


def trace(values: Sequence[float], look: Look, cols: int) -> str:
    """Draw the newest values in one line of at most `cols` columns: a curve of dots, else steps."""
    if not look.glyphs.has_dots or len(values) < 2:
        return spark(SparkLine(tuple(values)), look, cols)
    newest = values[-cols * ACROSS :]
    width = min(cols, ceil(len(newest) / ACROSS))
    return dotted(_dots(newest, width * ACROSS, DOWN, min(newest), max(newest)), width, 1)[0]


def curve(values: Sequence[float], look: Look, cols: int, rows: int) -> list[Line]:
    """Draw values, oldest first, as `rows` lines of `cols` columns; the highest and lowest are written at the left."""
    if not values or cols <= LABEL_COLS + 2 or rows < 1:
        return []
    fine = look.glyphs.has_dots
    across, down = (ACROSS, DOWN) if fine else (1, 1)
    plot_cols = cols - LABEL_COLS - 2
    low, high = min(values), max(values)
    dots = _dots(values, plot_cols * across, rows * down, low, high)
    drawn = dotted(dots, plot_cols, rows) if fine else _starred(set(dots), plot_cols, rows)
    labels = {0: f"{high:.0f}", rows - 1: f"{low:.0f}"} if high > low else {rows // 2: f"{high:.0f}"}
    edge = look.glyphs.vertical
    return [
        (("dim", pad_left(labels.get(i, ""), LABEL_COLS)), ("rule", f" {edge}"), ("accent", row))
        for i, row in enumerate(drawn)
    ]


def _starred(dots: Set[tuple[int, int]], cols: int, rows: int) -> list[str]:
    """Draw dots where there is one character for each."""
    return ["".join("*" if (x, y) in dots else " " for x in range(cols)) for y in range(rows)]


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
