"""One frame for all who look at the same thing: its members are channel screens, which get its bytes."""

from __future__ import annotations

from typing import Any

import urwid

from server.terminal.fanout import Fanout, SharedFrame
from server.terminal.paint import at, readable
from server.terminal.screen import ChannelScreen
from server.terminal.term import ClientTerm


class SharedScreen(SharedFrame, ChannelScreen):
    """One frame for many terminals of the same kind and size: drawn once, the same bytes for every member.

    It is a screen like any other to a session, but has no terminal, no keys and no size of its own: members
    keep theirs, and go on getting their keys. While bytes are on their way to the members it counts as paused, so the
    next frame is the latest there is. Where a frame leaves room for it, each member has a badge of its own there.
    """

    def __init__(self, term: ClientTerm, size: tuple[int, int]) -> None:
        self._fanout = Fanout(self.badge_of, self.resume)
        ChannelScreen.__init__(self, self._fanout, term, size)
        self.badge_end = None

    def paint(self, size: tuple[int, int], canvas: urwid.Canvas) -> bytes:
        """Return the bytes for all, and note whether they touch the row that badges are in."""
        before = self._painter.top
        data = super().paint(size, canvas)
        self._fanout.has_new_top = before != self._painter.top
        return data

    def badge_of(self, member: ChannelScreen) -> bytes:
        """Return what only this member gets: its badge."""
        if self.badge_end is None or member.badge is None:
            return b""
        style, text, cols = member.badge
        return at(max(0, self.badge_end - cols), 0) + (self.shared.sgr(style) + readable(text)).encode()

    def resize(self, cols: int, rows: int) -> None:
        """Refuse: another size is another group."""
        raise NotImplementedError

    def set_title(self, text: str) -> None:
        """Do nothing: titles are the members' own."""

    def set_mouse_tracking(self, enable: bool = True) -> None:
        """Do nothing: the mouse is the members' own."""

    def _start(self, *args: Any, **kwargs: Any) -> None:
        self.clear()

    def _stop(self) -> None:
        self.let_all_go()


class OwnScreen(ChannelScreen):
    """The screen of one person's terminal, which may begin a frame that others look on at too."""

    def make_group(self) -> SharedScreen:
        """Return a new frame for all terminals that are like this one, and of the size it has now."""
        return SharedScreen(self.client, self._size)
