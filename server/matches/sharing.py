"""Sharing a private match that is over: everybody may see it once all its people have said so."""

from __future__ import annotations

from datetime import datetime

from game.contract import Seat
from server.matches.errors import MatchRefused
from server.matches.live import LiveMatch
from server.matches.offers import Offers
from server.store import arrangements
from server.store.arrangements import SHARE, StoredOffer


class MatchSharing:
    """Who of a match's people let everybody see it: their words are stored beside its offers."""

    def __init__(self, match: LiveMatch, offers: Offers) -> None:
        self._match = match
        self._offers = offers

    @property
    def agreed(self) -> tuple[Seat, ...]:
        """Return the seats whose people have said so."""
        return self._offers.said(SHARE)

    @property
    def is_done(self) -> bool:
        """Tell whether all have: then it is for good."""
        people = self._match.terms.people
        return bool(people) and self._match.is_over and set(self.agreed).issuperset(people)

    @property
    def gallery_told_since(self) -> datetime | None:
        """Return from when on everybody may read what the gallery says; None: from the first line.

        Sharing is the players' word. Who looked on in private has not given theirs.
        """
        if not self.is_done:
            return None
        return max(said.at or self._match.context.clock.now() for said in self._offers.stored(SHARE))

    async def set(self, seat: Seat | None, agrees: bool) -> None:
        """Say that everybody may see the match, or take that back. Raises MatchRefused, NotSaved.

        Refused while it runs, where it is no private match or goes on from one, for who had no seat, and for taking
        back what all have agreed to.
        """
        match = self._match
        if not match.terms.agreement.private or (self.is_done and agrees):
            raise MatchRefused("match.error.not-private")
        if seat is None:
            raise MatchRefused("match.error.share-players")
        if not match.is_over:
            raise MatchRefused("match.error.share-running")
        if match.terms.stays_private:
            raise MatchRefused("match.error.stays-private")
        database = match.context.database
        if agrees:
            said = StoredOffer(SHARE, seat, match.shown.seq, match.context.clock.now())
            await database.write(arrangements.share, match.id, said, match.terms.people)
        elif not await database.write(arrangements.take_back_share, match.id, seat):
            raise MatchRefused("match.error.shared")
        await self._offers.reload()
        match.context.hint(match.id, match.log.head.seq, offers=True)
