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
from typing import Any

from server.session.asking import Asking
from server.session.display import Display
from server.session.frames import Frames
from server.session.lifetime import Lifetime
from server.session.page import Page
from server.session.pages import Pages
from server.session.prompts import Prompts
from server.terminal import frame
from server.terminal.drawqueue import CoalescedTimers, DrawQueue, QueuedDrawing
from server.terminal.lines import columns
from server.terminal.sheet import Frame, LineCanvas

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

    def __init__(self, key: Hashable, first: Sharing, groups: Groups) -> None:
        display = first.display
        self.key = key
        self.size = display.size
        self.members: dict[Sharing, None] = {}
        self._groups = groups
        self._loop = asyncio.get_running_loop()
        self._drawing: QueuedDrawing | None = None
        self._clock_timer: asyncio.TimerHandle | None = None
        self._frame: Frame | None = None
        self._state: object = None  # what the frame was composed of; None: not known
        self.screen = display.screen.make_group()
        self.screen.set_palette(display.styles)
        self.screen.on_resume = self.wake
        self._begin_with(groups.kept.pop(key, None), first)

    def _begin_with(self, kept: KeptFrame | None, first: Sharing) -> None:
        """Begin with the frame of an earlier group, where nothing that it shows has changed since."""
        if kept is not None and first.frames.state() == kept.state:
            self._frame, self._state = kept.frame, kept.state
            self.screen.begin_with(kept.painter, kept.frame.badge_end)

    def join(self, member: Sharing) -> None:
        """Take a session in; it gets the whole frame at once, or with the first drawing."""
        self.members[member] = None
        self.screen.join(member.display.screen)

    def leave(self, member: Sharing) -> None:
        """Remove a session; the group ends with its last one."""
        led = self.lead is member
        if member in self.members:
            del self.members[member]
            self.screen.leave(member.display.screen)
        if led and (lead := self.lead) is not None:
            _guarded(lead, lead.take_lead)
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
    def lead(self) -> Sharing | None:
        """Return the member that hears of changes, and is drawn, for all."""
        return next(iter(self.members), None)

    def notify(self) -> None:
        """Tell all but the lead that something has changed which each must look at, some members at a time."""
        self._notify(list(self.members)[1:])

    def _notify(self, members: list[Sharing]) -> None:
        for member in members[:TOLD_AT_ONCE]:
            if member in self.members:
                _guarded(member, member.hear)
        if rest := members[TOLD_AT_ONCE:]:
            self._loop.call_soon(self._notify, rest)

    def shows(self, member: Sharing) -> bool:
        """Tell whether the frame shows already what it would for a member as things are now."""
        return self._state is not None and member.frames.state() == self._state

    def wake(self) -> None:
        """Draw soon, once, however many members ask. A new member waits for a first frame."""
        if self._drawing is None:
            self._drawing = self._groups.queue.ask(self._draw, at_once=self._frame is None)

    def _draw(self) -> None:
        self._drawing = None
        if (drawer := self.lead) is None or self.screen.skips():
            return
        try:
            self._compose(drawer)
        except Exception as error:  # the guard of one session: another member draws instead  # noqa: BLE001
            self.leave(drawer)
            drawer.lifetime.fail(error)
            self.wake()
            return
        self._tick_later(drawer.tick_s())

    def _compose(self, drawer: Sharing) -> None:
        """Compose the frame and send it, where it may have changed."""
        began, state = perf_counter(), drawer.frames.state()
        if drawer.leave_if_unlike(for_any=state is not None):  # what it sees of its own is not the others'
            self.wake()
            return
        if state is not None and state == self._state:
            return
        frame = drawer.frames.compose(*self.size, for_all=True)
        self._state = state
        if frame != self._frame:
            self._frame, self.screen.badge_end = frame, frame.badge_end
            self.screen.draw_screen(self.size, LineCanvas(frame))
        self._groups.rendered(perf_counter() - began)

    def _tick_later(self, seconds: float | None) -> None:
        """Draw the clocks again after some seconds, unless something else is drawn before: one timer for all."""
        if self._clock_timer is not None:
            self._clock_timer.cancel()
        self._clock_timer = self._loop.call_later(seconds, self.wake) if seconds is not None and self.members else None


def _guarded(member: Sharing, hears: Callable[[], None]) -> None:
    try:
        hears()
    except Exception as error:  # the guard of one session: the others still hear  # noqa: BLE001
        member.lifetime.fail(error)


class Groups:
    """The groups of one process by key, and the last frames of some that have ended.

    All drawings of the process wait in `queue`, and its sessions' timers ring together; `rendered` hears how many
    seconds the drawing of a group took.
    """

    def __init__(self, queue: DrawQueue, rendered: Callable[[float], None]) -> None:
        self.queue = queue
        self.timers = CoalescedTimers(queue)
        self.rendered = rendered
        self.by_key: dict[Hashable, Group] = {}
        self.kept: dict[Hashable, KeptFrame] = {}

    def keep(self, key: Hashable, kept: KeptFrame) -> None:
        """Keep a frame for the next group of its key."""
        self.kept[key] = kept
        if len(self.kept) > MOST_KEPT:
            del self.kept[next(iter(self.kept))]

    def join(self, key: Hashable, member: Sharing) -> Group:
        """Bring a session into the group of its key."""
        group = self.by_key.get(key)
        if group is None:
            group = self.by_key[key] = Group(key, member, self)
        group.join(member)
        return group


class Sharing:
    """How one session shares its frame: it joins and leaves groups as what it sees changes."""

    def __init__(
        self,
        display: Display,
        lifetime: Lifetime,
        prompts: Prompts,
        pages: Pages,
        asking: Asking,
        frames: Frames,
        groups: Groups,
    ) -> None:
        self.display, self.lifetime, self.frames = display, lifetime, frames
        self._prompts, self._pages, self._asking, self._groups = prompts, pages, asking, groups
        self._group: Group | None = None
        self._page: Page | None = None  # whose frame is shared

    def changed(self, may_differ: bool = False) -> None:
        """Draw what everybody who shares this page's frames sees alike: one drawing serves all of them.

        `may_differ`: the change may also be one that makes this person see something else than the others.
        """
        if self._group is not None and not (may_differ and self._group.key != self._share_key()):
            self._group.wake()
        else:
            self.display.dirty()

    def draw_shared(self) -> bool:
        """Have the group draw, where the page's frame is shared, and return whether it is.

        Joins and leaves groups as the page's share key changes.
        """
        key, display = self._share_key(), self.display
        if self._group is not None and self._group.key != key:
            self.leave()
        if key is None:
            return False
        is_stale = display.give_away()
        display.screen.set_badge(self._badge())
        if self._group is None:
            self._group, is_stale = self._groups.join(key, self), True
        if self._page is not self._pages.top:  # or another page that looks the same
            self._page = self._pages.top
            if self._page is not None:
                self._page.on_shared(self._group.lead is self)
        if is_stale and not self._group.shows(self):
            self._group.wake()
        return True

    def _share_key(self) -> Hashable | None:
        page, display = self._pages.top, self.display
        if page is None or self.lifetime.is_closing or not self._prompts.is_quiet or self._asking.is_owed:
            return None
        own = page.share_key()
        if own is None or self._pages.waiting_elsewhere() is not None or frame.is_too_small(*display.size):
            return None
        return (own, display.screen.client, display.size, display.look)

    def _badge(self) -> tuple[str, str, int] | None:
        """Return this person's own words in the title line of a frame that is shared."""
        page = self._pages.top
        own = page.badge() if page is not None else ""
        if not own:
            return None
        [(style, text)] = self.display.shown((("bar.dim", f" {own}"),))
        return (style, text, columns(text))

    def leave(self) -> None:
        """Draw one's own frame from now on."""
        if self._group is not None:
            group, page, self._group, self._page = self._group, self._open_page(), None, None
            group.leave(self)
            if page is not None:
                page.on_unshared()

    def leave_if_unlike(self, for_any: bool) -> bool:
        """Leave the group where this session sees something of its own by now; return whether it does.

        `for_any`: also where it would share another group's frame. Else it goes on with all of this one: a match's end.
        """
        key = self._share_key()
        if self._group is None or key == self._group.key or (key is not None and not for_any):
            return False
        self.leave()
        self.display.dirty()
        return True

    def take_lead(self) -> None:
        """Hear of changes for all members from now on: who did has left."""
        if (page := self._open_page()) is not None:
            page.on_shared(leads=True)

    def notify_rest(self) -> None:
        """Tell the other members what each of them must look at for itself."""
        if self._group is not None and self._group.lead is self:
            self._group.notify()

    def hear(self) -> None:
        """Hear from the lead that something has changed which each member must look at."""
        if (page := self._open_page()) is not None:
            page.changed()

    def tick_s(self) -> float | None:
        """Return when the shared frame is drawn again for its clocks; None: it has none.

        Where the other side counts by itself that is when one is over.
        """
        if (page := self._pages.top) is None:
            return None
        return page.tick_s() if self.display.screen.ticks else page.runs_out_s()

    def _open_page(self) -> Page | None:
        """Return the page whose frame is shared, unless it has been left since the last drawing."""
        page = self._page
        return None if page is None or self.lifetime.is_closing or page not in self._pages else page
