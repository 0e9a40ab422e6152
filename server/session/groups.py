"""Sessions that see the same share frames: composed and painted once, the bytes sent to all members.

A group is made of sessions whose pages give equal share keys, on terminals that are alike. One member, the lead,
hears of changes and composes for all; a member whose screen becomes its own (it types, it is asked something) leaves,
and joins again later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from server.terminal import theme
from server.terminal.drawqueue import QueuedDrawing, draw_queue
from server.terminal.sheet import Frame, LineCanvas

if TYPE_CHECKING:
    from server.session.session import Session


TOLD_AT_ONCE = 50  # members, between two rounds of the loop
MOST_KEPT = 16  # frames of groups that have ended


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """The last frame of a group that has ended, painted: the next group of its key often begins with the same."""

    state: object
    frame: Frame
    painter: Any


class Group:
    """The sessions that share one frame."""

    def __init__(self, key: Hashable, first: Session, groups: Groups) -> None:
        self.key = key
        self.size = first.size
        self.members: dict[Session, None] = {}
        self._groups = groups
        self._loop = asyncio.get_running_loop()
        self._queue = draw_queue()
        self._drawing: QueuedDrawing | None = None
        self._clock_timer: asyncio.TimerHandle | None = None
        self._frame: Frame | None = None
        self._state: object = None  # what the frame was composed of; None: not known
        self.screen = first.screen.make_group()
        self.screen.set_palette(theme.palette(first.look.palette, first.screen.client.ground))
        self.screen.on_resume = self.wake
        self._begin_with(groups.kept.pop(key, None), first)

    def _begin_with(self, kept: KeptFrame | None, first: Session) -> None:
        """Begin with the frame of an earlier group, where nothing that it shows has changed since."""
        if kept is not None and first.frames.state() == kept.state:
            self._frame, self._state = kept.frame, kept.state
            self.screen.begin_with(kept.painter, kept.frame.badge_end)

    def join(self, session: Session) -> None:
        """Take a session in; it gets the whole frame at once, or with the first drawing."""
        self.members[session] = None
        self.screen.join(session.screen)

    def leave(self, session: Session) -> None:
        """Remove a session; the group ends with its last one."""
        led = self.lead is session
        if session in self.members:
            del self.members[session]
            self.screen.leave(session.screen)
        if led and (lead := self.lead) is not None:
            _guarded(lead, lead.sharing.take_lead)
        if not self.members:
            if self._drawing is not None:
                self._drawing.cancel()
            if self._clock_timer is not None:
                self._clock_timer.cancel()
            self._drawing = self._clock_timer = None
            self._groups.by_key.pop(self.key, None)
            if self._state is not None and self._frame is not None:
                self._groups.keep(self.key, KeptFrame(self._state, self._frame, self.screen.painter))
            self.screen.end()

    @property
    def lead(self) -> Session | None:
        """Return the member that hears of changes, and is drawn, for all."""
        return next(iter(self.members), None)

    def tell(self) -> None:
        """Tell all but the lead that something has changed which each must look at, some members at a time."""
        self._tell(list(self.members)[1:])

    def _tell(self, members: list[Session]) -> None:
        for member in members[:TOLD_AT_ONCE]:
            if member in self.members:
                _guarded(member, member.sharing.hear)
        if rest := members[TOLD_AT_ONCE:]:
            self._loop.call_soon(self._tell, rest)

    def shows(self, member: Session) -> bool:
        """Tell whether the frame shows already what it would for a member as things are now."""
        return self._state is not None and member.frames.state() == self._state

    def wake(self) -> None:
        """Draw soon, once, however many members ask. A new member waits for a first frame."""
        if self._drawing is None:
            self._drawing = self._queue.ask(self._draw, at_once=self._frame is None)

    def _draw(self) -> None:
        self._drawing = None
        if (drawer := self.lead) is None or self.screen.skips():
            return
        try:
            self._compose(drawer)
        except Exception as error:  # the guard of one session: another member draws instead
            self.leave(drawer)
            drawer.fail(error)
            self.wake()
            return
        self._tick_later(drawer.pages.top.tick_s() if drawer.pages.top is not None else None)

    def _compose(self, drawer: Session) -> None:
        """Compose the frame and send it, where it may have changed."""
        began, state = perf_counter(), drawer.frames.state()
        if drawer.sharing.leave_if_unlike(for_any=state is not None):  # what it sees of its own is not the others'
            self.wake()
            return
        if state is not None and state == self._state:
            return
        frame = drawer.frames.compose(*self.size, for_all=True)
        self._state = state
        if frame != self._frame:
            self._frame, self.screen.badge_end = frame, frame.badge_end
            self.screen.draw_screen(self.size, LineCanvas(frame))
        drawer.services.rendered(perf_counter() - began)

    def _tick_later(self, seconds: float | None) -> None:
        """Draw the clocks again after some seconds, unless something else is drawn before: one timer for all."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
        self._clock_timer = self._loop.call_later(seconds, self.wake) if seconds is not None and self.members else None


def _guarded(member: Session, hears: Callable[[], None]) -> None:
    try:
        hears()
    except Exception as error:  # the guard of one session: the others still hear
        member.fail(error)


class Groups:
    """The groups of one process by key, and the last frames of some that have ended."""

    def __init__(self) -> None:
        self.by_key: dict[Hashable, Group] = {}
        self.kept: dict[Hashable, KeptFrame] = {}

    def keep(self, key: Hashable, kept: KeptFrame) -> None:
        """Keep a frame for the next group of its key."""
        self.kept[key] = kept
        if len(self.kept) > MOST_KEPT:
            del self.kept[next(iter(self.kept))]

    def join(self, key: Hashable, session: Session) -> Group:
        """Bring a session into the group of its key."""
        group = self.by_key.get(key)
        if group is None:
            group = self.by_key[key] = Group(key, session, self)
        group.join(session)
        return group


GROUPS = Groups()
