"""A pause after what decides a fate: what comes of it does not show before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from server.boards import eventlog
from server.matches.model import SeenEvent
from server.screens.viewpoint import Viewpoint
from server.session.session import Session
from server.terminal.items import Banner
from server.terminal.look import Look

PAUSE_S: Final = 1.5


class RevealPause:
    """For how long a page still shows the state before an event of a kind that its board calls fateful."""

    def __init__(self, session: Session, seen: Viewpoint) -> None:
        self._session, self._seen = session, seen
        self._event: SeenEvent | None = None  # what it is made for, or was last
        self._until = float("-inf")  # monotonic
        self._is_due = False  # one was made, and what came of it has not shown yet

    @property
    def is_on(self) -> bool:
        """Tell whether the pause goes on."""
        return self._session.services.clock.monotonic() < self._until

    def holds(self, on_end: Callable[[], None]) -> bool:
        """Tell whether what is new does not show yet; a fateful event begins a pause, which ends with `on_end`.

        In lines there is none: what is said comes one after the other anyway.
        """
        if not self._session.screen.draws:
            return False
        if self.is_on:
            return True
        if self._is_due:  # all that has come meanwhile shows at once, fateful or not
            self._is_due = False
            return False
        found = next((event for event in self._seen.coming() if self._is_fateful(event)), None)
        if found is None:
            return False
        self._event, self._until = found, self._session.services.clock.monotonic() + PAUSE_S
        self._is_due = True
        self._session.display.later(PAUSE_S, on_end)
        return True

    def _is_fateful(self, event: SeenEvent) -> bool:
        return event.kind in self._seen.board.fateful

    def banner(self, look: Look) -> Banner | None:
        """Say what happened, and nothing of what comes of it; None while there is no pause."""
        if self._event is None or not self.is_on:
            return None
        said = eventlog.say(self._seen.board, self._event, self._seen.snapshot, look)
        return Banner(said)
