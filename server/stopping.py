"""A deadline for the stop, in case the database, the bus or a thread hangs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from server.starting import tell_admin

STOP_S = 8.8  # of 10 s; the parent of several workers waits for 9 s


def end_within(seconds: float = STOP_S, end: Callable[[int], None] = os._exit) -> None:
    """End this process after STOP_S at the latest. What was acknowledged is stored; a start credits clock time."""
    timer = threading.Timer(seconds, _end, args=(end,))
    timer.name, timer.daemon = "stopping", True
    timer.start()


def _end(end: Callable[[int], None]) -> None:
    tell_admin("stopped before everything had answered; what was acknowledged is stored")
    end(0)
