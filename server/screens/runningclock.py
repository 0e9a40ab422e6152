"""The lobby's banner: one's own clock runs in a match that goes on, and which key goes back to it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from server.boards import keymap
from server.i18n.durations import clock_words
from server.matches.model import MatchSummary
from server.matches.speeds import UNHURRIED
from server.screens.lists import Lists
from server.session.session import Session
from server.terminal.items import Banner

LATE_S = 0.01  # after the moment at which a digit changes: timers and the clock differ a little


class RunningClock:
    """Says that one's own clock runs, as often as another digit shows, while the page on top asks for it."""

    def __init__(self, session: Session, lists: Lists) -> None:
        self._session, self._lists = session, lists
        self._stop: Callable[[], None] = lambda: None

    def banner(self) -> Banner | None:
        """Say which match goes on and how much time is left; None where no clock of one's own runs."""
        left, look = self._left_s(), self._session.look
        if left is None:
            return None
        found, seconds = left
        [turn] = keymap.hints("everywhere", ("turn",))
        time = clock_words(ceil(seconds) * 1000, look)
        return Banner(look.t("lobby.clock-runs", game=look.game(found.game), time=time, press=turn.shown))

    def tick(self) -> None:
        """Draw again when another digit is due; no longer for an earlier one."""
        self.stop()
        if (left := self._left_s()) is not None and left[1] > 0:
            self._stop = self._session.display.later(left[1] % 1 + LATE_S, self._session.ticked, is_coalesced=True)

    def stop(self) -> None:
        """Draw no more for the clock alone."""
        self._stop()
        self._stop = lambda: None

    def _left_s(self) -> tuple[MatchSummary, float] | None:
        """Return the match in which one's own time is up first, where one is expected at the board, and in how long."""
        me, now = self._session.identity.player, self._session.services.clock.now()
        found = [
            (at, one)
            for one in self._lists.mine
            if one.agreement.speed not in UNHURRIED and one.waits_for(me)
            for seat, at in one.due
            if one.seats[seat].player.is_same_person(me)
        ]
        if not found:
            return None
        at, match = min(found, key=lambda one: one[0])
        return match, max(0.0, (at - now).total_seconds())
