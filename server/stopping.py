"""The stop: the signals that ask for it, and its deadline, in case the database, the bus or a thread hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable

from server.starting import tell_admin

STOP_S = 8.8  # of 10 s; the parent of several workers waits for 9 s


def stop_by_signal(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    """Call `stop` when somebody ends this process: by SIGTERM or SIGINT, or by closing its terminal (SIGHUP).

    A SIGHUP that is ignored already stays ignored: whoever starts a server with `nohup` wants it to go on.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop)


def end_within() -> None:
    """End this process after STOP_S at the latest. What was acknowledged is stored; a start credits clock time."""
    timer = threading.Timer(STOP_S, _end)
    timer.name, timer.daemon = "stopping", True
    timer.start()


def _end() -> None:
    tell_admin("stopped before everything had answered; what was acknowledged is stored")
    os._exit(0)
