"""A match as somebody sees it: from which seat, or as a watcher, the state that shows and what happened until then."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from game.contract import Seat, Viewer, Watcher
from server.boards import outcome
from server.boards.board import AnyBoard, board
from server.boards.seats import away
from server.matches.guestlimits import may_adjourn
from server.matches.match import Match
from server.matches.model import RUNNING, AnyViewerState, OfferKind, SeenEvent
from server.matches.server_events import TAKEN_BACK
from server.terminal.memo import OneValueCache


class Viewpoint:
    """One match from one viewpoint: a seat's, or a watcher's. What shows changes with `refresh` only."""

    def __init__(self, match: Match, viewer: Viewer) -> None:
        self.match = match
        self.viewer = viewer
        self.seat = None if isinstance(viewer, Watcher) else viewer  # None in the gallery
        self.board: AnyBoard = board(match.game)
        self.is_turned = False  # the board stands the other way round
        self._turned, self._planned = OneValueCache[AnyViewerState](), OneValueCache[AnyViewerState]()
        self.snapshot = self.newest()
        self.events: list[SeenEvent] = match.events(viewer)

    def newest(self) -> AnyViewerState:
        """Return the viewer's state as it is by now, the way round that the board was turned."""
        shot = self.match.on_board(self.viewer)
        return self._turned.get(shot, True, lambda: replace(shot, nearest=Seat(1))) if self.is_turned else shot

    def refresh(self) -> AnyViewerState:
        """Take in the newest state and its events; return the state before."""
        before, self.snapshot = self.snapshot, self.newest()
        if self.snapshot.seq != before.seq:
            self.events += self._after_last()
        return before

    @property
    def is_stale(self) -> bool:
        """Tell whether the next `refresh` takes something in."""
        return self.newest() is not self.snapshot

    def coming(self) -> list[SeenEvent]:
        """Return the events that the next `refresh` takes in."""
        return self._after_last() if self.newest().seq != self.snapshot.seq else []

    def _after_last(self) -> list[SeenEvent]:
        last = self.events[-1].seq if self.events else -1
        return [event for event in self.match.events(self.viewer, last) if event.seq > last]

    @property
    def planned(self) -> AnyViewerState:
        """Return the state that keys are for: while the viewer waits, as if they were asked, to prepare a move."""
        shot = self.snapshot
        if not self.plays or shot.status != "live" or shot.pending is not None:
            return shot
        return self._planned.get(shot, None, lambda: self.board.planned(shot))

    def happened_after(self, seq: int) -> list[SeenEvent]:
        """Return the events of the entries after this one."""
        first = len(self.events)
        while first and self.events[first - 1].seq > seq:
            first -= 1
        return self.events[first:]

    def was_taken_back_after(self, seq: int) -> bool:
        """Tell whether somebody has taken something back since an entry."""
        return any(event.kind == TAKEN_BACK for event in self.happened_after(seq))

    @property
    def turn_began(self) -> int:
        """Return the entry with which the newest turn began."""
        found = (event.seq for event in reversed(self.events) if event.kind in self.board.headings)
        return next(found, 0)

    @property
    def is_live(self) -> bool:
        """Tell whether the match goes on."""
        return self.snapshot.status in RUNNING

    @property
    def plays(self) -> bool:
        """Tell whether the viewer still has a say in the match: seated, not out, and no bot in their place."""
        if self.seat is None or not self.is_live:
            return False
        own = self.snapshot.seats[self.seat]
        return not own.out and (own.bot is None or own.player.kind == "bot")

    @property
    def may_offer_draw(self) -> bool:
        """Tell whether anybody else who is in play is no bot: bots agree to no draw."""
        return any(info.player.kind != "bot" for info in self.snapshot.seats if info.seat != self.seat and not info.out)

    @property
    def may_offer(self) -> tuple[OfferKind, ...]:
        """Return what the viewer may offer now, which may be nothing: guests can't adjourn, bots agree to no draw."""
        shot = self.snapshot
        if not self.plays:
            return ()
        if shot.status == "adjourned":
            return ("resume",)
        draw: tuple[OfferKind, ...] = ("draw",) if self.may_offer_draw else ()
        can_wait = may_adjourn(info.player for info in shot.seats if not info.out)
        adjourn: tuple[OfferKind, ...] = ("adjourn",) if can_wait else ()
        return (*draw, *adjourn, *(("takeback",) if shot.may_take_back else ()))

    def offered(self) -> list[tuple[Seat, OfferKind]]:
        """Return what others offer, the oldest first; who offers the same has agreed, and is asked no more."""
        if self.seat is None or not self.snapshot.offers:
            return []
        asked = self.snapshot.rematch
        answered = asked is not None and self.seat in (*asked.agreed, *asked.declined)
        settled = {what for seat, what in self.snapshot.offers if seat == self.seat}
        settled |= {"rematch"} if answered else set()
        return [(seat, what) for seat, what in self.snapshot.offers if what not in settled]

    def claims(self, now: datetime) -> tuple[str, ...]:
        """Return what may be claimed: of two the win, at a larger table that bots play for who is away.

        Of bots that can't answer nothing is won. Void is for who is left alone.
        """
        seats = self.snapshot.seats
        if any(info.bot_fails_since is not None for info in seats) and not away(self.snapshot):
            return ("void",)
        if len(seats) == 2:
            return ("win", "void")
        return ("bots", "void") if outcome.may_void(self.snapshot, now) else ("bots",)

    def may_claim(self, now: datetime) -> bool:
        """Tell whether somebody has been away for long enough."""
        at = self.snapshot.claim_at
        return at is not None and self.seat is not None and at <= now
