"""The screen over a channel, read through a terminal emulator: the contract with urwid's private module."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Hashable
from typing import Literal

import pytest
import urwid

from server.terminal.screen import ChannelScreen
from server.terminal.term import ClientTerm, clamp_size, client_term
from tests.ssh.wire import WireTap
from tests.terminal.cells import Desk

Row = list[tuple[Hashable, Literal["0", "U"] | None, bytes]]
COLOR_CODE = re.compile(rb"\x1b\[(?:\d+;)*(?:3\d|4\d|9\d|10\d)(?:;\d+)*m")


@pytest.fixture
async def desk() -> Desk:
    desk = Desk()
    desk.main.start()
    await desk.settle()
    return desk


async def test_what_a_terminal_is_told_at_the_start_goes_with_the_first_frame() -> None:
    desk = Desk()
    desk.screen.waits_for_frame = True
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


async def test_a_title_that_stays_was_sent_with_each_turn(desk: Desk) -> None:
    desk.screen.set_title("Relati")
    sent = len(desk.wire.writes)
    desk.screen.set_title("Relati")
    assert len(desk.wire.writes) == sent


async def test_nothing_is_said_to_a_terminal_that_never_got_a_frame() -> None:
    """Who prefers lines, which is known only when the settings were read, gets no control sequence at all."""
    desk = Desk()
    desk.screen.waits_for_frame = True
    desk.screen.start()
    desk.screen.stop()
    assert desk.wire.writes == []


async def test_draws_what_the_widgets_show(desk: Desk) -> None:
    desk.widget.show("Lobby", "", "中文 ok")
    desk.loop.wake()
    await desk.settle()
    assert desk.wire.rows[:3] == ["Lobby", "", "中文 ok"]


async def test_one_changed_cell_costs_a_tenth_of_a_frame_at_most(desk: Desk) -> None:
    lines = [f"{y:2} {'x' * 70}" for y in range(24)]
    desk.widget.show(*lines)
    desk.loop.wake()
    full = len(await desk.settle())
    desk.widget.show(*lines[:10], lines[10].replace("x", "y", 1), *lines[11:])
    desk.loop.wake()
    changed = await desk.settle()
    assert 0 < len(changed) <= 0.02 * full
    assert desk.wire.rows[10].startswith("10 yx")


@pytest.mark.parametrize(
    ("term", "moves"), [("xterm", True), ("screen.linux", True), ("linux", True), ("vt100", True), ("ansi", False)]
)
async def test_only_a_terminal_that_can_is_asked_to_move_rows(term: str, moves: bool) -> None:
    desk = Desk(client_term(term, {}))
    lines = [chr(65 + y) * 40 for y in range(30)]
    for first in (0, 1):
        rows = [b"Lobby".ljust(80), *(line.ljust(80).encode() for line in lines[first : first + 23])]
        sent = desk.screen.paint((80, 24), urwid.TextCanvas(rows, maxcol=80))
    assert (b"\x1b[2;24r" in sent) == moves


async def test_the_last_column_of_the_last_row_is_an_ordinary_one(desk: Desk) -> None:
    desk.widget.show(*["#" * 80] * 24)
    desk.loop.wake()
    await desk.settle()
    assert desk.wire.rows == ["#" * 80] * 24


async def test_text_cannot_send_control_sequences(desk: Desk) -> None:
    rows: list[Row] = [[(None, None, b"a\x1b[2Jb\x9b\x07\xc2\x9bc\xe2\x80\xaed" + b" " * 60)]]
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
        (client_term("xterm", {"COLORTERM": "truecolor"}), b"\x1b[0;1;38;5;220;48;5;18m"),
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


async def test_many_changes_in_a_tick_make_one_frame(desk: Desk) -> None:
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


async def test_the_same_rows_are_painted_again_in_a_new_palette(desk: Desk) -> None:
    row: Row = [("card", None, b"x" * 80)]
    canvas = urwid.TextCanvas([b" " * 80], maxcol=80)
    canvas.content = lambda *_args, **_more: iter([row])  # type: ignore[method-assign]
    assert desk.screen.paint((80, 1), canvas)
    assert not desk.screen.paint((80, 1), canvas)
    desk.screen.set_palette((("card", "light blue", "default", "standout", "#00f", "default"),))
    assert b"x" * 80 in desk.screen.paint((80, 1), canvas)
