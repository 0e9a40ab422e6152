"""A session: one terminal, a stack of pages, one draw per tick. What goes wrong in it ends it and nothing else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any, cast

import structlog
import urwid

from game.errors import GameError
from server.accounts.identity import Identity
from server.errors import Refused
from server.services import Services
from server.tui import frame, gate, keymap, theme
from server.tui.consent import Consent
from server.tui.entry import Entry
from server.tui.field import Field
from server.tui.frame import Layout
from server.tui.hearing import Hearing
from server.tui.i18n import from_locale
from server.tui.keymap import Hint
from server.tui.lines import Line, columns, fit, plain, text_of, width_cols, wrapped
from server.tui.look import Look, ascii_line, fitting
from server.tui.loop import SessionLoop
from server.tui.person import Person
from server.tui.prompts import Question, Typing, typed
from server.tui.screens.page import Page
from server.tui.seats import reasons
from server.tui.sheet import Frame, Sheet
from server.tui.terminal import Terminal
from server.tui.together import Together

log = structlog.get_logger(__name__)

QUIT, BROKEN = 0, 1  # exit codes of a session


class Session(Person, Consent, Hearing, Together):
    """What one connected terminal sees and does.

    `run` draws until the person quits, and returns the exit code; cancelling it (the connection is gone) cleans up
    the same way. Pages find here: who it is, the services, the look, and how to go elsewhere.
    """

    def __init__(self, screen: Terminal, identity: Identity, services: Services, entry: Entry | None = None) -> None:
        super().__init__()
        self.screen = screen
        self.identity = identity
        self.services = services
        self.entry = entry or Entry()
        self.id = self.entry.session or secrets.token_hex(8)  # this terminal, among all that the person has open
        self.look = self._fitting("default", "unicode", from_locale(self.entry.lang))
        self.pages: list[Page] = []
        self._notice: Line = ()
        self._question: Question | None = None
        self._typing: Typing | None = None
        self._pasting = False
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._done: asyncio.Future[int] | None = None
        self._loop: SessionLoop | None = None
        self._sheet = Sheet(self.compose)
        self._main: urwid.MainLoop | None = None

    # Life

    async def run(self) -> int:
        """Show the session until it ends; returns the exit code."""
        self._done = asyncio.get_running_loop().create_future()
        self._loop = SessionLoop(self.fail, self._skips, self._shares, self.services.rendered)
        # urwid asks for its own classes; these have their shape
        screen, loop = cast(Any, self.screen), cast(Any, self._loop)
        self._main = urwid.MainLoop(self._sheet, screen=screen, event_loop=loop, input_filter=self._take_input)
        self.screen.set_palette(theme.palette(self.look.palette))
        self.screen.on_resume = self._loop.wake
        self.screen.waits_for_picture = True
        self._main.start()
        try:
            self.spawn(self._begin())
            return await self._done
        finally:
            await self._clean_up()

    def _skips(self) -> bool:
        """Tell whether not to draw: before the first page there is nothing to show."""
        return not self.pages or self.screen.skips()

    async def _begin(self) -> None:
        from server.tui.screens.doors import begin

        await begin(self)

    async def _clean_up(self) -> None:
        self._is_closing = True
        self._leave_group()
        for page in reversed(self.pages):
            self._stop_page(page)
        self.pages.clear()
        self.leave()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._main is not None:
            self._main.stop()
        if self._loop is not None:
            self._loop.close()
        self.screen.on_resume = None
        # All of these know the session: without this it would wait for the collector.
        self._main = self._loop = self._question = self._typing = None
        self._sheet.close()

    def _stop_page(self, page: Page) -> None:
        try:
            page.stop()
        except Exception as error:  # the guard of one session: the others of its pages are still closed
            log.exception("page.stop", page=type(page).__name__, error=str(error))

    def quit(self, code: int = QUIT) -> None:
        """End the session; the terminal is restored."""
        if self._done is not None and not self._done.done():
            self._done.set_result(code)

    def fail(self, error: BaseException) -> None:
        """End this session because of an error of ours."""
        if isinstance(error, urwid.ExitMainLoop):
            self.quit()
            return
        log.error("session.failed", who=self.identity.name, exc_info=error)
        self.quit(BROKEN)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that waits, for this session; refusals become a notice."""
        if self._is_closing:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            await work
        except (Refused, GameError) as refusal:
            self.refused(refusal)
        except Exception as error:  # the guard of one session
            self.fail(error)
        self.dirty()

    # What pages use

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

    @property
    def page(self) -> Page | None:
        """Return the page on top."""
        return self.pages[-1] if self.pages else None

    def dirty(self) -> None:
        """Draw at the end of this tick."""
        self._sheet.forget()
        self._is_dirty = True
        if self._loop is not None:
            self._loop.wake()

    def later(self, seconds: float, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after some seconds (it says itself what is to be drawn); returns what takes it back."""
        loop = self._loop
        if loop is None:
            return lambda: None

        handle = loop.alarm(seconds, callback)

        def take_back() -> None:
            loop.remove_alarm(handle)

        return take_back

    def push(self, page: Page) -> None:
        """Go to a page; esc comes back."""
        self.pages.append(page)
        page.start()
        self._entered()

    def pop(self) -> None:
        """Leave the page on top; the first one stays."""
        if len(self.pages) > 1:
            self._stop_page(self.pages.pop())
            self.pages[-1].resume()
            self._entered()

    def pop_to(self, page: Page) -> None:
        """Leave every page above this one."""
        while self.page is not page:
            self.pop()

    def bring(self, page: Page) -> None:
        """Put a page that is open already on top; esc goes to the one that was there."""
        self.pages.remove(page)
        self.pages.append(page)
        page.resume()
        self._entered()

    def replace(self, page: Page) -> None:
        """Put a page in the place of the one on top."""
        if self.pages:
            self._stop_page(self.pages.pop())
        self.push(page)

    def home(self, page: Page) -> None:
        """Leave all pages and begin at this one."""
        while self.pages:
            self._stop_page(self.pages.pop())
        self.push(page)

    def _entered(self) -> None:
        self._question = self._typing = None
        page = self.page
        if page is not None and self.preferences.title:
            self.screen.set_title(page.window_title() or self.house_name)
        self.dirty()

    def notice(self, key: str, style: str = "warn", **params: object) -> None:
        """Say something in the line above the keys, until the next key."""
        self._notice = plain(f" {self.t(key, **params)}", style)
        self.dirty()

    def hush(self) -> None:
        """Say no longer what was said: the page has something that matters more."""
        self._notice = ()
        self.dirty()

    def refused(self, refusal: Refused | GameError) -> None:
        """Say why something was not done."""
        self.notice(refusal.key, "bad", **self.reasons(refusal))

    def reasons(self, refusal: Refused | GameError) -> dict[str, object]:
        """Return a refusal's parameters as its sentence wants them: durations in words."""
        return reasons(refusal, self.look)

    def ask(self, key: str, yes: Callable[[], None], **params: object) -> None:
        """Have something confirmed before it is done."""
        self._question = Question(self.t(key, **params), yes)
        self.dirty()

    def type(
        self,
        key: str,
        accept: Callable[[str], None],
        start: str = "",
        heard: Callable[[str], None] | None = None,
        stays: bool = False,
        limit: int = 200,
    ) -> None:
        """Have a line typed above the keys; `accept` gets it with enter, esc leaves it."""
        self._typing = Typing(self.t(key), Field.of(start, limit), accept, heard, stays)
        self.dirty()

    @property
    def is_typing(self) -> bool:
        """Tell whether keys go to a line being typed."""
        return self._typing is not None

    def use(self, **changes: str) -> None:
        """Change palette, glyphs or language."""
        look = replace(self.look, **changes)
        self.look = self._fitting(look.palette, look.glyph_set, look.language)
        self.screen.set_palette(theme.palette(self.look.palette))
        self.screen.clear()
        self.dirty()

    def _fitting(self, palette: str, glyphs: str, language: str) -> Look:
        client = self.screen.client
        return fitting(palette, glyphs, language, colours=client.colors, utf8=client.is_unicode)

    def who(self) -> str:
        """Say who one is."""
        name = self.t("who.guest", name=self.identity.name) if self.identity.is_guest else self.identity.name
        return f"{name} {self.rating_shown}".rstrip()

    def call(self, text: str) -> None:
        """Call somebody whose terminal is in the background: bell and window title, as they like it."""
        if self.preferences.bell:
            self.screen.ring()
        if self.preferences.title:
            self.screen.set_title(text)

    @property
    def house_name(self) -> str:
        """Return what the operator calls this house."""
        name: str = self.services.settings.name
        return name

    # Drawing

    def compose(self, cols: int, rows: int, for_all: bool = False) -> Frame:
        """Draw the page on top with its frame, in the characters the terminal can show.

        `for_all`: for everybody who shares it, so without this person's badge.
        """
        drawn = self._compose(cols, rows, for_all)
        if self.look.glyph_set != "ascii":
            return drawn
        return replace(drawn, lines=tuple(self._shown(line) for line in drawn.lines))

    def _shown(self, line: Line) -> Line:
        """Return a line in the characters the terminal can show."""
        return ascii_line(line, not self.screen.client.is_unicode) if self.look.glyph_set == "ascii" else line

    def _compose(self, cols: int, rows: int, for_all: bool) -> Frame:
        page = self.page
        if page is not None:
            page.refresh()
        if gate.is_shut(cols, rows):
            return gate.frame(self.look, cols, rows)
        layout = Layout(cols, rows)
        if page is None:
            return frame.compose(layout, self.look, plain(""), [], (), ())
        body = page.body(cols, layout.body_rows)
        badge = page.badge() if for_all else ""
        title = frame.title_line(page.title(), page.who(), self.look, cols, badge)
        (*more, message), cursor = self._message(page, cols), None if self._question else body.cursor
        has_refused = bool(self._notice) and self._typing is not None and not self._typing.field.text
        if self._typing is not None and self._question is None and not has_refused:
            (message, at), more = typed(self._typing, cols), []
            cursor = (at, layout.body_rows)
        drawn = frame.compose(layout, self.look, title, body.lines, message, self.hints(), cursor, body.is_fitted)
        if more:
            drawn = replace(drawn, lines=frame.covered(drawn.lines, layout, more))
        return replace(drawn, badge_end=cols - frame.after_badge(page.who(), badge)) if badge else drawn

    def _message(self, page: Page, cols: int) -> list[Line]:
        """Return what is asked or said: in as many lines as it takes, where it is not what the cursor stands on."""
        said = plain(self._question.text, "warn") if self._question is not None else self._notice
        if not said:
            return self._own_message(page, cols)
        stays = self._question is None and page.message_stays()
        return [*_in_full(said, cols), *(self._own_message(page, cols) if stays else ())]

    def _own_message(self, page: Page, cols: int) -> list[Line]:
        said = page.message()
        return _in_full(said, cols) if page.message_is_whole() and width_cols(said) > cols else [fit(said, cols)]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that work right now; Help is always the last."""
        if self._question is not None:
            return keymap.hints("confirm")
        if self._typing is not None:
            return keymap.hints("chat") if self._typing.stays else keymap.hints("text", ("accept", "cancel"))
        page = self.page
        elsewhere = ("agree", "decline") if self.is_asked and page is not self.pages[0] else ()
        own = page.hints() if page is not None else ()
        return (*keymap.hints("everywhere", elsewhere), *own, *keymap.hints("everywhere", ("help",)))

    # Keys

    def _take_input(self, keys: list[Any], raw: list[int]) -> list[Any]:
        """Do what came in. urwid gets only the resize, which makes it ask for the size again."""
        loop = self._loop
        for key in keys:
            if loop is not None and key != "window resize":
                loop.guarded(partial(self.take, key))
        self.dirty()
        if loop is not None:
            loop.wake(at_once=True)
        return [key for key in keys if key == "window resize"]

    def help(self, rules: bool = False) -> None:
        """Open help on top of the page, at the keys or at the rules of its game."""
        from server.tui.screens.help import HelpPage

        page = self.page
        if page is not None and not isinstance(page, HelpPage):
            opened = HelpPage(self, page)
            self.push(opened)
            if rules:
                opened.do_rules()


def _in_full(said: Line, cols: int) -> list[Line]:
    """Return what is said in as many lines as it takes."""
    style, _ = max(said, key=lambda span: columns(span[1]))
    return [fit((("", " "), *line), cols) for line in wrapped(text_of(said).strip(), cols - 2, style)]
