"""Two blocks of lines side by side, a board and its panel; what has not changed is not put together again."""

from __future__ import annotations

from collections.abc import Sequence

from server.terminal.lines import Line, fit

GAP_COLS = 2


def side_by_side(left: Sequence[Line], right: Sequence[Line], left_cols: int, cols: int, rows: int) -> list[Line]:
    """Put a board and what stands beside it next to each other: exactly `rows` lines of `cols` columns."""
    return SideBySide().join(left, right, left_cols, cols, rows)


class SideBySide:
    """Two blocks put side by side again and again: a line of which neither half has changed stays the very same.

    So nobody measures or compares it again; a clock's tick changes one line of a screen.
    """

    __slots__ = ("_left", "_lefts", "_lines", "_right", "_shape")

    def __init__(self) -> None:
        self._shape: tuple[int, int] | None = None
        self._left: list[Line] = []
        self._right: list[Line] = []
        self._lines: list[Line] = []
        self._lefts: dict[int, Line] = {}  # left sides with the gap, of lines whose right side changed

    def join(self, left: Sequence[Line], right: Sequence[Line], left_cols: int, cols: int, rows: int) -> list[Line]:
        """Do as `side_by_side`."""
        gap, right_cols, most = ("", " " * GAP_COLS), cols - left_cols - GAP_COLS, min(rows, max(len(left), len(right)))
        was_left, was_right, lines = self._left, self._right, self._lines
        known = len(lines) if self._shape == (left_cols, cols) else 0
        mine = [*left[:most], *[()] * (most - len(left))]
        theirs = [*right[:most], *[()] * (most - len(right))]
        joined = [
            lines[y]
            if y < known and was_left[y] == mine[y] and was_right[y] == theirs[y]
            else (*fit(mine[y], left_cols), gap, *fit(theirs[y], right_cols))
            for y in range(most)
        ]
        self._shape, self._left, self._right, self._lines = (left_cols, cols), mine, theirs, joined
        self._lefts.clear()
        return joined + [fit((), cols)] * (rows - most)

    def with_right(self, y: int, right: Line) -> Line:
        """Return a line of what was put together last, from now on with another right side."""
        assert self._shape is not None
        left_cols, cols = self._shape
        if (on_left := self._lefts.get(y)) is None:
            on_left = self._lefts[y] = (*fit(self._left[y], left_cols), ("", " " * GAP_COLS))
        self._right[y] = right
        self._lines[y] = line = (*on_left, *fit(right, cols - left_cols - GAP_COLS))
        return line
