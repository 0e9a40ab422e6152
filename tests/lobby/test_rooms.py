"""Rooms: seats, ready, bots, beginning, again and again."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from game.contract import Seat
from game.errors import BadNotation
from server.lobby import challenges
from server.lobby.errors import LobbyRefused, NoSuchPerson
from server.lobby.model import RoomSettings
from server.lobby.room import Room
from server.store.lobby import NoSuchRoom
from tests.clocks import FakeClock
from tests.lobby.hall import ROOM, Hall, hall
from tests.matches.table import GUEST, LIO, MIRA, TARN, ZOE, SharedBus

A, B, C = Seat(0), Seat(1), Seat(2)
THREE = replace(ROOM, players=3)


async def room_of_two(lobby: Hall, settings: RoomSettings = ROOM) -> Room:
    """Mira opens a room and Tarn joins it."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.create_room(MIRA, settings, "mira-1")
    await lobby.lobby.join(TARN, room.code.lower(), "tarn-1")
    return room


def seated(room: Room) -> list[str | None]:
    return [None if seat.player is None else seat.player.name for seat in room.snapshot().seats]


async def test_a_room_has_a_short_code_and_its_maker_on_the_first_seat(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.create_room(MIRA, ROOM, "mira-1")
    seen = room.snapshot()
    assert 4 <= len(seen.code) <= 5
    assert (seen.host, seen.members, seated(room)) == ("mira", ("mira",), ["mira", None])
    assert not seen.can_start


async def test_when_both_are_ready_it_begins_and_both_are_told(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    await room.ready(MIRA)
    assert not room.snapshot().playing
    await room.ready(TARN)
    seen = room.snapshot()
    assert seen.playing
    assert lobby.matches_of(MIRA) == lobby.matches_of(TARN) == [seen.match]
    match = await lobby.table.matches.open(seen.match or "")
    assert (match.terms.players, match.terms.room) == ((MIRA, TARN), room.code)


async def test_a_room_of_programs_begins_when_it_is_full(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    assert room.snapshot().playing
    await room.sit(TARN)
    assert seated(room) == ["mira", "tarn"]


async def test_the_host_starts_only_when_all_others_are_ready(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    with pytest.raises(LobbyRefused):
        await room.start(MIRA)
    with pytest.raises(LobbyRefused):
        await room.start(TARN)


async def test_bots_fill_seats_and_are_always_ready(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, players=4))
    await room.add_bot(MIRA, C, "hard")
    await room.add_bot(MIRA, Seat(3), "easy")
    assert seated(room) == ["mira", "tarn", "bot:hard", "bot:easy"]
    with pytest.raises(LobbyRefused):
        await room.add_bot(TARN, C)
    with pytest.raises(LobbyRefused):
        await room.add_bot(MIRA, C, "divine")
    await room.remove(MIRA, C)
    assert seated(room)[2] is None


async def test_a_third_one_watches_where_all_seats_are_taken(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    lobby.arrive(LIO)
    await lobby.lobby.join(LIO, room.code, "lio-1")
    assert room.snapshot().members == ("mira", "tarn", "lio")
    assert seated(room) == ["mira", "tarn"]
    with pytest.raises(LobbyRefused):
        await room.sit(LIO, A)


async def test_where_nobody_may_watch_a_third_one_stays_outside(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, watchable=False))
    with pytest.raises(LobbyRefused):
        await lobby.lobby.join(LIO, room.code, "lio-1")


async def test_an_unknown_code_is_no_room(lobby: Hall) -> None:
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.join(MIRA, "ZZZZ", "mira-1")


async def test_settings_that_can_not_be_played_are_refused(lobby: Hall) -> None:
    with pytest.raises(BadNotation):
        await lobby.lobby.create_room(MIRA, replace(ROOM, players=9), "mira-1")
    with pytest.raises(BadNotation):
        await lobby.lobby.create_room(MIRA, replace(ROOM, options={"nonsense": 1}), "mira-1")
    with pytest.raises(LobbyRefused):
        await lobby.lobby.create_room(GUEST, replace(ROOM, rated=True), "guest-1")


async def test_new_settings_ask_everybody_anew(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    await room.ready(TARN)
    await room.set(MIRA, replace(ROOM, speed="fast"))
    assert [seat.ready for seat in room.snapshot().seats] == [False, False]
    await room.set(MIRA, THREE)
    assert seated(room) == ["mira", "tarn", None]
    with pytest.raises(LobbyRefused):
        await room.set(TARN, ROOM)


async def test_seats_may_be_changed(lobby: Hall) -> None:
    room = await room_of_two(lobby, THREE)
    await room.sit(MIRA, C)
    assert seated(room) == [None, "tarn", "mira"]
    with pytest.raises(LobbyRefused):
        await room.sit(TARN, C)
    await room.stand(TARN)
    assert seated(room) == [None, None, "mira"]


async def test_who_goes_gives_back_the_seat_and_the_room_passes_on(lobby: Hall) -> None:
    lobby.arrive(LIO)
    arrival = lobby.arrive(MIRA)
    room = await lobby.lobby.create_room(MIRA, THREE, "mira-1")
    await lobby.lobby.join(LIO, room.code, "lio-1")
    arrival.leave()
    await lobby.table.database.settle()
    assert seated(room) == [None, "lio", None]
    assert room.snapshot().host == "lio"


async def test_a_room_that_everybody_has_left_is_gone(lobby: Hall) -> None:
    room = await room_of_two(lobby)
    room.leave(MIRA)
    room.leave("tarn-1")
    await lobby.table.database.settle()
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.room(room.code)


async def test_after_the_match_the_room_knows_who_won(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    match = await lobby.table.matches.open(room.snapshot().match or "")
    await match.resign(A)
    await lobby.table.database.settle()
    seen = room.snapshot()
    assert (seen.playing, seen.played, seen.results) == (False, 1, ((match.id, "tarn"),))


async def test_a_rematch_swaps_sides_and_keeps_the_watchers(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    lobby.arrive(LIO)
    await lobby.lobby.join(LIO, room.code, "lio-1")
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


async def test_a_rematch_agreed_on_at_the_board_is_the_room_s_next_match(lobby: Hall) -> None:
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


async def test_a_rematch_is_for_whoever_stays(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(THREE, auto_start=True))
    lio = lobby.arrive(LIO)
    await lobby.lobby.join(LIO, room.code, "lio-1")
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
    assert room.snapshot().settings.players == 2
    assert seated(room) == ["tarn", "mira"]


async def test_a_room_keeps_the_options_that_differ_however_they_were_written(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    written = {"supplements": "nightmare,beg", "no_hand_limit": "on", "bottom_rule": "count", "zones": False}
    room = await lobby.lobby.create_room(MIRA, RoomSettings("passage", 5, written), "mira-1")
    assert room.snapshot().settings.options == {"supplements": ["beg", "nightmare"], "no_hand_limit": True}
    await room.set(MIRA, RoomSettings("relati", 6, {"board": "17"}))
    assert room.snapshot().settings.options == {"board": 17}
    with pytest.raises(BadNotation):
        await room.set(MIRA, RoomSettings("relati", 6, {"board": 99}))


async def test_a_rated_room_says_when_its_match_will_be_casual_all_the_same(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.create_room(MIRA, replace(ROOM, rated=True), "mira-1")
    assert room.snapshot().casual_because is None, "somebody may still come"
    await room.add_bot(MIRA, B, "easy")
    assert room.snapshot().casual_because == "few"
    await room.set(MIRA, ROOM)
    assert room.snapshot().casual_because is None
    await room.set(MIRA, replace(ROOM, rated=True))
    await room.remove(MIRA, B)
    lobby.arrive(TARN)
    await lobby.lobby.join(TARN, room.code, "tarn-1")
    assert room.snapshot().casual_because is None


async def test_there_is_no_rematch_of_nothing_nor_for_who_did_not_play(lobby: Hall) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    with pytest.raises(LobbyRefused):
        await room.rematch(MIRA)
    lobby.arrive(LIO)
    await lobby.lobby.join(LIO, room.code, "lio-1")
    await (await lobby.table.matches.open(room.snapshot().match or "")).resign(A)
    await lobby.table.database.settle()
    with pytest.raises(LobbyRefused):
        await room.rematch(LIO)


async def test_a_room_begins_once_whoever_says_so_at_the_same_moment(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with hall(url, clock, bus) as here, hall(url, clock, bus) as there:
        here.arrive(MIRA)
        there.arrive(TARN)
        mine = await here.lobby.create_room(MIRA, ROOM, "mira-1")
        theirs = await there.lobby.join(TARN, mine.code, "tarn-1")
        await here.table.wait(0.25)
        await asyncio.gather(mine.ready(MIRA), theirs.ready(TARN))
        await here.table.wait(0.25)
        await there.table.database.settle()
        assert mine.snapshot().match == theirs.snapshot().match is not None
        assert len(await here.table.matches.running_of(MIRA)) == 1
        assert here.matches_of(MIRA) == there.matches_of(TARN)


async def test_a_challenge_holds_a_seat_for_who_was_meant(lobby: Hall) -> None:
    for player in (MIRA, TARN, LIO):
        lobby.arrive(player)
    room = await lobby.lobby.challenge(MIRA, "tarn", replace(ROOM, private=True), "mira-1")
    (challenge,) = await lobby.lobby.challenges(TARN)
    assert (challenge.code, challenge.by) == (room.code, MIRA)
    assert await lobby.lobby.challenges(LIO) == ()
    await lobby.lobby.join(LIO, room.code, "lio-1")
    assert seated(room) == ["mira", None]
    await lobby.lobby.join(TARN, room.code, "tarn-1")
    assert seated(room) == ["mira", "tarn"]
    assert await lobby.lobby.challenges(TARN) == ()


async def test_everybody_who_asks_at_once_for_challenges_is_answered_by_one_reading(
    lobby: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in (MIRA, TARN):
        lobby.arrive(player)
    readings: list[int] = []
    real = challenges.by_name
    monkeypatch.setattr(challenges, "by_name", lambda rooms: readings.append(len(rooms)) or real(rooms))
    await lobby.lobby.challenge(MIRA, "tarn", replace(ROOM, private=True), "mira-1")
    found = await asyncio.gather(*(lobby.lobby.challenges(TARN) for _ in range(50)))
    assert {len(one) for one in found} == {1}
    assert readings == [1]
    await lobby.lobby.challenge(MIRA, "tarn", replace(ROOM, private=True), "mira-1")
    assert len(await lobby.lobby.challenges(TARN)) == 2


async def test_nobody_challenges_who_is_not_here_or_has_blocked_them(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    lobby.conduct.blocks.add((2, 1))
    for name in ("zoe", "tarn", "mira"):
        with pytest.raises(NoSuchPerson):
            await lobby.lobby.challenge(MIRA, name, ROOM, "mira-1")


async def test_who_is_blocked_by_somebody_inside_finds_no_room(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.create_room(MIRA, ROOM, "mira-1")
    lobby.conduct.blocks.add((1, 2))
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.join(TARN, room.code, "tarn-1")


async def test_the_lobby_lists_open_rooms_but_not_private_ones(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(ZOE)
    room = await lobby.lobby.create_room(MIRA, ROOM, "mira-1")
    await lobby.lobby.create_room(ZOE, replace(ROOM, private=True), "zoe-1")
    await lobby.table.wait(3.25)
    assert [one.code for one in lobby.lobby.snapshot().rooms] == [room.code]
    assert [one.name for one in lobby.lobby.snapshot().here] == ["mira", "zoe"]


async def test_the_lobby_changes_at_most_every_three_seconds_and_only_when_there_is_news(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    told: list[int] = []
    lobby.lobby.subscribe(lambda: told.append(lobby.lobby.snapshot().version))
    await lobby.table.wait(3.25)
    for number in range(4):
        await lobby.lobby.create_room(MIRA, replace(ROOM, title=str(number)), "mira-1")
        await lobby.table.wait(0.5)
    await lobby.table.wait(3.0)
    await lobby.table.wait(6.0)
    assert told == [1, 2]


async def test_what_a_seat_brings_stays_hidden(lobby: Hall) -> None:
    room = await room_of_two(lobby, THREE)
    await room.bring(TARN, {"charm": "low"})
    seat = room.snapshot().seats[1]
    assert seat.seat_options
    assert "low" not in repr(room.snapshot())
    with pytest.raises(BadNotation):
        await room.bring(TARN, {"hat": "tall"})


async def test_a_room_ends_when_its_people_do_not_come_back_to_a_server_that_was_started_again(
    url: str, clock: FakeClock
) -> None:
    async with hall(url, clock) as before:
        left = await room_of_two(before)
        playing = await room_of_two(before, replace(ROOM, auto_start=True))
        match_id = playing.snapshot().match or ""
    async with hall(url, clock) as after:
        await after.table.wait(40)
        assert {room.code for room in after.lobby.snapshot().rooms} <= {left.code, playing.code}
        assert (await after.lobby.room(left.code)).snapshot().host == "mira", "there is time to come back"
        await after.table.wait(60)
        with pytest.raises(NoSuchRoom):
            await after.lobby.room(left.code)
        assert (await after.lobby.room(playing.code)).snapshot().playing, "while it is played the room stays"
        await (await after.table.matches.open(match_id)).resign(A)
        await after.table.wait(31)
        with pytest.raises(NoSuchRoom):
            await after.lobby.room(playing.code)


async def test_who_is_back_in_the_room_after_a_restart_stays_in_it(url: str, clock: FakeClock) -> None:
    async with hall(url, clock) as before:
        code = (await room_of_two(before)).code
    async with hall(url, clock) as after:
        after.arrive(TARN)
        room = await after.lobby.join(TARN, code, "tarn-1")
        await after.table.wait(100)
        seen = room.snapshot()
        assert (seen.members, seen.host) == (("tarn",), "tarn")
        assert seated(room) == [None, "tarn"]


async def test_a_deck_that_is_not_legal_is_refused_before_anybody_waits_for_it(lobby: Hall) -> None:
    room = await room_of_two(lobby, RoomSettings("netrunner"))
    for brings in ({"deck": "shaper"}, {"deck": "Kate\n3 Diesel"}, {"hat": "red"}):
        with pytest.raises(BadNotation):
            await room.bring(MIRA, brings)  # the Corp's seat
    await room.bring(MIRA, {"deck": "nbn"})
    await room.bring(TARN, {"deck": "criminal"})
    await room.ready(MIRA)
    await room.ready(TARN)
    match = await lobby.table.matches.open(room.snapshot().match or "")
    assert match.terms.seat_options == ({"deck": "nbn"}, {"deck": "criminal"})


async def test_a_deck_stays_with_its_side_when_somebody_moves(lobby: Hall) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.create_room(MIRA, RoomSettings("netrunner"), "mira-1")
    await room.bring(MIRA, {"deck": "nbn"})
    await room.sit(MIRA, B)
    assert [seat.seat_options for seat in room.snapshot().seats] == [False, False]
    with pytest.raises(BadNotation):
        await room.sit(MIRA, A, {"deck": "shaper"})
