"""Matches of two games: the second one begins by itself."""

from __future__ import annotations

from datetime import timedelta

from game.replay import Status
from server.errors import Refused
from server.log import get_logger
from server.matches.again import is_first_of_two
from server.matches.dealings import Dealings
from server.matches.live import LoggedMatch

log = get_logger("matches.returns")
PAUSE_S = 8.0  # to read how the first game ended
FRESH = timedelta(minutes=10)  # who looks at an old match begins nothing


class Returns:
    """Sees to it that the second game of one match begins."""

    def __init__(self, match: LoggedMatch, dealings: Dealings) -> None:
        self._match, self._dealings = match, dealings
        self._house = match.house
        self._is_beginning = False
        if is_first_of_two(match.terms):
            match.on_change.append(self.attend)

    def attend(self) -> None:
        """Begin the second game a little after the end of the first, if anybody is still there to play it."""
        match = self._match
        if self._is_beginning or self._dealings.next_match is not None or not match.is_over:
            return
        is_fresh = match.ended_at is not None and self._house.clock.now() - match.ended_at < FRESH
        is_finished = match.shown.fold.status is Status.FINISHED
        if is_fresh and is_finished and any(map(self._dealings.stays, match.terms.people)):
            self._is_beginning = True
            self._house.tasks.spawn(self._begin(), f"return game of {match.id}")

    async def _begin(self) -> None:
        try:
            await self._house.clock.sleep(PAUSE_S)
            await self._dealings.begin_next()
        except Refused as error:
            log.info("return.refused", match=self._match.id, why=error.key)
        finally:
            self._is_beginning = False
