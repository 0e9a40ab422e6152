"""Reading from a connection, paused for any of several reasons, and a client that hangs up meanwhile."""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import Callable
from typing import cast

LOOK_EVERY_S = 1.0
ASK_EVERY_S = 4.0
TCP_USER_TIMEOUT_S = 60
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)


class PausedReading:
    """The reasons why one connection's socket is not read now. While there is one, a hang-up is looked for.

    The event loop does not report it then.
    """

    def __init__(self, hung_up: Callable[[], None], ask: Callable[[], None]) -> None:
        """`hung_up`: hears that the client has; `ask`: sends what needs no answer, where that may be sent."""
        self._hung_up, self._ask_client = hung_up, ask
        self._transport: asyncio.Transport | None = None
        self._reasons: frozenset[str] = frozenset()
        self._looking: asyncio.TimerHandle | None = None
        self._asked_at = float("-inf")

    def __contains__(self, reason: str) -> bool:
        return reason in self._reasons

    def start(self, transport: asyncio.BaseTransport) -> None:
        """Have a socket that is read. A peer that vanishes while the server only sends is lost after a time."""
        self._transport = cast(asyncio.Transport, transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if (
            sock is not None
            and hasattr(socket, "TCP_USER_TIMEOUT")
            and sock.family in (socket.AF_INET, socket.AF_INET6)
        ):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TCP_USER_TIMEOUT_S * 1000)

    def stop(self) -> None:
        """Look no more: the connection is lost."""
        self._transport = None
        if self._looking is not None:
            self._looking.cancel()
        self._hung_up = self._ask_client = lambda: None  # they know the connection, which is a reference cycle

    def begin(self, reason: str) -> None:
        """Read no more until every reason has ended."""
        if self._transport is None:
            return
        if not self._reasons:
            self._transport.pause_reading()
        self._reasons |= {reason}
        if self._looking is None:
            self._look_soon()

    def end(self, reason: str) -> None:
        """Read again, if no other reason is left."""
        if reason not in self._reasons:
            return
        self._reasons -= {reason}
        if not self._reasons and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def _look_soon(self) -> None:
        self._looking = asyncio.get_running_loop().call_later(LOOK_EVERY_S, self._detect_hang_up)

    def _detect_hang_up(self) -> None:
        self._looking = None
        sock = self._transport.get_extra_info("socket") if self._transport is not None else None
        if not self._reasons or sock is None or sock.fileno() < 0:
            return
        poll = select.poll()
        poll.register(sock.fileno(), HUNG_UP)
        if poll.poll(0):
            self._hung_up()
        else:
            self._ask()
            self._look_soon()

    def _ask(self) -> None:
        """Send something from time to time, to provoke a reset from a client that is gone.

        The hang-up itself may wait behind megabytes of unread input. Nothing is sent while output is unsent: then
        TCP_USER_TIMEOUT detects the loss.
        """
        now = asyncio.get_running_loop().time()
        if "unread" not in self._reasons and now >= self._asked_at + ASK_EVERY_S:
            self._asked_at = now
            self._ask_client()
