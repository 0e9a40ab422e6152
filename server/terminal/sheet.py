"""A frame of lines, its canvas, and the sheet of a session that keeps the last one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import urwid

from server.terminal.lines import Line
from server.terminal.meaning import Meaning

Row = list[tuple[Hashable, Literal["0", "U"] | None, bytes]]


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole screen: `rows` lines of exactly `cols` columns; `cursor` (column, row) where it shows.

    `badge_end`: a shared one whose first line leaves each member's own words out; they end at this column.
    """

    cols: int
    lines: tuple[Line, ...]
    cursor: tuple[int, int] | None = None
    badge_end: int | None = None
    meaning: Meaning | None = None  # for terminals that show it

    @property
    def rows(self) -> int:
        """Return how many lines there are."""
        return len(self.lines)


def encoded(line: Line) -> Row:
    """Return a line as urwid draws it."""
    return [(style or None, None, text.encode()) for style, text in line]


class LineCanvas(urwid.Canvas):
    """A canvas of lines; it is never trimmed or overlaid, because it always fills the screen."""

    cacheable = False
    alive: ClassVar[int] = 0

    def __init__(self, frame: Frame) -> None:
        super().__init__()
        LineCanvas.alive += 1
        self._frame = frame
        if frame.cursor is not None:
            self.cursor = frame.cursor

    def __del__(self) -> None:
        LineCanvas.alive -= 1

    def finalize(self, widget: Any, size: Any, focus: bool) -> None:
        """Do nothing: urwid would wrap a canvas that it has seen before in another, which is drawn all over again."""

    @property
    def frame(self) -> Frame:
        """Return the frame as it was composed: who sends its rows needs no other form of them."""
        return self._frame

    def cols(self) -> int:
        """Return the width in columns."""
        return self._frame.cols

    def rows(self) -> int:
        """Return the height in rows."""
        return self._frame.rows

    def content(
        self,
        trim_left: int = 0,
        trim_top: int = 0,
        cols: int | None = None,
        rows: int | None = None,
        attr: Mapping[Hashable, Hashable] | None = None,
    ) -> Iterator[Row]:
        """Yield the rows, top to bottom, as urwid has them."""
        return map(encoded, self._frame.lines)


class Sheet:
    """Keeps the current frame of a session.

    A frame is composed when it is drawn and something has changed; one that came out equal is not drawn again.
    """

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._canvas: LineCanvas | None = None
        self._is_drawn = False
        self._stale = True

    def forget(self) -> None:
        """Compose again at the next drawing."""
        self._stale = True

    def unchanged(self, cols: int, rows: int) -> Frame | None:
        """Return the frame that shows at a size; None when something has changed since it was composed."""
        last = self._frame
        return last if last is not None and not self._stale and (last.cols, last.rows) == (cols, rows) else None

    def replace(self, frame: Frame) -> None:
        """Draw this frame next: the last one but for lines that time has changed."""
        if frame is not self._frame:
            self._frame, self._is_drawn = frame, False

    def canvas(self, cols: int, rows: int, compose: Callable[[int, int], Frame]) -> LineCanvas:
        """Return the canvas of a frame of this size: the same one while nothing has changed, else composed."""
        if self.unchanged(cols, rows) is None:
            self._stale = False
            fresh = compose(cols, rows)
            if fresh != self._frame:
                self._frame, self._is_drawn = fresh, False
        assert self._frame is not None
        if self._canvas is None or not self._is_drawn:
            self._canvas, self._is_drawn = LineCanvas(self._frame), True
        return self._canvas
