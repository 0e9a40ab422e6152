"""A newcomer with the OpenSSH client in a terminal of 80x24: how many keys from the login to the first move."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import struct
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pyte

from server.session.hold import HOLD_S
from tests.ssh.client import new_key
from tests.ssh.server import Server, running
from tests.texts import en
from tests.waiting import PATIENCE_S, until

COLS, ROWS = 80, 24
MOST_KEYS = 6
MOVED = re.compile(r"\b1 mira (d2–d3|e7–e6)|\b2 mira (d2–d3|e7–e6)")


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

    async def press(self, key: str, then: str) -> None:
        """Press a key as somebody does who has read what is there, and wait until the screen says something."""
        await asyncio.sleep(HOLD_S)  # what has just come up takes no keys for so long
        os.write(self._master, key.encode())
        self.keys += 1
        await self.shows(then)

    async def shows(self, words: str) -> None:
        try:
            await until(lambda: words in self.text)
        except TimeoutError:
            raise AssertionError(f"no {words!r} in\n{self.text}") from None


@asynccontextmanager
async def at_terminal(server: Server, key: Path, user: str) -> AsyncIterator[Terminal]:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
    client = await asyncio.create_subprocess_exec(
        *server.command(key=key, user=user, options=("-tt",)),
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
        client.terminate()
        await asyncio.wait_for(client.wait(), PATIENCE_S)
        os.close(master)


async def test_a_newcomer_moves_in_rainet_after_six_keys(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        async with at_terminal(server, new_key(tmp_path, "mira"), "mira") as mira:
            await mira.shows(en("welcome.handle"))
            await mira.press("\r", en("keys.calibrate.accept"))
            await mira.press("\r", en("keys.lobby.quit"))
            await mira.press("1", en("rainet.do.move")[:20])  # now or after the bot's first move
            await mira.press("\r", en("rainet.do.card", square="", n=0).strip()[:9])
            await mira.press("\x1b[A", en("rainet.here.go", **{"from": "", "to": ""})[:12])
            await mira.press("\r", "mira d2–d3" if "d2" in mira.text else "mira e7–e6")
            assert MOVED.search(mira.text), mira.text
            assert mira.keys <= MOST_KEYS
