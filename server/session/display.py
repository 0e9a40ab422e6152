"""The terminal of a session as it is drawn on: its look, its sheet, and when it is drawn again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from server.i18n.catalogues import from_locale
from server.terminal import theme
from server.terminal.frame import Layout
from server.terminal.lines import Line
from server.terminal.look import Look, ascii_line, fitting
from server.terminal.loop import SessionLoop
from server.terminal.protocols import Terminal
from server.terminal.sheet import Sheet


class Display:
    """What one terminal shows, and when it is drawn again. It knows no page."""

    def __init__(self, screen: Terminal, lang: str) -> None:
        """`lang`: the client's LANG, which chooses the first language."""
        self.screen = screen
        self.look = self._fitting(theme.suited("default", screen.client.ground), "unicode", from_locale(lang))
        self.sheet = Sheet()
        self._is_stale = False  # what shows is to be drawn again, by the session or by its group
        self.loop: SessionLoop | None = None
        self.styles: tuple[theme.Entry, ...] = ()  # the terminal has

    def start(self, loop: SessionLoop, read: Callable[[list[Any], list[int]], None]) -> None:
        """Start the screen; `read` gets the keys."""
        self.loop = loop
        self.styles = self._palette(self.look)
        self.screen.set_palette(self.styles)
        self.screen.on_resume = loop.wake
        self.screen.waits_for_frame = True
        self.screen.start()
        self.screen.set_mouse_tracking()
        self.screen.hook_event_loop(loop, read)

    def change(self, screen: Terminal, read: Callable[[list[Any], list[int]], None]) -> None:
        """Go on on another terminal of the same person; `read` gets its keys."""
        loop = self.loop
        if loop is None:
            return
        self._leave_screen(loop)
        self.screen = screen
        self.sheet.forget()
        self.start(loop, read)
        self.use()

    def stop(self) -> None:
        """Restore the terminal."""
        if self.loop is not None:
            self._leave_screen(self.loop)
            self.loop.close()
        self.loop = None  # breaks the reference cycle between it and the session

    def _leave_screen(self, loop: SessionLoop) -> None:
        self.screen.unhook_event_loop(loop)
        self.screen.stop()
        self.screen.on_resume = None

    @property
    def worded(self) -> Look:
        """Return the look in which something is said: where nothing is drawn, with words instead of glyphs and keys."""
        return self.look if self.screen.draws else self.look.heard()

    def t(self, key: str, **params: object) -> str:
        """Return a sentence in the person's language."""
        return self.worded.t(key, **params)

    @property
    def size(self) -> tuple[int, int]:
        """Return the terminal's columns and rows."""
        return self.screen.get_cols_rows()

    def body_rows(self, rows: int) -> int:
        """Return how many rows a page's body has on a terminal of so many."""
        return Layout(80, rows).body_rows

    def outdate(self) -> None:
        """Compose the screen anew at the next drawing."""
        self.sheet.forget()
        self._is_stale = True

    def give_away(self) -> bool:
        """Forget one's own frame, because the terminal shows a shared one; return whether that is to be drawn again."""
        was_stale, self._is_stale = self._is_stale, False
        self.sheet.forget()
        return was_stale

    def dirty(self) -> None:
        """Compose the screen anew, and draw it soon."""
        self.outdate()
        if self.loop is not None:
            self.loop.wake()

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

    def use(self, **changes: Any) -> None:
        """Change palette, glyphs or language."""
        look = replace(self.look, **changes)
        look = self._fitting(look.palette, look.glyph_set, look.language)
        styles = self._palette(look)
        if look != self.look or styles != self.styles:
            self.look, self.styles = look, styles
            self.screen.set_palette(styles)
        self.dirty()

    def _palette(self, look: Look) -> tuple[theme.Entry, ...]:
        client = self.screen.client
        return theme.palette(look.palette, client.ground, client.colors)

    def _fitting(self, palette: str, glyphs: str, language: str) -> Look:
        client = self.screen.client
        look = fitting(palette, glyphs, language, colours=client.colors, utf8=client.is_unicode)
        return look if self.screen.ticks else replace(look, has_large_clocks=False)

    def shown(self, line: Line) -> Line:
        """Return a line in the characters the terminal can show."""
        return ascii_line(line, not self.screen.client.is_unicode) if self.look.glyph_set == "ascii" else line
