"""One client: a real SSH connection with a terminal on it that times the answers to its keys."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import asyncssh

from server.terminal import theme
from server.terminal.palette import shared_palette
from server.terminal.term import client_term
from tests.bench.harness import CIPHER, HOST_KEY, KEX
from tests.load.people import Somebody
from tests.ssh.client import Guest

T = TypeVar("T")
LOGINS_AT_ONCE = 16
SIZE = (80, 24)
TERM = "xterm-256color"
WHOLE_FRAME = b"\x1b[0m\x1b[H\x1b[2J"  # how a whole frame begins
BELL = b"\x07"  # it is your turn
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
LONGEST_S = 30.0


def style(name: str) -> bytes:
    """Return how each sequence ends with which the server turns to the ground of a style, on these terminals.

    Whatever else it turns, the ground comes last.
    """
    term = client_term(TERM, {})
    entries = theme.palette("default", term.ground)
    whole = shared_palette(entries, term.colors, term.bright_is_bold).sgr(name)
    return whole[whole.rindex("48;") :].encode()


CURSOR = style("cursor")  # the square under the cursor
ROW = style("row")  # the chosen row of a list


async def connect(port: int, who: Somebody) -> asyncssh.SSHClientConnection:
    """Log in once."""
    return await asyncssh.connect(
        "127.0.0.1", port, username=who.name, client_keys=[who.key] if who.key else None, known_hosts=None,
        agent_path=None, config=None, local_addr=(who.address, 0), kex_algs=[KEX], encryption_algs=[CIPHER],
        server_host_key_algs=[HOST_KEY], preferred_auth="publickey" if who.key else "keyboard-interactive",
        login_timeout=60, client_factory=Guest,
    )  # fmt: skip


@dataclass(slots=True)
class Screen(asyncssh.SSHClientSession[bytes]):
    """The client's end of a terminal. It keeps nothing of what comes but how much, and whether it was waited for."""

    received: int = 0
    closed: bool = False
    chan: asyncssh.SSHClientChannel[bytes] | None = None
    _marker: bytes = b""
    _tail: bytes = b""
    _seen: asyncio.Future[float] | None = None
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.chan = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        if self._seen is None or self._seen.done():
            return
        if self._marker in self._tail + data:
            self._seen.set_result(time.perf_counter())
        self._tail = data[-len(self._marker) :] if self._marker else b""

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self._ended.set()
        if self._seen is not None and not self._seen.done():
            self._seen.set_exception(ConnectionError("the session is gone"))

    def expect(self, marker: bytes = b"") -> asyncio.Future[float]:
        """Return what will hold the moment at which `marker` (empty: anything) comes next."""
        self._marker, self._tail = marker, b""
        self._seen = asyncio.get_running_loop().create_future()
        return self._seen

    def press(self, keys: bytes) -> None:
        """Type."""
        assert self.chan is not None
        self.chan.write(keys)

    async def answer(self, keys: bytes, marker: bytes = b"") -> float:
        """Type, and return the seconds until `marker` came. Raises ConnectionError, TimeoutError."""
        seen, began = self.expect(marker), time.perf_counter()
        self.press(keys)
        return await asyncio.wait_for(seen, LONGEST_S) - began

    async def end(self) -> None:
        """Wait until the server has ended the session."""
        await asyncio.wait_for(self._ended.wait(), LONGEST_S)


@dataclass(slots=True)
class Client:
    """Somebody who is connected, with a terminal."""

    who: Somebody
    connection: asyncssh.SSHClientConnection
    screen: Screen

    @classmethod
    async def come(cls, port: int, who: Somebody, command: str | None = None) -> Client:
        """Log in, open a terminal at the lobby or straight at a screen, and wait for the first frame."""
        connection = await connect(port, who)
        try:
            return cls(who, connection, await terminal(connection, command))
        except BaseException:
            connection.abort()
            raise

    async def leave(self) -> None:
        """Hang up; it was meant."""
        self.connection.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.connection.wait_closed(), LONGEST_S)


async def terminal(connection: asyncssh.SSHClientConnection, command: str | None = None) -> Screen:
    """Open a terminal on a connection and wait for the first frame."""
    screen = Screen()
    seen = screen.expect(WHOLE_FRAME)
    await connection.create_session(
        lambda: screen, command, term_type=TERM, term_size=SIZE, encoding=None, request_pty="force"
    )
    await asyncio.wait_for(seen, LONGEST_S)
    return screen


async def few_at_once(comings: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all, some at a time: they are logins, and how many may be under way is limited."""
    gate = asyncio.Semaphore(LOGINS_AT_ONCE)

    async def one(coming: Coroutine[Any, Any, T]) -> T:
        async with gate:
            return await coming

    return list(await asyncio.gather(*map(one, comings)))


async def all_of(clients: list[Client]) -> None:
    """Let all of them hang up."""
    await asyncio.gather(*(client.leave() for client in clients))
