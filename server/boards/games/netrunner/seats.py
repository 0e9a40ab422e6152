"""The players of a Netrunner match: one line for both where that is all there is room for."""

from __future__ import annotations

from datetime import datetime

from server.boards.games.netrunner.labels import side_name
from server.boards.games.netrunner.scene import Shown
from server.boards.seats import free_ms, seat_line
from server.i18n.durations import clock_words
from server.terminal.lines import Line, fit
from server.terminal.look import Look

ABREAST = 60  # columns from which both players share a line


def draw(snapshot: Shown, look: Look, cols: int, now: datetime) -> list[Line]:
    """Return the players with their sides and clocks, and how long a window is still free."""
    if cols >= ABREAST:
        half = cols // 2 - 1
        both = [seat_line(snapshot, seat, side_name(seat, look), look, half, now) for seat in range(2)]
        return [(*fit(both[0], half), ("", "  "), *fit(both[1], half))]
    lines = [seat_line(snapshot, seat, side_name(seat, look), look, cols, now) for seat in range(2)]
    if free := free_ms(snapshot, now):
        lines.append((("warn", " " + look.t("match.free-time", time=clock_words(free, look))),))
    return lines
