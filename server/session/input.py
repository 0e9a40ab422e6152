"""What a session does with a key: an open question first, then a line being typed, the page, what works everywhere."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from server.session.hold import HOLD_S, Hold
from server.session.part import Part
from server.tui import frame, keymap, toosmall
from server.tui.field import LINE_END
from server.tui.frame import Layout

if TYPE_CHECKING:
    from server.session.session import Session

PASTES = ("begin paste", "end paste")
BURST_S = 0.5  # so long after a burst its rest may come
NEXT_S = 0.1  # so long after one key of it the next
IN_A_BURST = {"enter": "\n", "tab": " ", LINE_END: "\n"}


def is_text(key: str) -> bool:
    """Tell whether a key of a burst or paste is text."""
    return len(key) == 1 or key in IN_A_BURST


class Input(Part):
    """Takes keys and mouse events as urwid decodes them."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._is_pasting = False
        self._burst_until = 0.0  # in what comes until then, where a list is asked for, no key is a command
        self._hold = Hold(session.services.clock)

    def hold(self) -> None:
        """Ignore keys for a moment, because a page shows that no key asked for. A line being typed goes on."""
        self._hold.begin()
        self.draw_after_hold()

    def draw_after_hold(self) -> None:
        """Draw again when keys are no longer held back: until then the screen shows that they are."""
        self.session.later(HOLD_S, self.session.dirty)

    def say_held(self) -> None:
        """Say that a key was ignored, until keys are no longer held back."""
        self.session.prompts.notice("session.held")
        self.draw_after_hold()

    @property
    def holds(self) -> bool:
        """Tell whether keys are held back, but for those of a line being typed."""
        return self._hold.is_on and self.session.prompts.typing is None

    def read(self, keys: list[Any], raw: list[int]) -> None:
        """Do what came in; a resize only draws again."""
        session, loop = self.session, self.session.loop
        for is_paste, run in groupby(self._without_burst(keys), self._is_pasted_text):
            typing = session.prompts.typing
            if is_paste and typing is not None and loop is not None:
                text = "".join(IN_A_BURST.get(key, key) for key in run)
                loop.attempted(partial(session.prompts.insert, typing, text))
                continue
            for key in run:
                if loop is not None and key != "window resize":
                    loop.attempted(partial(self.take, key))
        session.touched()
        if loop is not None:
            loop.wake_soon() if session.is_busy else loop.wake(at_once=True)

    def _is_pasted_text(self, key: Any) -> bool:
        """Tell whether a key is a character of a paste into the line being typed."""
        return self._is_pasting and self.session.prompts.typing is not None and isinstance(key, str) and is_text(key)

    def _without_burst(self, keys: list[Any]) -> list[Any]:
        """Return the keys that are keys, where a list is asked for.

        Who pastes on a terminal without bracketed paste sends line ends and letters as keys, in a burst: they are part
        of the list. The key that takes it comes alone.
        """
        typing, now = self.session.prompts.typing, self.session.services.clock.monotonic()
        if typing is None or not typing.field.keeps_lines or self._is_pasting or any(key in PASTES for key in keys):
            return keys
        texts = [key for key in keys if isinstance(key, str) and key != "window resize"]
        if len(texts) < 2 and now >= self._burst_until:
            return keys
        self._burst_until = max(self._burst_until, now + (BURST_S if len(texts) > 1 else NEXT_S))
        self.session.prompts.insert(typing, "".join(IN_A_BURST.get(key, key) for key in texts if is_text(key)))
        return [key for key in keys if key not in texts]

    def take(self, key: Any) -> None:
        """Do what one key or mouse event stands for."""
        cols, rows = self.session.size
        page = self.session.pages.top
        if toosmall.is_shut(cols, rows) or page is None:
            return
        page.refresh()
        if self._is_ignored(key):
            self.say_held()
        elif isinstance(key, tuple):
            self._take_mouse(key, cols, rows)
        elif isinstance(key, str):
            self._take_key(key)

    def _is_ignored(self, key: Any) -> bool:
        """Tell whether a key or a click comes too early; other mouse events are no answers."""
        name = key[0] if isinstance(key, tuple) else str(key)
        is_answer = name not in PASTES if isinstance(key, str) else name == "mouse press"
        return is_answer and self.session.prompts.typing is None and self._hold.catches(name)

    def _take_key(self, key: str) -> None:
        """Press a key; what is pasted goes into fields only, so that no pasted letter is taken for a command."""
        prompts, page = self.session.prompts, self.session.pages.top
        if key in PASTES:
            self._is_pasting = key == "begin paste"
        elif not self._is_pasting:
            self.press(key)
        elif prompts.typing is not None:
            prompts.type_key(prompts.typing, key)
        elif page is not None and prompts.question is None:
            page.paste(key)

    def press(self, key: str) -> None:
        """Press a key: a question first, then the page, then what works everywhere."""
        session, page = self.session, self.session.pages.top
        session.prompts.said = ()
        if session.prompts.press(key) or page is None or page.press(key):
            return
        match keymap.command("everywhere", key):
            case "help":
                session.help()
            case "back":
                if not page.back():
                    session.pages.pop()
            case "redraw":
                session.screen.clear()
            case "agree" | "decline" as answer:
                session.asking.answer(agrees=answer == "agree")
            case "leave":
                session.prompts.ask("session.ask-leave", session.quit, again=key)

    def _take_mouse(self, event: tuple[Any, ...], cols: int, rows: int) -> None:
        kind, button, col, row = event
        if kind != "mouse press":
            return
        session, layout = self.session, Layout(cols, rows)
        hinted = frame.spot_at(session.frames.hints(), session.look, layout, col, row)
        if button == 1 and hinted is not None:
            self.press(hinted)
            return
        page, prompts = session.pages.top, session.prompts
        if page is None or prompts.question is not None or prompts.typing is not None:
            return
        prompts.said = ()
        if button in (4, 5):
            page.wheel(button == 4, col, row - layout.top)
        elif button == 1 and 0 <= row - layout.top < layout.body_rows:
            page.click(col, row - layout.top)
