"""Vacations from daily play: the clock of whoever is away for some days stands still, and all are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from game.contract import Seat
from game.errors import GameError
from server.accounts.identity import Player
from server.clock import rfc3339
from server.matches.checkpoint import Checkpoint
from server.matches.clocks import milliseconds
from server.matches.context import MatchContext
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchOver, MatchPaused, MatchUnreadable
from server.matches.match import Match
from server.matches.speeds import DAILY
from server.store import vacations as store
from server.store.vacations import Vacation

__all__ = ["Vacation", "Vacations"]


class Vacations:
    """Takes and ends the vacations of accounts. The days are kept with the account, the clocks in each match's log."""

    def __init__(
        self,
        context: MatchContext,
        running_ids: Callable[[Player], Awaitable[list[str]]],
        open_match: Callable[[str], Awaitable[Match]],
    ) -> None:
        self._context = context
        self._running_ids = running_ids
        self._open = open_match

    async def of(self, account_id: int) -> Vacation:
        """Return how an account stands now. Raises StoreUnavailable."""
        return await self._context.database.read(store.of, account_id, self._context.clock.now())

    async def begin(self, player: Player, days: int) -> datetime:
        """Begin a vacation in all daily matches that a person plays now; return until when it lasts.

        Raises Refused for more days than are left, or in a vacation; NotSaved.
        """
        account_id, now = player.account_id, self._context.clock.now()
        assert account_id is not None  # guests have no vacation to take
        until = await self._context.database.write(store.begin, account_id, days, now)
        await self._notify(player, until)
        return until

    async def end(self, player: Player) -> None:
        """End a vacation: the clocks go on from now. Raises Refused where there is none; NotSaved."""
        account_id, now = player.account_id, self._context.clock.now()
        assert account_id is not None
        await self._context.database.write(store.end, account_id, now)
        await self._notify(player, now)

    async def _notify(self, player: Player, until: datetime) -> None:
        for match_id in await self._running_ids(player):
            try:
                match = await self._open(match_id)
            except MatchUnreadable:
                continue  # it stands still anyway
            seat = match.seat_of(player)
            if seat is not None and match.terms.speed.name == DAILY:
                await self._credit(match, seat, until)

    async def _credit(self, match: Match, seat: Seat, until: datetime) -> None:
        try:
            await match.live.submit(partial(self._draft, match, seat, until))
        except (MatchOver, MatchPaused, GameError):
            return  # it has ended, stands still anyway, or the seat is out

    def _draft(self, match: Match, seat: Seat, until: datetime, checkpoint: Checkpoint) -> Drafted:
        check_live(checkpoint)
        ms = max(0, milliseconds(until - self._context.clock.now()))
        return match.live.draft_entry(
            checkpoint, "clock_credited", seat, ms=ms, seats=[seat], away_until=rfc3339(until)
        )
