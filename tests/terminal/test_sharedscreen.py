"""Many terminals, one frame: members of a shared screen, read through terminal emulators."""

from __future__ import annotations

import asyncio

import pytest

from server.terminal.screen import ChannelScreen
from server.terminal.sharedscreen import SharedScreen
from server.terminal.term import ClientTerm, client_term
from tests.ssh.wire import WireTap
from tests.terminal.cells import Cells, Desk, Driver


class Gallery:
    """A shared screen with its widget, and terminals that look on."""

    def __init__(self, size: tuple[int, int] = (40, 10)) -> None:
        self.shared = SharedScreen(ClientTerm(), size)
        self.widget = Cells()
        self.main = Driver(self.widget, self.shared, lambda error: pytest.fail(repr(error)))
        self.loop = self.main.loop
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
async def gallery() -> Gallery:
    gallery = Gallery()
    gallery.main.start()
    await gallery.show("move 1")
    return gallery


async def test_a_late_joiner_sees_the_whole_frame(gallery: Gallery) -> None:
    _, wire = gallery.guest()
    assert wire.rows[0] == "move 1"
    renders = gallery.widget.renders
    _, other = gallery.guest()
    await gallery.show("move 2")
    assert wire.rows[0] == other.rows[0] == "move 2"
    assert gallery.widget.renders == renders + 1


async def test_a_slow_member_does_not_hold_the_others_and_catches_up(gallery: Gallery) -> None:
    slow, slow_wire = gallery.guest()
    _, wire = gallery.guest()
    slow_wire.paused = True
    await gallery.show("move 2")
    await gallery.show("move 2", "check")
    assert slow_wire.rows[0] == "move 1"
    assert wire.rows[:2] == ["move 2", "check"]
    slow_wire.paused = False
    slow.resume()
    assert slow_wire.rows == wire.rows


async def test_five_hundred_members_get_every_frame_in_order(gallery: Gallery) -> None:
    wires = [gallery.guest()[1] for _ in range(500)]
    gallery.widget.show("move 2")
    gallery.loop.wake()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(wire.rows[0] == "move 2" for wire in wires) < 500  # others get their turn in between
    gallery.widget.show("move 3")
    gallery.loop.wake()
    for _ in range(30):
        await asyncio.sleep(0)
    assert {wire.rows[0] for wire in wires} == {"move 3"}


async def test_who_leaves_draws_alone_again(gallery: Gallery) -> None:
    desk = Desk(size=gallery.size)
    desk.main.start()
    await desk.settle()
    gallery.shared.join(desk.screen)
    renders = desk.widget.renders
    desk.widget.show("mine")
    desk.loop.wake()
    await desk.settle()
    assert desk.widget.renders == renders
    assert desk.wire.rows[0] == "move 1"
    desk.screen.resize(40, 9)
    desk.loop.wake()
    await desk.settle()
    assert gallery.shared.members == 0
    assert desk.wire.rows[0] == "mine"


async def test_only_equal_terminals_share_frames(gallery: Gallery) -> None:
    with pytest.raises(ValueError, match="equal"):
        gallery.shared.join(ChannelScreen(WireTap(), client_term("vt100", {}), gallery.size))
