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
from server.terminal.lines import Line, block, fit, indented, plain, text_of
from server.terminal.look import Look

COMING: Final = 3  # of so many rows one is for what comes next
LEAST_ROWS: Final = 6  # on fewer nothing is said of what comes


class ReplayLog:
    """The whole log of a match as one viewer may read it, written once: a step shows another part of it."""

    def __init__(self) -> None:
        self._key: object = None
        self._entries: Sequence[WrittenEntry] = ()

    def lines(
        self, board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int, rows: int
    ) -> list[Line]:
        """Draw exactly `rows` lines: the newest entries, the last one set off, then quietly those that come.

        `shot` is the match where one is, `events` are all that its viewer may see.
        """
        seq, over = shot.seq, _ending(board, shot, events, look, cols)
        key = (shot.viewer, len(events), look, cols)
        if key != self._key:
            self._key, self._entries = key, panel.log_entries(board, shot, events, look, cols)
        at = bisect_right(self._entries, seq, key=lambda entry: entry.seq)
        coming = [plain(text_of(line), "dim") for entry in self._entries[at:] for line in entry.lines]
        coming = coming[: rows // COMING if rows >= LEAST_ROWS else 0]
        ending = over if len(over) < rows else []
        past = _until(self._entries[:at], cols, max(0, rows - len(coming) - len(ending)))
        return block([*past, *coming, *ending], cols, max(0, rows))


def _until(entries: Sequence[WrittenEntry], cols: int, rows: int) -> list[Line]:
    """Return the lines of the newest entries that fit whole, the last one on a ground of its own."""
    found: list[Line] = []
    for entry in reversed(entries):
        lines = list(entry.lines)
        if not found and not entry.is_heading:
            lines = [plain(text_of(fit(line, cols)), "row") for line in lines[:rows]]
        if len(lines) + len(found) > rows:
            break
        found = [*lines, *found]
    return found


def _ending(board: AnyBoard, shot: AnyViewerState, events: Sequence[SeenEvent], look: Look, cols: int) -> list[Line]:
    """Say at the end of a match how it ended and what decided it."""
    if shot.status not in OVER or shot.result is None:
        return []
    decided = endcard.decided(board, shot, events, look)
    head = indented(outcome.headline(shot, look), cols, outcome.tone(shot))
    return [(), *head, *(indented(decided, cols, "dim") if decided else [])]
