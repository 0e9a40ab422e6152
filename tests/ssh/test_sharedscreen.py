"""Many terminals, one picture: members of a shared screen, read through terminal emulators."""

from __future__ import annotations

import asyncio

import pytest

from server.ssh.sharedscreen import SharedScreen
from server.ssh.term import ClientTerm, client_term
from server.ssh.terminal import ChannelScreen
from tests.ssh.cells import Cells, Desk, Driver
from tests.ssh.wire import WireTap


class Hall:
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
