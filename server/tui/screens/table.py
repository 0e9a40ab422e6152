"""What one does at a table besides playing: talk, offer, answer offers, resign, claim, ask for a rematch."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from game.contract import Seat, Viewer, Watcher
from server.matches.match import Match
from server.matches.model import OfferKind, Snapshot
from server.tui import keymap
from server.tui.screens.guard import is_window
from server.tui.screens.page import Page
from server.tui.screens.seating import say_if_casual, viewer_of

if TYPE_CHECKING:
    from server.tui.app import Session


class TablePage(Page):
    """A match from one viewpoint, and the commands of its table. `mode`: "offer" or "claim" while it is asked which."""

    def __init__(self, session: Session, match: Match, viewer: Viewer) -> None:
        super().__init__(session)
        self.match = match
        self.viewer = viewer
        self.snapshot: Snapshot = match.snapshot(viewer)
        self.mode = ""
        self.log_skip = 0

    @property
    def seat(self) -> Seat | None:
        """Return the seat one holds, None in the gallery."""
        return None if isinstance(self.viewer, Watcher) else self.viewer

    @property
    def is_live(self) -> bool:
        """Tell whether the match goes on."""
        return self.snapshot.status in ("live", "adjourned")

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
        return [(seat, what) for seat, what in self.snapshot.offers if seat != self.seat]

    def may_claim(self) -> bool:
        """Tell whether somebody has been away for long enough."""
        at = self.snapshot.claim_at
        return at is not None and self.seat is not None and at <= self.session.services.clock.now()

    async def _go_on(self, match_id: str) -> None:
        """Go to the rematch, from the same side of the table."""
        match = await self.session.services.matches.open(match_id)
        if self.session.page is self:
            self.session.replace(type(self)(self.session, match, viewer_of(self.session, match, self.viewer)))
            self.session.hush()
            say_if_casual(self.session, match, self.snapshot.rated)

    def _press_mode(self, key: str) -> bool:
        name, mode = keymap.command(self.mode, key), self.mode
        self.mode = ""
        match mode, name:
            case "offer", ("draw" | "adjourn" | "resume") as what:
                self._send(self.match.offer, what, "match.sent.offer")
            case "claim", ("win" | "void") as claimed:
                self._send(self.match.claim, claimed, "match.sent.claim")
        return True

    def _send(self, do: Callable[[Seat, Any], Coroutine[Any, Any, None]], what: str, said: str) -> None:
        if self.seat is not None:
            self.session.spawn(self._do_and_say(do(self.seat, what), said))

    async def _do_and_say(self, work: Any, said: str) -> None:
        was_live = self.is_live
        await work
        self.refresh()
        if self.session.page is self and self.is_live == was_live:  # else the line is for how it ended
            self.session.notice(said, "good")

    # Commands

    def do_chat(self) -> None:
        """Say something to the table or the gallery."""
        place = "match" if self.seat is not None else "gallery"
        self.session.type(f"match.say.{place}", self._say, stays=True)

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
            self.session.ask("match.ask.resign", lambda: self.session.spawn(self._resign(seat)))

    async def _resign(self, seat: Seat) -> None:
        await self.match.resign(seat)

    def do_claim(self) -> None:
        """Ask what to claim."""
        if self.may_claim():
            self.mode = "claim"

    def do_rematch(self) -> None:
        """Ask for another match, or go to the one that was agreed on."""
        if self.snapshot.next_match:
            self.session.spawn(self._go_on(self.snapshot.next_match))
        elif self.seat is not None and not self.is_live:
            self.session.spawn(self._do_and_say(self.match.offer(self.seat, "rematch"), "match.sent.rematch"))

    def do_room(self) -> None:
        """Go to the room of this match."""
        if self.snapshot.room:
            self.session.spawn(self._to_room(self.snapshot.room))

    async def _to_room(self, code: str) -> None:
        from server.tui.screens.doors import go_to_room

        await go_to_room(self.session, code)

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
            from server.tui.screens.doors import go_to_replay

            self.session.spawn(go_to_replay(self.session, self.match.id))

    def do_rules(self) -> None:
        """Read the rules."""
        self.session.help(rules=True)
