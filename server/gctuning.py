"""Garbage-collector tuning: rare collections, and a full one once as many sessions ended as are open."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS, YOUNG, MIDDLE = 2_000, 200, 50  # thresholds of the three generations
MANY, FEW = 250, 64  # ended sessions that start a full collection; open sessions with which one is short
SOON_S = 1.0  # an ended session is still being released
QUIET_S = 20.0


@contextmanager
def loading() -> Iterator[None]:
    """Load modules without looking for garbage among them, then or later: they stay.

    The looking took 0.4 of the 1.4 s of CPU of a start.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # else the next collection looks through all of them
        if was_enabled:
            gc.enable()


def collect_rarely() -> None:
    """Collect less often, and never the objects built at the start.

    With the defaults it took an eighth of the CPU of a server with 300 sessions, and a full collection paused all of
    them. Sessions break their own reference cycles. The youngest generation is collected often, so that each
    collection is short: with a threshold of 20,000 each one paused 1,000 sessions for 0.1 s.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, YOUNG, MIDDLE)


class FullCollections:
    """Runs a full collection once as many sessions have ended as are open: its cost stays a small share of theirs.

    The SSH library's objects refer to each other, and a connection that ends oddly may leave a reference cycle. By the
    thresholds alone these would stay for as long as the server is quiet. With few sessions it runs after QUIET_S.
    """

    def __init__(self) -> None:
        self._gone = 0
        self._round: asyncio.TimerHandle | None = None

    def gone(self, staying: int) -> None:
        """Count an ended session; `staying` are still open."""
        self._gone += 1
        if self._gone == max(MANY, staying):
            self._collect_in(SOON_S)
        elif self._round is None and (staying <= FEW or self._gone > max(MANY, staying)):
            self._collect_in(QUIET_S if staying <= FEW else SOON_S)

    def _collect_in(self, seconds: float) -> None:
        if self._round is not None:
            self._round.cancel()
        self._round = asyncio.get_running_loop().call_later(seconds, self._collect)

    def _collect(self) -> None:
        self._gone, self._round = 0, None
        gc.collect()
