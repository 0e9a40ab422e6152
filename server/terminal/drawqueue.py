"""When things are drawn: the queue of all drawings of a process, and timers that ring together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from math import ceil
from time import perf_counter

SLICE_S = 0.005  # of drawing at a time; then keys are read and moves are stored before the next


class QueuedDrawing:
    """A drawing that is due. `hurry`: it answers a key by now, and goes before those that answer none."""

    __slots__ = ("_queue", "draw")

    def __init__(self, queue: DrawQueue, draw: Callable[[], None]) -> None:
        self._queue = queue
        self.draw: Callable[[], None] | None = draw

    def hurry(self) -> None:
        """Move to the front of the queue."""
        if self.draw is not None:
            self._queue.first.append(self)

    def cancel(self) -> None:
        """Don't draw."""
        self.draw = None


class DrawQueue:
    """The drawings that are due in one event loop.

    A change that everybody sees makes hundreds of them. They are drawn in slices of `SLICE_S`, with a round of the
    loop between two slices; in each, those that answer a key come first, and one of the others at least. A round costs
    more than most drawings: what answers a key, and the clocks that tick together, need none of their own.
    """

    def __init__(self) -> None:
        self.first: deque[QueuedDrawing] = deque()
        self._others: deque[QueuedDrawing] = deque()
        self._is_planned = False

    def ask(self, draw: Callable[[], None], at_once: bool = False) -> QueuedDrawing:
        """Let somebody draw soon, not before the next round of the loop. `draw` may raise: the loop logs it."""
        drawing = QueuedDrawing(self, draw)
        (self.first if at_once else self._others).append(drawing)
        self._plan()
        return drawing

    def answer(self, take: Callable[[], None]) -> None:
        """Take keys in, and draw in this very round what answers them; the rest waits."""
        try:
            self._during(take)
            until = perf_counter() + SLICE_S
            while self.first and perf_counter() < until:
                self._draw(self.first.popleft())
        finally:
            self._plan()

    def together(self, work: Callable[[], object]) -> None:
        """Do something for many sessions, and begin to draw them in this very round."""
        was_planned = self._is_planned
        self._during(work)
        if was_planned:  # there is a queue, and a round that goes on with it
            self._plan()
        else:
            self._draw_some()

    def _during(self, work: Callable[[], object]) -> None:
        """Do something, and plan no round for what asks to be drawn meanwhile."""
        was_planned, self._is_planned = self._is_planned, True
        try:
            work()
        finally:
            self._is_planned = was_planned

    def _plan(self) -> None:
        if self._is_planned:
            return
        while self._others and self._others[0].draw is None:  # drawn already, or no longer wanted
            self._others.popleft()
        if self.first or self._others:
            self._is_planned = True
            asyncio.get_running_loop().call_soon(self._draw_some)

    def _draw_some(self) -> None:
        """Draw for a slice what is due now. A drawing may ask, hurry and cancel: that is for the next round."""
        self._is_planned = True  # or what a drawing asks for would take from the queue that is counted here
        until, first, others = perf_counter() + SLICE_S, len(self.first), len(self._others)
        try:
            while first and perf_counter() < until:
                first -= 1
                self._draw(self.first.popleft())
            while others:
                others -= 1
                self._draw(self._others.popleft())
                if perf_counter() >= until:
                    break
        finally:
            self._is_planned = False
            self._plan()

    def _draw(self, drawing: QueuedDrawing) -> None:
        draw, drawing.draw = drawing.draw, None
        if draw is not None:
            draw()


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
        self._handle = asyncio.get_running_loop().call_at(number * SLACK_S, self._ring)

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
        self._timers.queue.together(self._ring_all)

    def _ring_all(self) -> None:
        while self.waiting:  # one may cancel another
            timer = next(iter(self.waiting))
            ring = timer.ring
            timer.cancel()
            ring()


class CoalescedTimers:
    """The timers of one process that may ring up to `SLACK_S` late. What they change is drawn in the same round."""

    def __init__(self, queue: DrawQueue) -> None:
        self.queue = queue
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
