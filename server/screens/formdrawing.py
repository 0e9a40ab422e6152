"""Drawing a form: its rows in groups, as many as have room, and beside or below them what the chosen one means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from server.screens.rowlines import RowLine, marked
from server.terminal.itemlines import POINTER_COLS, heading_line, name_columns, setting_lines
from server.terminal.items import Heading, SettingRow
from server.terminal.lines import Line, at_end, beside, inset, wrapped
from server.terminal.look import Look

Group = tuple[str, Sequence[SettingRow]]  # what the rows have in common ('': nothing), and the rows
WIDE: Final = 100  # columns from which on what a row means stands beside the rows
NOTE_COLS, GAP_COLS = 38, 4
LEAST_LINES: Final = 4  # of the rows, however much else there is to say


@dataclass(frozen=True, slots=True)
class Note:
    """What the chosen row means, under its name."""

    name: str
    text: str

    def beside(self) -> list[Line]:
        """Draw it for beside the rows."""
        return [heading_line(Heading(self.name)), *wrapped(self.text, NOTE_COLS)] if self.text else []

    def below(self, others: Iterable[str], cols: int, rows: int) -> list[Line]:
        """Draw it for below the rows: as tall as the tallest of what `others` mean, but no more than `rows` for that.

        So nothing below moves when another row is chosen.
        """
        lines = _set_below(self.text, cols)
        room = min(rows, max((len(_set_below(text, cols)) for text in others), default=0))
        return [(), *lines, *[()] * (room - len(lines))] if room else []


def _set_below(text: str, cols: int) -> tuple[Line, ...]:
    return tuple(inset(wrapped(text, cols - POINTER_COLS - 1, "dim"), POINTER_COLS)) if text else ()


def form_lines(
    groups: Sequence[Group], look: Look, cols: int, has_gaps: bool, is_steady: bool = False
) -> list[RowLine]:
    """Draw all rows, counted through all groups, those of a group under its head.

    `has_gaps`: a blank line stands before each group but the first. `is_steady`: its rows are always these.
    """
    names = name_columns([row for _, rows in groups for row in rows], look, cols, is_steady)
    lines, n = list[RowLine](), 0
    for head, rows in groups:
        if lines and has_gaps:
            lines.append(RowLine(()))
        if head:
            lines.append(RowLine(heading_line(Heading(head), POINTER_COLS)))
        for row in rows:
            lines += [RowLine(line, n) for line in setting_lines(row, look, names, cols)]
            n += 1
    return lines


def drawn(
    lines: Sequence[RowLine], shown: range, note: Note | None, look: Look, cols: int, picture: Sequence[Line] = ()
) -> list[Line]:
    """Draw the lines that show, in `cols` columns with a mark of where they are.

    Beside them stands `note`, and where the last of them are, the picture, if that has room.
    """
    rows = marked(lines, shown, look, cols)
    if note is None:
        return rows
    return beside(rows, at_end(note.beside(), picture, NOTE_COLS, len(rows)), cols + 1 + GAP_COLS, NOTE_COLS)
