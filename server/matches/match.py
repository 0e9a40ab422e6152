"""One match as everybody else uses it: the logged match with its offers, its attendants and its chat."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from game.contract import Seat, Viewer
from game.errors import GameError
from game.replay import Entry
from server.accounts.identity import Player
from server.log import get_logger
from server.matches.announcer import Listener
from server.matches.credit import Creditor
from server.matches.dealings import Dealings
from server.matches.errors import NotWatchable
from server.matches.house import House, SeatRating
from server.matches.line import Line
from server.matches.live import LoggedMatch
from server.matches.model import Changed, ClaimKind, OfferKind
from server.matches.presence import Here
from server.matches.returns import Returns
from server.matches.tabletalk import TableTalk
from server.matches.tending import Tender
from server.matches.terms import Terms
from server.store import standings
from server.store.appends import Effect
from server.store.errors import StoreUnavailable

log = get_logger("matches")
YIELD_EVERY = 4  # entries folded between two turns of the loop


class Match(LoggedMatch):
    """A live or finished match. Made by `Matches`, one per id and process."""

    def __init__(
        self, house: House, terms: Terms, ratings: tuple[SeatRating | None, ...] = (), line: Line | None = None
    ) -> None:
        super().__init__(house, terms, ratings, line)
        self.dealings = Dealings(self)
        self.returns = Returns(self, self.dealings)
        self.creditor = Creditor(self)
        self.tender = Tender(self, self.creditor)
        self.talk = TableTalk(self)

    def extras(self, viewer: Viewer) -> dict[str, Any]:
        return {
            "offers": self.dealings.offers,
            "next_match": self.dealings.next_match,
            "claim_at": self.dealings.claim_at(viewer),
            "chat": self.talk.lines(viewer),
        }

    def brings(self, entry: Entry) -> tuple[Effect, ...]:
        return self.dealings.settles(entry)

    def subscribe(self, viewer: Viewer, changed: Changed) -> Listener:
        """Call back on the loop whenever `snapshot(viewer)` has something new."""
        self.talk.listen()
        return super().subscribe(viewer, changed)

    def close(self) -> None:
        """Let go of what this process holds of the match; its log is where it was."""
        self.talk.close()

    async def whole(self) -> None:
        """Come back when the match's beginning is folded too, in between others' work."""
        try:
            for done, _ in enumerate(self.line.unfold()):
                if done % YIELD_EVERY == 0:
                    await asyncio.sleep(0)
        except GameError:
            self._break(self.line.head.seq)
        if self.line.was_wrong:
            log.error("standing.differs", match=self.id)
            self.line.was_wrong = False
            self.house.tasks.spawn(self._forget_kept(), "forget standing")
            self.changed()

    async def _forget_kept(self) -> None:
        with suppress(StoreUnavailable):
            await self.house.database.write(standings.forget, self.id)

    async def say(self, player: Player, text: str) -> None:
        """Say something: the seated to the table, others in the gallery. Raises ChatRefused, MatchRefused, NotSaved."""
        await self.talk.say(player, text)

    def enter(self, player: Player, seat: Seat | None, session: str, paced: bool = True) -> Here:
        """Note that a session looks at this match, from its seat or the gallery. `paced`: with a person's eyes.

        Raises NotWatchable where nobody may look on while it is played.
        """
        if seat is None and not self.terms.watchable and not self.is_over:
            raise NotWatchable
        here = super().enter(player, seat, session, paced)
        if seat is not None:
            self.creditor.came_home(seat)
        return here

    async def resign(self, seat: Seat) -> int:
        """Give up a seat for good. Raises MatchOver, NotSaved, and the rules' error for a seat that is out."""
        return await self.dealings.resign(seat)

    async def offer(self, seat: Seat, what: OfferKind) -> None:
        """Offer something, or agree to it; when everybody has, it happens. Raises NotOffered, NotSaved."""
        await self.dealings.offer(seat, what)

    async def answer(self, seat: Seat, what: OfferKind, accept: bool) -> None:
        """Agree to somebody's offer or turn it down. Raises NotOffered when nobody offers that."""
        await self.dealings.answer(seat, what, accept)

    async def claim(self, seat: Seat, what: ClaimKind) -> None:
        """End it for who has been gone too long. Raises NotClaimable, MatchOver, NotSaved."""
        await self.dealings.claim(seat, what)
