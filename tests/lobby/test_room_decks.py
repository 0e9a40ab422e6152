"""Decks in rooms: what is brought to the other side when sides are changed, and choosing anew before playing again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from game.contract import Json, Seat
from game.errors import BadNotation
from game.netrunner.decks import STARTERS
from game.netrunner.facts import FACTS
from server.lobby.model import Seek
from server.lobby.room import Room
from server.matches.agreement import Agreement
from tests.agreements import agreed
from tests.lobby.opened import ROOM, OpenLobby, room_of_two, seated
from tests.matches.table import MIRA, TARN

SETTINGS = agreed(ROOM, game="netrunner", players=2, options={})


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
    room = await room_of_two(lobby, agreed(SETTINGS, options={"format": "core"}))
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
    await room.set(MIRA, agreed(SETTINGS, options={"format": "core"}))
    assert [seat.seat_options for seat in room.snapshot().seats] == [False, True]
    match = await lobby.table.matches.open(await begun(lobby, room))
    assert match.terms.seat_options == ({}, {"deck": "shaper"})


async def test_a_deck_that_stays_legal_was_put_down_with_the_other_one(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, SETTINGS)
    await room.bring(MIRA, {"deck": "acme", "return_deck": "anarch"})
    await room.set(MIRA, agreed(SETTINGS, options={"format": "core"}))
    assert room.state.seats[0].brings == {"return_deck": "anarch"}


async def begun(lobby: OpenLobby, room: Room) -> str:
    """Let both be ready, and the first seat give up; return the match."""
    await room.ready(MIRA)
    await room.ready(TARN)
    played = room.snapshot().match or ""
    await (await lobby.table.matches.open(played)).resign(Seat(0))
    await lobby.table.database.settle()
    return played


DECK: dict[str, Json] = {
    "identity": FACTS[STARTERS["nbn"].identity].title,
    "cards": {FACTS[code].title: n for code, n in STARTERS["nbn"].cards},
}
TEXT = "\n".join([str(DECK["identity"]), *(f"{n} {FACTS[code].title}" for code, n in STARTERS["nbn"].cards)])
MORE: tuple[Json, ...] = (
    {**DECK, "note": "\x9b31m\u202e"},
    {**DECK, "pad": "x" * 63_000},
    TEXT + " " * 66_000,
    TEXT + "\n3 \x9b2J\u202e",
)


@pytest.mark.parametrize("deck", MORE, ids=("note", "pad", "spaces", "controls"))
async def test_what_is_no_part_of_a_deck_came_in_by_every_door(lobby: OpenLobby, deck: Json) -> None:
    """It was stored with every match, and records showed it."""
    room = await room_of_two(lobby, SETTINGS)
    person, corp = MIRA, Seat(0)
    doors: list[Callable[[], Awaitable[object]]] = [
        lambda: room.bring(person, {"deck": deck}),
        lambda: room.bring(TARN, {"return_deck": deck}),
        lambda: room.sit(person, corp, {"deck": deck}),
        lambda: lobby.lobby.seek(
            person, Seek(Agreement("netrunner", rated=True), seat=corp, seat_options={"deck": deck})
        ),
        lambda: lobby.lobby.play_bot(person, "netrunner", "easy", seat=corp, brings={"deck": deck}),
        lambda: lobby.lobby.play_bot(person, "netrunner", "easy", seat_options=({"deck": deck}, {})),
    ]
    for enter in doors:
        with pytest.raises(BadNotation):
            await enter()
    assert [seat.seat_options for seat in room.snapshot().seats] == [False, False]


async def test_a_deck_is_stored_as_its_list_however_it_was_written(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, SETTINGS)
    await room.bring(MIRA, {"deck": TEXT})
    assert room.state.seats[0].brings == {"deck": DECK}
    match = await lobby.table.matches.open(await begun(lobby, room))
    assert match.terms.seat_options == ({"deck": DECK}, {})
    alone = await lobby.lobby.play_bot(MIRA, "netrunner", "easy", seat=Seat(0), brings={"deck": TEXT})
    assert alone.terms.seat_options == ({"deck": DECK}, {})


async def test_options_are_stored_in_plain_form_however_they_were_written(lobby: OpenLobby) -> None:
    match = await lobby.lobby.play_bot(MIRA, "netrunner", "easy", {"open_hands": "on"})
    assert match.terms.agreement.options == {"open_hands": True}
    for options in ({"open_hands": {"x": 1}}, {"format": "x" * 60_000}, {"\x9b2J": True}, {"format": ["core"]}):
        with pytest.raises(BadNotation):
            await lobby.lobby.play_bot(MIRA, "netrunner", "easy", cast(Any, options))
