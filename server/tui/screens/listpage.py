"""A page with a list of which one row is chosen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from server.session.page import Page
from server.session.session import Session
from server.tui import keymap
from server.tui.keymap import Hint
from server.tui.lines import Line, plain
from server.tui.screens.chooser import Chooser

POINTER_COLS: Final = 3  # that a row begins with


class ListPage(Page):
    """A page with a list: the keys of a list move in it, before the page's own commands."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.chooser = Chooser()

    def count(self) -> int:
        """Return how many rows there are."""
        raise NotImplementedError

    def contexts(self) -> tuple[str, ...]:
        """Return the page's own keys and those of a list."""
        return tuple(dict.fromkeys((self.context, "list")))

    def hints(self) -> tuple[Hint, ...]:
        """Return a list's keys."""
        return (*keymap.hints("list", ("open", "move")), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Choose a row, or do a command."""
        moved = self.chooser.press(key, self.count())
        if moved is None:
            return super().press(key)
        self.chooser = moved
        return True

    def keep_chosen(self, key: Hashable, keys: Sequence[Hashable]) -> None:
        """Choose the row of this key in a list that has changed, where it is still there."""
        if key in keys:
            self.chooser = self.chooser.at(keys.index(key), len(keys))
        self.chooser = self.chooser.clamp(len(keys))

    def pointer(self, index: int) -> str:
        """Return what a row begins with: a pointer where it is the chosen one."""
        return f" {self.session.look.glyphs.pointer} " if index == self.chooser.index else "   "

    def marked(self, index: int, text: str, style: str = "") -> Line:
        """Write a row behind its pointer, on a ground of its own where it is the chosen one."""
        return plain(self.pointer(index) + text, "row" if index == self.chooser.index else style)

    def choose_at(self, row: int, rows: int) -> bool:
        """Choose the row at a line of `rows` that show; False: there is none."""
        window = self.chooser.window(self.count(), rows)
        if not 0 <= row < len(window):
            return False
        self.chooser = self.chooser.at(window[row], self.count())
        return True
