"""The log of a replay: what has happened until where one is, what comes next, and at the end how it ended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

from server.boards import outcome, panel
from server.boards.board import AnyBoard
from server.boards.panel import WrittenEntry
from server.matches.model import AnyViewerState, SeenEvent
from server.screens import endcard
from server.terminal.lines import Line, block, indented
from server.terminal.look import Look

EARLIER: Final = 2  # entries before the newest on a page that a step back begins; a step on begins it with the newest
STEP: Final = 3  # entries of which a step tells at most; what tells of more is a jump


class ReplayLog:
    """The whole log of a match as one viewer may read it, written once: a step moves on in it.

    Its lines stand still, and the newest is pointed at. A step on writes what comes next below them, a step back leaves
    what it came from. Past an edge a step begins a page with few lines, so that no step draws the whole log; a jump
    fills a page with what led to where one is. Where the players above it take more rows, it is its upper end that is
    covered.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._entries: Sequence[WrittenEntry] = ()
        self._at = 0  # entries until where one is
        self._top, self._stop, self._rows = 0, 0, 0  # the lines that show, and how many have room

    def lines(
        self, board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int, rows: int
    ) -> list[Line]:
        """Draw exactly `rows` lines: what happened, the newest pointed at, then what comes; at the end how it ended.

        `shot` is the match where one is, `events` are all that its viewer may see.
        """
        key = (shot.viewer, len(events), look, cols)
        if key != self._key:
            self._key, self._entries = key, panel.log_entries(board, shot, events, look, cols)
        entries, over = self._entries, _ending(board, shot, events, look, cols)
        at = bisect_right(entries, shot.seq, key=lambda entry: entry.seq)
        starts = [0, *accumulate(len(entry.lines) for entry in entries)]
        has_newest = at > 0 and not entries[at - 1].is_heading
        first = starts[at - 1] if has_newest else starts[at]
        if 2 * len(over) > rows:  # what led to it comes first
            over = []
        is_back = at < self._at
        stop = starts[at] if is_back else starts[at + 1] if at < len(entries) else starts[-1] + len(over)
        stop = stop if stop - first <= rows else starts[at]
        self._turn(at, first, stop, starts[max(0, at - 1 - EARLIER)] if is_back else first, rows)
        top = max(0, self._top)
        shown = [*panel.lines_between(entries, top, starts[-1]), *over][: self._stop - top]
        if has_newest and top <= first < top + len(shown):
            shown[first - top] = pointed(shown[first - top], look)
        shown = [*[()] * -min(0, self._top), *shown]
        return block(_whole_entries(shown, self._top, starts, first), cols, max(0, rows))

    def _turn(self, at: int, first: int, stop: int, earlier: int, rows: int) -> None:
        """Keep the lines that show where `first` to `stop` are among them, or can come below; else begin a page."""
        top = self._top + self._rows - rows
        if not self._rows or first < top or stop > top + rows:
            is_step = self._rows and abs(at - self._at) <= STEP
            top = min(first, max(earlier if is_step else 0, stop - rows))
            self._stop = stop
        self._at, self._top, self._rows = at, top, rows
        self._stop = min(max(self._stop, stop), top + rows)


def _whole_entries(shown: Sequence[Line], top: int, starts: Sequence[int], newest_at: int) -> list[Line]:
    """Return lines `top` and later of a log without parts of entries, but for a part of the one at `newest_at`."""
    lines = list(shown)
    for start, stop in pairwise(starts):
        here = range(max(0, start - top), min(stop - top, len(lines)))
        if 0 < len(here) < stop - start and start != newest_at:
            lines[here.start : here.stop] = [()] * len(here)
    return lines


def pointed(line: Line, look: Look) -> Line:
    """Return an entry's first line with the pointer in the column that each leaves blank."""
    (style, text), *rest = line
    return (("accent", look.glyphs.pointer), (style, text[1:]), *rest)


def _ending(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int) -> list[Line]:
    """Say at the end of a match how it ended and what decided it."""
    if not shot.is_over or shot.result is None:
        return []
    decided = endcard.decided(board, shot, events, look)
    head = indented(outcome.headline(shot, look), cols, outcome.tone(shot))
    return [(), *head, *(indented(decided, cols, "dim") if decided else [])]
