"""A breath after what decides a fate: what comes of it does not show before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from server.boards import eventlog
from server.matches.model import SeenEvent
from server.screens.viewpoint import Viewpoint
from server.session.session import Session
from server.terminal.items import Banner
from server.terminal.look import Look

BREATH_S: Final = 1.5


class Breath:
    """For how long a page still shows the state before an event of a kind that its board calls fateful."""

    def __init__(self, session: Session, seen: Viewpoint) -> None:
        self._session, self._seen = session, seen
        self._event: SeenEvent | None = None  # what it is taken for, or was last
        self._until = float("-inf")  # monotonic
        self._is_due = False  # one was taken, and what came of it has not shown yet

    @property
    def is_taken(self) -> bool:
        """Tell whether it is being taken."""
        return self._session.services.clock.monotonic() < self._until

    def holds(self, on_end: Callable[[], None]) -> bool:
        """Tell whether what is new does not show yet; a fateful event begins a breath, which ends with `on_end`.

        Lines take none: what is said comes one after the other anyway.
        """
        if not self._session.screen.draws:
            return False
        if self.is_taken:
            return True
        if self._is_due:  # all that has come meanwhile shows at once, fateful or not
            self._is_due = False
            return False
        found = next((event for event in self._seen.coming() if self._is_fateful(event)), None)
        if found is None:
            return False
        self._event, self._until = found, self._session.services.clock.monotonic() + BREATH_S
        self._is_due = True
        self._session.display.later(BREATH_S, on_end)
        return True

    def _is_fateful(self, event: SeenEvent) -> bool:
        return event.kind in self._seen.board.fateful

    def banner(self, look: Look) -> Banner | None:
        """Say what happened, and nothing of what comes of it; None while no breath is taken."""
        if self._event is None or not self.is_taken:
            return None
        said = eventlog.say(self._seen.board, self._event, self._seen.snapshot, look)
        return Banner(said)
