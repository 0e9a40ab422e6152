"""Who takes a key: an open question first, then a line being typed, the page, and last what works everywhere."""

from __future__ import annotations

from typing import Any

from server.boards import keymap
from server.session.display import Display
from server.session.frames import Frames
from server.session.hold import HeldKeys
from server.session.pages import Pages
from server.session.prompts import Prompts
from server.terminal import frame
from server.terminal.frame import Layout

PASTES = ("begin paste", "end paste")


class Input:
    """Takes keys and mouse events as the terminal decodes them."""

    def __init__(self, display: Display, prompts: Prompts, pages: Pages, frames: Frames, held: HeldKeys) -> None:
        self._display, self._prompts, self._pages, self._frames, self._held = display, prompts, pages, frames, held
        self._is_pasting = False

    def take(self, key: Any) -> str | None:
        """Do what a key or mouse event stands for; return which of the commands that work everywhere is left to do."""
        cols, rows = self._display.size
        page = self._pages.top
        if frame.is_too_small(cols, rows) or page is None:
            return None
        page.refresh()
        if self._is_ignored(key):
            self._held.say()
        elif isinstance(key, tuple):
            return self._take_mouse(key, cols, rows)
        elif isinstance(key, str):
            return self._take_key(key)
        return None

    def _is_ignored(self, key: Any) -> bool:
        """Tell whether a key or a click comes too early; other mouse events are no answers."""
        name = key[0] if isinstance(key, tuple) else str(key)
        is_answer = name not in PASTES if isinstance(key, str) else name == "mouse press"
        return is_answer and self._held.catches(name)

    def _take_key(self, key: str) -> str | None:
        """Press a key; what is pasted goes into fields only, so that no pasted letter is taken for a command."""
        prompts, page = self._prompts, self._pages.top
        if key in PASTES:
            self._is_pasting = key == "begin paste"
        elif not self._is_pasting:
            return self._press(key)
        elif prompts.typing is not None:
            prompts.type_key(prompts.typing, key)
        elif page is not None and prompts.question is None:
            page.paste(key)
        return None

    def _press(self, key: str) -> str | None:
        """Press a key: a question first, then the page, then what works everywhere."""
        page = self._pages.top
        self._prompts.quieten()
        if self._prompts.press(key) or page is None or page.press(key):
            return None
        return keymap.command("everywhere", key)

    def _take_mouse(self, event: tuple[Any, ...], cols: int, rows: int) -> str | None:
        kind, button, col, row = event
        if kind != "mouse press":
            return None
        layout = Layout(cols, rows)
        hinted = frame.spot_at(self._frames.hints(), self._display.look, layout, col, row)
        if button == 1 and hinted is not None:
            return self._press(hinted)
        page = self._pages.top
        if page is None or not self._prompts.is_idle:
            return None
        self._prompts.quieten()
        if button in (4, 5):
            page.wheel(button == 4, col, row - layout.top)
        elif button == 1 and 0 <= row - layout.top < layout.body_rows:
            page.click(col, row - layout.top)
        return None
