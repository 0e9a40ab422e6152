"""The event loop urwid's MainLoop sees: timers and one draw per tick on the running asyncio loop, no descriptors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any

from server.pace import Bucket
from server.tui.turns import Turn, turns

DRAW_SHARE = 0.05  # of the time of one core that a session's drawings may take in the long run
DRAW_RESERVE_S = 0.25  # of such time: a hundred pictures at once


class SessionLoop:
    """A session's part of the shared loop. It can't stop that loop: an error ends only its session.

    `failed` gets what a callback raised. While `skips` says so nothing is rendered (the terminal does not keep up);
    nor when `is_drawn_elsewhere` says that another session's drawing serves this one too. `rendered` hears how many
    seconds a drawing took.
    """

    def __init__(
        self,
        failed: Callable[[BaseException], None],
        skips: Callable[[], bool] = lambda: False,
        is_drawn_elsewhere: Callable[[], bool] = lambda: False,
        rendered: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._failed = failed
        self._skips = skips
        self._is_drawn_elsewhere = is_drawn_elsewhere
        self._rendered = rendered
        self._idle: dict[int, Callable[[], Any]] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._turns = turns()
        self._tick: Turn | asyncio.TimerHandle | None = None
        self._draw_time = Bucket(DRAW_SHARE, DRAW_RESERVE_S, self._loop.time())
        self._draws_at = 0.0

    def alarm(self, seconds: float, callback: Callable[[], Any]) -> asyncio.TimerHandle:
        """Call back once after some seconds, then draw."""

        def ring() -> None:
            self._timers.discard(handle)
            handle.cancel()  # it and this function know each other; now they don't
            if callback in self._idle.values():
                self.wake()  # urwid asks for a first drawing this way: it is skipped like any other
            else:
                self.guarded(callback)

        handle = self._loop.call_later(seconds, ring)
        self._timers.add(handle)
        return handle

    def remove_alarm(self, handle: asyncio.TimerHandle) -> bool:
        """Forget a timer. Returns whether it was still waiting."""
        waiting = handle in self._timers
        handle.cancel()
        self._timers.discard(handle)
        return waiting

    def guarded(self, callback: Callable[[], Any]) -> None:
        """Run something for this session; what it raises ends this session only."""
        try:
            callback()
        except Exception as error:  # the guard of one session
            self._failed(error)
            return
        self.wake()

    def wake(self, at_once: bool = False) -> None:
        """Draw at the end of this tick, once, however often this is called; later where others must go first.

        `at_once`: it answers a key, and goes before what answers none.
        """
        if self._tick is None and self._loop.time() >= self._draws_at:
            self._tick = self._turns.ask(self._run_idle, at_once)
        elif self._tick is None:
            self._tick = self._loop.call_at(self._draws_at, self._run_late)
        elif at_once and isinstance(self._tick, Turn):
            self._tick.hurry()

    def _run_late(self) -> None:
        self._tick = self._turns.ask(self._run_idle)

    def _run_idle(self) -> None:
        self._tick = None
        try:
            if not self._is_drawn_elsewhere() and not self._skips():
                began, cpu = perf_counter(), thread_time()
                for callback in list(self._idle.values()):
                    callback()
                now = self._loop.time()
                self._draws_at = now + self._draw_time.take(thread_time() - cpu, now)
                self._rendered(perf_counter() - began)
        except Exception as error:  # the guard of one session
            self._failed(error)

    def enter_idle(self, callback: Callable[[], Any]) -> int:
        """Register what draws."""
        handle = id(callback)
        self._idle[handle] = callback
        return handle

    def remove_enter_idle(self, handle: int) -> bool:
        """Forget what draws."""
        return self._idle.pop(handle, None) is not None

    def watch_file(self, fd: int, callback: Callable[[], Any]) -> int:
        """Do nothing: the channel hands over its bytes itself, there are no descriptors."""
        return fd

    def remove_watch_file(self, handle: int) -> bool:
        """Do nothing."""
        return True

    def set_signal_handler(self, signum: int, handler: Any) -> None:
        """Do nothing: signals belong to the server, not to a session."""

    def close(self) -> None:
        """Cancel every timer and the draw that may be due."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._idle.clear()
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
