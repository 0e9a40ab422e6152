"""What attacks are made of: the table of them all, and how one goes on until its time is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from itertools import cycle, islice
from typing import Any

import asyncssh
from asyncssh.constants import MSG_CHANNEL_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from tests.contracts import raw
from tests.hostile.stage import Stage

FULL_WINDOW = 2**32 - 1
AT_ONCE = 256  # packets between two looks at the clock
BACKLOG = 2**18  # bytes that the server has not taken yet: with more, a flood waits
ENDS_S = 5.0  # what is not written yet by then is lost: of a socket that the server does not read, all of it
EXPECTED = (OSError, asyncssh.Error, asyncio.IncompleteReadError, TimeoutError)
Attack = Callable[[Stage, float], Coroutine[None, None, None]]
One = Callable[[], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}
OUTCOMES: Counter[str] = Counter()  # how the attackers' rounds ended, to see that they really attack


def attack(function: Attack) -> Attack:
    """Put an attack in the table, under its name."""
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


class Silent(asyncssh.SSHClientSession[bytes]):
    """A session whose output nobody looks at."""

    def connection_made(self, chan: Any) -> None:
        self.chan = chan


async def storm(seconds: float, many: int, one: One, pause_s: float = 0.05) -> None:
    """Do `one` again and again, so many at once, until the time is over; being sent away is expected."""

    ends = asyncio.get_running_loop().time() + seconds

    async def worker() -> None:
        while asyncio.get_running_loop().time() < ends:  # besides being cancelled: a `wait_for` may swallow that
            try:
                await one()
                OUTCOMES["done"] += 1
            except EXPECTED as error:
                OUTCOMES[f"{type(error).__name__}: {str(error)[:60]}"] += 1
            await asyncio.sleep(pause_s)

    workers = [asyncio.create_task(worker()) for _ in range(many)]
    try:
        await asyncio.sleep(seconds)
        for task in workers:
            if task.done():
                task.result()
    finally:
        for task in workers:
            task.cancel()
        await asyncio.wait(workers, timeout=ENDS_S)


async def flood(connection: asyncssh.SSHClientConnection, *packets: tuple[int, bytes]) -> None:
    """Send packets as fast as the server takes them, until it hangs up."""
    transport = raw.transport(connection)
    turns = cycle(packets)
    while not connection.is_closed() and not transport.is_closing():
        for kind, body in islice(turns, AT_ONCE):
            connection.send_packet(kind, body)
            if transport.get_write_buffer_size() > BACKLOG:
                break
        while transport.get_write_buffer_size() > BACKLOG and not transport.is_closing():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)


def pause_reading(connection: asyncssh.SSHClientConnection) -> None:
    """Read no more from the socket."""
    raw.transport(connection).pause_reading()


async def shell(connection: asyncssh.SSHClientConnection, command: str | None = None, **more: Any) -> Silent:
    """Open a terminal whose output is thrown away."""
    options = {"term_type": "xterm-256color", "term_size": (80, 24), "encoding": None, "request_pty": "force", **more}
    _, session = await connection.create_session(Silent, command, **options)
    assert isinstance(session, Silent)
    return session


async def bare_channel(connection: asyncssh.SSHClientConnection) -> Silent:
    """Open a session channel that runs nothing yet."""
    session = Silent()
    await raw.open_channel(connection, session)
    return session


def request(session: Silent, name: bytes, *args: bytes, wants_reply: bool = True) -> tuple[int, bytes]:
    """Return one channel request as a packet."""
    body = UInt32(raw.number_of(session.chan)) + String(name) + Boolean(wants_reply) + b"".join(args)
    return MSG_CHANNEL_REQUEST, body
