"""What a session does with a key: an open question first, then a line being typed, then the page, then the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from server.tui import frame, gate, keymap
from server.tui.field import Field
from server.tui.frame import Layout
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look
from server.tui.prompts import Question, Typing
from server.tui.screens.page import Page
from server.tui.terminal import Terminal


class Hearing:
    """The half of a session that takes keys and mouse events."""

    screen: Terminal
    look: Look
    _notice: Line
    _question: Question | None
    _typing: Typing | None
    _pasting: bool

    @property
    def size(self) -> tuple[int, int]:
        """Return the terminal's columns and rows."""
        raise NotImplementedError

    @property
    def page(self) -> Page | None:
        """Return the page on top."""
        raise NotImplementedError

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that work right now."""
        raise NotImplementedError

    def pop(self) -> None:
        """Leave the page on top."""
        raise NotImplementedError

    def help(self) -> None:
        """Open help."""
        raise NotImplementedError

    def answer_question(self, *, agrees: bool) -> None:
        """Answer what the pairing asks."""
        raise NotImplementedError

    def ask(self, key: str, yes: Callable[[], None], **params: object) -> None:
        """Have something confirmed before it is done."""
        raise NotImplementedError

    def quit(self, code: int = 0) -> None:
        """End the session."""
        raise NotImplementedError

    def take(self, key: Any) -> None:
        """Do what one key or mouse event stands for."""
        cols, rows = self.size
        if gate.is_shut(cols, rows) or self.page is None:
            return
        self.page.refresh()
        if isinstance(key, tuple):
            self._take_mouse(key, cols, rows)
        elif isinstance(key, str):
            self._take_key(key)

    def _take_key(self, key: str) -> None:
        """Press a key; what is pasted goes into fields only, so that no pasted letter is taken for a command."""
        if key in ("begin paste", "end paste"):
            self._pasting = key == "begin paste"
        elif not self._pasting:
            self.press(key)
        elif self._typing is not None:
            self._type_key(self._typing, key)
        elif self.page is not None:
            self.page.paste(key)

    def press(self, key: str) -> None:
        """Press a key: a question first, then the page, then what works everywhere."""
        self._notice = ()
        if self._question is not None:
            self._answer(key)
            return
        if self._typing is not None:
            self._type_key(self._typing, key)
            return
        page = self.page
        if page is None or page.press(key):
            return
        match keymap.command("everywhere", key):
            case "help":
                self.help()
            case "back":
                if not page.back():
                    self.pop()
            case "redraw":
                self.screen.clear()
            case "agree" | "decline" as answer:
                self.answer_question(agrees=answer == "agree")
            case "leave":
                self.ask("session.ask-leave", self.quit)

    def _type_key(self, typing: Typing, key: str) -> None:
        match keymap.command("text", key):
            case "cancel":
                self._typing = None
                if typing.heard is not None:
                    typing.heard("")
            case "accept":
                text = typing.field.text.strip()
                self._typing = replace(typing, field=Field(limit=typing.field.limit)) if typing.stays and text else None
                if text or typing.heard is not None:
                    typing.accept(text)
            case _:
                changed = typing.field.press(key)
                if changed is not None:
                    self._typing = replace(typing, field=changed)
                    if typing.heard is not None:
                        typing.heard(changed.text)

    def _answer(self, key: str) -> None:
        question, answer = self._question, keymap.command("confirm", key)
        if answer is not None:
            self._question = None
        if question is not None and answer == "yes":
            question.yes()

    def _take_mouse(self, event: tuple[Any, ...], cols: int, rows: int) -> None:
        kind, button, col, row = event
        if kind != "mouse press":
            return
        layout = Layout(cols, rows)
        hinted = frame.spot_at(self.hints(), self.look, layout, col, row)
        if button == 1 and hinted is not None:
            self.press(hinted)
        elif self._question is None and self._typing is None and (page := self.page) is not None:
            self._notice = ()
            in_body = 0 <= row - layout.top < layout.body_rows
            if button in (4, 5):
                page.wheel(button == 4, col, row - layout.top)
            elif button == 1 and in_body:
                page.click(col, row - layout.top)
