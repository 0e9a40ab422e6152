"""What stands beside a board: the players, what happened so far in words, and what else a page has to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from server.matches.model import AnyViewerState, SeenEvent
from server.tui import eventlog, frame
from server.tui.board import AnyBoard, Weight
from server.tui.eventlog import Told
from server.tui.lines import ELLIPSIS, Line, block, clip, fit, pad_left, plain, text_of, wrap, wrapped
from server.tui.look import Look

GAP_COLS = 2
NUMBER_COLS = 4
NARROW = 32  # columns: below, numbers are not set under each other
MORE = f" {ELLIPSIS}"
LISTED_ROWS = 6  # from which on each thing that happened stands on a line of its own


def log_lines(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    cols: int,
    rows: int,
    skip: int = 0,
) -> list[Line]:
    """Write the last events in the reader's words, oldest first, as many as fit into `rows` lines.

    `skip` leaves out that many of the newest lines (paging back). Otherwise none begins in its middle: blank lines
    stand above the first one that fits whole.
    """
    lines: list[Line] = []
    for one, number in _numbered(board, snapshot, events, look):
        if len(lines) >= rows + skip:
            break
        entry = _entry_lines(board, one, number, look, cols)
        if lines and not skip and len(lines) + len(entry) > rows:
            return [*[()] * (rows - len(lines)), *lines]
        lines = [*entry, *lines]
    lines = lines[: len(lines) - skip] if skip < len(lines) else lines[:rows]
    return lines[-rows:] if rows > 0 else []


def log_count(board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int) -> int:
    """Return how many lines the whole log takes."""
    found = _numbered(board, snapshot, events, look)
    return sum(len(_entry_lines(board, one, number, look, cols)) for one, number in found)


def _numbered(
    board: AnyBoard, snapshot: AnyViewerState, events: Sequence[SeenEvent], look: Look
) -> Iterator[tuple[Told, int]]:
    """Yield what happened, newest first, with the number of the move: without gaps, 0 for what is none."""
    number = len({event.seq for event in events if eventlog.is_move(board, event)}) if board.counts_moves else 0
    moves = {event.seq for event in events if eventlog.is_move(board, event)} if number else frozenset[int]()
    for one in eventlog.told(board, snapshot, events, look):
        yield one, number if one.seq in moves and not one.is_heading else 0
        number -= one.seq in moves and not one.is_heading


def _entry_lines(board: AnyBoard, one: Told, number: int, look: Look, cols: int) -> list[Line]:
    """Write one entry, behind its number where moves are counted; in a narrow panel words have most columns."""
    if one.is_heading:
        mark = look.glyphs.rule * 2
        return wrapped(f"{mark} {one.text}", cols, "accent", 3)
    if not board.counts_moves:
        style = "accent" if one.weight is Weight.DRAMATIC else ""
        return [
            ((style, f" {line}"),) if not i else ((style, f"   {line}"),) for i, line in enumerate(hung(one.text, cols))
        ]
    digits = pad_left(str(number or ""), NUMBER_COLS) if cols >= NARROW else f" {number or ''}"
    indent = len(digits) + 1 if cols >= NARROW else 2
    more = len(digits) + 1 - indent  # what the number takes of the first line besides
    first, *rest = wrap("x" * more + one.text, max(8, cols - indent))
    lines: list[Line] = [(("dim", digits), ("", f" {first[more:]}"))]
    return lines + [(("", " " * indent + line),) for line in rest]


def hung(text: str, cols: int) -> list[str]:
    """Wrap a text for an indent of one column, and of three from its second line on."""
    return wrap(text, max(10, cols - 1), 2)


def since_lines(found: Sequence[Told], look: Look, cols: int, rows: int) -> list[Line]:
    """Write what happened since one's last move in at most `rows` lines, in its order.

    Under a heading, each on a line of its own, where there is room; else one after the other. What has no room is
    left out, the lightest first.
    """
    if not found or rows < 1:
        return []
    written = _since_listed if rows >= LISTED_ROWS else _since_run_on

    def lines(kept: Sequence[Told]) -> list[Line]:
        return written(eventlog.clauses(kept), len(found) - len(kept), look, cols)

    told = lines(eventlog.weightiest(found, lambda kept: len(lines(kept)) <= rows))
    if len(told) > rows:
        told[rows - 1] = plain(clip(text_of(told[rows - 1]) + MORE, cols), "accent")
    return told[:rows]


def _since_run_on(found: Sequence[Told], left: int, look: Look, cols: int) -> list[Line]:
    texts = look.t("list.then").join(one.text for one in found) + (MORE if left else "")
    return [plain(f" {line}", "accent") for line in wrap(f"{look.t('match.since')}: {texts}", max(8, cols - 1))]


def _since_listed(found: Sequence[Told], left: int, look: Look, cols: int) -> list[Line]:
    lines: list[Line] = [plain(f"{look.glyphs.rule} {look.t('match.since')} ", "accent")]
    for one in found:
        style = "warn" if one.weight is Weight.DRAMATIC else ""
        lines += [plain(f"{' ' if not i else '   '}{text}", style) for i, text in enumerate(hung(one.text, cols))]
    return [*lines, plain(f" {look.t('lobby.more', n=left)}", "dim")] if left else lines


def side(
    board: AnyBoard,
    snapshot: AnyViewerState,
    events: Sequence[SeenEvent],
    look: Look,
    size: tuple[int, int],
    now: datetime,
) -> list[Line]:
    """Draw players above log, exactly `size[1]` lines of `size[0]` columns."""
    cols, rows = size
    lines = [*board.seats(snapshot, look, cols, now), frame.rule(look, cols)]
    lines += log_lines(board, snapshot, events, look, cols, rows - len(lines))
    return block(lines, cols, rows)


def split(left: Sequence[Line], right: Sequence[Line], left_cols: int, cols: int, rows: int) -> list[Line]:
    """Put a board and its side next to each other, filling the body."""
    return Seam().split(left, right, left_cols, cols, rows)


class Seam:
    """What `split` put together last: where neither side has changed, the line stays the very same.

    So nobody measures or compares it again; a clock's tick changes one line of a screen.
    """

    __slots__ = ("_fitted", "_left", "_lines", "_right", "_shape")

    def __init__(self) -> None:
        self._shape: tuple[int, int] | None = None
        self._left: list[Line] = []
        self._right: list[Line] = []
        self._lines: list[Line] = []
        self._fitted: dict[int, tuple[Line, Line]] = {}  # left side with the gap and right side of lines that changed

    def split(self, left: Sequence[Line], right: Sequence[Line], left_cols: int, cols: int, rows: int) -> list[Line]:
        """Do as `split`."""
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
        self._fitted.clear()
        return joined + [fit((), cols)] * (rows - most)

    def with_right(self, y: int, right: Line) -> Line:
        """Return a line of what was put together last, from now on with another right side."""
        return self._put(y, None, right)

    def with_left(self, y: int, left: Line) -> Line:
        """Return a line of what was put together last, from now on with another left side."""
        return self._put(y, left, None)

    def _put(self, y: int, left: Line | None, right: Line | None) -> Line:
        assert self._shape is not None
        left_cols, cols = self._shape
        on_left, on_right = self._fitted.get(y, (None, None))
        if left is not None or on_left is None:
            self._left[y] = left = self._left[y] if left is None else left
            on_left = (*fit(left, left_cols), ("", " " * GAP_COLS))
        if right is not None or on_right is None:
            self._right[y] = right = self._right[y] if right is None else right
            on_right = fit(right, cols - left_cols - GAP_COLS)
        self._fitted[y] = on_left, on_right
        self._lines[y] = line = (*on_left, *on_right)
        return line
