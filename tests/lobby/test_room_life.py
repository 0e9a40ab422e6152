"""A room over time: rematches, people who come back, what stays and what goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from game.contract import Json, Result, Seat
from game.errors import BadNotation
from server.accounts.identity import Player
from server.lobby import room_document, room_state
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.lobby.room_state import Member
from server.lobby.seating import Seating, SeatState
from server.matches.agreement import Agreement
from server.store import lobby as store
from server.store.lobby import NoSuchRoom
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import ROOM, OpenLobby, open_lobby, room_of_two, seated
from tests.matches.table import GUEST, LIO, MIRA, TARN

A, B, C = Seat(0), Seat(1), Seat(2)


THREE = agreed(ROOM, players=3)


def here(*players: Player) -> list[Member]:
    return [Member(f"{one.name}-1", "p1", one) for one in players]


async def test_who_goes_gives_back_the_seat_and_the_room_passes_on(lobby: OpenLobby) -> None:
    lobby.arrive(LIO)
    arrival = lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, THREE, "mira-1")
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    arrival.leave()
    await lobby.table.database.settle()
    assert seated(room) == [None, "lio", None]
    assert room.snapshot().host == "lio"


async def test_a_room_that_everybody_has_left_is_gone(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    room.leave(MIRA)
    room.leave("tarn-1")
    await lobby.table.database.settle()
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.room(room.code)


async def test_after_the_match_the_room_knows_who_won(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    match = await lobby.table.matches.open(room.snapshot().match or "")
    await match.resign(A)
    await lobby.table.database.settle()
    seen = room.snapshot()
    assert (seen.playing, seen.played, seen.results) == (False, 1, ((match.id, "tarn"),))


@pytest.mark.parametrize(
    ("placements", "ended_as"),
    [(((B, C), (A,)), "shared"), (((A, B, C),), "drawn"), (None, "void"), (((B,), (A, C)), "")],
)
def test_a_room_called_a_win_that_two_shared_drawn(
    placements: tuple[tuple[Seat, ...], ...] | None, ended_as: str
) -> None:
    result = None if placements is None else Result(placements, "left")
    assert room_state.how_ended(result) == ended_as


def test_a_room_knows_how_its_matches_ended_when_it_is_read_again() -> None:
    room = replace(room_state.opened("K7QX4MRW", ROOM, MIRA), match="m1", playing=True)
    room = room_state.ended(room, "m1", (MIRA, TARN, LIO), Result(((B, C), (A,)), "left"))
    assert room.ended_as == (("m1", "shared"),)
    assert room_document.from_json(room_document.to_json(room)) == room


def test_a_score_was_counted_by_the_last_twenty_matches_in_a_room_and_by_all_beside_the_board() -> None:
    """After twenty matches the room said another score than the rematch that was agreed on beside the board."""
    room = replace(room_state.opened("K7QX4MRW", ROOM, MIRA), seats=Seating((SeatState(MIRA), SeatState(TARN))))
    for n in range(room_state.RESULTS_KEPT + 2):
        room = room_state.begun(room, f"m{n}")
        room = room_state.ended(room, f"m{n}", (MIRA, TARN), Result(((A,), (B,)), "resign"), here(MIRA, TARN))
    assert room_state.score(room) == (room_state.RESULTS_KEPT + 2, 0)
    assert room_state.score(room_document.from_json(room_document.to_json(room))) == room_state.score(room)


def test_who_stands_up_for_a_match_keeps_the_score() -> None:
    room = replace(room_state.opened("K7QX4MRW", ROOM, MIRA), seats=Seating((SeatState(MIRA), SeatState(TARN))))
    room = room_state.ended(room_state.begun(room, "m1"), "m1", (MIRA, TARN), Result(((B,), (A,)), "resign"))
    room = replace(room, seats=Seating((SeatState(MIRA), SeatState(LIO))))
    room = room_state.ended(room_state.begun(room, "m2"), "m2", (MIRA, LIO), Result(((A,), (B,)), "resign"))
    back = replace(room, seats=Seating((SeatState(TARN), SeatState(MIRA))))
    assert room_state.score(back) == (1, 1)


async def test_a_rematch_swaps_sides_and_keeps_the_watchers(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    first = room.snapshot().match
    await (await lobby.table.matches.open(first or "")).resign(A)
    await lobby.table.database.settle()
    await room.rematch(MIRA)
    assert room.snapshot().rematch == {"mira"}
    await room.rematch(TARN)
    await lobby.table.database.settle()
    seen = room.snapshot()
    assert seen.playing
    assert seen.match != first
    assert seated(room) == ["tarn", "mira"]
    assert seen.members == ("mira", "tarn", "lio")


async def test_a_rematch_agreed_on_at_the_board_is_the_room_s_next_match(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    match = await lobby.table.matches.open(room.snapshot().match or "")
    await match.resign(A)
    await lobby.table.database.settle()
    await match.offer(A, "rematch")
    await match.offer(B, "rematch")
    await lobby.table.database.settle()
    assert room.snapshot().match == match.snapshot(A).next_match
    assert room.snapshot().playing
    assert seated(room) == ["tarn", "mira"]


async def test_a_rematch_is_for_whoever_stays(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(THREE, auto_start=True))
    lio = lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    match = await lobby.table.matches.open(room.snapshot().match or "")
    lio.leave()
    await match.resign(A)
    await match.resign(C)
    await lobby.table.database.settle()
    await room.rematch(MIRA)
    await room.rematch(TARN)
    await lobby.table.database.settle()
    again = await lobby.table.matches.open(room.snapshot().match or "")
    assert again.terms.players == (TARN, MIRA)
    assert room.snapshot().settings.agreement.players == 2
    assert seated(room) == ["tarn", "mira"]


async def test_a_room_keeps_the_options_that_differ_however_they_were_written(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    written: dict[str, Json] = {
        "supplements": "nightmare,beg",
        "no_hand_limit": "on",
        "bottom_rule": "count",
        "zones": False,
    }
    room = await lobby.lobby.rooms.create(
        MIRA, RoomSettings(Agreement("passage", players=5, options=written)), "mira-1"
    )
    assert room.snapshot().settings.agreement.options == {"supplements": ["beg", "nightmare"], "no_hand_limit": True}
    await room.set(MIRA, RoomSettings(Agreement("relati", players=6, options={"board": "17"})))
    assert room.snapshot().settings.agreement.options == {"board": 17}
    with pytest.raises(BadNotation):
        await room.set(MIRA, RoomSettings(Agreement("relati", players=6, options={"board": 99})))


async def test_a_rated_room_says_when_its_match_will_be_casual_all_the_same(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, agreed(ROOM, rated=True), "mira-1")
    assert room.snapshot().casual_because is None, "somebody may still come"
    await room.add_bot(MIRA, B, "easy")
    assert room.snapshot().casual_because == "few"
    await room.set(MIRA, ROOM)
    assert room.snapshot().casual_because is None
    await room.set(MIRA, agreed(ROOM, rated=True))
    await room.remove(MIRA, B)
    lobby.arrive(TARN)
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert room.snapshot().casual_because is None


async def test_there_is_no_rematch_of_nothing_nor_for_who_did_not_play(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    with pytest.raises(LobbyRefused):
        await room.rematch(MIRA)
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    await (await lobby.table.matches.open(room.snapshot().match or "")).resign(A)
    await lobby.table.database.settle()
    with pytest.raises(LobbyRefused):
        await room.rematch(LIO)


async def test_a_room_ends_when_its_people_do_not_come_back_to_a_server_that_was_started_again(
    url: str, clock: FakeClock
) -> None:
    async with open_lobby(url, clock) as before:
        left = await room_of_two(before)
        playing = await room_of_two(before, replace(ROOM, auto_start=True))
        match_id = playing.snapshot().match or ""
    async with open_lobby(url, clock) as after:
        await after.table.wait(40)
        assert {room.code for room in after.lobby.snapshot().rooms} <= {left.code, playing.code}
        assert (await after.lobby.rooms.room(left.code)).snapshot().host == "mira", "there is time to come back"
        await after.table.wait(60)
        with pytest.raises(NoSuchRoom):
            await after.lobby.rooms.room(left.code)
        assert (await after.lobby.rooms.room(playing.code)).snapshot().playing, "while it is played the room stays"
        await (await after.table.matches.open(match_id)).resign(A)
        await after.table.wait(31)
        with pytest.raises(NoSuchRoom):
            await after.lobby.rooms.room(playing.code)


async def test_who_is_back_in_the_room_after_a_restart_stays_in_it(url: str, clock: FakeClock) -> None:
    async with open_lobby(url, clock) as before:
        code = (await room_of_two(before)).code
    async with open_lobby(url, clock) as after:
        after.arrive(TARN)
        room = await after.lobby.rooms.join(TARN, code, "tarn-1")
        await after.table.wait(100)
        seen = room.snapshot()
        assert (seen.members, seen.host) == (("tarn",), "tarn")
        assert seated(room) == [None, "tarn"]


async def test_who_stays_when_a_room_becomes_rated_keeps_the_seat_and_what_was_brought(lobby: OpenLobby) -> None:
    two = RoomSettings(Agreement("netrunner"))
    seats = Seating((SeatState(GUEST), SeatState(MIRA, True, {"deck": "anarch"})))
    room = replace(room_state.opened("ABCD", two, MIRA), seats=seats)
    rated = room_state.configured(room, room.host, agreed(two, rated=True))
    assert [held.player for held in rated.seats] == [None, MIRA]
    assert rated.seats[1].brings == {"deck": "anarch"}


async def test_who_comes_just_as_the_last_one_goes_keeps_the_room(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    database, real = lobby.table.database, lobby.table.database.write

    async def write(work: Any, *args: Any, **more: Any) -> Any:
        if work is store.drop_room:
            database.write = real  # type: ignore[method-assign]
            await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
        return await real(work, *args, **more)

    database.write = write  # type: ignore[method-assign]
    await room.left("mira-1")
    assert seated(await lobby.lobby.rooms.room(room.code)) == ["tarn", None]


async def test_a_room_that_is_found_gone_is_let_go_of_with_all_it_follows(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    heard: list[str] = []
    room.subscribe(lambda: heard.append("room"))
    await lobby.table.database.write(store.drop_room, room.code, room.version)
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.room(room.code)
    heard.clear()
    await lobby.table.chat.say(f"room:{room.code}", MIRA, "anybody here?")
    await lobby.table.wait(1)
    assert heard == []
