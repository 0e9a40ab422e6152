"""One match as everybody else uses it: the live match with its offers, its claims and its chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from game.contract import Pending, Seat, Viewer, Watcher
from game.replay import Entry
from server.accounts.identity import MODERATOR, Identity, Player
from server.log import get_logger
from server.matches import conditional_lines, resigning, tried_line, visibility
from server.matches.acting import Acting
from server.matches.announcer import Subscriber
from server.matches.autopilot import Autopilot
from server.matches.claims import Claims
from server.matches.compensation import OutageCompensation
from server.matches.conditional_moves import ConditionalMoves, Given
from server.matches.context import MatchContext
from server.matches.errors import MatchOver, MatchRunning, NotOffered
from server.matches.live import LiveMatch
from server.matches.match_chat import MatchChat
from server.matches.matchlog import MatchLog
from server.matches.model import AnyViewerState, Changed, ClaimKind, OfferKind, SeenEvent, WaitingOffer
from server.matches.offers import Offers
from server.matches.origins import Origins
from server.matches.returning import Returning
from server.matches.second_game import SecondGame
from server.matches.sharing import MatchSharing
from server.matches.showing import Showing
from server.matches.takebacks import TakeBacks
from server.matches.terms import Terms
from server.matches.tried_line import TriedLine
from server.matches.viewer_state import Parts
from server.matches.visibility import Asker, MatchFacts
from server.presence.attendance import Here
from server.ratings.bradley_terry import Rating
from server.store.appends import Effect

log = get_logger("matches")


class Match:
    """A match: its log (`live`), what is shown of it (`showing`), and its other parts. One per id and process."""

    def __init__(
        self,
        context: MatchContext,
        terms: Terms,
        ratings: tuple[Rating | None, ...],
        matchlog: MatchLog | None = None,
    ) -> None:
        self.live = live = LiveMatch(context, terms, matchlog, self._brings)
        self.showing = Showing(live, ratings, self._parts)
        self.acting = Acting(live)
        self.origins = Origins(live)
        self.offers = Offers(live)
        self.takebacks = TakeBacks(live, self.offers)
        self.conditional_moves = ConditionalMoves(live)
        self.sharing = MatchSharing(live, self.offers)
        self.claims = Claims(live, self.offers)
        self.second_game = SecondGame(live, self.offers)
        self.compensation = OutageCompensation(live)
        self.autopilot = Autopilot(live, self.compensation)
        self.returning = Returning(live, self.acting)
        self.chat = MatchChat(live)
        self._open_boards: dict[Viewer, tuple[AnyViewerState, AnyViewerState]] = {}  # by viewer: closed, and open
        self.selections: dict[Seat, tuple[int, Any]] = {}  # by seat: of which turn, and what

    @property
    def id(self) -> str:
        return self.live.id

    @property
    def game(self) -> str:
        return self.live.game

    @property
    def terms(self) -> Terms:
        return self.live.terms

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended, and everybody may know it."""
        return self.live.is_over

    @property
    def is_busy(self) -> bool:
        """Tell whether something is being answered, waited for or due."""
        return self.autopilot.is_busy or self.conditional_moves.is_busy

    def attend(self) -> None:
        """Begin whatever the server has to do in the match by itself."""
        self.autopilot.attend()
        self.conditional_moves.attend()

    def snapshot(self, viewer: Viewer) -> AnyViewerState:
        """Return what this viewer sees now, as `Showing.snapshot`."""
        return self.showing.snapshot(viewer)

    def on_board(self, viewer: Viewer) -> AnyViewerState:
        """Return what this viewer sees on the board: as `snapshot`, and every card after the end, however it came."""
        shot = self.snapshot(viewer)
        if not shot.is_over:
            return shot
        known = self._open_boards.get(viewer)
        if known is None or known[0] is not shot:
            known = self._open_boards[viewer] = shot, replace(shot, view=self.snapshot(Watcher.OMNISCIENT).view)
        return known[1]

    def at(self, seq: int, viewer: Viewer) -> AnyViewerState:
        """Return what the viewer saw after entry `seq`, as `Showing.at`."""
        return self.showing.at(seq, viewer)

    def events(self, viewer: Viewer, after: int = -1) -> list[SeenEvent]:
        """Return what this viewer may know of what happened, as `Showing.events`."""
        return self.showing.events(viewer, after)

    def last_act(self, seat: Seat) -> int:
        """Return the seq of the last decision of a seat; 0: none yet."""
        return self.live.last_act(seat)

    async def act(
        self, seat: Seat, action: str, at_seq: int, arrived: datetime | None = None, conditions: Given = ()
    ) -> int:
        """Do what a seat decided, as `Acting.act`; `conditions` are stored with it, or it is not done at all.

        Raises NoCondition for those that can't be.
        """
        also = await self.conditional_moves.brought(seat, conditions, action, at_seq, arrived)
        seq = await self.acting.act(seat, action, at_seq, arrived, also)
        if conditions:
            await self.conditional_moves.reload()
        return seq

    async def set_conditions(self, seat: Seat, lines: Given, at_seq: int) -> None:
        """Store a seat's conditional moves, or drop them, as `ConditionalMoves.set`."""
        await self.conditional_moves.set(seat, lines, at_seq)

    def conditional_choice(self, seat: Seat, texts: Sequence[str]) -> Pending | None:
        """Return what is decided after some actions that may follow, from what a seat knows; None: nothing."""
        return conditional_lines.choice_after(self.live.log.game, self.snapshot(seat).view, seat, texts)

    def may_make_conditions(self, seat: Seat) -> bool:
        """Tell whether a seat may make conditional moves now."""
        return self.conditional_moves.may_make(seat)

    async def wait_for_ratings(self) -> None:
        """Wait until a finished match's ratings can be told. Where the store does not answer they are left out."""
        await self.live.wait_for_ratings()

    def _parts(self, viewer: Viewer) -> Parts:
        return Parts(
            conditions=self.conditional_moves.shown_to(viewer),
            offers=(*self.offers.open, *self._asked_back()),
            may_take_back=self.takebacks.may_ask(viewer),
            takebacks=self.live.log.takebacks,
            next_match=self.offers.next_match,
            rematch=self.offers.rematch,
            shared_by=self.sharing.agreed,
            is_shared=self.sharing.is_done,
            claim_at=self.claims.claim_at(viewer),
            void_at=self.claims.void_at(viewer),
            chat=self.chat.lines(viewer, self.sharing.gallery_told_since),
        )

    def _brings(self, entry: Entry) -> tuple[Effect, ...]:
        parts = (self.offers, self.takebacks, self.conditional_moves)
        return tuple(effect for part in parts for effect in part.effects_of(entry))

    def _asked_back(self) -> tuple[tuple[Seat, OfferKind], ...]:
        asked = self.takebacks.asked
        return () if asked is None else ((Seat(asked.seat), "takeback"),)

    def subscribe(self, viewer: Viewer, changed: Changed) -> Subscriber:
        """Call back on the loop whenever `snapshot(viewer)` has something new."""
        self.chat.listen()
        return self.live.subscribe(viewer, changed)

    def close(self) -> None:
        """Drop what this process holds of the match; the stored log stays."""
        self.autopilot.close()
        self.conditional_moves.close()
        self.chat.close()

    def seat_of(self, player: Player) -> Seat | None:
        """Return where a person sits, or None."""
        return self.terms.seat_of(player)

    @property
    def facts(self) -> MatchFacts:
        """Return what decides who may know of the match."""
        terms = self.terms
        is_open = terms.agreement.watchable or self.is_over
        return MatchFacts(terms.id, terms.players, terms.agreement.private, self.sharing.is_done, terms.room, is_open)

    def sight(self, who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
        """Return as which viewer somebody sees the match, as `visibility.sight` says it. Raises MatchRefused.

        `case`: the match of the report that a moderator comes from.
        """
        self.origins.record(who)
        asker = self._asker(who.player, case if who.may(MODERATOR) else None)
        return visibility.sight(self, who, asker, wished)

    def _asker(self, player: Player, case: str | None) -> Asker:
        return Asker(player, self.live.context.presence.rooms_of(player), case)

    def is_near(self, who: Identity) -> bool:
        """Tell whether somebody plays here, or comes with a key or from an address that a player has come with."""
        return self.terms.seat_of(who.player) is not None or self.origins.holds(who)

    async def say(self, player: Player, text: str) -> None:
        """Say something: the seated to the table, others in the gallery, if they may look on.

        Raises ChatRefused, MatchRefused, NotSaved.
        """
        case = self.id if self.live.attendance.is_on_case(player) else None
        visibility.check_sight(self.facts, self._asker(player, case))
        await self.chat.say(player, text)

    def offers_to(self, player: Player) -> tuple[WaitingOffer, ...]:
        """Return what others offer somebody here who has not answered, each kind once."""
        seat, found = self.seat_of(player), dict[OfferKind, WaitingOffer]()
        for by, what in () if seat is None else self._waiting_for(seat):
            first = found.get(what) or WaitingOffer(self.id, what, self.terms.agreement, by, ())
            found[what] = replace(first, by=(*first.by, self.terms.players[by]))
        return tuple(found.values())

    def asked_of(self, seat: Seat) -> OfferKind | None:
        """Return what others ask of a seat that has not answered: to take back, else what they offered first."""
        return next((what for _, what in self._waiting_for(seat)), None)

    def _waiting_for(self, seat: Seat) -> tuple[tuple[Seat, OfferKind], ...]:
        """Return what waits for a seat's answer, and who offers it."""
        asked = self._asked_back() if self.takebacks.waits_for(seat) else ()
        return (*asked, *self.offers.waiting_for(seat))

    def enter(self, player: Player, seat: Seat | None, session: str, paced: bool = True, on_case: bool = False) -> Here:
        """Note that a session looks at this match, from its seat or the gallery. `paced`: with a person's eyes.

        Raises NoSuchMatch and NotWatchable as `visibility.check_sight`.
        """
        if seat is None:
            visibility.check_sight(self.facts, self._asker(player, self.id if on_case else None))
        here = self.live.enter(player, seat, session, paced, on_case)
        if seat is not None:
            self.origins.record_connected()
        return here

    async def resign(self, seat: Seat) -> int:
        """Give up a seat for good. Raises MatchOver, NotSaved, and the rules' error for a seat that is out."""
        await self.acting.wait_out(seat)
        return await self.live.submit(partial(resigning.resigned, self.live, seat))

    async def offer(self, seat: Seat, what: OfferKind) -> None:
        """Offer something, or agree to it; when everybody has, it happens. Raises NotOffered, NotSaved."""
        await self.acting.wait_out(seat)
        await (self.takebacks.ask(seat) if what == "takeback" else self.offers.offer(seat, what))

    async def answer(self, seat: Seat, what: OfferKind, accept: bool) -> None:
        """Agree to somebody's offer or turn it down. Raises NotOffered when nobody offers that."""
        await self.acting.wait_out(seat)
        if what == "takeback":
            await self.takebacks.answer(seat, accept)
        else:
            await self.offers.answer(seat, what, accept)

    def may_try_line(self, seat: Seat) -> bool:
        """Tell whether a seat may try a line now: on its own turn, in a casual match against bots."""
        is_alone = not self.terms.agreement.rated and self.terms.people == (seat,)
        return is_alone and self.live.shown.is_live and self.snapshot(seat).pending is not None

    def try_line(self, seat: Seat, chance: bytes) -> TriedLine:
        """Return a branch from a seat's own turn, made of its view and `chance` (32 bytes). Raises NotOffered."""
        if not self.may_try_line(seat):
            raise NotOffered
        return tried_line.from_view(self.live.log.game, self.snapshot(seat), seat, chance)

    def line_from(self, seq: int, seat: Seat, *, nearest: Seat | None = None, is_open: bool = False) -> TriedLine:
        """Return a branch from a moment of a match that is over, exactly as it was. Raises MatchRunning, MatchOver.

        `nearest`: whose side is at the bottom; None: the seat's. `is_open`: all that is hidden shows.
        """
        if not self.is_over:
            raise MatchRunning
        then = self.live.log.at(max(0, min(seq, self.live.shown.seq)))
        if then.fold.is_over:
            raise MatchOver
        shown = replace(self.at(then.seq, seat), nearest=nearest)
        return TriedLine(self.live.log.game, then.fold.state, shown, seat, is_open=is_open)

    async def share(self, player: Player, agrees: bool = True) -> None:
        """Say that everybody may see this private match, or take that back. Raises as `MatchSharing.set`."""
        await self.sharing.set(self.seat_of(player), agrees)

    async def claim(self, seat: Seat, what: ClaimKind) -> None:
        """End it for who has been gone too long. Raises NotClaimable, MatchOver, NotSaved."""
        await self.acting.wait_out(seat)
        await self.claims.claim(seat, what)
