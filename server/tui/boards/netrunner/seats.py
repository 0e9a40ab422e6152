"""The players of a Netrunner match: one line for both where that is all there is room for."""

from __future__ import annotations

from datetime import datetime

from server.matches.model import Snapshot
from server.tui.boards.netrunner.words import side_name
from server.tui.lines import Line, fit
from server.tui.look import Look
from server.tui.seats import clock_words, seat_line

ABREAST = 60  # columns from which both players share a line


def draw(snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
    """Return the players with their sides and clocks, and how long a window stays open."""
    if cols >= ABREAST:
        half = cols // 2 - 1
        both = [seat_line(snapshot, seat, side_name(seat, look), look, half, now) for seat in range(2)]
        return [(*fit(both[0], half), ("", "  "), *fit(both[1], half))]
    lines = [seat_line(snapshot, seat, side_name(seat, look), look, cols, now) for seat in range(2)]
    open_ = any(window is not None for _, window in snapshot.deciding)
    if open_ and snapshot.deadline is not None and snapshot.status == "live":
        left = max(0, int((snapshot.deadline - now).total_seconds() * 1000))
        lines.append((("warn", " " + look.t("netrunner.answer-in", time=clock_words(left, look))),))
    return lines
