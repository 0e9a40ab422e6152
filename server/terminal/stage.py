"""Where a page stands on a terminal: on one that is larger than the page can use, in its middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from server.terminal.lines import Line, blank
from server.terminal.sheet import Frame


@dataclass(frozen=True, slots=True)
class PageLimit:
    """The largest area that a page is composed for, in columns and rows with title and keys."""

    cols: int
    rows: int

    def size_on(self, cols: int, rows: int) -> tuple[int, int]:
        """Return the columns and rows that the page has on a terminal of this size."""
        return min(cols, self.cols), min(rows, self.rows)

    def snug(self, rows: int) -> PageLimit:
        """Return the limit of a page that needs so many rows now: no taller than it uses.

        It grows in steps, so that a page whose content changes seldom moves.
        """
        steps = max(0, ceil((rows - LEAST_ROWS) / STEP_ROWS))
        return PageLimit(self.cols, min(self.rows, LEAST_ROWS + steps * STEP_ROWS))


LEAST_ROWS, STEP_ROWS = 16, 8
TALL_FROM: Final = 25  # rows of a window in which a page is no taller than it needs: its keys stand near what they do


READING: Final = PageLimit(90, 40)  # texts: a longer line is lost on the way back
FORM: Final = PageLimit(112, 48)  # what a row means stands beside the rows
CARD: Final = PageLimit(80, 24)  # a few sentences, and what one does next
SETUP: Final = PageLimit(112, 28)  # a room: a table with the chat beside it
LISTS: Final = PageLimit(100, 44)
WORKBENCH: Final = PageLimit(140, 46)  # a list, what is chosen in it, and what comes of it
MANUAL: Final = PageLimit(140, 200)  # help: the more of a long text shows, the better
SPREAD: Final = PageLimit(200, 46)  # several things beside each other
BOARD: Final = PageLimit(160, 62)


@dataclass(frozen=True, slots=True)
class Stage:
    """A page of this size, in columns and rows, on a terminal of `cols` and `rows`.

    Title and keys stand at the edges of the page; the title stays in the terminal's first row.
    """

    cols: int
    rows: int
    size: tuple[int, int]

    @property
    def left(self) -> int:
        """Return the blank columns before the page."""
        return (self.cols - self.size[0]) // 2

    @property
    def above(self) -> int:
        """Return the blank rows between the title and what is below it."""
        return (self.rows - self.size[1]) // 3

    def row(self, row: int) -> int:
        """Return the terminal's row of one of the page."""
        return row + self.above if row else 0

    def within(self, col: int, row: int) -> tuple[int, int]:
        """Return column and row of the page at a place of the terminal; -1 for a row between title and page."""
        return col - self.left, 0 if not row else row - self.above if row > self.above else -1

    def line(self, line: Line) -> Line:
        """Return a line of the page as wide as the terminal."""
        return self._filled(line, "")

    def _filled(self, line: Line, style: str) -> Line:
        """Return a line whose ends go on to the edges in this style."""
        right = self.cols - self.size[0] - self.left
        before: Line = ((style, " " * self.left),) if self.left else ()
        return (*before, *line, (style, " " * right)) if right else line

    def placed(self, frame: Frame) -> Frame:
        """Return the frame of the page as one of the terminal."""
        if (frame.cols, frame.rows) == (self.cols, self.rows):
            return frame
        cursor = (frame.cursor[0] + self.left, self.row(frame.cursor[1])) if frame.cursor is not None else None
        badge_end = frame.badge_end + self.left if frame.badge_end is not None else None
        return replace(frame, cols=self.cols, lines=tuple(self._lines(frame.lines)), cursor=cursor, badge_end=badge_end)

    def _lines(self, lines: tuple[Line, ...]) -> Iterator[Line]:
        yield self._filled(lines[0], "bar")
        yield from [blank(self.cols)] * self.above
        yield from map(self.line, lines[1:])
        yield from [blank(self.cols)] * (self.rows - self.size[1] - self.above)
