"""What stands beside a board: the players, what happened so far in words, and what else a page has to say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from server.matches.model import SeenEvent, Snapshot
from server.tui import frame
from server.tui.boards import Board
from server.tui.lines import Line, block, fit, pad_left, wrap
from server.tui.look import Look
from server.tui.seats import clock_words, name_at

GAP_COLS = 2
NUMBER_COLS = 4
NARROW = 32  # columns: below, numbers are not set under each other
LEAST_TOLD_MS = 1000  # of an outage: less shows on no clock


def say(board: Board, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
    """Return an event in the reader's words, the game's own or the house's; empty: nothing worth a line."""
    if not event.kind.startswith("match."):
        return board.say(event, snapshot, look)
    seat, params = event.params.get("seat"), dict(event.params)
    name = name_at(snapshot, seat, look) if isinstance(seat, int) else ""
    if isinstance(level := params.get("level"), str):
        params["level"] = look.t(f"bot.{level}")
    if isinstance(ms := params.get("ms"), int):
        if event.kind == "match.clock_credited" and ms < LEAST_TOLD_MS:
            return ""
        params["time"] = clock_words(ms, look)
    named: dict[str, object] = {key: value for key, value in params.items() if isinstance(value, str | int)}
    return look.t(f"match.event.{event.kind.removeprefix('match.')}", **named | {"name": name})


def entries(
    board: Board, snapshot: Snapshot, events: Sequence[SeenEvent], look: Look, most: int
) -> list[tuple[int, str]]:
    """Return the last log entries in words, newest first: all that one entry brought is one sentence."""
    told: list[tuple[int, str]] = []
    for seq, group in groupby(reversed(events), key=lambda event: event.seq):
        texts = [text for event in reversed(list(group)) if (text := say(board, event, snapshot, look))]
        if texts:
            told.append((seq, look.t("list.then").join(texts)))
        if len(told) >= most:
            break
    return told


def log_lines(
    board: Board, snapshot: Snapshot, events: Sequence[SeenEvent], look: Look, cols: int, rows: int, skip: int = 0
) -> list[Line]:
    """Write the last events in the reader's words, oldest first, as many as fit into `rows` lines.

    `skip` leaves out that many of the newest lines (paging back).
    """
    lines: list[Line] = []
    for seq, text in entries(board, snapshot, events, look, rows + skip):
        if len(lines) >= rows + skip:
            break
        lines = [*_entry_lines(seq, text, cols), *lines]
    lines = lines[: len(lines) - skip] if skip < len(lines) else lines[:rows]
    return lines[-rows:] if rows > 0 else []


def log_count(board: Board, snapshot: Snapshot, events: Sequence[SeenEvent], look: Look, cols: int) -> int:
    """Return how many lines the whole log takes."""
    told = entries(board, snapshot, events, look, len(events) + 1)
    return sum(len(_entry_lines(seq, text, cols)) for seq, text in told)


def _entry_lines(seq: int, text: str, cols: int) -> list[Line]:
    """Write one entry behind its number; in a narrow panel the words have nearly all columns."""
    number = pad_left(str(seq or ""), NUMBER_COLS) if cols >= NARROW else f" {seq or ''}"
    indent = len(number) + 1 if cols >= NARROW else 2
    more = len(number) + 1 - indent  # what the number takes of the first line besides
    first, *rest = wrap("x" * more + text, max(8, cols - indent))
    told: list[Line] = [(("dim", number), ("", f" {first[more:]}"))]
    return told + [(("", " " * indent + line),) for line in rest]


def side(
    board: Board,
    snapshot: Snapshot,
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

    __slots__ = ("_left", "_lines", "_right", "_shape")

    def __init__(self) -> None:
        self._shape: tuple[int, int] | None = None
        self._left: list[Line] = []
        self._right: list[Line] = []
        self._lines: list[Line] = []

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
        return joined + [fit((), cols)] * (rows - most)
