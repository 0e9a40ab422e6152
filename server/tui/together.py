"""What a session does so that those who see the same share one picture: it joins and leaves groups (sharing.py)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, cast

from server.tui import gate
from server.tui.lines import Line, columns
from server.tui.look import Look
from server.tui.prompts import Question, Typing
from server.tui.screens.page import Page
from server.tui.sharing import GALLERY, Group
from server.tui.terminal import Terminal

if TYPE_CHECKING:
    from server.tui.app import Session


class Together:
    """The part of a session that shares its picture."""

    screen: Terminal
    look: Look
    _notice: Line
    _question: Question | None
    _typing: Typing | None
    _is_closing: bool
    is_asked: bool  # by the pairing: their keys are others then
    _is_dirty: bool = False
    _group: Group | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Return the terminal's columns and rows."""
        raise NotImplementedError

    @property
    def page(self) -> Page | None:
        """Return the page on top."""
        raise NotImplementedError

    def dirty(self) -> None:
        """Draw at the end of this tick."""
        raise NotImplementedError

    def _shown(self, line: Line) -> Line:
        """Return a line in the characters the terminal can show."""
        raise NotImplementedError

    def changed(self, may_part: bool = False) -> None:
        """Draw what everybody who shares this page's frames sees alike: one drawing serves all of them.

        `may_part`: the change may also be one that makes this person see something else than the others.
        """
        if self._group is not None and not (may_part and self._group.key != self._share_key()):
            self._group.wake()
        else:
            self.dirty()

    def _shares(self) -> bool:
        """Tell whether this session looks at a picture it shares; joins and leaves groups as its page's key changes."""
        key, me = self._share_key(), cast("Session", self)
        if self._group is not None and self._group.key != key:
            self._leave_group()
        if key is None:
            return False
        self.screen.set_badge(self._badge())
        if self._group is None:
            self._group, self._is_dirty = GALLERY.join(key, me), True
            if self.page is not None:
                self.page.together()
        if self._is_dirty:
            self._is_dirty = False
            self._group.wake()
        return True

    def _share_key(self) -> Hashable | None:
        page = self.page
        if page is None or self._is_closing or self._question is not None or self._typing is not None or self._notice:
            return None
        if self.is_asked:
            return None
        own = page.share_key()
        if own is None or gate.is_shut(*self.size):
            return None
        return (own, self.screen.client, self.size, self.look)

    def _badge(self) -> tuple[str, str, int] | None:
        """Return this person's own words in the title line of a picture that is shared."""
        own = self.page.badge() if self.page is not None else ""
        if not own:
            return None
        [(style, text)] = self._shown((("dim", f" {own}"),))
        return (style, text, columns(text))

    def _leave_group(self) -> None:
        if self._group is not None:
            self._group.leave(cast("Session", self))
            self._group = None
            if self.page is not None and not self._is_closing:
                self.page.alone()
