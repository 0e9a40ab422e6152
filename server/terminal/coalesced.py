"""Timers that ring together: one of the event loop's for all sessions that are due at about the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil
from weakref import WeakKeyDictionary

from server.terminal.drawqueue import draw_queue

SLACK_S = 0.05


class CoalescedTimer:
    """One session's part of what rings together. Cancelled, it knows nobody any more."""

    __slots__ = ("_drop", "ring")

    def __init__(self, ring: Callable[[], None], drop: Callable[[CoalescedTimer], None]) -> None:
        self.ring = ring
        self._drop = drop

    def cancel(self) -> None:
        """Don't ring."""
        self._drop(self)
        self.ring = _nothing


class Slot:
    """All that rings at one moment."""

    def __init__(self, timers: CoalescedTimers, number: int) -> None:
        self._timers = timers
        self._number = number
        self.waiting: dict[CoalescedTimer, None] = {}
        self._handle = timers.loop.call_at(number * SLACK_S, self._ring)

    def drop(self, timer: CoalescedTimer) -> None:
        """Forget one that need not ring; nobody waits for a moment at which nothing rings."""
        self.waiting.pop(timer, None)
        if not self.waiting:
            self._handle.cancel()
            self._leave()

    def _leave(self) -> None:
        if self._timers.slots.get(self._number) is self:
            del self._timers.slots[self._number]

    def _ring(self) -> None:
        self._leave()
        draw_queue().together(self._ring_all)

    def _ring_all(self) -> None:
        while self.waiting:  # one may cancel another
            timer = next(iter(self.waiting))
            ring = timer.ring
            timer.cancel()
            ring()


class CoalescedTimers:
    """The timers of one loop that may ring up to `SLACK_S` late. What they change is drawn in the same round."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.slots: dict[int, Slot] = {}

    def at(self, due: float, ring: Callable[[], None]) -> CoalescedTimer:
        """Let `ring` be called at a time of the loop, or a little later; it must not raise."""
        number = ceil(due / SLACK_S)
        slot = self.slots.get(number)
        if slot is None:
            slot = self.slots[number] = Slot(self, number)
        timer = CoalescedTimer(ring, slot.drop)
        slot.waiting[timer] = None
        return timer


def _nothing() -> None:
    pass


_TIMERS: WeakKeyDictionary[asyncio.AbstractEventLoop, CoalescedTimers] = WeakKeyDictionary()


def coalesced_timers() -> CoalescedTimers:
    """Return the coalesced timers of the running loop."""
    loop = asyncio.get_running_loop()
    found = _TIMERS.get(loop)
    if found is None:
        found = _TIMERS[loop] = CoalescedTimers(loop)
    return found
