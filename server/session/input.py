"""Who takes a key: an open question first, then a line being typed, the page, and last what works everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from server.boards import keymap
from server.session.display import Display
from server.session.frames import Frames
from server.session.heldkeys import HeldKeys
from server.session.page import Page
from server.session.pages import Pages
from server.session.prompts import Prompts
from server.terminal import frame
from server.terminal.field import LINE_END
from server.terminal.frame import Layout
from server.terminal.itemwords import rows_of
from server.terminal.keys import Key, Mouse, RowPress

PASTES = ("begin paste", "end paste")
BURST_S = 0.5  # so long after a burst its rest may come
NEXT_S = 0.1  # so long after one key of it the next
IN_A_BURST = {"enter": "\n", "tab": " ", LINE_END: "\n"}


def is_text(key: str) -> bool:
    """Tell whether a key of a burst or paste is text."""
    return len(key) == 1 or key in IN_A_BURST


def pasted(keys: Iterable[str]) -> str:
    """Return the text that keys of a burst or paste stand for."""
    return "".join(IN_A_BURST.get(key, key) for key in keys)


Pressed = Key | RowPress  # what a terminal tells of keys, mouse and taps


class Input:
    """Takes keys and mouse events as the terminal decodes them."""

    def __init__(
        self,
        display: Display,
        prompts: Prompts,
        pages: Pages,
        frames: Frames,
        held: HeldKeys,
        monotonic: Callable[[], float],
    ) -> None:
        self._display, self._prompts, self._pages, self._frames, self._held = display, prompts, pages, frames, held
        self._monotonic = monotonic
        self._is_pasting = False
        self._burst_until = 0.0  # in what comes until then, where a list is asked for, no key is a command

    def is_pasted_text(self, key: Pressed) -> bool:
        """Tell whether a key is a character of a paste into the line being typed."""
        return self._is_pasting and self._prompts.typing is not None and isinstance(key, str) and is_text(key)

    def without_burst(self, keys: list[Pressed]) -> list[Pressed]:
        """Return the keys that are keys, where a list is asked for.

        Who pastes on a terminal without bracketed paste sends line ends and letters as keys, in a burst: they are part
        of the list. The key that takes it comes alone.
        """
        typing, now = self._prompts.typing, self._monotonic()
        if typing is None or not typing.field.keeps_lines or self._is_pasting or any(key in PASTES for key in keys):
            return keys
        texts = [key for key in keys if isinstance(key, str) and key != "window resize"]
        if len(texts) < 2 and now >= self._burst_until:
            return keys
        self._burst_until = max(self._burst_until, now + (BURST_S if len(texts) > 1 else NEXT_S))
        self._prompts.insert(typing, pasted(key for key in texts if is_text(key)))
        return [key for key in keys if key not in texts]

    def press(self, key: Pressed) -> str | None:
        """Do what a key or mouse event stands for; return which of the commands that work everywhere is left to do."""
        cols, rows = self._display.size
        page = self._pages.top
        if frame.is_too_small(cols, rows) or page is None:
            return None
        page.refresh()
        if self._is_ignored(key):
            self._held.say()
        elif isinstance(key, RowPress):
            self._press_row(page, key)
        elif isinstance(key, tuple):
            return self._press_mouse(key, cols, rows)
        elif isinstance(key, str):
            return self._press_or_paste(key)
        return None

    def _is_ignored(self, key: Pressed) -> bool:
        """Tell whether a key or a click comes too early; other mouse events are no answers."""
        if isinstance(key, RowPress):
            return self._held.catches(f"row {key.number}")
        name = key[0] if isinstance(key, tuple) else str(key)
        is_answer = name not in PASTES if isinstance(key, str) else name == "mouse press"
        return is_answer and self._held.catches(name)

    def _press_or_paste(self, key: str) -> str | None:
        """Press a key; what is pasted goes into fields only, so that no pasted letter is taken for a command."""
        prompts, page = self._prompts, self._pages.top
        if key in PASTES:
            self._is_pasting = key == "begin paste"
        elif not self._is_pasting:
            return self._press_key(key)
        elif prompts.typing is not None:
            prompts.type_key(prompts.typing, key)
        elif page is not None and prompts.question is None:
            page.paste(key)
        return None

    def _press_key(self, key: str) -> str | None:
        """Press a key: a question first, then the page, then what works everywhere."""
        page = self._pages.top
        self._prompts.quieten()
        if page is None or self._prompts.press(key, page.hints) or page.press(key):
            return None
        return keymap.command("everywhere", key)

    def _press_row(self, page: Page, pressed: RowPress) -> None:
        """Choose a row by its number, unless another one has it by now, and open it where that is meant."""
        if not self._prompts.is_idle:
            return
        self._prompts.quieten()
        rows = rows_of(page.items())
        is_there = pressed.text in rows[pressed.number - 1 : pressed.number]
        if is_there and page.choose(pressed.number) and pressed.opens:
            page.speech().open_chosen()

    def _press_mouse(self, event: Mouse, cols: int, rows: int) -> str | None:
        kind, button, col, row = event
        if kind != "mouse press":
            return None
        stage = self._frames.stage(cols, rows)
        layout, (col, row) = Layout(*stage.size), stage.within(col, row)
        hinted = frame.spot_at(self._frames.hints(), self._display.look, layout, col, row)
        if button == 1 and hinted is not None:
            return self._press_key(hinted)
        page = self._pages.top
        if page is None or not self._prompts.is_idle:
            return None
        self._prompts.quieten()
        if button in (4, 5):
            page.wheel(button == 4, col, row - layout.top)
        elif button == 1 and 0 <= row - layout.top < layout.body_rows:
            page.click(col, row - layout.top)
        return None
