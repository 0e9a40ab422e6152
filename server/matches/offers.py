"""What players agree on among themselves: draws, adjournments, rematches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial

from game import registry
from game.contract import Seat
from game.replay import Entry, Status
from server.accounts.identity import Player
from server.errors import Refused
from server.log import get_logger
from server.matches.change import MatchChange
from server.matches.checkpoint import Checkpoint
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchOver, MatchRefused, MatchRunning, NotOffered
from server.matches.guestlimits import may_adjourn
from server.matches.live import LiveMatch
from server.matches.model import OfferKind, Rematch
from server.matches.next_match import is_first_of_two, rematch_of, second_game
from server.matches.rated import check_pauses
from server.matches.speeds import DAILY
from server.periodic import attempt
from server.store import arrangements, takebacks
from server.store.appends import Effect
from server.store.arrangements import NO_REMATCH, REMATCH, SHARE, StoredOffer

log = get_logger("matches.offers")
PATIENCE = timedelta(seconds=60)  # who has not answered by then is not waited for any more
DAILY_PATIENCE = timedelta(days=1)  # the same where nobody is expected to be here
ASKED_FOR = timedelta(minutes=10)  # after the end of a match, in the line above the keys, wherever one is
ENTRY_OF = {"draw": "draw_agreed", "adjourn": "adjourned", "resume": "resumed", "void": "void"}
MOST_OFFERED = 3  # of one kind by one seat that nobody takes up, until the match is adjourned, goes on or ends
BOT_GRACE = timedelta(seconds=10)  # for which a bot may be asked again before its match may be voided


class Offers:
    """The offers of one match. They are stored, so that every process knows them; agreement is a log entry."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match
        self._context = match.context
        self._stored: tuple[StoredOffer, ...] = ()
        self.next_match: str | None = None
        self._is_concluding = False
        self._told: tuple[tuple[Seat, OfferKind], ...] = ()  # what stands, as last told
        self._told_at: datetime | None = None  # when the others may go on, as last told
        match.follow(self.on_change)

    # Offers

    @property
    def open(self) -> tuple[tuple[Seat, OfferKind], ...]:
        """Return what stands: (seat, what), the oldest first."""
        stand = (
            offer
            for offer in self._lasting
            if offer.what not in (NO_REMATCH, SHARE, *takebacks.ALL) and self._stands(offer)
        )
        return tuple((Seat(offer.seat), _kind(offer.what)) for offer in stand)

    def stored(self, what: str) -> tuple[StoredOffer, ...]:
        """Return what is stored of a kind, the oldest first."""
        return tuple(offer for offer in self._stored if offer.what == what)

    def said(self, what: str) -> tuple[Seat, ...]:
        """Return the seats that have said something, the first to say it first."""
        return tuple(Seat(offer.seat) for offer in self._lasting if offer.what == what)

    @property
    def _lasting(self) -> Iterator[StoredOffer]:
        """Return what was said not too long ago: without an answer, an offer ends after `arrangements.LASTS`."""
        since = self._context.clock.now() - arrangements.LASTS
        return (one for one in self._stored if one.what == SHARE or one.at is None or one.at > since)

    @property
    def waits_for_days(self) -> bool:
        """Tell whether an offer stands though its maker is gone: in daily play nobody is expected to be here."""
        return self._match.terms.agreement.speed == DAILY

    @property
    def patience(self) -> timedelta:
        """Return how long an answer is waited for."""
        return DAILY_PATIENCE if self.waits_for_days else PATIENCE

    def waiting_for(self, seat: Seat) -> tuple[tuple[Seat, OfferKind], ...]:
        """Return the offers that wait for a seat's answer."""
        asked = self.rematch
        if seat not in self._match.terms.people or (asked is not None and seat not in asked.missing):
            return ()
        own = {what for by, what in self.open if by == seat}
        return tuple((by, what) for by, what in self.open if by != seat and what not in own and self._may(seat, what))

    def _may(self, seat: Seat, what: OfferKind) -> bool:
        """Tell whether a seat may agree to an offer."""
        if what == "rematch":
            return self.next_match is None
        return seat in self._parties(what)

    def see_gone(self, seats: Iterable[Seat], before: datetime | None = None) -> None:
        """End what people have offered (`before` some moment) who are gone now, unless it waits for days."""
        offers = (one for one in self._stored if one.what not in (SHARE, *takebacks.ALL))
        made = {one.seat for one in offers if before is None or one.at is None or one.at < before}
        gone = [seat for seat in seats if seat in made and not self._match.attendance.is_here(seat)]
        if gone and not self.waits_for_days:
            self._context.tasks.spawn(attempt(partial(self._end_of, gone)), f"offers {self._match.id}")

    async def _end_of(self, seats: Collection[Seat]) -> None:
        await self._context.database.write(arrangements.withdraw_of, self._match.id, list(seats))
        await self.reload_and_tell()

    async def reload_and_tell(self) -> None:
        """Read the offers anew after they have changed, and let other processes do so. Raises StoreUnavailable."""
        await self.reload()
        self._context.hint(self._match.id, self._match.log.head.seq, offers=True)

    def _stands(self, offer: StoredOffer) -> bool:
        """Tell whether an offer fits the match as it is, and no other player has answered it by moving on.

        Who answers in a window does not move on: it comes before the offer, which they may not have seen.
        """
        shown = self._match.shown
        if offer.what == "rematch":
            return self._match.is_over
        if shown.fold.is_over or (offer.what == "resume") is not (shown.fold.status is Status.ADJOURNED):
            return False
        if offer.what == "void" and not self._match.failing_bots:
            return False
        return all(at <= offer.seq for seat, at in enumerate(shown.moved_on) if seat != offer.seat)

    async def reload(self) -> None:
        """Read the offers anew. Raises StoreUnavailable."""
        self.update(*await self._context.database.read(arrangements.offers_of, self._match.id))

    def update(self, stored: Iterable[StoredOffer], next_match: str | None) -> None:
        """Take note of what the store has."""
        offers = tuple(stored)
        if (offers, next_match) != (self._stored, self.next_match):
            self._stored, self.next_match = offers, next_match
            self._told = self.open
            self._match.changed()
            self.notify()

    def notify(self) -> None:
        """Tell whoever asks the players wherever they are; and everybody again when the others may go on."""
        self._told = self.open
        for tell in self._context.on_offers:
            tell(self._match.id)
        go_at = None if self.rematch is None else self.rematch.go_at
        if go_at is not None and go_at != self._told_at:
            self._told_at = go_at
            self._context.tasks.spawn(self._notify_at(go_at), f"rematch {self._match.id}")

    async def _notify_at(self, moment: datetime) -> None:
        await self._context.clock.sleep(max(0.0, (moment - self._context.clock.now()).total_seconds()))
        self._match.changed()

    @property
    def rematch(self) -> Rematch | None:
        """Return who has answered whether to play again; None where nobody has asked, or it has begun."""
        asked = [offer for offer in self._lasting if offer.what == REMATCH]
        if not asked or self.next_match is not None or not self._match.is_over:
            return None
        agreed, declined = self.said(REMATCH), self.said(NO_REMATCH)
        missing = tuple(seat for seat in self._parties("rematch") if seat not in agreed and seat not in declined)
        first = min((offer.at for offer in asked if offer.at is not None), default=None)
        can_go = bool(missing) and first is not None and self._is_enough(agreed)
        return Rematch(agreed, declined, missing, first + self.patience if can_go and first is not None else None)

    def _is_enough(self, agreed: Collection[Seat]) -> bool:
        """Tell whether these, with the built-in players, can play again without the others."""
        terms = self._match.terms
        size = terms.n_seats - len(set(terms.people).difference(agreed))
        return len(agreed) > 1 and size in registry.get(terms.game).seats

    def is_asked(self, seat: Seat) -> bool:
        """Tell whether somebody is asked at once whether to play again; later only the lobby's list says it."""
        ended, asked = self._match.ended_at, self.rematch
        is_fresh = ended is not None and self._context.clock.now() - ended < ASKED_FOR
        return is_fresh and asked is not None and seat in asked.missing

    async def offer(self, seat: Seat, what: OfferKind) -> None:
        """Offer or agree to something; when everybody has, it happens. Raises NotOffered, NotSaved, AccountError.

        Raises RateLimited for a rematch that would begin.
        """
        match = self._match
        await match.catch_up()
        what = self._meant(what)
        self._check(seat, what)
        await self._count(seat, what)
        made = StoredOffer(what, seat, match.shown.seq, self._context.clock.now())
        if what == "rematch":
            asking = match.terms.players[seat]
            await self._check_conduct(asking)
            if self._begins_rematch(seat):
                self._context.beginnings.count(asking)
            if self._may_go_on(seat):
                await self.begin_next(without=frozenset(match.terms.people).difference(self._agreed))
                return
            await self._context.database.write(arrangements.answer_rematch, match.id, made)
        else:
            await self._context.database.write(arrangements.make, match.id, made)
        await self.reload_and_tell()
        if self._is_agreed(what):
            await self._conclude(what)

    async def _count(self, seat: Seat, what: OfferKind) -> None:
        """Count what a seat offers by itself. Raises MatchRefused where nobody has taken it up so often."""
        if any(kind == what for _, kind in self.open):
            return  # it agrees, or says again what stands
        now = self._context.clock.now()
        if not await self._context.database.write(arrangements.count, self._match.id, what, seat, now, MOST_OFFERED):
            raise MatchRefused("match.error.offered-often", n=MOST_OFFERED)

    def _begins_rematch(self, seat: Seat) -> bool:
        """Tell whether the next match begins with this seat's word."""
        is_last = self._agreed.union((seat,)).issuperset(self._parties("rematch"))
        return self.next_match is None and (is_last or self._may_go_on(seat))

    def _may_go_on(self, seat: Seat) -> bool:
        """Tell whether somebody who has agreed may begin without those who have not answered for so long."""
        asked = self.rematch
        is_late = asked is not None and asked.go_at is not None and asked.go_at <= self._context.clock.now()
        return is_late and seat in self._agreed

    @property
    def _agreed(self) -> frozenset[Seat]:
        return frozenset(seat for seat, what in self.open if what == "rematch")

    async def _check_conduct(self, asking: Player) -> None:
        """Let somebody play once more with the others. Raises AccountError for a pause, NotOffered for a block."""
        conduct, terms = self._context.conduct, self._match.terms
        agreed = (terms.players[seat] for seat in self._agreed)  # whose pause may have begun since
        await check_pauses(terms.agreement.rated, conduct, self._context.clock, (asking, *agreed), asking)
        stay = [terms.players[seat].account_id for seat in self._parties("rematch")]
        ids = sorted(one for one in stay if one is not None)
        if len(ids) > 1 and await conduct.blocks_among(ids):
            raise NotOffered("match.error.apart")

    async def answer(self, seat: Seat, what: OfferKind, accept: bool) -> None:
        """Agree to somebody's offer or turn it down. Raises NotOffered when nobody offers that."""
        await self.reload()
        what = self._meant(what)
        if not any(kind == what and by != seat for by, kind in self.open):
            raise NotOffered
        if accept:
            await self.offer(seat, what)
            return
        if what == "rematch" and len(self._match.terms.people) > 2:
            await self._decline_rematch(seat)
        else:
            await self._context.database.write(arrangements.withdraw, self._match.id, [what])
        await self.reload_and_tell()

    async def _decline_rematch(self, seat: Seat) -> None:
        """Note that somebody plays no more: the others begin without them, or there are too few."""
        if seat not in self._match.terms.people:
            raise NotOffered
        match = self._match
        said = StoredOffer(NO_REMATCH, seat, match.shown.seq, self._context.clock.now())
        await self._context.database.write(arrangements.answer_rematch, match.id, said)
        await self.reload()
        if not self._is_enough(frozenset(match.terms.people).difference(self.said(NO_REMATCH))):
            await self._context.database.write(arrangements.withdraw, match.id, [REMATCH, NO_REMATCH])

    def _meant(self, what: OfferKind) -> OfferKind:
        """Return what a word offers: where a match is adjourned, its word takes it up again."""
        is_adjourned = self._match.shown.fold.status is Status.ADJOURNED
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
            if match.shown.fold.status is not Status.ADJOURNED:
                raise NotOffered
            return
        check_live(match.shown)
        people = self._parties(what)
        if what == "void" and (seat not in match.people_playing or not self.may_void):
            raise NotOffered
        if seat not in people or (what == "draw" and len(people) < 2):
            raise NotOffered("match.error.no-draw-with-bots" if seat in people else "match.error.not-offered")
        if what == "adjourn" and not may_adjourn(match.terms.players[one] for one in people):
            raise NotOffered("match.error.guests-do-not-adjourn")

    def _parties(self, what: OfferKind) -> tuple[Seat, ...]:
        """Return the seats that must agree: the people in it, while it is played only those still in play.

        A rematch is for whoever is still there, at the table or elsewhere, if these are two or more.
        """
        match = self._match
        if what == "rematch":  # who left for a bot may have stayed at the board
            willing = tuple(seat for seat in match.terms.people if seat not in self.said(NO_REMATCH))
            if self.waits_for_days:
                return willing
            stay = tuple(seat for seat in willing if self.stays(seat) or match.attendance.is_here(seat))
            return stay if len(stay) > 1 else match.people_playing or match.terms.people
        if what == "void":  # who has been away for long need not agree
            return tuple(seat for seat in match.people_playing if not self._is_long_gone(seat))
        return match.people_playing

    def _is_long_gone(self, seat: Seat) -> bool:
        grace, gone = self._match.terms.speed.grace, self._match.attendance.gone_since(seat)
        if grace is None or gone is None:
            return False
        return gone + timedelta(milliseconds=grace) <= self._context.clock.now()

    @property
    def may_void(self) -> bool:
        """Tell whether a bot has not answered for so long that its people may agree to end it without a result."""
        failing = self._match.failing_bots.values()
        return any(since + BOT_GRACE <= self._context.clock.now() for since in failing)

    def stays(self, seat: Seat) -> bool:
        """Tell whether a seat's person is still at the table, or in its room."""
        terms = self._match.terms
        is_in_room = terms.room is not None and self._context.presence.rooms.holds(terms.room, terms.players[seat])
        return is_in_room or seat in self._match.attendance.at_table

    def on_change(self, change: MatchChange) -> None:
        """Do what a change calls for."""
        if self._stored and self.open != self._told:  # a move has answered an offer, or the end has
            self.notify()
        self.attend()

    def attend(self) -> None:
        """Begin the rematch that everybody who stays has asked for: who did not answer may just have left."""
        if self._is_concluding or self.next_match is not None or not self._stored or not self._match.is_over:
            return
        if any(offer.what == "rematch" for offer in self._stored) and self._is_agreed("rematch"):
            self._is_concluding = True
            self._context.tasks.spawn(self._conclude_rematch(), f"rematch {self._match.id}")

    async def _conclude_rematch(self) -> None:
        try:
            await self.begin_next()
        except Refused as error:
            log.info("rematch.refused", match=self._match.id, why=error.key)
        finally:
            self._is_concluding = False

    def _is_agreed(self, what: OfferKind) -> bool:
        agreed = {seat for seat, kind in self.open if kind == what}
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

        def draft(checkpoint: Checkpoint) -> Drafted:
            if not self._is_agreed(what):
                raise NotOffered
            if what == "void":
                return self._match.draft_entry(checkpoint, "void", by="bots")
            return self._match.draft_entry(checkpoint, ENTRY_OF[what])

        await self._match.submit(draft)
        await self.reload()

    def effects_of(self, entry: Entry) -> tuple[Effect, ...]:
        """Return what an entry does to the stored offers."""
        kinds = [what for what, kind in ENTRY_OF.items() if kind == entry.kind]
        return (arrangements.withdrawn(self._match.id, kinds),) if kinds else ()

    async def begin_next(self, without: frozenset[Seat] | None = None) -> None:
        """Begin what comes after this match: the second game of two, else the same again, `without` some seats."""
        if self.next_match is None:
            terms, stay = self._match.terms, self._parties("rematch")
            gone = frozenset(terms.people).difference(stay) if without is None else without
            result = self._match.shown.fold.result
            new = second_game(terms, result) if is_first_of_two(terms) and result else rematch_of(terms, gone, result)
            await self._context.begin(new, self._match.id)
        await self.reload_and_tell()


def _kind(what: str) -> OfferKind:
    kinds: tuple[OfferKind, ...] = ("draw", "adjourn", "rematch", "resume", "void")
    return next(kind for kind in kinds if kind == what)
