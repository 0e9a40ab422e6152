"""Drawing a form: its rows in groups, as many as have room, and beside or below them what the chosen one means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.terminal.itemlines import POINTER_COLS, heading_line, name_columns, setting_lines, with_position
from server.terminal.items import Heading, SettingRow
from server.terminal.lines import Line, beside, inset, wrapped
from server.terminal.look import Look

Group = tuple[str, Sequence[SettingRow]]  # what the rows have in common ('': nothing), and the rows
WIDE: Final = 100  # columns from which on what a row means stands beside the rows
NOTE_COLS, GAP_COLS = 38, 4
LEAST_LINES: Final = 4  # of the rows, however much else there is to say


@dataclass(frozen=True, slots=True)
class FormLine:
    """A line of a form, and which row it is of, counted through all groups; None: of none."""

    line: Line
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What the chosen row means, under its name; `most`: all that rows of this form say."""

    name: str
    text: str
    most: Sequence[str]

    def beside(self) -> list[Line]:
        """Draw it for beside the rows."""
        return [heading_line(Heading(self.name)), *wrapped(self.text, NOTE_COLS)] if self.text else []

    def below(self, cols: int, rows: int) -> list[Line]:
        """Draw it for below the rows: it takes as many lines for each of them, but no more than `rows` to no purpose.

        So nothing below moves when another row is chosen.
        """
        lines = _set_below(self.text, cols)
        room = min(rows, max((len(_set_below(text, cols)) for text in self.most), default=0))
        return [(), *lines, *[()] * (room - len(lines))] if room else []


def _set_below(text: str, cols: int) -> list[Line]:
    return inset(wrapped(text, cols - POINTER_COLS - 1, "dim"), POINTER_COLS) if text else []


def form_lines(groups: Sequence[Group], look: Look, cols: int, has_gaps: bool) -> list[FormLine]:
    """Draw all rows, those of a group under its head; `has_gaps`: a blank line stands before each."""
    names = name_columns((row for _, rows in groups for row in rows), look, cols)
    lines, n = list[FormLine](), 0
    for head, rows in groups:
        if lines and has_gaps:
            lines.append(FormLine(()))
        if head:
            lines.append(FormLine(heading_line(Heading(head), POINTER_COLS)))
        for row in rows:
            lines += [FormLine(line, n) for line in setting_lines(row, look, names, cols)]
            n += 1
    return lines


def window(lines: Sequence[FormLine], chosen: int, first: int, rows: int) -> range:
    """Return which lines show in so many rows, from `first` on where the chosen row is among them then.

    The head of a group shows with the first of its rows, and below the chosen row the next line.
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


def drawn(lines: Sequence[FormLine], shown: range, note: Note | None, look: Look, cols: int) -> list[Line]:
    """Draw the lines that show, in `cols` columns with a mark of where they are, and `note` beside them."""
    marked = with_position([lines[y].line for y in shown], shown, len(lines), look, cols)
    return beside(marked, note.beside(), cols + 1 + GAP_COLS, NOTE_COLS) if note is not None else marked
