"""A session: one terminal of one person, and its parts. What goes wrong in it ends it and nothing else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import structlog

from game.errors import GameError
from server.accounts.identity import Identity
from server.address import Address
from server.errors import Refused
from server.i18n.catalogues import from_locale
from server.protocols import SessionServices
from server.session import places
from server.session.appearance import Appearance
from server.session.asking import Asking
from server.session.frames import Frames
from server.session.input import Input
from server.session.landing import Landing
from server.session.owndecks import OwnDecks
from server.session.pages import Pages
from server.session.person import Person
from server.session.places import Place, Routes, StoredPlace
from server.session.prompts import Prompts
from server.session.sharing import Sharing
from server.terminal import theme
from server.terminal.frame import Layout
from server.terminal.look import Look, fitting
from server.terminal.loop import SessionLoop
from server.terminal.protocols import Terminal
from server.terminal.sheet import Sheet

log = structlog.get_logger(__name__)

QUIT, BROKEN = 0, 1  # exit codes of a session


class Session:
    """What one connected terminal sees and does.

    `run` draws until the person quits, and returns the exit code; cancelling it (the connection is gone) cleans up
    the same way. Its parts: `person` (who it is, settings), `decks` (their own), `appearance` (on this terminal),
    `pages` (the stack), `prompts` (what is asked and said), `asking` (what the pairing asks), `input` (keys), `frames`
    (what shows), `sharing` (with whom).
    """

    def __init__(
        self,
        screen: Terminal,
        identity: Identity,
        services: SessionServices,
        routes: Routes,
        landing: Landing | None = None,
        became: Callable[[Identity], None] = lambda identity: None,
    ) -> None:
        """`became`: hears who the person is from now on."""
        self.screen = screen
        self.services = services
        self.routes = routes
        self.landing = landing or Landing()
        self.id = self.landing.session or secrets.token_hex(8)  # this terminal, among all that the person has open
        self.look = self._fitting("default", "unicode", from_locale(self.landing.lang))
        self.person = Person(self, identity, became)
        self.decks = OwnDecks(self)
        self.appearance = Appearance(self)
        self.pages = Pages(self)
        self.prompts = Prompts(self)
        self.asking = Asking(self)
        self.input = Input(self)
        self.frames = Frames(self)
        self.sharing = Sharing(self)
        self.is_closing = False
        self.loop: SessionLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: asyncio.Future[int] | None = None
        self._sheet = Sheet(self.frames.compose)
        self._styles: tuple[Any, ...] = ()  # the terminal has

    # Life

    async def run(self) -> int:
        """Show the session until it ends; returns the exit code."""
        self._done = asyncio.get_running_loop().create_future()
        self.loop = loop = SessionLoop(
            self._draw, self.fail, self._skips, self.sharing.draw_shared, self.services.rendered
        )
        self._styles = theme.palette(self.look.palette, self.screen.client.ground)
        self.screen.set_palette(self._styles)
        self.screen.on_resume = loop.wake
        self.screen.waits_for_frame = True
        self.screen.start()
        self.screen.set_mouse_tracking()
        self.screen.hook_event_loop(loop, self.input.read)
        self.screen.probe(self.appearance.hear_terminal)
        try:
            self.spawn(self.routes.begin(self))
            return await self._done
        finally:
            await self._clean_up()

    def _skips(self) -> bool:
        """Tell whether not to draw: before the first page there is nothing to show."""
        return self.pages.top is None or self.screen.skips()

    def _draw(self) -> None:
        self.screen.draw_screen(self.size, self._sheet.canvas(*self.size))

    async def _clean_up(self) -> None:
        self.is_closing = True
        self.sharing.leave()
        self.pages.close()
        self.person.leave()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.loop is not None:
            self.screen.unhook_event_loop(self.loop)
            self.screen.stop()
            self.loop.close()
        self.screen.on_resume = None
        # Breaks the reference cycles between these and the session.
        self.loop = None
        self.prompts.drop()
        self._sheet.close()

    def quit(self, code: int = QUIT) -> None:
        """End the session; the terminal is restored."""
        if self._done is not None and not self._done.done():
            self._done.set_result(code)

    def fail(self, error: BaseException) -> None:
        """End this session because of an error of ours."""
        log.error("session.failed", who=self.identity.name, exc_info=error)
        self.quit(BROKEN)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that waits, for this session; refusals become a notice."""
        if self.is_closing:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except (Refused, GameError) as refusal:
            self.prompts.refused(refusal)
        except Exception as error:  # the guard of one session
            self.fail(error)
        self.dirty()

    @property
    def is_busy(self) -> bool:
        """Tell whether something that waits is being done for this session."""
        return bool(self._tasks)

    # What pages use

    @property
    def identity(self) -> Identity:
        """Return who it is."""
        return self.person.identity

    def t(self, key: str, **params: object) -> str:
        """Return a sentence in the person's language."""
        return self.look.t(key, **params)

    @property
    def size(self) -> tuple[int, int]:
        """Return the terminal's columns and rows."""
        return self.screen.get_cols_rows()

    def body_rows(self, rows: int) -> int:
        """Return how many rows a page's body has on a terminal of so many."""
        return Layout(80, rows).body_rows

    def dirty(self) -> None:
        """Compose the screen anew, and draw it soon."""
        self._sheet.forget()
        self.sharing.is_stale = True
        if self.loop is not None and self.pages.top is not None:
            self.loop.wake()

    def outdated(self) -> None:
        """Forget the frame: it is no longer what should show."""
        self._sheet.forget()

    def ticked(self) -> None:
        """Draw soon what time has changed: its cells only, where nothing else has changed."""
        last = self._sheet.unchanged(*self.size)
        frame = self.frames.ticked(last) if last is not None else None
        if frame is None:
            self.dirty()
        else:
            self._sheet.replace(frame)

    def later(self, seconds: float, callback: Callable[[], None], is_coalesced: bool = False) -> Callable[[], None]:
        """Call back after some seconds (the callback asks for a drawing itself); return what cancels it.

        `is_coalesced`: a little later, together with other sessions that are due by then.
        """
        loop = self.loop
        if loop is None:
            return lambda: None

        handle = loop.alarm(seconds, callback, is_coalesced)

        def cancel() -> None:
            loop.remove_alarm(handle)

        return cancel

    def go(self, place: Place | StoredPlace, instead: bool = False) -> None:
        """Go to a place, on top of this page or `instead` of it; one that must be read first opens when it is."""
        if isinstance(place, StoredPlace):
            self.spawn(self.reach(place))
        elif instead:
            self.pages.replace(self.routes.page(self, place))
        else:
            self.pages.push(self.routes.page(self, place))

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

    def use(self, **changes: str) -> None:
        """Change palette, glyphs or language."""
        look = replace(self.look, **changes)
        look = self._fitting(look.palette, look.glyph_set, look.language)
        styles = theme.palette(look.palette, self.screen.client.ground)
        if look != self.look or styles != self._styles:
            self.look, self._styles = look, styles
            self.screen.set_palette(styles)
        self.dirty()

    def _fitting(self, palette: str, glyphs: str, language: str) -> Look:
        client = self.screen.client
        return fitting(palette, glyphs, language, colours=client.colors, utf8=client.is_unicode)

    def call(self, text: str) -> None:
        """Call somebody whose terminal is in the background: bell and window title, as they like it."""
        if self.person.preferences.bell:
            self.screen.ring()
        self.retitle(text)

    def retitle(self, text: str) -> None:
        """Say in the window's title what it is about, in characters that the terminal can show, if that is liked."""
        if self.person.preferences.title:
            [(_, shown)] = self.frames.shown((("", text),))
            self.screen.set_title(shown)

    @property
    def reached_at(self) -> Address:
        """Return how this person got here, which is how others will."""
        return self.landing.reached_at

    @property
    def server_name(self) -> str:
        """Return what the operator calls this server."""
        name: str = self.services.settings.name
        return name
