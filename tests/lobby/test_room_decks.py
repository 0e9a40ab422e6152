"""Decks in rooms: what is brought to the other side when sides are changed, and choosing anew before playing again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Seat
from game.errors import BadNotation
from server.lobby.room import Room
from tests.lobby.opened import ROOM, OpenLobby, room_of_two, seated
from tests.matches.table import MIRA, TARN

SETTINGS = replace(ROOM, game="netrunner", players=2, options={})


async def test_a_rematch_lets_everybody_play_their_own_deck_of_the_other_side(lobby: OpenLobby) -> None:
    """Everybody played the usual starters, whatever they had chosen."""
    room = await room_of_two(lobby, SETTINGS)
    await room.bring(MIRA, {"deck": "nbn", "return_deck": "anarch"})
    await room.bring(TARN, {"return_deck": "weyland"})
    assert [seat.seat_options for seat in room.snapshot().seats] == [True, False]
    await begun(lobby, room)
    for player in (MIRA, TARN):
        await room.rematch(player)
    await lobby.table.database.settle()
    again = await lobby.table.matches.open(room.snapshot().match or "")
    assert seated(room) == ["tarn", "mira"]
    assert again.terms.seat_options == ({"deck": "weyland"}, {"return_deck": "nbn", "deck": "anarch"})


async def test_decks_are_chosen_anew_before_the_next_match(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, SETTINGS)
    await room.bring(MIRA, {"deck": "nbn"})
    first = await begun(lobby, room)
    await room.bring(MIRA, {"deck": "weyland"})
    second = await begun(lobby, room)
    assert second != first
    assert (await lobby.table.matches.open(second)).terms.seat_options == ({"deck": "weyland"}, {})


async def test_a_room_takes_only_decks_of_its_format(lobby: OpenLobby) -> None:
    """A deck of later sets was taken in a room of the Core Set, and then no match could begin."""
    room = await room_of_two(lobby, replace(SETTINGS, options={"format": "core"}))
    with pytest.raises(BadNotation):
        await room.bring(MIRA, {"deck": "acme"})
    with pytest.raises(BadNotation):
        await room.bring(MIRA, {"return_deck": "gnat"})
    await room.bring(MIRA, {"deck": "nbn", "return_deck": "anarch"})
    assert await begun(lobby, room)


async def test_a_deck_that_the_new_format_does_not_take_is_put_down(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, SETTINGS)
    await room.bring(MIRA, {"deck": "acme"})
    await room.bring(TARN, {"deck": "shaper"})
    await room.set(MIRA, replace(SETTINGS, options={"format": "core"}))
    assert [seat.seat_options for seat in room.snapshot().seats] == [False, True]
    match = await lobby.table.matches.open(await begun(lobby, room))
    assert match.terms.seat_options == ({}, {"deck": "shaper"})


async def begun(lobby: OpenLobby, room: Room) -> str:
    """Let both be ready, and the first seat give up; return the match."""
    await room.ready(MIRA)
    await room.ready(TARN)
    played = room.snapshot().match or ""
    await (await lobby.table.matches.open(played)).resign(Seat(0))
    await lobby.table.database.settle()
    return played
