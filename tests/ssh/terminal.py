"""A person with the OpenSSH client in a terminal of 80x24."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import struct
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pyte

from server.session.heldkeys import HOLD_S
from tests.ssh.server import Server
from tests.waiting import PATIENCE_S, until

COLS, ROWS = 80, 24


class Terminal:
    """What a person has before them: the client's screen, and a keyboard that counts."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._screen = pyte.Screen(COLS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self.keys = 0

    def read(self) -> None:
        """Show what has come in."""
        try:
            self._stream.feed(os.read(self._master, 65536))
        except OSError:
            asyncio.get_running_loop().remove_reader(self._master)  # the client has gone

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def write(self, data: bytes) -> None:
        """Type bytes."""
        os.write(self._master, data)

    async def press(self, key: str, then: str) -> None:
        """Press a key as somebody does who has read what is there, and wait until the screen says something."""
        await asyncio.sleep(HOLD_S)  # what has just come up takes no keys for so long
        self.write(key.encode())
        self.keys += 1
        await self.shows(then)

    async def shows(self, words: str) -> None:
        try:
            await until(lambda: words in self.text)
        except TimeoutError:
            raise AssertionError(f"no {words!r} in\n{self.text}") from None


@asynccontextmanager
async def at_terminal(server: Server, key: Path, user: str, port: int = 0) -> AsyncIterator[Terminal]:
    """Come in with the OpenSSH client, perhaps by another port that leads to the server."""
    command = server.command(key=key, user=user, options=("-tt",))
    if port:
        command[command.index("-p") + 1] = str(port)
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
    client = await asyncio.create_subprocess_exec(
        *command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
    )
    os.close(slave)
    terminal = Terminal(master)
    asyncio.get_running_loop().add_reader(master, terminal.read)
    try:
        yield terminal
    finally:
        asyncio.get_running_loop().remove_reader(master)
        with contextlib.suppress(ProcessLookupError):  # its line may have dropped
            client.terminate()
        await asyncio.wait_for(client.wait(), PATIENCE_S)
        os.close(master)
