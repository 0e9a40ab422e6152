"""The lobby's banner: whose clock runs in a match of one's own that goes on, and which key goes back to it."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from server.accounts.identity import Player
from server.boards import keymap
from server.boards.seats import shown_name
from server.i18n.durations import clock_words
from server.matches.model import MatchSummary
from server.matches.speeds import UNHURRIED
from server.screens.lists import Lists
from server.session.session import Session
from server.terminal.items import Banner

LATE_S = 0.01  # after the moment at which a digit changes: timers and the clock differ a little


class RunningClock:
    """Says whose clock runs, as often as another digit shows, while the page on top asks for it."""

    def __init__(self, session: Session, lists: Lists) -> None:
        self._session, self._lists = session, lists
        self._stop: Callable[[], None] = lambda: None

    def banner(self) -> Banner | None:
        """Say which match goes on and how much time is left; None where nobody is expected at a board."""
        found, look = self._due(), self._session.look
        if found is None:
            return None
        match, player, seconds = found
        [turn] = keymap.hints("everywhere", ("turn",))
        time = clock_words(ceil(seconds) * 1000, look)
        said = {"game": look.game(match.game), "time": time, "press": turn.shown}
        if player is None:
            return Banner(look.t("lobby.clock-runs", **said))
        return Banner(look.t("lobby.goes-on", name=shown_name(player, look), **said))

    def tick(self) -> None:
        """Draw again when another digit is due; no longer for an earlier one."""
        self.stop()
        if (found := self._due()) is not None and found[2] > 0:
            self._stop = self._session.display.later(found[2] % 1 + LATE_S, self._session.ticked, is_coalesced=True)

    def stop(self) -> None:
        """Draw no more for the clock alone."""
        self._stop()
        self._stop = lambda: None

    def _due(self) -> tuple[MatchSummary, Player | None, float] | None:
        """Return the match in which somebody's time is up first, where they are expected at the board; in how long.

        One's own time (None) goes before that of others, for whom one waits.
        """
        me, now = self._session.identity.player, self._session.services.clock.now()
        found = [
            (not one.seats[seat].player.is_same_person(me), at, one, one.seats[seat].player)
            for one in self._lists.mine
            if one.status == "live" and one.agreement.speed not in UNHURRIED
            for seat, at in one.due
            if one.waits_for(me) or not one.seats[seat].player.is_same_person(me)
        ]
        if not found:
            return None
        is_others, at, match, player = min(found, key=lambda one: one[:2])
        return match, player if is_others else None, max(0.0, (at - now).total_seconds())
