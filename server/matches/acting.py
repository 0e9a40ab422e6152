"""What players decide in a match: taken so that nobody is told by it who has answered already."""

from __future__ import annotations

import asyncio
from datetime import datetime
from itertools import takewhile

from game.contract import Action, Seat
from server.errors import RateLimited
from server.matches import drafts, viewer_state, withholding
from server.matches.errors import MatchRefused, Stale
from server.matches.live import Also, LiveMatch, nothing_else
from server.matches.viewer_state import may_return
from server.store.errors import NotSaved

MOST_UNTOLD_SETTINGS = 16  # of one seat: all that nobody is told of yet is read for each list of matches
MOST_SETTINGS_IN_A_ROW = 100  # of one seat; else a log could grow for ever, and be folded anew whenever it is opened
MOST_SETTINGS = 500  # of one seat in one match, for the same reason


class Acting:
    """Takes the decisions and the personal settings of one match's players."""

    def __init__(self, match: LiveMatch) -> None:
        self.match = match

    async def act(
        self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None, also: Also = nothing_else
    ) -> int:
        """Do what a seat decided at turn `at_seq`, or set a personal setting; return the entry's seq, once durable.

        Raises as `LiveMatch.act_for`, MatchRefused for a seat that a bot plays, and RateLimited.
        """
        match = self.match
        if match.log.head.fold.bots[seat] is not None:
            returns = may_return(match.terms, match.log.head, seat)
            raise MatchRefused("match.error.bot-plays" if returns else "match.error.left-already")
        if not await match.context.heartbeat.outages_credited():
            raise NotSaved("an outage is not over")
        await self.wait_out(seat)
        self._check_settings(seat, action)
        await self._check_told(seat, action, at_seq)
        return await match.act_for(seat, action, at_seq, arrived, also)

    async def _check_told(self, seat: Seat, action: str, at_seq: int) -> None:
        """Raise Stale for a turn after what everybody may know: what came of it would tell who has answered.

        The store is asked whenever it is one: how long that takes would tell it, too.
        """
        if at_seq > self.match.shown.seq:
            await self.match.catch_up()
        if at_seq > self.match.shown.seq and not self._is_setting(seat, action):
            raise Stale

    def _is_setting(self, seat: Seat, action: str) -> bool:
        return drafts.is_setting(self.match.log.game, self.match.log.head, seat, Action(action))

    def _check_settings(self, seat: Seat, action: str) -> None:
        """Refuse settings without end: in a window, without ever deciding anything (RateLimited), or in all."""
        until = self.match.log.next_reveal
        untold = 0 if until is None else self._untold_settings(seat)
        too_many = untold >= MOST_UNTOLD_SETTINGS or self._settings_in_a_row(seat) >= MOST_SETTINGS_IN_A_ROW
        if too_many and self._is_setting(seat, action):
            left_s = 60.0 if until is None else (until - self.match.context.clock.now()).total_seconds()
            raise RateLimited("settings", max(1, round(left_s * 1000)))
        if self._settings(seat) >= MOST_SETTINGS and self._is_setting(seat, action):
            raise MatchRefused("match.error.settings-often", n=MOST_SETTINGS)

    def _untold_settings(self, seat: Seat) -> int:
        """Return how many settings a seat has made that nobody is told of yet."""
        untold = self.match.log.entries[self.match.shown.seq :]
        return sum(one.seat == seat and one.kind == "setting" for one in untold)

    def _settings(self, seat: Seat) -> int:
        """Return how many settings a seat has made."""
        return sum(entry.seat == seat and entry.kind == "setting" for entry in self.match.log.entries)

    def _settings_in_a_row(self, seat: Seat) -> int:
        """Return how many settings a seat has made since it last decided something."""
        own = (entry for entry in reversed(self.match.log.entries) if entry.seat == seat)
        return sum(entry.kind == "setting" for entry in takewhile(lambda entry: not entry.is_decision, own))

    async def wait_until_told(self, seq: int) -> None:
        """Wait until an entry of a seat may be shown to everybody."""
        told, seat = asyncio.Event(), self.match.log.entries[seq - 1].seat
        assert seat is not None
        subscription = self.match.announcer.listen(seat, told.set)
        try:
            while self.match.shown.seq < seq:
                told.clear()
                await told.wait()
        finally:
            subscription.close()

    def is_untold_setting(self, seq: int) -> bool:
        """Tell whether entry `seq` is a personal setting whose number in the log may not be known yet."""
        is_untold = self.match.shown.seq < seq <= self.match.log.head.seq
        return is_untold and self.match.log.entries[seq - 1].kind == "setting"

    async def wait_out(self, seat: Seat) -> None:
        """Wait until no answer of somebody else can be withheld from this seat, where it owes nothing itself.

        What it does before would meet an answer that it may not know of: a refusal, or a number in the log, would tell
        it. It is the same wait whether the answer is there or not: the rest of the window's minimum.
        """
        clock = self.match.context.clock
        while (left := (self._may_be_withheld_until(seat) - clock.now()).total_seconds()) > 0:
            await clock.sleep(left)

    def _may_be_withheld_until(self, seat: Seat) -> datetime:
        """Return until when an answer that closes the open window could be withheld from a seat."""
        shown, until, timing = self.match.shown, self.match.context.clock.now(), self.match.context.timing
        if viewer_state.own_pending(seat, shown, self.match.known_to(seat)) is not None:
            return until
        for asked in shown.pending:
            decision = shown.clocks.decisions[asked.seat]
            if decision is not None:
                until = max(until, withholding.withheld_at_most_until(timing, asked, decision) or until)
        return until
