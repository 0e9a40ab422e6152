"""A widget for tests of screens: a canvas built by hand, as boards are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Any

import urwid

from server.terminal.drawqueue import CoalescedTimers, DrawQueue
from server.terminal.loop import SessionLoop
from server.terminal.screen import ChannelScreen
from server.terminal.term import ClientTerm
from tests.ssh.wire import WireTap

Size = tuple[()] | tuple[int] | tuple[int, int]

PALETTE = [
    ("title", "yellow,bold", "dark blue", "bold", "#fd0,bold", "#008"),
    ("card", "light red", "default", "standout", "#f00", "default"),
]


class Cells(urwid.Widget):
    """A widget with a hand-built canvas, as boards are."""

    _sizing = frozenset([urwid.Sizing.BOX])
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

    def render(self, size: Size, focus: bool = False) -> urwid.Canvas:
        assert len(size) == 2
        cols, rows = size
        self.renders += 1
        text = [line[:cols].encode() for line in (self.lines + [""] * rows)[:rows]]
        attrs: list[list[tuple[Hashable, int]]] = [[(self.style, len(line))] for line in text]
        return urwid.TextCanvas(text, attrs, maxcol=cols, cursor=self.cursor, check_width=True)

    def keypress(self, size: Size, key: str) -> str | None:
        if key == "boom":
            raise ValueError(key)
        self.keys.append(key)
        return None

    def mouse_event(self, size: Size, event: str, button: int, col: int, row: int, focus: bool) -> bool:
        self.keys.append((event, button, col, row))
        return True


class Driver:
    """Shows a widget on a screen and gives it the keys, as a session does with its frames."""

    def __init__(self, widget: Cells, screen: ChannelScreen, failed: Callable[[BaseException], None]) -> None:
        self.widget, self.screen = widget, screen
        self.loop = SessionLoop(CoalescedTimers(DrawQueue()), self.draw, failed, screen.skips)
        screen.register_palette(PALETTE)
        screen.on_resume = self.loop.wake

    def start(self) -> None:
        self.screen.start()
        self.screen.set_mouse_tracking()
        self.screen.hook_event_loop(self.loop, self.take)
        self.loop.wake()

    def stop(self) -> None:
        self.screen.unhook_event_loop(self.loop)
        self.screen.stop()

    def draw(self) -> None:
        size = self.screen.get_cols_rows()
        self.screen.draw_screen(size, self.widget.render(size, focus=True))

    def take(self, keys: list[Any], raw: list[int]) -> None:
        size = self.screen.get_cols_rows()
        for key in keys:
            if isinstance(key, tuple):
                event, button, col, row = key
                self.widget.mouse_event(size, event, button, col, row, focus=True)
            elif key != "window resize":
                self.widget.keypress(size, key)
        self.loop.wake()


class Desk:
    """One session: emulator, screen, loop and widget."""

    def __init__(self, term: ClientTerm | None = None, size: tuple[int, int] = (80, 24)) -> None:
        self.wire = WireTap(*size)
        self.screen = ChannelScreen(self.wire, term or ClientTerm(), size)
        self.errors: list[BaseException] = []
        self.widget = Cells()
        self.main = Driver(self.widget, self.screen, self.errors.append)
        self.loop = self.main.loop

    async def settle(self) -> bytes:
        for _ in range(4):
            await asyncio.sleep(0)
        return self.wire.take()
