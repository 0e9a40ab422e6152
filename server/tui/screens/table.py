"""What one does at a table besides playing: talk, offer, answer offers, resign, claim, ask for a rematch."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from game.contract import Seat, Viewer, Watcher
from server.matches.lists import by_urgency
from server.matches.model import RUNNING, AnyViewerState, OfferKind
from server.protocols import MatchHandle
from server.session import places
from server.session.page import Page
from server.session.session import Session
from server.tui import keymap
from server.tui.memo import Last
from server.tui.screens.guard import is_window
from server.tui.screens.seating import people_of, say_if_casual, viewer_of


class TablePage(Page):
    """A match from one viewpoint, and the commands of its table. `mode`: "offer" or "claim" while it is asked which."""

    def __init__(self, session: Session, match: MatchHandle, viewer: Viewer) -> None:
        super().__init__(session)
        self.match = match
        self.viewer = viewer
        self.is_turned = False  # the board stands the other way round
        self._turned = Last[AnyViewerState]()
        self.snapshot: AnyViewerState = self.state_now()
        self.mode = ""
        self.log_skip = 0

    def state_now(self) -> AnyViewerState:
        """Return what one sees by now, the way round that one has turned it."""
        shot = self.match.snapshot(self.viewer)
        return self._turned.get(shot, True, lambda: replace(shot, nearest=Seat(1))) if self.is_turned else shot

    @property
    def seat(self) -> Seat | None:
        """Return the seat one holds, None in the gallery."""
        return None if isinstance(self.viewer, Watcher) else self.viewer

    @property
    def is_live(self) -> bool:
        """Tell whether the match goes on."""
        return self.snapshot.status in RUNNING

    @property
    def plays(self) -> bool:
        """Tell whether one still has a say in the match: seated, not out, and no bot in one's place."""
        if self.seat is None or not self.is_live:
            return False
        own = self.snapshot.seats[self.seat]
        return not own.out and (own.bot is None or own.player.kind == "bot")

    def offered(self) -> list[tuple[Seat, OfferKind]]:
        """Return what others offer, the oldest first. A window that one may answer comes before any offer."""
        if self.seat is None or (self.is_live and is_window(self.snapshot)):
            return []
        asked = self.snapshot.rematch
        answered = asked is not None and self.seat in (*asked.agreed, *asked.declined)
        others = ((seat, what) for seat, what in self.snapshot.offers if seat != self.seat)
        return [(seat, what) for seat, what in others if what != "rematch" or not answered]

    @property
    def match_shown(self) -> str:
        """Return the id of the match that shows here."""
        return self.match.id

    @property
    def claims(self) -> tuple[str, ...]:
        """Return what may be claimed: of two the win, at a larger table that bots play for who is away."""
        return ("win", "void") if len(self.snapshot.seats) == 2 else ("bots", "void")

    def may_claim(self) -> bool:
        """Tell whether somebody has been away for long enough."""
        at = self.snapshot.claim_at
        return at is not None and self.seat is not None and at <= self.session.services.clock.now()

    def do_people(self) -> None:
        """See who plays and who talks here: to block or report them, also when they have left."""
        self.session.go(people_of(self.session, self.match, self.snapshot))

    async def _go_on(self, match_id: str, by_key: bool = True) -> None:
        """Go to the rematch, from the same side of the table."""
        match = await self.session.services.matches.open(match_id)
        if self.session.pages.top is self:
            page = type(self)(self.session, match, viewer_of(self.session, match))
            self.session.pages.replace(page, by_itself=not by_key)
            self.session.prompts.hush()
            say_if_casual(self.session, page.snapshot, self.snapshot.rated)

    def do_next(self) -> None:
        """Go to the next match of one's own that waits for one."""
        if self.seat is not None and self.snapshot.pending is None:
            self.session.spawn(self._next_waiting())

    async def _next_waiting(self) -> None:
        services, me = self.session.services, self.session.identity.player
        found = by_urgency(await services.matches.running_of(me), me)
        waiting = (one.id for one in found if one.id != self.match.id and one.waits_for(me))
        match_id = next(waiting, None)
        if match_id is None:
            self.session.prompts.notice("match.none-waits")
        else:
            match = await services.matches.open(match_id)
            if self.session.pages.top is self:
                self.session.pages.replace(type(self)(self.session, match, viewer_of(self.session, match)))

    def _press_mode(self, key: str) -> bool:
        name, mode = keymap.command(self.mode, key), self.mode
        self.mode = ""
        match mode, name:
            case "offer", ("draw" | "adjourn" | "resume") as what:
                self._send(self.match.offer, what, "match.sent.offer")
            case "claim", ("win" | "bots" | "void") as claimed:
                self._send(self.match.claim, "void" if claimed == "void" else "win", "match.sent.claim")
        return True

    def _send(self, do: Callable[[Seat, Any], Coroutine[Any, Any, None]], what: str, said: str) -> None:
        if self.seat is not None:
            self.session.spawn(self._do_and_say(do(self.seat, what), said))

    async def _do_and_say(self, work: Any, said: str) -> None:
        was_live = self.is_live
        await work
        self.refresh()
        if self.session.pages.top is self and self.is_live == was_live:  # else the line is for how it ended
            self.session.prompts.notice(said, "good")

    # Commands

    def do_chat(self) -> None:
        """Say something to the table or the gallery."""
        place = "match" if self.seat is not None else "gallery"
        self.session.prompts.type(f"match.say.{place}", self._say, stays=True)

    def _say(self, text: str) -> None:
        self.session.spawn(self.match.say(self.session.identity.player, text))

    def do_offer(self) -> None:
        """Ask what to offer."""
        if self.plays:
            self.mode = "offer"

    def do_accept(self) -> None:
        """Accept the first offer."""
        self._answer(True)

    def do_decline(self) -> None:
        """Decline the first offer."""
        self._answer(False)

    def _answer(self, accept: bool) -> None:
        offers = self.offered()
        if offers and self.seat is not None:
            self.session.spawn(self.match.answer(self.seat, offers[0][1], accept))

    def do_resign(self) -> None:
        """Ask, then give up."""
        seat = self.seat
        if seat is not None and self.plays:
            self.session.prompts.ask("match.ask.resign", lambda: self.session.spawn(self._resign(seat)))

    async def _resign(self, seat: Seat) -> None:
        self.note_own(await self.match.resign(seat))

    def note_own(self, seq: int) -> None:
        """Take note that a key pressed here made entry `seq`."""
        raise NotImplementedError

    def do_claim(self) -> None:
        """Ask what to claim."""
        if self.may_claim():
            self.mode = "claim"

    def do_rematch(self) -> None:
        """Ask for another match, or go to the one that was agreed on."""
        if self.snapshot.next_match:
            self.session.spawn(self._go_on(self.snapshot.next_match))
        elif self.seat is not None and not self.is_live:
            self.begins_match = any(what == "rematch" for _, what in self.offered())
            self.session.spawn(self._do_and_say(self.match.offer(self.seat, "rematch"), "match.sent.rematch"))

    def do_room(self) -> None:
        """Go to the room of this match."""
        if self.snapshot.room:
            self.session.go(places.Room(self.snapshot.room))

    def do_log(self) -> None:
        """Page through the log."""
        _, shown = self.log_size()
        page = max(1, shown - 1)  # a line stays in sight
        self.scroll_log(page if self.key == "page up" else -page)

    def scroll_log(self, lines: int) -> None:
        """Go back in the log by some lines, or forward: not past its ends."""
        whole, shown = self.log_size()
        self.log_skip = max(0, min(self.log_skip + lines, whole - shown))

    def log_size(self) -> tuple[int, int]:
        """Return how many lines the log has, and how many of them are shown."""
        raise NotImplementedError

    def do_replay(self) -> None:
        """Go through a finished match."""
        if not self.is_live:
            self.session.go(places.Replay(self.match.id))

    def do_share(self) -> None:
        """Say what to type to see a match that is over."""
        if not self.is_live:
            line = self.session.reached_at.line(f"replay {self.match.id}", "-t")
            self.session.prompts.notice("replay.share", "good", line=line)

    def do_rules(self) -> None:
        """Read the rules."""
        self.session.help(rules=True)
