"""Matches of two games: the second one begins by itself."""

from __future__ import annotations

from datetime import timedelta

from game.replay import Status
from server.errors import Refused
from server.log import get_logger
from server.matches.change import MatchChange
from server.matches.live import LiveMatch
from server.matches.next_match import is_first_of_two
from server.matches.offers import Offers

log = get_logger("matches.second_game")
PAUSE_S = 8.0  # to read how the first game ended
FRESH = timedelta(minutes=10)  # who looks at an old match begins nothing


class SecondGame:
    """Sees to it that the second game of one match begins."""

    def __init__(self, match: LiveMatch, offers: Offers) -> None:
        self._match, self._offers = match, offers
        self._context = match.context
        self._is_beginning = False
        if is_first_of_two(match.terms):
            match.follow(self.on_change)

    def on_change(self, change: MatchChange) -> None:
        """Do what a change calls for."""
        self.attend()

    def attend(self) -> None:
        """Begin the second game a little after the end of the first, if anybody is still there to play it."""
        match = self._match
        if self._is_beginning or self._offers.next_match is not None or not match.is_over:
            return
        is_fresh = match.ended_at is not None and self._context.clock.now() - match.ended_at < FRESH
        is_finished = match.shown.fold.status is Status.FINISHED
        if is_fresh and is_finished and any(map(self._offers.stays, match.terms.people)):
            self._is_beginning = True
            self._context.tasks.spawn(self._begin(), f"second game of {match.id}")

    async def _begin(self) -> None:
        try:
            await self._context.clock.sleep(PAUSE_S)
            await self._offers.begin_next()
        except Refused as error:
            log.info("second_game.refused", match=self._match.id, why=error.key)
        finally:
            self._is_beginning = False
