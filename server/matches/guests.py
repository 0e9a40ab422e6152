"""Guests who left: a guest whose connection was closed for long enough forfeits the match."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from game.contract import Seat
from game.errors import GameError
from server.errors import Refused
from server.matches import resigning
from server.matches.context import RETRY_S
from server.matches.guestlimits import SEAT_KEPT
from server.matches.live import LiveMatch
from server.store.errors import StoreUnavailable


class GuestSeats:
    """Gives up the seats of one match's guests who are gone; nobody need claim the win."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._context = match.context
        self._waiting: set[tuple[Seat, datetime]] = set()

    @property
    def is_busy(self) -> bool:
        """Tell whether a guest is gone who may still come back."""
        return bool(self._waiting)

    def attend(self) -> None:
        """Begin to wait for each guest who is gone."""
        terms, attendance = self._match.terms, self._match.attendance
        for seat in terms.people:
            gone = attendance.gone_since(seat)
            if terms.players[seat].kind == "guest" and gone is not None and (seat, gone) not in self._waiting:
                self._waiting.add((seat, gone))
                self._context.tasks.spawn(self._forfeit(seat, gone), f"guest {self._match.id}")

    async def _forfeit(self, seat: Seat, gone: datetime) -> None:
        """Take a guest out who has not come back in time since `gone`, and again later where the store refuses."""
        try:
            await self._forfeit_after_grace(seat, gone)
        finally:
            self._waiting.discard((seat, gone))  # also when it failed: who is waited for keeps the match in memory

    async def _forfeit_after_grace(self, seat: Seat, gone: datetime) -> None:
        match, clock = self._match, self._context.clock
        end = gone + SEAT_KEPT
        await clock.sleep(max(0.0, (end - clock.now()).total_seconds()))
        while match.attendance.gone_since(seat) == gone and match.log.head.is_live:
            try:
                await match.submit(partial(resigning.left, match, seat))
            except StoreUnavailable:
                await clock.sleep(RETRY_S)
                continue
            except (Refused, GameError):
                pass  # out already, or the match is over
            break
