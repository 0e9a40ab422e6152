"""The stop: the signals that ask for it, and its deadline, in case the database, the bus or a thread hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.starting import tell_admin

STOP_S = 8.8  # of 10 s; the parent of several workers waits for 9 s


@contextmanager
def stopped_by_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when somebody ends this process: by SIGTERM or SIGINT, or by closing its terminal (SIGHUP).

    A SIGHUP that is ignored already stays ignored: whoever starts a server with `nohup` wants it to go on. After the
    block these signals are ignored until the loop is closed: it could not take a second one while it closes.
    """
    loop = asyncio.get_running_loop()
    asking = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    heeded = [number for number in asking if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heeded:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)  # the loop, when it is closed, puts back what is usual


def end_within() -> None:
    """End this process after STOP_S at the latest. What was acknowledged is stored; a start credits clock time."""
    timer = threading.Timer(STOP_S, _end)
    timer.name, timer.daemon = "stopping", True
    timer.start()


def _end() -> None:
    tell_admin("stopped before everything had answered; what was acknowledged is stored")
    os._exit(0)
