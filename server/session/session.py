"""A session: one terminal of one person, and its parts. What goes wrong in it ends it and nothing else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Protocol

from game.errors import GameError
from server.accounts.accounts import Account
from server.accounts.identity import Identity
from server.address import Address
from server.boards import keymap
from server.boards.seats import marked_name
from server.errors import Refused
from server.lobby.arrivals import Arrival
from server.matches.match import Match
from server.services import Services
from server.session import places, sshonly
from server.session.appearance import Appearance
from server.session.asking import Asking
from server.session.dialogue import Dialogue
from server.session.display import Display
from server.session.frames import Frames
from server.session.heldkeys import HeldKeys
from server.session.input import Input, Pressed, pasted
from server.session.lifetime import QUIT, Lifetime
from server.session.otherturns import OtherTurns
from server.session.owndecks import OwnDecks
from server.session.page import Page
from server.session.pages import Pages
from server.session.person import Person
from server.session.places import Landing, Place, StoredPlace
from server.session.prompts import Prompts
from server.session.reconnect import ComingBack
from server.session.sharing import Groups, Sharing
from server.terminal.lineterminal import LineTerminal
from server.terminal.look import Look
from server.terminal.loop import SessionLoop
from server.terminal.protocols import Terminal


class Routes(Protocol):
    """What turns places into pages, which is given to each session."""

    async def begin(self, session: Session) -> None:
        """Show the first page."""
        ...

    def page(self, session: Session, place: Place) -> Page:
        """Return the page of a place. Raises NotWatchable for a match that this person may not see."""
        ...

    async def reach(self, session: Session, place: StoredPlace) -> None:
        """Read what a place needs and go there. Raises Refused where it is not for this person."""
        ...


ELSEWHERE_S = 1.0  # in which the session that asked for a match comes to its board
RATED_S = 2.0  # after a match has ended its ratings are stored


class Session:
    """What one connected terminal sees and does.

    `run` draws until the person quits, and returns the exit code; cancelling it (the connection is gone) cleans up
    the same way. Its parts, each of which knows only those before it: `display` (the terminal), `prompts` (what is
    asked and said), `lifetime` (what is being done), `person` (who it is, settings), `decks` (their own), `appearance`
    (on this terminal), `held` (keys that are ignored), `turns` (in other matches), `pages` (the stack), `asking` (what
    the pairing asks), `frames` (what shows), `input` (keys), `sharing` (with whom), `coming_back` (what was lost with a
    connection).
    """

    def __init__(
        self,
        screen: Terminal,
        identity: Identity,
        services: Services,
        routes: Routes,
        groups: Groups,
        landing: Landing | None = None,
        became: Callable[[Identity], None] = lambda identity: None,
        other: Callable[[], Terminal] | None = None,
    ) -> None:
        """`groups`: of all sessions of the process. `became`: hears who the person is from now on.

        `other`: makes the other terminal that the person has, lines beside a screen or a screen beside lines.
        """
        self.services = services
        self.routes = routes
        self.landing = landing or Landing()
        self.id = self.landing.session or secrets.token_hex(8)  # this terminal, among all that the person has open
        self.display = display = Display(screen, self.landing.lang)
        self.prompts = prompts = Prompts(display)
        self.lifetime = lifetime = Lifetime(display, prompts, identity.name)
        self.person = person = Person(identity, services, display, prompts, lifetime, became)
        self.decks = OwnDecks(display, person, services.decks)
        self.appearance = appearance = Appearance(display, person)
        self.held = held = HeldKeys(display, prompts, services.clock)
        self.turns = turns = OtherTurns(services, person, self._turn_came_or_went)
        self.pages = pages = Pages(display, prompts, held, appearance, turns, self.server_name)
        self.asking = asking = Asking(services, display, person, appearance, pages, held, lifetime)
        self.frames = frames = Frames(display, prompts, pages, asking, held)
        self.input = Input(display, prompts, pages, frames, held, services.clock.monotonic)
        self.sharing = Sharing(display, lifetime, prompts, pages, asking, frames, groups)
        self.coming_back = ComingBack(self.landing.left, pages, prompts)
        self.dialogue: Dialogue | None = None  # where the terminal says lines
        self._other = other
        self._timers = groups.timers
        self._arrival: Arrival | None = None
        self._has_played = False  # or plays: a match has begun for this session
        self.is_lost = False  # the connection
        self.goodbye = ""  # what to say after the end; nothing where the connection was lost

    # Life

    async def run(self) -> int:
        """Show the session until it ends; returns the exit code."""
        loop = SessionLoop(
            self._timers, self._draw, self.lifetime.fail, self._skips, self._draw_shared, self.services.rendered
        )
        self.display.start(loop, self._read)
        self._begin_dialogue()
        self.screen.probe(self._hear_terminal)
        try:
            self.spawn(self._begin())
            return await self.lifetime.end()
        except asyncio.CancelledError:
            self.is_lost = True
            raise
        finally:
            await self._clean_up()

    async def _begin(self) -> None:
        """Show the first page; to who comes back what they had there."""
        try:
            await self.routes.begin(self)
        finally:
            self.coming_back.reach()
            self.display.dirty()

    def _skips(self) -> bool:
        """Tell whether not to draw: before the first page, or that where one comes back, there is nothing to show."""
        return self.pages.top is None or self.coming_back.is_under_way or self.screen.skips()

    def _draw_shared(self) -> bool:
        """Draw what others see alike, and tell whether that is all; first come the rows that were chosen."""
        self.coming_back.choose()
        return self.dialogue is None and self.sharing.draw_shared()

    def _draw(self) -> None:
        if self.dialogue is not None:
            self.dialogue.say_news()
            return
        size = self.display.size
        self.screen.draw_screen(size, self.display.sheet.canvas(*size, self.frames.compose))

    async def _clean_up(self) -> None:
        self.lifetime.close()
        self.sharing.leave()
        self.turns.close()
        self.pages.close()
        self.leave()
        await self.lifetime.cancel()
        self._end_dialogue()
        self._other = None
        self.display.stop()
        self.prompts.drop()

    # Lines

    def _begin_dialogue(self) -> None:
        """Say what a terminal without a cursor can't show."""
        if isinstance(self.screen, LineTerminal):
            self.dialogue = Dialogue(
                self.screen,
                self.display,
                self.prompts,
                self.lifetime,
                self.pages,
                self.asking,
                self._do_everywhere,
                self.services.clock.monotonic,
            )

    def _end_dialogue(self) -> None:
        if self.dialogue is not None:
            self.dialogue.stop()
            self.dialogue = None

    def show_in(self, lines: bool) -> None:
        """Go on in lines, or on screens, where the person has both; the seat, the page and what is asked stay."""
        if lines is not self.screen.draws:
            return
        if self._other is None:
            self.prompts.notice("lines.no-screens")
            return
        here, other = self.screen, self._other()
        if not lines and self.person.preferences.lines:
            self.person.prefer(lines=False)  # what was chosen for good is so no longer: the settings say what is
        self.sharing.leave()
        self._end_dialogue()
        self._other = lambda: here
        self.display.change(other, self._read)
        self.screen.probe(self._hear_terminal)
        self.appearance.apply()
        self._begin_dialogue()
        self.display.dirty()

    # Keys

    def _read(self, keys: list[Pressed], raw: list[int]) -> None:
        """Do what came in; a resize only draws again."""
        loop = self.display.loop
        if any(key != "window resize" for key in keys):
            self.coming_back.give_up()
        for is_paste, run in groupby(self.input.without_burst(keys), self.input.is_pasted_text):
            typing = self.prompts.typing
            if is_paste and typing is not None and loop is not None:
                loop.attempted(partial(self.prompts.insert, typing, pasted(map(str, run))))
                continue
            for key in run:
                if loop is not None and key != "window resize":
                    loop.attempted(partial(self._press, key))
        self.display.outdate()
        if loop is not None:
            loop.wake_soon() if self.lifetime.is_busy else loop.wake(at_once=True)

    def _press(self, key: Pressed) -> None:
        """Do what a key stands for; what works everywhere comes last."""
        if (command := self.input.press(key)) is not None:
            self._do_everywhere(command)

    def _do_everywhere(self, command: str) -> None:
        """Do a command that works on every page."""
        page = self.pages.top
        match command:
            case "lines" | "screens":
                self.show_in(lines=command == "lines")
            case "help" | "rules":
                self.help(rules=command == "rules")
            case "back":
                if page is not None and not page.back():
                    self.pages.pop()
            case "redraw":
                self.screen.clear()
            case "turn":
                self.go_to_turn()
            case "agree" | "decline" as answer:
                self.asking.answer(agrees=answer == "agree")
            case "quit" if not self._lost_by_leaving():
                self._part()
            case "quit" | "leave":
                self._ask_leave(keymap.in_context("everywhere")["leave"].keys[0] if command == "leave" else "")

    def _kept_s(self) -> float:
        """Return for how long the seats of a guest are kept who leaves now; 0: none is lost."""
        return max((page.kept_s() for page in self.pages), default=0.0)

    def _lost_by_leaving(self) -> str:
        """Return the question for who would lose something by leaving, or is awaited here; '' for others."""
        if self._kept_s():
            return "session.ask-leave-guest"
        if any(page.ticket is not None for page in self.pages):
            return "session.ask-leave-search"
        if self._sits_in_room():
            return "session.ask-leave-room"
        if any(page.is_awaited for page in self.pages):
            return "session.ask-leave"
        return "session.ask-leave-name" if self.identity.is_guest and self._has_played else ""

    def _ask_leave(self, again: str) -> None:
        """Ask whether to leave, and say what becomes of running matches."""
        usual = "session.ask-leave-name" if self.identity.is_guest else "session.ask-leave"
        self.prompts.ask(self._lost_by_leaving() or usual, self._part, again=again, seconds=round(self._kept_s()))

    def _part(self) -> None:
        """End the session as the person asks, with a goodbye where the screen was."""
        kept = round(self._kept_s())
        key = "session.goodbye-guest" if kept else "session.goodbye"
        self.goodbye = self.t(key, server=self.server_name, line=self.reached_at.line(), seconds=kept)
        self.lifetime.quit()

    def _hear_terminal(self) -> None:
        """Take what the terminal said of itself: colours and glyphs that suit it, or the calibration for a new kind."""
        self.appearance.suit()
        if self.appearance.has_another_terminal and self.pages.top is self.pages.first:
            self.pages.push(self.routes.page(self, places.NamedPlace.CALIBRATION), by_itself=True)

    # What pages use

    @property
    def screen(self) -> Terminal:
        """Return the terminal."""
        return self.display.screen

    @property
    def look(self) -> Look:
        """Return palette, glyphs and language of the terminal; where nothing is drawn, words instead of glyphs."""
        return self.display.worded

    @property
    def identity(self) -> Identity:
        """Return who it is."""
        return self.person.identity

    @property
    def reached_at(self) -> Address:
        """Return how this person got here, which is how others will."""
        return self.landing.reached_at

    @property
    def server_name(self) -> str:
        """Return what the operator calls this server."""
        name: str = self.services.settings.name
        return name

    def t(self, key: str, **params: object) -> str:
        """Return a sentence in the person's language."""
        return self.look.t(key, **params)

    def marked(self, name: str) -> str:
        """Return a name, with the mark where it is a machine's."""
        return marked_name(name, self.services.machines.known.is_named(name), self.look)

    def dirty(self) -> None:
        """Compose the screen anew, and draw it soon."""
        self.display.dirty()

    def ticked(self) -> None:
        """Draw soon what time has changed: its cells only, where nothing else has changed.

        Where the other side counts clocks down by itself nothing is drawn for them alone.
        """
        if not self.screen.ticks and (page := self.pages.top) is not None:
            changed = page.ticked()
            if changed is not None and not changed.message:
                return
        sheet = self.display.sheet
        last = sheet.unchanged(*self.display.size)
        frame = self.frames.ticked(last) if last is not None else None
        if frame is None or not self.screen.ticks:
            self.dirty()
        else:
            sheet.replace(frame)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that waits, for this session; refusals become a notice."""
        self.lifetime.spawn(work)

    def have_typed(
        self,
        key: str,
        work: Callable[[str], Coroutine[Any, Any, object]],
        start: str = "",
        heard: Callable[[str], None] | None = None,
        stays: bool = False,
        limit: int = 200,
        past: Callable[[], int] | None = None,
        **params: object,
    ) -> None:
        """Have a line typed, then do `work` with it; a text that is refused stands in its line again.

        What is typed on until then stands behind it. The rest as in `Prompts.type`.
        """
        page, label = self.pages.top, self.t(key, **params)

        async def attempt(text: str) -> None:
            try:
                await work(text)
            except (Refused, GameError):
                if self.pages.top is page and not self.prompts.put_back(label, text) and self.prompts.takes_back:
                    self.have_typed(key, work, text, heard, stays, limit, past, **params)
                raise
            self.prompts.done(label)

        def accept(text: str) -> None:
            self.spawn(attempt(text))

        self.prompts.type(
            key, accept, start, heard, stays, limit, keeps_lines=False, complete=None, past=past, waits=True, **params
        )

    def have_said(self, key: str, say: Callable[[str], Coroutine[Any, Any, object]], past: Callable[[], int]) -> None:
        """Have lines of a chat typed, one after another, each as long as the server takes it."""
        self.have_typed(key, say, stays=True, limit=self.services.settings.limits.chat_chars, past=past)

    def end(self, code: int = QUIT) -> None:
        """End the session; the terminal is restored."""
        self.lifetime.quit(code)

    def quit(self) -> None:
        """End the session as the person asks; who would lose something by it, or is awaited, is asked first."""
        self._do_everywhere("quit")

    def go(self, place: Place | StoredPlace, instead: bool = False) -> None:
        """Go to a place, on top of this page or `instead` of it; one that must be read first opens when it is."""
        if self.in_browser and sshonly.is_place(place):
            self.refuse_browser()
        elif isinstance(place, StoredPlace):
            self.spawn(self.reach(place))
        elif instead:
            self.pages.replace(self.routes.page(self, place))
        else:
            self.pages.push(self.routes.page(self, place))

    @property
    def in_browser(self) -> bool:
        """Tell whether it shows in a browser, where what `sshonly` names is refused."""
        return self.identity.browser is not None

    def refuse_browser(self) -> None:
        """Say that only a connection by ssh may do this."""
        self.prompts.notice("browser.ssh-only", line=self.reached_at.line())

    async def reach(self, place: StoredPlace) -> None:
        """Read what a place needs and go there. Raises Refused where it is not for this person."""
        await self.routes.reach(self, place)

    def start_at(self, place: Place) -> None:
        """Leave all pages and begin at this place."""
        self.pages.home(self.routes.page(self, place))

    def help(self, rules: bool = False) -> None:
        """Open help on top of the page, at the keys or at the rules of its game."""
        page = self.pages.top
        if page is not None and not page.is_overlay:
            self.go(places.HelpPlace(page, rules))

    async def load_person(self) -> None:
        """Read what the person has set, and show the session as they like it."""
        await self.person.load()
        self.appearance.apply()

    async def become(self, account: Account) -> None:
        """Be the session of an account from now on: it was registered or linked just now."""
        self.person.become(account)
        self.register_newcomer()
        await self.load_person()

    # Being here for the others

    def register_newcomer(self) -> None:
        """Register a session at the first screens, for admins: it is not here for the others yet."""
        if self._arrival is None:
            self.services.lobby.register_newcomer(self.identity, self.id)

    def arrive(self) -> None:
        """Register the person's presence; from now on matches are offered to this session."""
        self.leave()
        self._arrival = self.services.lobby.arrive(
            self.identity, self.id, self._match_found, self._hear_offers, self.hear_end
        )
        self.lifetime.spawn(self.turns.load(), draws=False)

    def leave(self) -> None:
        """Be gone for the others."""
        if self._arrival is not None:
            self._arrival.leave(self.is_lost)
            self._arrival = None
        else:
            self.services.lobby.remove_newcomer(self.id)

    def _match_found(self, match_id: str) -> None:
        self._has_played = True
        self.lifetime.spawn(self.turns.load(), draws=False)
        had_ticket = any(page.ticket is not None for page in self.pages)
        wished = [page.on_match_found() for page in self.pages]
        by_key = any(page.begins_match for page in self.pages)
        place = places.OwnMatchPlace(match_id, any(wished), by_key=by_key)
        if had_ticket or by_key or self._sits_in_room() or not self.services.lobby.has_others(self.id):
            self.go(place)
        else:
            self.spawn(self._go_unless_there(place))

    def go_to_turn(self) -> None:
        """Go to the match that waits most urgently for the person, other than the one that shows."""
        self.spawn(self._go_to_turn())

    def _turn_came_or_went(self) -> None:
        """Mark on whatever page shows, and in the window's title, that it is the person's turn elsewhere."""
        self.pages.mark_turn()
        page = self.pages.top
        if page is not None and page.lists_own_turns:
            page.on_offers()

    async def _go_to_turn(self) -> None:
        match_id = await self.turns.most_urgent(self.pages.match_shown)
        if match_id is None:
            self.prompts.notice("match.none-waits")
        else:
            here = self.pages.top
            await self.reach(places.MatchPlace(match_id))
            if here is not None and here.match_shown:
                self.pages.remove(here)  # esc goes to where the first of the boards was opened from, not to its room
                for page in self.pages:
                    if page.match_begun == here.match_shown:
                        self.pages.remove(page)

    def _sits_in_room(self) -> bool:
        return any(page.holds_seat for page in self.pages)

    async def _go_unless_there(self, place: places.OwnMatchPlace) -> None:
        """Go to a match that this session did not ask for, unless the person sits before it in another one."""
        await self.services.clock.sleep(ELSEWHERE_S)  # a room may begin before its page is there
        if not self._sits_in_room() and self.services.lobby.sits(self.identity.player, place.id):
            self.prompts.notice("match.in-other-session")
        else:
            await self.reach(place)

    def hear_alert(self, name: str, tell: str) -> None:
        """Say that somebody is here, or plays, of whom the person wanted to be told that."""
        self.prompts.notice(f"follow.told.{tell}", "good", name=name)
        self.appearance.call(self.t(f"follow.told.{tell}", name=name))

    def _hear_offers(self, match: Match) -> None:
        """Ask whether to play again where that is offered; pages that list what is offered read it again."""
        self.asking.hear_rematch(match)
        for page in self.pages:
            page.on_offers()

    def hear_end(self, match_id: str) -> None:
        """Tell how a match of theirs has ended, unless a page shows it; the rating in the title line may change."""
        self.spawn(self._load_rating_soon())
        self.lifetime.spawn(self.turns.load(), draws=False)
        if any(page.match_shown == match_id for page in self.pages):
            return
        for page in self.pages:
            page.on_match_ended(match_id)

    async def _load_rating_soon(self) -> None:
        await self.services.clock.sleep(RATED_S)
        await self.person.load_rating()
        self.dirty()

    def set_roles(self, roles: frozenset[str]) -> None:
        """Have these roles from now on: an admin gave or took one."""
        self.person.be(replace(self.identity, roles=roles))
        for page in self.pages:
            page.on_roles()
        self.dirty()
