"""Giving back the time that an outage of the server took from the players of one match."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from game.contract import Seat
from game.errors import GameError
from server.clock import rfc3339
from server.errors import Refused
from server.log import get_logger
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.clocks import milliseconds
from server.matches.drafts import Drafted
from server.matches.errors import Stale
from server.matches.live import LiveMatch
from server.store import outages
from server.store.errors import StoreUnavailable
from server.store.outages import Outage

log = get_logger("matches.compensation")


class OutageCompensation:
    """Looks after the outages of one match: each is credited once, by whichever process comes first."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._context = match.context
        self._last: Outage | None = None
        self._awaited: set[Seat] = set()  # people who were not connected when the last outage was over
        match.follow(self.on_change)

    async def credit_outages(self) -> None:
        """Credit the outages that the log does not know of yet. Raises StoreUnavailable."""
        match, head = self._match, self._match.log.head
        if not head.is_live or match.is_broken:
            return
        for outage in await self._context.database.read(outages.since, head.outage, match.terms.started_at):
            self._last = outage
            self._awaited = {seat for seat in match.terms.people if not match.attendance.is_here(seat)}
            try:
                await match.submit(partial(self._credit, outage))
            except StoreUnavailable:
                raise
            except (Refused, GameError):
                continue  # another process credits it, nobody's clock ran, or the match is over

    def _credit(self, outage: Outage, checkpoint: Checkpoint) -> Drafted:
        """Draft the credit to everybody whose decision was open when the outage began."""
        running = _running(checkpoint, outage.ended)
        if checkpoint.outage >= outage.id or not running:
            raise Stale
        ms, until = milliseconds(outage.ended - outage.began), rfc3339(outage.ended)
        return self._match.draft_entry(
            checkpoint, "clock_credited", ms=ms, seats=[*running], until=until, outage=outage.id
        )

    # After an outage everybody has to connect again

    def on_change(self, change: MatchChange) -> None:
        """Credit a player who is back after an outage with the time it took to come back."""
        seat = change.entered
        if seat is not None and self.is_awaited(seat):
            self._awaited.discard(seat)
            self._context.tasks.spawn(self._credit_return(seat), f"return {self._match.id}")

    async def _credit_return(self, seat: Seat) -> None:
        now = self._context.clock.now()
        try:
            await self._match.submit(partial(self._draft_return, seat, now))
        except (Refused, GameError) as error:
            log.info("credit.return-refused", match=self._match.id, seat=seat, why=str(error))

    def _draft_return(self, seat: Seat, now: datetime, checkpoint: Checkpoint) -> Drafted:
        outage = self._last
        if (
            outage is None
            or self._is_credited(checkpoint, seat, outage)
            or seat not in _running(checkpoint, outage.ended)
        ):
            raise Stale
        ms = milliseconds(now - outage.ended)
        return self._match.draft_entry(checkpoint, "clock_credited", ms=ms, seats=[seat], home=outage.id)

    def is_awaited(self, seat: Seat) -> bool:
        """Tell whether a seat's time must not run out yet: its person is on the way back after an outage."""
        outage = self._last
        if outage is None or seat not in self._awaited:
            return False
        return self._context.clock.now() <= outage.ended + timedelta(seconds=self._context.timing.return_time)

    def _is_credited(self, checkpoint: Checkpoint, seat: Seat, outage: Outage) -> bool:
        """Tell whether another process has credited the way back already."""
        noted = (entry.data for entry in self._match.log.entries[: checkpoint.seq] if entry.kind == "clock_credited")
        return any(data.get("home") == outage.id and data.get("seats") == [seat] for data in noted)


def _running(checkpoint: Checkpoint, moment: datetime) -> list[Seat]:
    """Return the seats whose clocks ran at `moment` and still do."""
    decisions = enumerate(checkpoint.clocks.decisions)
    return [Seat(seat) for seat, decision in decisions if decision is not None and decision.since <= moment]
