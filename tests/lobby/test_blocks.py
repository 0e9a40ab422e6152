"""Whom one has blocked, or is blocked by, is not met in a room, however one comes."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.accounts.identity import Player
from server.lobby.errors import LobbyRefused
from server.lobby.room import Room
from server.matches.errors import NotOffered
from server.store.lobby import NoSuchRoom
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import ROOM, OpenLobby, open_lobby, seated
from tests.matches.table import LIO, MIRA, TARN, SharedBus

APART = r"room\.error\.apart"


@pytest.mark.parametrize("pair", [(MIRA, TARN), (TARN, MIRA)])
async def test_a_program_that_enters_a_room_itself_meets_nobody_blocked_there(
    lobby: OpenLobby, pair: tuple[Player, Player]
) -> None:
    """The bot protocol's `join` went past the lobby's check, both ways."""
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    await lobby.block(*pair)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    with pytest.raises(NoSuchRoom):
        await room.enter(TARN, "tarn-1")
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert room.snapshot().members == ("mira",)
    await lobby.conduct.unblock(pair[0].account_id or 0, pair[1].name)
    await room.enter(TARN, "tarn-1")
    assert room.snapshot().members == ("mira", "tarn")


async def in_a_room(lobby: OpenLobby, *players: Player, size: int = 2) -> Room:
    """Open a room of the first one's, all of them seated in it."""
    for player in players:
        lobby.arrive(player)
    room = await lobby.lobby.rooms.create(players[0], agreed(ROOM, players=size), f"{players[0].name}-1")
    for player in players[1:]:
        await lobby.lobby.rooms.join(player, room.code, f"{player.name}-1")
    return room


async def test_whom_the_host_blocks_is_out_of_the_room(lobby: OpenLobby) -> None:
    """Who was blocked while they were in the room stayed, and played once both were ready."""
    room = await in_a_room(lobby, MIRA, TARN)
    await room.ready(TARN)
    await lobby.block(MIRA, TARN)
    await lobby.lobby.rooms.separate(1)
    assert (room.snapshot().members, seated(room)) == (("mira",), ["mira", None])
    assert not room.holds("tarn-1")
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert seated(room) == ["mira", "lio"]


async def test_who_blocks_the_host_stands_up_and_may_go(lobby: OpenLobby) -> None:
    room = await in_a_room(lobby, MIRA, TARN)
    await lobby.block(TARN, MIRA)
    await lobby.lobby.rooms.separate(2)
    assert (room.snapshot().members, seated(room)) == (("mira", "tarn"), ["mira", None])
    with pytest.raises(LobbyRefused, match=APART):
        await room.sit(TARN)


async def test_of_two_guests_of_a_host_who_blocked_one_stands_up(lobby: OpenLobby) -> None:
    room = await in_a_room(lobby, MIRA, TARN, LIO, size=3)
    await lobby.block(LIO, TARN)
    await lobby.lobby.rooms.separate(3)
    assert seated(room) == ["mira", "tarn", None]
    assert room.snapshot().members == ("mira", "tarn", "lio")


async def test_a_block_reaches_a_room_of_another_process(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_lobby(url, clock, bus) as one, open_lobby(url, clock, bus) as two:
        one.arrive(MIRA)
        two.arrive(TARN)
        opened = await one.lobby.rooms.create(MIRA, ROOM, "mira-1")
        joined = await two.lobby.rooms.join(TARN, opened.code, "tarn-1")
        await one.block(MIRA, TARN)
        await two.lobby.rooms.separate(1)
        await one.lobby.rooms.separate(1)
        await one.table.wait(4.0)
        assert not joined.holds("tarn-1")
        assert seated(joined) == ["mira", None]


async def test_a_running_match_goes_on_and_its_room_parts_when_it_is_over(lobby: OpenLobby) -> None:
    room = await in_a_room(lobby, MIRA, TARN)
    for player in (MIRA, TARN):
        await room.ready(player)
    await lobby.block(MIRA, TARN)
    await lobby.lobby.rooms.separate(1)
    assert (room.snapshot().playing, seated(room)) == (True, ["mira", "tarn"])
    match = await lobby.table.matches.open(room.snapshot().match or "")
    await match.resign(Seat(1))
    await lobby.table.wait(2.0)
    assert (room.snapshot().playing, seated(room)) == (False, ["mira", None])
    assert room.snapshot().members == ("mira",)


@pytest.mark.parametrize("pair", [(MIRA, TARN), (TARN, MIRA)])
async def test_a_match_never_begins_between_who_blocked_and_who_is_blocked(
    lobby: OpenLobby, pair: tuple[Player, Player]
) -> None:
    """A seat taken before, a word of readiness, or a rematch went past the block."""
    room = await in_a_room(lobby, MIRA, TARN)
    await room.ready(TARN)
    await lobby.block(*pair)
    await room.ready(MIRA)
    assert not room.snapshot().playing
    with pytest.raises(LobbyRefused, match=APART):
        await room.start(MIRA)
    match = await lobby.table.begin(MIRA, TARN)
    await match.resign(Seat(1))
    for seat in (0, 1):
        with pytest.raises(NotOffered):
            await match.offer(Seat(seat), "rematch")


async def test_a_rematch_of_three_asks_about_all_who_stay(lobby: OpenLobby) -> None:
    match = await lobby.table.begin(MIRA, TARN, LIO)
    for seat in (1, 2):
        await match.resign(Seat(seat))
    await lobby.block(MIRA, TARN)
    with pytest.raises(NotOffered):
        await match.offer(Seat(2), "rematch")


@pytest.mark.parametrize("pair", [(MIRA, TARN), (TARN, MIRA)])
async def test_a_challenge_is_gone_with_a_block(lobby: OpenLobby, pair: tuple[Player, Player]) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    await lobby.lobby.challenges.make(MIRA, "tarn", ROOM, "mira-1")
    assert len(await lobby.lobby.challenges.to(TARN)) == 1
    await lobby.block(*pair)
    assert await lobby.lobby.challenges.to(TARN) == ()


async def test_who_looked_on_and_was_blocked_by_the_host_stayed_until_the_end(lobby: OpenLobby) -> None:
    room = await in_a_room(lobby, MIRA, TARN, LIO)
    for player in (MIRA, TARN):
        await room.ready(player)
    await lobby.block(MIRA, LIO)
    await lobby.lobby.rooms.separate(1)
    assert room.snapshot().playing
    assert room.snapshot().members == ("mira", "tarn")
