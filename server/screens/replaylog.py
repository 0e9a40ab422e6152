"""The log of a replay: what has happened until where one is, what comes next, and at the end how it ended."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from server.boards import outcome, panel
from server.boards.board import AnyBoard
from server.boards.panel import WrittenEntry
from server.matches.model import OVER, AnyViewerState, SeenEvent
from server.screens import endcard
from server.terminal.lines import Line, block, indented
from server.terminal.look import Look

ROOMY: Final = 4  # rows that show a line of what comes next, where anything does; a page begins below one of the past


class ReplayLog:
    """The whole log of a match as one viewer may read it, written once: a step moves on in it.

    Its lines stand still while what shows is among them with something that comes next, else it turns a page: so most
    steps only move the pointer. Where the players above it take more rows, it is its upper end that is covered.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._entries: Sequence[WrittenEntry] = ()
        self._top, self._rows = 0, 0  # the first line that shows, and how many have room

    def lines(
        self, board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int, rows: int
    ) -> list[Line]:
        """Draw exactly `rows` lines: what happened, the newest pointed at, then quietly what comes; how it ended.

        `shot` is the match where one is, `events` are all that its viewer may see.
        """
        key = (shot.viewer, len(events), look, cols)
        if key != self._key:
            self._key, self._entries = key, panel.log_entries(board, shot, events, look, cols)
        at = bisect_right(self._entries, shot.seq, key=lambda entry: entry.seq)
        past = [line for entry in self._entries[:at] for line in entry.lines]
        coming = [quiet(line) for entry in self._entries[at:] for line in entry.lines]
        over = _ending(board, shot, events, look, cols)
        ending = over if 2 * len(over) <= rows else []  # what led to it comes first
        newest = len(self._entries[at - 1].lines) if at and not self._entries[at - 1].is_heading else 0
        if newest:
            past[-newest] = pointed(past[-newest], look)
        whole = [*past, *coming, *ending]
        below = min(len(coming), rows // ROOMY, 1) or len(ending)
        top, self._rows = self._top + self._rows - rows if self._rows else 0, rows
        self._top = _top(top, len(past) - max(1, newest), len(past) + below, rows, len(whole))
        sizes = [len(entry.lines) for entry in self._entries]
        shown = _whole_entries(whole[self._top : self._top + max(0, rows)], self._top, sizes, len(past) - newest)
        return block(shown, cols, max(0, rows))


def _whole_entries(shown: Sequence[Line], top: int, sizes: Sequence[int], newest_at: int) -> list[Line]:
    """Return lines `top` and later of a log without parts of entries, but for a part of the one at `newest_at`."""
    lines, first = list(shown), -top
    for size in sizes:
        here = range(max(0, first), min(first + size, len(lines)))
        if 0 < len(here) < size and first + top != newest_at:
            lines[here.start : here.stop] = [()] * len(here)
        first += size
    return lines


def quiet(line: Line) -> Line:
    """Return a line as what is yet to come: run for run, so that a step changes only what was not quiet anyway."""
    return tuple([("dim", text) for _, text in line])


def pointed(line: Line, look: Look) -> Line:
    """Return an entry's first line with the pointer in the column that each leaves blank."""
    (style, text), *rest = line
    return (("accent", look.glyphs.pointer), (style, text[1:]), *rest)


def _top(top: int, first: int, end: int, rows: int, count: int) -> int:
    """Return the first line to show: the same while lines `first` to `end` show from there; else a page on, or back."""
    if first < top:
        top = end - rows
    elif end > top + rows:
        top = first - min(1, rows // ROOMY)
    return max(0, min(top, count - rows))


def _ending(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int) -> list[Line]:
    """Say at the end of a match how it ended and what decided it."""
    if shot.status not in OVER or shot.result is None:
        return []
    decided = endcard.decided(board, shot, events, look)
    head = indented(outcome.headline(shot, look), cols, outcome.tone(shot))
    return [(), *head, *(indented(decided, cols, "dim") if decided else [])]
