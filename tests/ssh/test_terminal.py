"""The screen over a channel, read through a terminal emulator: the contract with urwid's private module."""

from __future__ import annotations

import asyncio
import gc
import os
import re
from collections.abc import Callable

import pytest
import urwid
from hypothesis import given, settings
from hypothesis import strategies as st

from server.ssh.paint import Painter
from server.ssh.sharedscreen import SharedScreen
from server.ssh.term import ClientTerm, clamp_size, client_term
from server.ssh.terminal import ChannelScreen
from server.tui.loop import SessionLoop
from tests.ssh.wire import WireTap

PALETTE = [
    ("title", "yellow,bold", "dark blue", "bold", "#fd0,bold", "#008"),
    ("card", "light red", "default", "standout", "#f00", "default"),
]
COLOR_CODE = re.compile(rb"\x1b\[(?:\d+;)*(?:3\d|4\d|9\d|10\d)(?:;\d+)*m")


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


@pytest.fixture
async def desk() -> Desk:
    desk = Desk()
    desk.main.start()
    await desk.settle()
    return desk


async def test_what_a_terminal_is_told_at_the_start_goes_with_the_first_picture() -> None:
    desk = Desk()
    desk.screen.waits_for_picture = True
    desk.screen.start()
    desk.screen.set_mouse_tracking(True)
    desk.screen.set_title("Lobby")
    assert not b"".join(desk.wire.writes)
    canvas = urwid.TextCanvas([b"hello".ljust(80)] * 24, maxcol=80)
    desk.screen.draw_screen((80, 24), canvas)
    [only] = desk.wire.writes
    assert only.startswith(b"\x1b[?1049h")
    assert b"Lobby" in only
    assert b"hello" in only
    desk.screen.set_title("Relati")
    assert b"Relati" in desk.wire.writes[-1]
    desk.screen.stop()
    assert b"\x1b[?1049l" in desk.wire.writes[-1]


async def test_a_terminal_that_never_got_a_picture_is_restored_all_the_same() -> None:
    desk = Desk()
    desk.screen.waits_for_picture = True
    desk.screen.start()
    desk.screen.stop()
    [only] = desk.wire.writes
    assert only.index(b"\x1b[?1049h") < only.index(b"\x1b[?1049l")


async def test_draws_what_the_widgets_show(desk: Desk) -> None:
    desk.widget.show("Lobby", "", "中文 ok")
    desk.loop.wake()
    await desk.settle()
    assert desk.wire.rows[:3] == ["Lobby", "", "中文 ok"]


async def test_one_changed_cell_costs_a_tenth_of_a_frame_at_most(desk: Desk) -> None:
    lines = [f"{y:2} {'x' * 70}" for y in range(24)]
    desk.widget.show(*lines)
    desk.loop.wake()
    await desk.settle()
    full = len(desk.screen._painter.full())
    desk.widget.show(*lines[:10], lines[10].replace("x", "y", 1), *lines[11:])
    desk.loop.wake()
    changed = await desk.settle()
    assert 0 < len(changed) <= 0.02 * full
    assert desk.wire.rows[10].startswith("10 yx")


async def test_the_last_column_of_the_last_row_is_an_ordinary_one(desk: Desk) -> None:
    desk.widget.show(*["#" * 80] * 24)
    desk.loop.wake()
    await desk.settle()
    assert desk.wire.rows == ["#" * 80] * 24


async def test_text_cannot_send_control_sequences(desk: Desk) -> None:
    rows = [[(None, None, b"a\x1b[2Jb\x9b\x07\xc2\x9bc\xe2\x80\xaed" + b" " * 60)]]
    canvas = urwid.TextCanvas([b" " * 80], maxcol=80)
    canvas.content = lambda *_args, **_more: iter(rows)  # type: ignore[method-assign]
    sent = desk.screen.paint((80, 1), canvas)
    assert b"\x1b[2Jb" not in sent
    assert b"\x07" not in sent
    assert b"\xc2\x9b" not in sent
    assert b"\xe2\x80\xae" not in sent


@pytest.mark.parametrize("term", [client_term("xterm-256color", {"NO_COLOR": "1"}), client_term("vt100", {})])
async def test_monochrome_sends_no_colour_code_at_all(term: ClientTerm) -> None:
    desk = Desk(term)
    desk.widget.style = "title"
    desk.widget.show("Lobby")
    desk.main.start()
    sent = await desk.settle()
    desk.main.stop()
    sent += desk.wire.take()
    assert b"\x1b[0;1m" in sent
    assert not COLOR_CODE.search(sent)


@pytest.mark.parametrize(
    ("term", "code"),
    [
        (client_term("xterm", {}), b"\x1b[0;1;93;44m"),
        (client_term("linux", {}), b"\x1b[0;1;1;33;44m"),
        (client_term("xterm-256color", {}), b"\x1b[0;1;38;5;220;48;5;18m"),
        (client_term("xterm", {"COLORTERM": "truecolor"}), b"\x1b[0;1;38;2;255;215;0;48;2;0;0;135m"),
    ],
)
async def test_colours_are_the_terminals_own(term: ClientTerm, code: bytes) -> None:
    desk = Desk(term)
    desk.widget.style = "title"
    desk.widget.show("Lobby")
    desk.main.start()
    assert code in await desk.settle()


async def test_the_terminal_is_restored(desk: Desk) -> None:
    desk.screen.set_title("your turn\x1b]0;evil\x07")
    sent = desk.wire.take()
    assert sent == b"\x1b[22;2t\x1b]2;your turn]0;evil\x07"
    desk.main.stop()
    sent = desk.wire.take()
    for mode in (b"?1049l", b"?25h", b"?2004l", b"?1000l", b"?7h", b"\x1b[23;2t", b"\x1b[0m"):
        assert mode in sent, mode


async def test_keys_and_clicks_reach_the_widget(desk: Desk) -> None:
    desk.screen.feed(b"a\x1b[A\x1b[<0;3;2M\x1b[<0;200;2M")
    assert desk.widget.keys == ["a", "up", ("mouse press", 1, 2, 1)]


async def test_a_window_may_change_its_size_at_any_moment(desk: Desk) -> None:
    desk.wire.terminal.resize(30, 100)
    desk.screen.resize(100, 30)
    desk.loop.wake()
    desk.widget.show(*["#" * 100] * 30)
    await desk.settle()
    assert desk.wire.rows == ["#" * 100] * 30


def test_sizes_are_clamped() -> None:
    assert clamp_size(2**32 - 1, 2**32 - 1) == (300, 120)
    assert clamp_size(0, 0) == (80, 24)


async def test_nothing_is_rendered_while_the_client_does_not_read(desk: Desk) -> None:
    desk.wire.paused = True
    before = desk.widget.renders
    for n in range(100):
        desk.widget.show(f"frame {n}")
        desk.loop.wake()
        assert await desk.settle() == b""
    assert desk.widget.renders == before
    desk.wire.paused = False
    desk.screen.resume()
    await desk.settle()
    assert desk.widget.renders == before + 1
    assert desk.wire.rows[0] == "frame 99"


async def test_many_changes_in_a_tick_make_one_picture(desk: Desk) -> None:
    for n in range(10):
        desk.widget.show(f"frame {n}")
        desk.loop.wake()
    await desk.settle()
    assert desk.wire.rows[0] == "frame 9"
    assert desk.widget.renders == 2


async def test_an_error_in_a_session_goes_to_its_owner(desk: Desk) -> None:
    desk.loop.guarded(lambda: desk.widget.keypress((80, 24), "boom"))
    assert [str(error) for error in desk.errors] == ["boom"]


async def test_no_later_alarm_of_a_stopped_session_never_rings(desk: Desk) -> None:
    rung: list[int] = []
    desk.loop.alarm(0, lambda: rung.append(1))
    desk.main.stop()
    desk.loop.close()
    await desk.settle()
    assert rung == []


async def test_a_screen_has_no_file_descriptors() -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    screens = [ChannelScreen(WireTap(), ClientTerm()) for _ in range(50)]
    assert len(os.listdir("/proc/self/fd")) == before
    assert len({id(screen.shared) for screen in screens}) == 1


# Many terminals, one picture


class Hall:
    """A shared screen with its widget, and terminals that look on."""

    def __init__(self, size: tuple[int, int] = (40, 10)) -> None:
        self.shared = SharedScreen(ClientTerm(), size)
        self.loop = SessionLoop(lambda error: pytest.fail(repr(error)), self.shared.skips)
        self.widget = Cells()
        self.main = urwid.MainLoop(self.widget, PALETTE, self.shared, event_loop=self.loop)  # type: ignore[arg-type]
        self.shared.on_resume = self.loop.wake
        self.size = size

    def guest(self) -> tuple[ChannelScreen, WireTap]:
        wire = WireTap(*self.size)
        screen = ChannelScreen(wire, ClientTerm(), self.size)
        screen.start()
        self.shared.join(screen)
        return screen, wire

    async def show(self, *lines: str) -> None:
        self.widget.show(*lines)
        self.loop.wake()
        for _ in range(12):
            await asyncio.sleep(0)


@pytest.fixture
async def hall() -> Hall:
    hall = Hall()
    hall.main.start()
    await hall.show("move 1")
    return hall


async def test_a_late_joiner_sees_the_whole_picture(hall: Hall) -> None:
    _, wire = hall.guest()
    assert wire.rows[0] == "move 1"
    renders = hall.widget.renders
    _, other = hall.guest()
    await hall.show("move 2")
    assert wire.rows[0] == other.rows[0] == "move 2"
    assert hall.widget.renders == renders + 1


async def test_a_slow_member_does_not_hold_the_others_and_catches_up(hall: Hall) -> None:
    slow, slow_wire = hall.guest()
    _, wire = hall.guest()
    slow_wire.paused = True
    await hall.show("move 2")
    await hall.show("move 2", "check")
    assert slow_wire.rows[0] == "move 1"
    assert wire.rows[:2] == ["move 2", "check"]
    slow_wire.paused = False
    slow.resume()
    assert slow_wire.rows == wire.rows


async def test_five_hundred_members_get_every_picture_in_order(hall: Hall) -> None:
    wires = [hall.guest()[1] for _ in range(500)]
    hall.widget.show("move 2")
    hall.loop.wake()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(wire.rows[0] == "move 2" for wire in wires) < 500  # others get their turn in between
    hall.widget.show("move 3")
    hall.loop.wake()
    for _ in range(30):
        await asyncio.sleep(0)
    assert {wire.rows[0] for wire in wires} == {"move 3"}


async def test_who_leaves_draws_alone_again(hall: Hall) -> None:
    desk = Desk(size=hall.size)
    desk.main.start()
    await desk.settle()
    hall.shared.join(desk.screen)
    renders = desk.widget.renders
    desk.widget.show("mine")
    desk.loop.wake()
    await desk.settle()
    assert desk.widget.renders == renders
    assert desk.wire.rows[0] == "move 1"
    desk.screen.resize(40, 9)
    desk.loop.wake()
    await desk.settle()
    assert hall.shared.members == 0
    assert desk.wire.rows[0] == "mine"


async def test_only_equal_terminals_share_frames(hall: Hall) -> None:
    with pytest.raises(ValueError, match="equal"):
        hall.shared.join(ChannelScreen(WireTap(), client_term("vt100", {}), hall.size))


# Any two pictures

styles = st.sampled_from(["\x1b[0m", "\x1b[0;31m", "\x1b[0;44m", "\x1b[0;1;7m"])
words = st.text(st.sampled_from("ab  #中é·e\u0301"), max_size=14)


def fitted(row: list[tuple[str, str]], cols: int = 16) -> list[tuple[str, str]]:
    """Cut and fill a row to exactly `cols` columns."""
    text, used = [], 0
    for style, word in row:
        kept = ""
        for char in word:
            width = urwid.calc_width(char, 0, 1)
            if used + width <= cols and (width or used):
                kept, used = kept + char, used + width
        text.append((style, kept))
    return [*text, ("\x1b[0m", " " * (cols - used))]


pictures = st.lists(st.lists(st.tuples(styles, words), max_size=4), min_size=4, max_size=4)


def shown(wire: WireTap) -> list[list[tuple[object, ...]]]:
    def look(cell: object) -> tuple[object, ...]:
        return tuple(getattr(cell, name) for name in ("data", "fg", "bg", "bold", "reverse"))

    def blank_has_no_ink(cell: tuple[object, ...]) -> tuple[object, ...]:
        return (" ", cell[2], cell[4]) if cell[0] == " " else cell

    buffer: Callable[[int, int], object] = lambda y, x: wire.terminal.buffer[y][x]  # noqa: E731
    return [[blank_has_no_ink(look(buffer(y, x))) for x in range(16)] for y in range(4)]


@settings(deadline=None, max_examples=200)
@given(st.lists(pictures, min_size=2, max_size=4))
def test_changes_end_in_the_same_picture_as_a_full_frame(frames: list[list[list[tuple[str, str]]]]) -> None:
    painter, wire = Painter(str), WireTap(16, 4)
    wire.write(b"\x1b[?7l")
    for frame in frames:
        wire.write(painter.paint([fitted(row) for row in frame], 16, None))
    fresh = WireTap(16, 4)
    fresh.write(b"\x1b[?7l" + painter.full())
    assert shown(wire) == shown(fresh)


async def test_the_same_rows_are_painted_again_in_a_new_palette(desk: Desk) -> None:
    row = [("card", None, b"x" * 80)]
    canvas = urwid.TextCanvas([b" " * 80], maxcol=80)
    canvas.content = lambda *_args, **_more: iter([row])  # type: ignore[method-assign]
    assert desk.screen.paint((80, 1), canvas)
    assert not desk.screen.paint((80, 1), canvas)
    desk.screen.set_palette((("card", "light blue", "default", "standout", "#00f", "default"),))
    assert b"x" * 80 in desk.screen.paint((80, 1), canvas)


def test_a_first_picture_leaves_blank_ends_away() -> None:
    painter = Painter(str)
    plain = "\x1b[0m"
    sent = painter.paint([[(plain, "ab   ")], [(plain, "     ")], [("\x1b[7m", "c    ")]], 5, None)
    assert b"ab\x1b" in sent
    assert b"\x1b[2;1H" not in sent
    assert b"c    " in sent
