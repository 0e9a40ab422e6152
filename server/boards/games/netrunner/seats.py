"""The players of a Netrunner match: in one line for both below a board that is as wide as the screen."""

from __future__ import annotations

from datetime import datetime

from server.boards.board import Players
from server.boards.games.netrunner.labels import side_name
from server.boards.games.netrunner.scene import Shown
from server.boards.seats import free_ms, player_card
from server.i18n.durations import clock_words
from server.terminal.lines import Line, fit
from server.terminal.look import Look
from server.terminal.playercard import player_strip

ABREAST = 60  # columns from which both players share a line


def players(snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
    """Return both players with their sides and clocks, and how long a window is still free."""
    cards = [player_card(snapshot, seat, side_name(seat, look), look, now) for seat in range(2)]
    free = 0 if snapshot.is_past else free_ms(snapshot, now)
    said = (("warn", " " + look.t("match.free-time", time=clock_words(free, look))),) if free else ()
    return Players(tuple(cards), (said,) if said else (), is_across=True)


def abreast(snapshot: Shown, look: Look, cols: int, now: datetime) -> list[Line]:
    """Draw both players in one line."""
    half = cols // 2 - 1
    both = [player_strip(card, look, half) for card in players(snapshot, look, half, now).cards]
    return [(*fit(both[0], half), ("", "  "), *fit(both[1], half))]
