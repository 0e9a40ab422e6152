"""Rows that take one line or several, with heads and blank lines between them: which of them show, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.terminal.itemlines import with_position
from server.terminal.lines import Line
from server.terminal.look import Look


@dataclass(frozen=True, slots=True)
class RowLine:
    """A line, and which row it is of; None: of none."""

    line: Line
    row: int | None = None


def window(lines: Sequence[RowLine], chosen: int, first: int, rows: int) -> range:
    """Return which lines show in so many rows, from `first` on where the chosen row is among them then.

    The head above a row shows with it, and below the chosen row the next line.
    """
    own = [y for y, line in enumerate(lines) if line.row == chosen]
    start, stop = own[0], min(own[-1] + 2, len(lines))
    while start and lines[start - 1].row is None:
        start -= 1
    first = max(0, min(first, start, len(lines) - rows))
    first = max(first, stop - rows)
    last = min(len(lines), first + rows)
    while last < len(lines) and lines[last].row is not None and lines[last].row == lines[last - 1].row:
        last -= 1  # half a row would read as a whole one
    return range(first, last)


def marked(lines: Sequence[RowLine], shown: range, look: Look, cols: int) -> list[Line]:
    """Draw the lines that show, in `cols` columns, with a mark of where they are where they are not all."""
    return with_position([lines[y].line for y in shown], shown, len(lines), look, cols)
