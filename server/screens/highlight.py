"""What was just done on a board stands out for a moment: that is all that moves on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from server.boards.board import Weight
from server.screens.matchdrawing import MatchDrawing
from server.screens.viewpoint import Viewpoint
from server.session.session import Session

FRESH_S: Final = 1.0  # that it stands out


class Highlight:
    """Lets the last move of one match stand out for one session. No timer is left when it has ended."""

    def __init__(self, session: Session, seen: Viewpoint, drawing: MatchDrawing) -> None:
        self._session, self._seen, self._drawing = session, seen, drawing
        self._stop: Callable[[], None] = lambda: None

    def begin(self, known: int) -> None:
        """Let what was just done stand out, unless one wants no motion, or the link is slow.

        What turns the match, as a capture, blinks once meanwhile. The first `known` events are older.
        """
        terminal, is_wanted = self._session.display.screen, self._session.person.preferences.motion
        if self._seen.seat is None or not is_wanted or not terminal.draws or terminal.is_paused:
            return
        weights = map(self._seen.board.weight, self._seen.events[known:])
        blinks = (FRESH_S / 4, FRESH_S / 4, FRESH_S / 2)
        self._show(blinks if Weight.DRAMATIC in weights else (FRESH_S,))

    def stop(self) -> None:
        """Wait for nothing any more."""
        self._stop()

    def _show(self, stretches: Sequence[float]) -> None:
        """Let it stand out in every other one of these stretches of seconds, then be marked as it stays."""
        self._stop()
        self._drawing.highlight(len(stretches) % 2 == 1)
        if stretches:
            self._stop = self._session.display.later(stretches[0], partial(self._go_on, stretches[1:]))

    def _go_on(self, stretches: Sequence[float]) -> None:
        self._show(stretches)
        self._session.display.dirty()
