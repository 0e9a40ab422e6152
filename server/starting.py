"""Progress of a slow start: what it is waiting for."""

from __future__ import annotations

import asyncio
import errno
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType

from server.tasks import wait_at_most

SAY_EVERY_S = 10.0
PORT_WAIT_S = 20.0  # a draining server holds its port for at most 10 s
PORT_AGAIN_S = 0.25
FIRST_OPEN_PORT = 1024
BROWSERS_PORT = "the browsers' port {port}"


def tell_admin(text: str) -> None:
    """Write a line to stderr, where an admin or the journal sees it whatever the log's level is."""
    with suppress(OSError):  # the terminal may be closed
        print(f"patchbay: {text}", file=sys.stderr, flush=True)  # noqa: T201 (the admin's terminal)


class Starting:
    """Names the step of a start, from a thread, so that it works while the event loop is blocked."""

    def __init__(self, tell: Callable[[str], None] = tell_admin, every_s: float = SAY_EVERY_S) -> None:
        self.step = "nothing yet"
        self._tell = tell
        self._every_s = every_s
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="starting", daemon=True)

    def __enter__(self) -> Starting:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.over()

    def over(self) -> None:
        """End the messages: the start has succeeded or failed."""
        self._is_over.set()

    def _watch(self) -> None:
        began = time.monotonic()
        while not self._is_over.wait(self._every_s):
            self._tell(f"still starting after {time.monotonic() - began:.0f} s: {self.step}")


def port_refused(where: str, error: OSError, settings: str = "") -> str:
    """Say that a port can't be had, and what to do. `settings`: what PORT and HOST have before them in its settings."""
    return f"{where} can't be had ({error.strerror or error}): {port_remedy(error.errno, settings)}"


def port_remedy(number: int | None, settings: str = "") -> str:
    """Say what to do about a port that the system refuses with that error."""
    match number:
        case errno.EACCES | errno.EPERM:
            return f"ports below {FIRST_OPEN_PORT} need a right: docs/installing.md, Port 22"
        case errno.EADDRINUSE:
            return f"another program has it: stop that, or set PATCHBAY_{settings}PORT"
        case _:
            return f"this machine has no such address: mend PATCHBAY_{settings}HOST"


async def have_port(
    take: Callable[[], Awaitable[int]],
    where: str,
    stop: asyncio.Event,
    tell: Callable[[str], None] = tell_admin,
    wait_s: float = PORT_WAIT_S,
    settings: str = "",
) -> int | None:
    """Bind a port that another server may still hold for a moment; None: `stop` was set meanwhile.

    `settings`: as of `port_refused`.
    Raises OSError, which names the port, when it stays in use or can't be bound.
    """
    loop = asyncio.get_running_loop()
    end, has_told = loop.time() + wait_s, False
    while not stop.is_set():
        try:
            return await take()
        except OSError as error:
            if error.errno != errno.EADDRINUSE or loop.time() >= end:
                raise OSError(error.errno, port_refused(where, error, settings)) from error
        if not has_told:
            tell(f"{where} is in use; trying again for {wait_s:.0f} s")
            has_told = True
        await wait_at_most(stop, PORT_AGAIN_S)
    return None
