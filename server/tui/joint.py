"""Timers that ring together: one of the event loop's for all sessions that are due at about the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil
from weakref import WeakKeyDictionary

from server.tui.turns import turns

JOINT_S = 0.05


class JointTimer:
    """One session's part of what rings together. Cancelled, it knows nobody any more."""

    __slots__ = ("_slot", "ring")

    def __init__(self, slot: dict[JointTimer, None], ring: Callable[[], None]) -> None:
        self._slot = slot
        self.ring = ring
        slot[self] = None

    def cancel(self) -> None:
        """Don't ring."""
        self._slot.pop(self, None)
        self.ring = _nothing


class JointTimers:
    """The timers of one loop that may ring up to `JOINT_S` late. What they change is drawn in the same round."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._slots: dict[int, dict[JointTimer, None]] = {}

    def at(self, due: float, ring: Callable[[], None]) -> JointTimer:
        """Let `ring` be called at a time of the loop, or a little later; it must not raise."""
        number = ceil(due / JOINT_S)
        slot = self._slots.get(number)
        if slot is None:
            slot = self._slots[number] = {}
            self._loop.call_at(number * JOINT_S, self._ring, number)
        return JointTimer(slot, ring)

    def _ring(self, number: int) -> None:
        slot = self._slots.pop(number)
        if slot:
            turns().together(lambda: _ring_all(slot))


def _ring_all(slot: dict[JointTimer, None]) -> None:
    while slot:  # one may cancel another
        timer = next(iter(slot))
        ring = timer.ring
        timer.cancel()
        ring()


def _nothing() -> None:
    pass


_TIMERS: WeakKeyDictionary[asyncio.AbstractEventLoop, JointTimers] = WeakKeyDictionary()


def joint_timers() -> JointTimers:
    """Return the joint timers of the running loop."""
    loop = asyncio.get_running_loop()
    found = _TIMERS.get(loop)
    if found is None:
        found = _TIMERS[loop] = JointTimers(loop)
    return found
