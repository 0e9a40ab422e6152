"""A stop takes no longer than was promised, whatever does not answer: a database that hangs, a bus, a thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from server.starting import tell_admin

STOP_S = 8.8  # of ten; the parent of several workers waits for nine


def end_within(seconds: float = STOP_S, end: Callable[[int], None] = os._exit) -> None:
    """End this process after so long at the latest. What was acknowledged is stored, and a start credits the rest."""
    timer = threading.Timer(seconds, _end, args=(end,))
    timer.name, timer.daemon = "stopping", True
    timer.start()


def _end(end: Callable[[int], None]) -> None:
    tell_admin("stopped without a goodbye to what does not answer; everything acknowledged is stored")
    end(0)
