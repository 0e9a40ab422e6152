"""The gate: what a terminal shows that is too small for any screen."""

from __future__ import annotations

from typing import Final

from server.terminal.lines import (
    centre,
    fit,
    plain,
    wrap,
)
from server.terminal.look import Look
from server.terminal.sheet import Frame

SMALLEST: Final = (40, 20)


def is_shut(cols: int, rows: int) -> bool:
    """Tell whether the terminal is too small to show anything useful."""
    return cols < SMALLEST[0] or rows < SMALLEST[1]


def frame(look: Look, cols: int, rows: int) -> Frame:
    """Say that the window is too small, and how large it must be."""
    need = look.t("gate.need", cols=SMALLEST[0], rows=SMALLEST[1])
    said = [*wrap(look.t("gate.small", cols=cols, rows=rows), cols), *wrap(need, cols)]
    first = max(0, (rows - len(said)) // 2)
    lines = [fit((), cols)] * rows
    for row, text in enumerate(said, first):
        if row < rows:
            lines[row] = fit(plain(centre(text, cols)), cols)
    return Frame(cols, tuple(lines))
