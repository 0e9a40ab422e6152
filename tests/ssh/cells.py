"""A widget for tests of screens: a canvas built by hand, as boards are."""

from __future__ import annotations

import asyncio

import urwid

from server.ssh.term import ClientTerm
from server.ssh.terminal import ChannelScreen
from server.tui.loop import SessionLoop
from tests.ssh.wire import WireTap

PALETTE = [
    ("title", "yellow,bold", "dark blue", "bold", "#fd0,bold", "#008"),
    ("card", "light red", "default", "standout", "#f00", "default"),
]


class Cells(urwid.Widget):
    """A widget with a hand-built canvas, as boards are."""

    _sizing = frozenset(["box"])
    _selectable = True

    def __init__(self) -> None:
        super().__init__()
        self.lines = ["."]
        self.keys: list[object] = []
        self.renders = 0
        self.cursor: tuple[int, int] | None = None
        self.style: str | None = None

    def show(self, *lines: str) -> None:
        self.lines = list(lines)
        self._invalidate()

    def render(self, size: tuple[int, int], focus: bool = False) -> urwid.Canvas:
        cols, rows = size
        self.renders += 1
        text = [line[:cols].encode() for line in (self.lines + [""] * rows)[:rows]]
        attrs = [[(self.style, len(line))] for line in text]
        return urwid.TextCanvas(text, attrs, maxcol=cols, cursor=self.cursor, check_width=True)

    def keypress(self, size: tuple[int, int], key: str) -> str | None:
        if key == "boom":
            raise ValueError(key)
        self.keys.append(key)
        return None

    def mouse_event(self, *event: object, focus: bool) -> bool:
        self.keys.append(event[1:])
        return True


class Desk:
    """One session: emulator, screen, loop and widget."""

    def __init__(self, term: ClientTerm | None = None, size: tuple[int, int] = (80, 24)) -> None:
        self.wire = WireTap(*size)
        self.screen = ChannelScreen(self.wire, term or ClientTerm(), size)
        self.errors: list[BaseException] = []
        self.loop = SessionLoop(self.errors.append, self.screen.skips)
        self.widget = Cells()
        self.main = urwid.MainLoop(self.widget, PALETTE, self.screen, event_loop=self.loop)  # type: ignore[arg-type]
        self.screen.on_resume = self.loop.wake

    async def settle(self) -> bytes:
        for _ in range(4):
            await asyncio.sleep(0)
        return self.wire.take()
