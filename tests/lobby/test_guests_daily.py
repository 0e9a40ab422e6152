"""Guests and daily matches: a guest's seat dies a minute after the connection, a daily decision may take days."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from tests.agreements import agreed
from tests.lobby.opened import TINY, OpenLobby
from tests.matches.table import GUEST, MIRA

DAILY_ROOM = RoomSettings(Agreement("tiny", speed="daily"))
WAYS: dict[str, Callable[[OpenLobby], Awaitable[object]]] = {
    "seek": lambda lobby: lobby.lobby.seek(GUEST, agreed(TINY, speed="daily")),
    "room": lambda lobby: lobby.lobby.rooms.create(GUEST, DAILY_ROOM, "guest-1"),
    "challenge": lambda lobby: lobby.lobby.challenges.make(
        MIRA, GUEST.name, agreed(DAILY_ROOM, private=True), "mira-1"
    ),
}


@pytest.mark.parametrize("way", list(WAYS))
async def test_a_guest_could_begin_a_daily_match_and_forfeited_it_in_a_minute(lobby: OpenLobby, way: str) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(GUEST)
    with pytest.raises(LobbyRefused) as refused:
        await WAYS[way](lobby)
    assert refused.value.key == "lobby.error.guests-not-daily"


async def test_a_guest_plays_a_bot_at_any_speed(lobby: OpenLobby) -> None:
    lobby.arrive(GUEST)
    assert await lobby.lobby.play_bot(GUEST, "tiny", "easy", speed="daily")


async def test_a_guest_host_is_told_and_keeps_the_seat_when_the_room_turns_daily(lobby: OpenLobby) -> None:
    lobby.arrive(GUEST)
    room = await lobby.lobby.rooms.create(GUEST, agreed(DAILY_ROOM, speed="normal"), "guest-1")
    with pytest.raises(LobbyRefused, match="guests-not-daily"):
        await room.set(GUEST, DAILY_ROOM)
    assert room.state.seats.seat_of(GUEST.person) is not None


async def test_a_guest_finds_no_seat_in_a_daily_room(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(GUEST)
    room = await lobby.lobby.rooms.create(MIRA, DAILY_ROOM, "mira-1")
    await lobby.lobby.rooms.join(GUEST, room.code, "guest-1")
    assert room.state.seats.seat_of(GUEST.person) is None
    with pytest.raises(LobbyRefused, match="guests-not-daily"):
        await room.sit(GUEST)
