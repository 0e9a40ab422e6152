"""A room keeps the seat of who has lost the connection for a while, and knows it from leaving."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Seat
from server.lobby.lobby import SWEEP_S
from server.lobby.room import Room
from server.lobby.stored_rooms import GRACE_S
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, room_of_two, seated
from tests.matches.table import LIO, MIRA, TARN


def here(room: Room) -> list[bool]:
    return [seat.here for seat in room.snapshot().seats]


async def test_a_seat_was_lost_the_moment_a_connection_was(lobby: OpenLobby) -> None:
    """Others could take it before its person was back, and nobody was told why it was free."""
    room = await room_of_two(lobby, agreed(ROOM, players=3))
    await room.ready(TARN)
    lobby.lobby.rooms.leave("tarn-1", is_lost=True)
    await lobby.table.wait(1)
    assert (seated(room), here(room)) == (["mira", "tarn", None], [True, False, False])
    assert [seat.ready for seat in room.snapshot().seats] == [False, False, False]
    assert lobby.lobby.rooms.missing(TARN) == room.code
    lobby.arrive(TARN, "tarn-2")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-2")
    assert (seated(room), here(room)) == (["mira", "tarn", None], [True, True, False])
    assert [one.session for one in room.state.members] == ["mira-1", "tarn-2"]


async def test_who_does_not_come_back_has_left_after_a_while(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    lobby.lobby.rooms.leave("mira-1", is_lost=True)
    await lobby.table.wait(SWEEP_S)
    assert (seated(room), room.snapshot().host) == (["mira", "tarn"], "mira")
    await lobby.table.wait(GRACE_S + SWEEP_S)
    assert (seated(room), room.snapshot().host) == ([None, "tarn"], "tarn")


async def test_a_room_whose_people_are_away_does_not_begin_by_itself(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(agreed(ROOM, players=3), auto_start=True))
    lobby.lobby.rooms.leave("tarn-1", is_lost=True)
    await lobby.table.wait(1)
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert (seated(room), room.snapshot().playing) == (["mira", "tarn", "lio"], False)


async def test_who_leaves_by_the_door_gives_the_seat_back_at_once(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    assert room.snapshot().host == MIRA.name
    lobby.lobby.rooms.leave("tarn-1")
    await lobby.table.wait(1)
    assert seated(room) == ["mira", None]


async def test_who_had_come_back_to_the_match_and_not_through_the_room_lost_the_seat_at_its_end(
    lobby: OpenLobby,
) -> None:
    """The seat was free while its person looked at the end and asked for a rematch: others could sit down."""
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    match = await lobby.table.matches.open(room.snapshot().match or "")
    lobby.lobby.rooms.leave("tarn-1", is_lost=True)
    back = match.enter(TARN, Seat(1), "tarn-2")
    await match.resign(Seat(0))
    await lobby.table.wait(1)
    assert not room.snapshot().playing
    assert (seated(room), here(room)) == (["mira", "tarn"], [True, False])
    back.leave()
    await lobby.table.wait(GRACE_S + SWEEP_S)
    assert seated(room) == ["mira", None]


async def test_who_is_not_at_the_board_when_it_ends_gives_the_seat_back(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    match = await lobby.table.matches.open(room.snapshot().match or "")
    lobby.lobby.rooms.leave("tarn-1", is_lost=True)
    match.enter(TARN, Seat(1), "tarn-1").leave()
    await lobby.table.wait(1)
    await match.resign(Seat(0))
    await lobby.table.wait(1)
    assert seated(room) == ["mira", None]
