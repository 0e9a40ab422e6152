"""Somebody in a browser: keeps what a page would show, presses keys, taps and types lines."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from server.accounts.identity import Identity
from server.session.places import Landing
from server.session.session import Session
from server.terminal.rowterminal import RowTerminal, browser
from tests.session.fakeserver import READING_S, TURNS, FakeServer


def draw(rows: list[list[Any]], kind: str, value: list[Any]) -> None:
    """Change the rows that a page shows as a line says: of another size, or a row of which some runs are others."""
    if kind == "size":
        rows[:] = [[] for _ in range(value[1])]
    else:
        y, at, gone, made = value
        rows[y][at : at + gone] = made


class Shown:
    """A channel that keeps what a page shows, as its script does."""

    def __init__(self) -> None:
        self.paused = False
        self.messages: list[bytes] = []
        self.lines: list[list[Any]] = []
        self.means: dict[str, Any] = {}
        self.happened: dict[int, str] = {}
        self.others: dict[str, Any] = {}

    def write(self, data: bytes) -> None:
        self.messages.append(data)
        for one in data.splitlines():
            [(kind, value)] = json.loads(one).items()
            match kind:
                case "size" | "row":
                    draw(self.lines, kind, value)
                case "means":
                    self.happened |= dict(value.pop("happened", ()))
                    self.means |= value
                case _:
                    self.others[kind] = value

    @property
    def rows(self) -> list[str]:
        return ["".join(text for _, text, _ in runs).rstrip() for runs in self.lines]

    @property
    def keys(self) -> dict[str, str]:
        """Return the keys on show by what they do."""
        return {one["label"]: one["key"] for one in self.means["keys"]}


class Browsing:
    """Somebody whose session shows in a browser."""

    def __init__(self, server: FakeServer, who: Identity, cols: int, rows: int, landing: Landing) -> None:
        self.clock = server.clock
        self.page = Shown()
        self.terminal = RowTerminal(self.page, browser("dark"), (cols, rows))
        self.session = Session(self.terminal, who, server.services, server.routes, server.groups, landing)
        self.task = asyncio.get_running_loop().create_task(self.session.run())

    async def settle(self) -> None:
        """Let everything happen that is due."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, as fast as one reads."""
        for key in keys:
            self.clock.typed_s += READING_S
            self.terminal.press(key)
            await self.settle()

    async def choose(self, number: int, text: str) -> None:
        """Press a row of the page's items."""
        self.clock.typed_s += READING_S
        self.terminal.choose(number, text)
        await self.settle()

    async def type_line(self, text: str, is_whole: bool = True) -> None:
        self.clock.typed_s += READING_S
        self.terminal.type_line(text, self.page.means["entry"]["label"], is_whole)
        await self.settle()

    async def hang_up(self) -> None:
        if not self.task.done():
            self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def browse(
    server: FakeServer, who: Identity, cols: int = 80, rows: int = 24, landing: Landing | None = None
) -> Browsing:
    """Begin a session in a browser."""
    if who.account_id is not None:
        server.add(who.name, *who.roles)
    found = Browsing(server, who, cols, rows, landing or Landing())
    server.seats.append(found)  # type: ignore[arg-type]  # the server only hangs up
    await found.settle()
    return found
