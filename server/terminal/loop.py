"""A session's part of the running loop: timers, and one drawing at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any

from server.terminal.drawqueue import CoalescedTimer, CoalescedTimers, QueuedDrawing
from server.tokenbucket import Bucket

DRAW_SHARE = 0.05  # of the time of one core that a session's drawings may take in the long run
DRAW_RESERVE_S = 0.25  # of such time, saved up: a hundred frames at once
AnyTimer = asyncio.TimerHandle | CoalescedTimer


class SessionLoop:
    """A session's part of the shared loop. It can't stop that loop: an error ends only its session.

    `timers`: those of the process that ring together, with its queue of drawings.

    `draw` shows the session as it is; `failed` gets what a callback raised. `draw_shared` has one drawing serve this
    session and others, and tells whether it does: then `draw` is not called. Nor is it while `skips` says so: the
    terminal does not keep up. `rendered` hears how many seconds a drawing took.
    """

    def __init__(
        self,
        timers: CoalescedTimers,
        draw: Callable[[], None],
        failed: Callable[[BaseException], None],
        skips: Callable[[], bool] = lambda: False,
        draw_shared: Callable[[], bool] = lambda: False,
        rendered: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._draw = draw
        self._failed = failed
        self._skips = skips
        self._draw_shared = draw_shared
        self._rendered = rendered
        self._timers: set[AnyTimer] = set()
        self._queue, self._coalesced = timers.queue, timers
        self._drawing: QueuedDrawing | asyncio.TimerHandle | None = None
        self._draw_time = Bucket(DRAW_SHARE, DRAW_RESERVE_S, self._loop.time())
        self.draws_at = 0.0

    def alarm(self, seconds: float, callback: Callable[[], Any], is_coalesced: bool = False) -> AnyTimer:
        """Call back once after some seconds, then draw.

        `is_coalesced`: a little later, in one round of the loop with all sessions that are due by then.
        """

        def ring() -> None:
            self._timers.discard(handle)
            handle.cancel()  # breaks the reference cycle between it and this function
            self.guarded(callback)

        due = self._loop.time() + seconds
        handle = self._coalesced.at(due, ring) if is_coalesced else self._loop.call_at(due, ring)
        self._timers.add(handle)
        return handle

    def remove_alarm(self, handle: AnyTimer) -> bool:
        """Forget a timer. Returns whether it was still waiting."""
        waiting = handle in self._timers
        handle.cancel()
        self._timers.discard(handle)
        return waiting

    def guarded(self, callback: Callable[[], Any]) -> None:
        """Run something for this session, then draw; what it raises ends this session only."""
        if self.attempted(callback):
            self.wake()

    def attempted(self, callback: Callable[[], Any]) -> bool:
        """Run something for this session and tell whether it ended well; what it raises ends this session only."""
        try:
            callback()
        except Exception as error:  # the guard of one session  # noqa: BLE001
            self._failed(error)
            return False
        return True

    def wake(self, at_once: bool = False) -> None:
        """Draw soon, once, however often this is called; later where this session has drawn for more than its share.

        `at_once`: it answers a key, and is drawn before what answers none.
        """
        if self._drawing is None and self._loop.time() >= self.draws_at:
            self._drawing = self._queue.ask(self._draw_now, at_once)
        elif self._drawing is None:
            self._drawing = self._loop.call_at(self.draws_at, self._queue_late)
        elif at_once and isinstance(self._drawing, QueuedDrawing):
            self._drawing.hurry()

    def wake_soon(self) -> None:
        """Draw what answers a key once what the key has begun had a first chance to end."""
        self._loop.call_soon(self.wake, True)

    def _queue_late(self) -> None:
        self._drawing = self._queue.ask(self._draw_now)

    def _draw_now(self) -> None:
        self._drawing = None
        try:
            if not self._draw_shared() and not self._skips():
                began, cpu = perf_counter(), thread_time()
                self._draw()
                now = self._loop.time()
                self.draws_at = now + self._draw_time.take(thread_time() - cpu, now)
                self._rendered(perf_counter() - began)
        except Exception as error:  # the guard of one session  # noqa: BLE001
            self._failed(error)

    def close(self) -> None:
        """Cancel every timer and the draw that may be due."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
