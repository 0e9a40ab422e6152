"""Sessions that see the same share frames: composed and painted once, the bytes sent to all members.

A group is made of sessions whose pages give equal share keys, on terminals that are alike. One member composes for
all; a member whose screen becomes its own (it types, it is asked something) leaves, and joins again later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from time import perf_counter
from typing import TYPE_CHECKING

from server.tui import theme
from server.tui.sheet import Frame, LineCanvas
from server.tui.turns import Turn, turns

if TYPE_CHECKING:
    from server.session.session import Session


class Group:
    """The sessions that share one frame."""

    def __init__(self, key: Hashable, first: Session, groups: dict[Hashable, Group]) -> None:
        self.key = key
        self.size = first.size
        self.members: dict[Session, None] = {}
        self._groups = groups
        self._loop = asyncio.get_running_loop()
        self._turns = turns()
        self._tick: Turn | None = None
        self._clocks: asyncio.TimerHandle | None = None
        self._frame: Frame | None = None
        self.screen = first.screen.make_group()
        self.screen.set_palette(theme.palette(first.look.palette, first.screen.client.ground))
        self.screen.on_resume = self.wake

    def join(self, session: Session) -> None:
        """Take a session in; it gets the whole frame at once, or with the first drawing."""
        self.members[session] = None
        self.screen.join(session.screen)

    def leave(self, session: Session) -> None:
        """Remove a session; the group ends with its last one."""
        if session in self.members:
            del self.members[session]
            self.screen.leave(session.screen)
        if not self.members:
            if self._tick is not None:
                self._tick.cancel()
            if self._clocks is not None:
                self._clocks.cancel()
            self._tick = self._clocks = None
            self._groups.pop(self.key, None)
            self.screen.end()

    def wake(self) -> None:
        """Draw at the end of this tick, once, however many members ask. A new member waits for a first frame."""
        if self._tick is None:
            self._tick = self._turns.ask(self._draw, at_once=self._frame is None)

    def _draw(self) -> None:
        self._tick = None
        if not self.members or self.screen.skips():
            return
        drawer, began = next(iter(self.members)), perf_counter()
        try:
            frame = drawer.frames.compose(*self.size, for_all=True)
        except Exception as error:  # the guard of one session: another member draws instead
            self.leave(drawer)
            drawer.fail(error)
            self.wake()
            return
        if frame != self._frame:
            self._frame, self.screen.badge_end = frame, frame.badge_end
            self.screen.draw_screen(self.size, LineCanvas(frame))
        drawer.services.rendered(perf_counter() - began)
        self._tick_later(drawer.pages.top.tick_s() if drawer.pages.top is not None else None)

    def _tick_later(self, seconds: float | None) -> None:
        """Draw the clocks again after some seconds, unless something else is drawn before: one timer for all."""
        if self._clocks is not None:
            self._clocks.cancel()
        self._clocks = self._loop.call_later(seconds, self.wake) if seconds is not None and self.members else None


class Gallery:
    """The groups of one process, by key."""

    def __init__(self) -> None:
        self.groups: dict[Hashable, Group] = {}

    def join(self, key: Hashable, session: Session) -> Group:
        """Bring a session into the group of its key."""
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group(key, session, self.groups)
        group.join(session)
        return group


GALLERY = Gallery()
