"""Somebody at a terminal without a cursor, or a program at a pipe: types bytes, hears text."""

from __future__ import annotations

import asyncio

from server.accounts.identity import Identity
from server.session.places import Landing
from server.session.session import Session
from server.terminal.lineterminal import LineTerminal
from server.terminal.sharedscreen import OwnScreen
from server.terminal.term import client_term
from tests.session.fakeserver import TURNS, FakeServer, Wire

SETTLED_S = 4.0  # after which nothing is waited for any more


class Said:
    """A channel that keeps what was said."""

    def __init__(self) -> None:
        self.sent = ""
        self.paused = False

    def write(self, data: bytes) -> None:
        self.sent += data.decode()


class Hearer:
    """Somebody who hears a session. `edits`: on a terminal; `has_screen`: on one that has a cursor, too."""

    def __init__(
        self, server: FakeServer, who: Identity, edits: bool, has_screen: bool = False, landing: Landing | None = None
    ) -> None:
        self.clock = server.clock
        self.said = Said()
        self.wire = Wire(80, 24)
        self.terminal = LineTerminal(self.said, client_term("dumb", {}), lambda: (80, 24), edits)
        self.screen = OwnScreen(self.wire, client_term("xterm-256color", {}), (80, 24))
        other = (lambda: self.screen) if has_screen else None
        self.session = Session(
            self.terminal,
            who,
            server.services,
            server.routes,
            server.groups,
            landing or Landing(lines=True),
            other=other,
        )
        self.task = asyncio.get_running_loop().create_task(self.session.run())

    async def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def type(self, data: str | bytes) -> str:
        """Type something; return what is said then, echo and all."""
        before = len(self.said.sent)
        self.terminal.feed(data.encode() if isinstance(data, str) else data)
        await self.settle()
        if not self.terminal.editor.text:
            await self.until_prompt()
        return self.said.sent[before:]

    async def until_prompt(self) -> None:
        """Let time go by until a prompt stands: something goes on and on, or others are waited for."""
        for _ in range(2):
            if not self.said.sent.endswith("> ") and not self.task.done():
                self.clock.typed_s += SETTLED_S
                self.session.dirty()
                await self.settle()

    async def line(self, text: str) -> str:
        """Type a line; return what is said then."""
        return await self.type(text + "\r")

    @property
    def prompt(self) -> str:
        """Return the prompt that was said last."""
        return self.said.sent.rpartition("\n")[2].rpartition("> ")[0]

    async def hang_up(self) -> None:
        if not self.task.done():
            self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def hear(
    server: FakeServer, who: Identity, edits: bool = True, has_screen: bool = False, landing: Landing | None = None
) -> Hearer:
    """Begin a session in lines."""
    if who.account_id is not None:
        server.add(who.name, *who.roles)
    made = Hearer(server, who, edits, has_screen, landing)
    server.seats.append(made)  # type: ignore[arg-type]  # the server only hangs up
    await made.settle()
    return made
