"""What players settle among themselves: offers and consent, resigning, claims on who is gone, rematches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from game.contract import Seat, Viewer, Watcher
from game.replay import Entry, Status
from server.accounts.identity import Player
from server.accounts.pauses import check_not_paused
from server.errors import Refused
from server.log import get_logger
from server.matches import leaving
from server.matches.again import is_first_of_two, rematch_of, return_game
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchOver, MatchRunning, NotClaimable, NotOffered
from server.matches.live import LoggedMatch
from server.matches.model import ClaimKind, OfferKind
from server.matches.snapshots import levels
from server.matches.standing import Standing, is_playing
from server.store import arrangements
from server.store.appends import Effect
from server.store.arrangements import Offer

log = get_logger("matches.dealings")
WHILE_PLAYING: tuple[OfferKind, ...] = ("draw", "adjourn")
ENTRY_OF = {"draw": "draw_agreed", "adjourn": "adjourned", "resume": "resumed"}


class Dealings:
    """The offers of one match. They are stored, so that every process knows them; agreement is a log entry."""

    def __init__(self, match: LoggedMatch) -> None:
        self._match = match
        self._house = match.house
        self._stored: tuple[Offer, ...] = ()
        self.next_match: str | None = None
        self._is_concluding = False
        match.on_change.append(self.attend)

    # Offers

    @property
    def offers(self) -> tuple[tuple[Seat, OfferKind], ...]:
        """Return what stands: (seat, what), the oldest first."""
        return tuple((Seat(offer.seat), _kind(offer.what)) for offer in self._stored if self._stands(offer))

    def _stands(self, offer: Offer) -> bool:
        """Tell whether an offer fits the match as it is, and no other player has answered it by moving on."""
        status = self._match.line.head.fold.status
        if offer.what == "rematch":
            return self._match.is_over
        if self._match.is_over or (offer.what == "resume") is not (status is Status.ADJOURNED):
            return False
        later = self._match.line.entries[offer.seq :]
        return not any(entry.kind == "action" and entry.seat != offer.seat for entry in later)

    async def reload(self) -> None:
        """Read the offers anew. Raises StoreUnavailable."""
        self.take(*await self._house.database.read(arrangements.dealings, self._match.id))

    def take(self, stored: Iterable[Offer], next_match: str | None) -> None:
        """Take note of what the store has."""
        offers = tuple(stored)
        if (offers, next_match) != (self._stored, self.next_match):
            self._stored, self.next_match = offers, next_match
            self._match.changed()

    async def offer(self, seat: Seat, what: OfferKind) -> None:
        """Offer or agree to something; when everybody has, it happens. Raises NotOffered, NotSaved, AccountError."""
        match = self._match
        await match.catch_up()
        what = self._meant(what)
        self._check(seat, what)
        if what == "rematch":
            await self._check_manners(match.terms.players[seat])
        made = Offer(what, seat, match.line.head.seq)
        await self._house.database.write(arrangements.make, match.id, made)
        await self.reload()
        self._house.hint(match.id, match.line.head.seq, offers=True)
        if self._is_agreed(what):
            await self._conclude(what)

    async def _check_manners(self, asking: Player) -> None:
        """Let somebody play once more with the others. Raises AccountError for a pause, NotOffered for a block."""
        manners, terms = self._house.manners, self._match.terms
        if manners is None:
            return
        if terms.rated:
            await check_not_paused(manners, self._house.clock, (asking,), asking)
        stay = [terms.players[seat].account_id for seat in self._parties("rematch")]
        ids = sorted(one for one in stay if one is not None)
        if len(ids) > 1 and await manners.blocks_among(ids):
            raise NotOffered("match.error.apart")

    async def answer(self, seat: Seat, what: OfferKind, accept: bool) -> None:
        """Agree to somebody's offer or turn it down. Raises NotOffered when nobody offers that."""
        await self.reload()
        what = self._meant(what)
        if not any(kind == what and by != seat for by, kind in self.offers):
            raise NotOffered
        if accept:
            await self.offer(seat, what)
            return
        await self._house.database.write(arrangements.withdraw, self._match.id, [what])
        await self.reload()
        self._house.hint(self._match.id, self._match.line.head.seq, offers=True)

    def _meant(self, what: OfferKind) -> OfferKind:
        """An adjourned match is taken up again with the same word."""
        is_adjourned = self._match.line.head.fold.status is Status.ADJOURNED
        return "resume" if what == "adjourn" and is_adjourned else what

    def _check(self, seat: Seat, what: OfferKind) -> None:
        """Raise unless this can be offered now."""
        match = self._match
        if seat not in match.terms.people:
            raise NotOffered
        if what == "rematch":
            if not match.is_over:
                raise MatchRunning
            return
        if match.is_over:
            raise MatchOver
        if what == "resume":
            if match.line.head.fold.status is not Status.ADJOURNED:
                raise NotOffered
            return
        check_live(match.line.head)
        people = self._parties(what)
        if seat not in people or (what == "draw" and len(people) < 2):
            raise NotOffered("match.error.no-draw-with-bots" if seat in people else "match.error.not-offered")
        if what == "adjourn" and any(match.terms.players[one].kind == "guest" for one in people):
            raise NotOffered("match.error.guests-do-not-adjourn")

    def _parties(self, what: OfferKind) -> tuple[Seat, ...]:
        """Return the seats that must agree: the people in it, while it is played only those still in play.

        A rematch is for whoever stays, if these are two or more.
        """
        match, head = self._match, self._match.line.head
        level_of = levels(match.terms, head)
        people = tuple(seat for seat in match.terms.people if level_of[seat] is None)
        if what == "rematch":  # who left for a bot may have stayed at the table
            stay = tuple(seat for seat in match.terms.people if self.stays(seat))
            return stay if len(stay) > 1 else people or match.terms.people
        if head.fold.is_over:
            return people
        return tuple(seat for seat in people if is_playing(match.line.game, head.fold.state, seat))

    def stays(self, seat: Seat) -> bool:
        """Tell whether a seat's person is still at the table, or in its room."""
        terms = self._match.terms
        is_in_room = terms.room is not None and self._house.room_holds(terms.room, terms.players[seat])
        return is_in_room or seat in self._match.presences.at_table

    def attend(self) -> None:
        """Begin the rematch that everybody who stays has asked for: who did not answer may just have left."""
        if self._is_concluding or self.next_match is not None or not self._stored or not self._match.is_over:
            return
        if any(offer.what == "rematch" for offer in self._stored) and self._is_agreed("rematch"):
            self._is_concluding = True
            self._house.tasks.spawn(self._conclude_rematch(), f"rematch {self._match.id}")

    async def _conclude_rematch(self) -> None:
        try:
            await self.begin_next()
        except Refused as error:
            log.info("rematch.refused", match=self._match.id, why=error.key)
        finally:
            self._is_concluding = False

    def _is_agreed(self, what: OfferKind) -> bool:
        agreed = {seat for seat, kind in self.offers if kind == what}
        return agreed.issuperset(self._parties(what))

    async def _conclude(self, what: OfferKind) -> None:
        """Make an agreement happen. Whoever else concludes it at the same moment does no harm."""
        if what == "rematch":
            self._is_concluding = True
            try:
                await self.begin_next()
            finally:
                self._is_concluding = False
            return

        def draft(standing: Standing) -> Drafted:
            if not self._is_agreed(what):
                raise NotOffered
            return self._match.note(standing, ENTRY_OF[what])

        await self._match.submit(draft)
        await self.reload()

    def settles(self, entry: Entry) -> tuple[Effect, ...]:
        """Return what an entry does to the stored offers."""
        kinds = [what for what, kind in ENTRY_OF.items() if kind == entry.kind]
        return (arrangements.withdrawn(self._match.id, kinds),) if kinds else ()

    async def begin_next(self) -> None:
        """Begin what comes after this match: the second game of two, else the same again."""
        if self.next_match is None:
            terms, stay = self._match.terms, self._parties("rematch")
            gone = frozenset(terms.people).difference(stay)
            result = self._match.shown.fold.result
            new = return_game(terms, result) if is_first_of_two(terms) and result else rematch_of(terms, gone)
            await self._house.begin(new, self._match.id)
        await self.reload()
        self._house.hint(self._match.id, self._match.line.head.seq, offers=True)

    # Leaving and claiming

    async def resign(self, seat: Seat) -> int:
        """Give up a seat for good. Raises MatchOver, NotSaved, and the rules' error for a seat that is out."""
        match = self._match

        def draft(standing: Standing) -> Drafted:
            if standing.fold.is_over:
                raise MatchOver
            if leaving.is_replaced(match.terms, match.line.game, standing, seat):
                return match.leave_draft(standing, seat)
            return match.note(standing, "resign", seat)

        return await match.submit(draft)

    def claim_at(self, viewer: Viewer) -> datetime | None:
        """Return from when on this viewer may claim that others are gone; None: nobody is, or it can't be claimed."""
        grace, head = self._match.terms.speed.grace, self._match.line.head
        if isinstance(viewer, Watcher) or grace is None or not head.is_live:
            return None
        since = (self._match.presences.gone_since(seat) for seat in self._absentees(head, viewer))
        moments = [moment + timedelta(milliseconds=grace) for moment in since if moment is not None]
        return min(moments, default=None)

    def _absentees(self, head: Standing, seat: Seat) -> list[Seat]:
        """Return the other people in play who are not here."""
        presences = self._match.presences
        gone = [one for one in self._match.terms.people if one != seat and presences.gone_since(one) is not None]
        return [one for one in gone if one in self._parties("draw")] if gone else []

    def _claimable(self, standing: Standing, seat: Seat) -> list[Seat]:
        """Return the seats that have been empty for longer than the grace period. Raises NotClaimable for none."""
        check_live(standing)
        grace, now = self._match.terms.speed.grace, self._house.clock.now()
        if grace is None or seat not in self._match.terms.people:
            raise NotClaimable
        since = {one: self._match.presences.gone_since(one) for one in self._absentees(standing, seat)}
        span = timedelta(milliseconds=grace)
        gone = [one for one, moment in since.items() if moment is not None and moment + span <= now]
        if not gone:
            raise NotClaimable
        return gone

    async def claim(self, seat: Seat, what: ClaimKind) -> None:
        """End it for who has been gone too long: `win` takes their seats out, `void` ends the match without result.

        Void needs everybody else to be gone. Raises NotClaimable, MatchOver, NotSaved.
        """
        match = self._match
        gone = self._claimable(match.line.head, seat)
        if what == "void":
            if set(gone) != set(self._parties("draw")) - {seat}:
                raise NotClaimable
            await match.submit(lambda standing: match.note(standing, "void", seat, by="claim"))
            return
        for one in gone:
            await match.submit(partial(self._left, one, seat))

    def _left(self, gone: Seat, claimant: Seat, standing: Standing) -> Drafted:
        if gone not in self._claimable(standing, claimant):
            raise NotClaimable
        return self._match.leave_draft(standing, gone, claimed_by=claimant)


def _kind(what: str) -> OfferKind:
    kinds: dict[str, OfferKind] = {"draw": "draw", "adjourn": "adjourn", "rematch": "rematch", "resume": "resume"}
    return kinds[what]
