"""What one does at a table besides playing: talk, offer, answer offers, resign, claim, ask for a rematch."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from game.contract import Seat, Viewer
from server.matches.errors import NoSuchMatch
from server.matches.lists import by_urgency
from server.matches.model import AnyViewerState
from server.matches.speeds import DAILY
from server.protocols import MatchHandle
from server.session import places
from server.session.page import Page
from server.session.session import Session
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.screens.keyguard import KeyGuard
from server.tui.screens.seating import people_of, say_if_casual, share, viewer_of
from server.tui.screens.viewpoint import Viewpoint


class MatchCommands(Page):
    """A match from one viewpoint, and the commands of its table. `mode`: "offer" or "claim" while it is asked which."""

    def __init__(self, session: Session, match: MatchHandle, viewer: Viewer) -> None:
        super().__init__(session)
        self.seen = Viewpoint(match, viewer)
        self.guard = KeyGuard(session.services.clock)
        self.mode = ""

    @property
    def match(self) -> MatchHandle:
        """Return the match."""
        return self.seen.match

    @property
    def snapshot(self) -> AnyViewerState:
        """Return the state that shows."""
        return self.seen.snapshot

    @property
    def seat(self) -> Seat | None:
        """Return the seat one holds, None in the gallery."""
        return self.seen.seat

    @property
    def is_live(self) -> bool:
        """Tell whether the match goes on."""
        return self.seen.is_live

    @property
    def match_shown(self) -> str:
        """Return the id of the match that shows here."""
        return self.match.id

    # Keys

    def first_commands(self) -> tuple[str, ...]:
        """Return the commands that stand before the board's: answers to an offer, and a claim."""
        may_claim = self.seen.may_claim(self.session.services.clock.now())
        return (*(("accept", "decline") if self.seen.offered() else ()), *(("claim",) if may_claim else ()))

    def live_commands(self) -> tuple[str, ...]:
        """Return the commands while the match goes on."""
        return (*self._onward(), *(("offer", "resign") if self.seen.plays else ()), "chat", "rules")

    def ended_commands(self) -> tuple[str, ...]:
        """Return the commands after the end."""
        rematch = ("rematch",) if self.seat is not None and self.snapshot.status == "finished" else ()
        asked = ("accept", "decline") if any(what == "rematch" for _, what in self.seen.offered()) else ()
        room = ("room",) if self.snapshot.room else ()
        return (*asked, *rematch, *self._onward(), "replay", "share", "board", "chat", *room, "people")

    def _onward(self) -> tuple[str, ...]:
        """Return the way to the next match that waits, where one has moved in a match that is played over days."""
        moved = self.seat is not None and self.snapshot.pending is None
        return ("next",) if moved and self.snapshot.speed == DAILY else ()

    def mode_hints(self) -> tuple[Hint, ...]:
        """Return the keys while it is asked what to offer or to claim."""
        if self.mode == "offer":
            draw = ("draw",) if self.seen.may_offer_draw else ()
            names = ("resume",) if self.snapshot.status == "adjourned" else (*draw, "adjourn")
            return keymap.hints("offer", names)
        return keymap.hints(self.mode, self.seen.claims if self.mode == "claim" else None)

    def press_mode(self, key: str) -> None:
        """Offer or claim what was asked about; another key drops the question."""
        name, mode = keymap.command(self.mode, key), self.mode
        self.mode = ""
        match mode, name:
            case "offer", ("draw" | "adjourn" | "resume") as what:
                self._send(self.match.offer, what, "match.sent.offer")
            case "claim", ("win" | "bots" | "void") as claimed:
                self._send(self.match.claim, "void" if claimed == "void" else "win", "match.sent.claim")

    def press_command(self, key: str) -> bool:
        """Do a command of the table, unless the key may have been meant for what showed before."""
        name = keymap.command("match", key)
        action = self.action(name) if name is not None and name != "move" else None
        if action is None:
            return False
        if self._is_held(name, key):
            self.session.input.say_held()
            return True
        self.key = key
        action()
        return True

    def _is_held(self, command: str | None, key: str) -> bool:
        """Tell whether a command of the table may have been meant for what showed before."""
        if command in ("accept", "decline"):
            return self.guard.catches_for_offer(key)
        is_of_end = not self.is_live and command in ("rematch", "replay", "share", "room", "people")
        return is_of_end and self.guard.catches(key)

    # Commands

    def do_people(self) -> None:
        """See who plays and talks here, or did: to block or report them."""
        self.session.go(people_of(self.session, self.match, self.snapshot))

    async def _go_on(self, match_id: str, by_key: bool = True) -> None:
        """Go to the rematch, from the same side of the table; where one may not know of it, stay."""
        try:
            match = await self.session.services.matches.find(match_id, self.session.identity)
        except NoSuchMatch:
            return
        if self.session.pages.top is self:
            page = type(self)(self.session, match, viewer_of(self.session, match))
            self.session.pages.replace(page, by_itself=not by_key)
            self.session.prompts.hush()
            say_if_casual(self.session, page.snapshot, self.snapshot.rated)
        elif any(page.match_shown == match_id for page in self.session.pages):
            self.session.pages.take_out(self)  # it was opened already: esc should not come back here

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
            match = await services.matches.find(match_id, self.session.identity)
            if self.session.pages.top is self:
                self.session.pages.replace(type(self)(self.session, match, viewer_of(self.session, match)))

    def _send(self, do: Callable[[Seat, Any], Coroutine[Any, Any, None]], what: str, said: str) -> None:
        if self.seat is not None:
            self.session.spawn(self._do_and_say(do(self.seat, what), said))

    async def _do_and_say(self, work: Any, said: str) -> None:
        was_live = self.is_live
        await work
        if self.session.pages.top is not self:
            return
        self.refresh()
        if self.is_live == was_live:  # otherwise the line says how it ended
            self.session.prompts.notice(said, "good")

    def do_chat(self) -> None:
        """Say something to the table or the gallery."""
        place = "match" if self.seat is not None else "gallery"
        self.session.prompts.type(f"match.say.{place}", self._say, stays=True)

    def _say(self, text: str) -> None:
        self.session.spawn(self.match.say(self.session.identity.player, text))

    def do_offer(self) -> None:
        """Ask what to offer."""
        if self.seen.plays:
            self.mode = "offer"

    def do_accept(self) -> None:
        """Accept the first offer."""
        self._answer(True)

    def do_decline(self) -> None:
        """Decline the first offer."""
        self._answer(False)

    def _answer(self, accept: bool) -> None:
        offers = self.seen.offered()
        if offers and self.seat is not None:
            self.session.spawn(self.match.answer(self.seat, offers[0][1], accept))

    def do_resign(self) -> None:
        """Ask, then give up."""
        seat = self.seat
        if seat is not None and self.seen.plays:
            self.session.prompts.ask("match.ask.resign", lambda: self.session.spawn(self._resign(seat)))

    async def _resign(self, seat: Seat) -> None:
        self.guard.note_own(await self.match.resign(seat))

    def do_claim(self) -> None:
        """Ask what to claim."""
        if self.seen.may_claim(self.session.services.clock.now()):
            self.mode = "claim"

    def do_rematch(self) -> None:
        """Ask for another match, or go to the one that was agreed on."""
        if self.snapshot.next_match:
            self.session.spawn(self._go_on(self.snapshot.next_match))
        elif self.seat is not None and not self.is_live:
            self.begins_match = any(what == "rematch" for _, what in self.seen.offered())
            self.session.spawn(self._do_and_say(self.match.offer(self.seat, "rematch"), "match.sent.rematch"))

    def do_room(self) -> None:
        """Go to the room of this match."""
        if self.snapshot.room:
            self.session.go(places.RoomPlace(self.snapshot.room, has_code=self.seat is not None))

    def do_replay(self) -> None:
        """Go through a finished match."""
        if not self.is_live:
            self.session.go(places.ReplayPlace(self.match.id))

    def do_share(self) -> None:
        """Say what to type to see a match that is over; ask first whether all may, where it is private."""
        if not self.is_live:
            share(self.session, self.match, self.snapshot)

    def do_rules(self) -> None:
        """Read the rules."""
        self.session.help(rules=True)
