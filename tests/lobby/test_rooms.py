"""Rooms: seats, ready, bots, beginning."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from game.contract import LEVELS, MASTER, Json, Seat
from game.errors import BadNotation
from server.accounts.identity import Identity, Player
from server.lobby.errors import LobbyRefused
from server.lobby.model import RoomSettings
from server.lobby.room import COUNTDOWN
from server.matches.agreement import Agreement
from server.matches.errors import MatchRefused
from server.store.lobby import NoSuchRoom
from tests.agreements import agreed
from tests.clocks import FakeClock
from tests.lobby.opened import ROOM, OpenLobby, open_lobby, room_of_two, seated
from tests.matches.table import GUEST, LIO, MIRA, TARN, ZOE, SharedBus

A, B, C = Seat(0), Seat(1), Seat(2)


THREE = agreed(ROOM, players=3)


async def test_a_room_has_a_code_and_its_maker_on_the_first_seat(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    seen = room.snapshot()
    assert len(seen.code) == 8
    assert (seen.host, seen.members, seated(room)) == ("mira", ("mira",), ["mira", None])
    assert not seen.can_start


async def test_when_both_are_ready_it_begins_and_both_are_told(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    await room.ready(MIRA)
    assert not room.snapshot().playing
    await room.ready(TARN)
    seen = room.snapshot()
    assert seen.playing
    assert lobby.matches_of(MIRA) == lobby.matches_of(TARN) == [seen.match]
    match = await lobby.table.matches.open(seen.match or "")
    assert (match.terms.players, match.terms.room) == ((MIRA, TARN), room.code)


async def test_a_table_that_has_to_be_silent_talked_in_the_chat_of_its_room(lobby: OpenLobby) -> None:
    room = await lobby.lobby.rooms.create(MIRA, replace(THREE, auto_start=True), "mira-1")
    for player in (TARN, LIO, ZOE):
        lobby.arrive(player)
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    await room.say(TARN, "hello")
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert room.state.playing
    with pytest.raises(MatchRefused, match=r"match\.error\.silence"):
        await room.say(TARN, "bid low, I bid high")
    await room.say(ZOE, "how exciting")


async def test_people_who_are_all_ready_see_it_before_the_match_begins(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    await room.ready(MIRA, counts_down=True)
    await room.ready(TARN, counts_down=True)
    assert room.snapshot().begins_at is not None
    assert not room.snapshot().playing
    await room.ready(TARN, False)  # takes the word back
    await lobby.table.wait(4)
    assert not room.snapshot().playing
    await room.ready(TARN, counts_down=True)
    await lobby.table.wait(4)
    assert room.snapshot().playing


async def test_a_room_of_programs_begins_when_it_is_full(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, replace(ROOM, auto_start=True))
    assert room.snapshot().playing
    await room.sit(TARN)
    assert seated(room) == ["mira", "tarn"]


async def test_a_host_changed_what_others_had_agreed_to_in_a_room_that_begins_by_itself(lobby: OpenLobby) -> None:
    """A program that had sat down to play for fun found itself in a rated match of another game."""
    room = await lobby.lobby.rooms.create(MIRA, replace(THREE, auto_start=True), "mira")
    await lobby.lobby.rooms.join(TARN, room.code, "tarn")
    await room.set(MIRA, agreed(room.state.settings, rated=True))
    await lobby.lobby.rooms.join(LIO, room.code, "lio")
    await room.ready(MIRA)
    assert not room.state.playing
    await room.ready(LIO)
    await room.ready(TARN)
    assert room.state.playing


async def test_a_host_began_one_rated_match_after_the_other_with_who_only_stayed(lobby: OpenLobby) -> None:
    """Nobody had to be ready, so whoever had gone to do something else lost by leaving."""
    room = await room_of_two(lobby, replace(agreed(ROOM, rated=True), auto_start=True))
    match = await lobby.table.matches.open(room.state.match or "")
    await match.resign(A)
    await lobby.table.database.settle()
    assert not room.state.playing
    with pytest.raises(LobbyRefused):
        await room.start(MIRA)
    await room.ready(MIRA)
    assert not room.state.playing
    await room.ready(TARN)
    assert room.state.playing


async def test_the_host_starts_only_when_all_others_are_ready(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    with pytest.raises(LobbyRefused):
        await room.start(MIRA)
    with pytest.raises(LobbyRefused):
        await room.start(TARN)


async def test_bots_fill_seats_and_are_always_ready(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, agreed(ROOM, players=4))
    await room.add_bot(MIRA, C, "hard")
    await room.add_bot(MIRA, Seat(3), "easy")
    assert seated(room) == ["mira", "tarn", "bot:hard", "bot:easy"]
    with pytest.raises(LobbyRefused):
        await room.add_bot(TARN, C)
    with pytest.raises(LobbyRefused):
        await room.add_bot(MIRA, C, "divine")
    await room.remove(MIRA, C)
    assert seated(room)[2] is None


async def test_a_bot_of_a_level_that_the_game_has_not_plays_as_well_as_it_can(
    lobby: OpenLobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room of Relati seats a master; where the next game has none, the match could not begin."""
    monkeypatch.setattr("game.registry.levels", lambda key: (*LEVELS, MASTER) if key == "relati" else LEVELS)
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, agreed(ROOM, game="relati"), "mira-1")
    await room.add_bot(MIRA, Seat(1), "master")
    assert seated(room)[1] == "bot:master"
    await room.set(MIRA, agreed(ROOM, game="netrunner"))
    assert seated(room)[1] == "bot:hard"
    await room.remove(MIRA, Seat(1))
    with pytest.raises(LobbyRefused):
        await room.add_bot(MIRA, Seat(1), "master")


async def test_a_third_one_watches_where_all_seats_are_taken(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    assert room.snapshot().members == ("mira", "tarn", "lio")
    assert seated(room) == ["mira", "tarn"]
    with pytest.raises(LobbyRefused):
        await room.sit(LIO, A)


async def test_where_nobody_may_watch_a_third_one_stays_outside(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, agreed(ROOM, watchable=False))
    with pytest.raises(LobbyRefused):
        await lobby.lobby.rooms.join(LIO, room.code, "lio-1")


async def test_an_unknown_code_is_no_room(lobby: OpenLobby) -> None:
    with pytest.raises(NoSuchRoom):
        await lobby.lobby.rooms.join(MIRA, "ZZZZ", "mira-1")


async def test_settings_that_can_not_be_played_are_refused(lobby: OpenLobby) -> None:
    with pytest.raises(BadNotation):
        await lobby.lobby.rooms.create(MIRA, agreed(ROOM, players=9), "mira-1")
    with pytest.raises(BadNotation):
        await lobby.lobby.rooms.create(MIRA, agreed(ROOM, options={"nonsense": 1}), "mira-1")
    with pytest.raises(LobbyRefused):
        await lobby.lobby.rooms.create(GUEST, agreed(ROOM, rated=True), "guest-1")


async def test_new_settings_ask_everybody_anew(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    await room.ready(TARN)
    await room.set(MIRA, agreed(ROOM, speed="fast"))
    assert [seat.ready for seat in room.snapshot().seats] == [False, False]
    await room.set(MIRA, THREE)
    assert seated(room) == ["mira", "tarn", None]
    with pytest.raises(LobbyRefused):
        await room.set(TARN, ROOM)


async def test_seats_may_be_changed(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, THREE)
    await room.sit(MIRA, C)
    assert seated(room) == [None, "tarn", "mira"]
    with pytest.raises(LobbyRefused):
        await room.sit(TARN, C)
    await room.stand(TARN)
    assert seated(room) == [None, None, "mira"]


async def test_a_room_begins_once_whoever_says_so_at_the_same_moment(url: str, clock: FakeClock) -> None:
    bus = SharedBus()
    async with open_lobby(url, clock, bus) as here, open_lobby(url, clock, bus) as there:
        here.arrive(MIRA)
        there.arrive(TARN)
        mine = await here.lobby.rooms.create(MIRA, ROOM, "mira-1")
        theirs = await there.lobby.rooms.join(TARN, mine.code, "tarn-1")
        await here.table.wait(0.25)
        await asyncio.gather(mine.ready(MIRA), theirs.ready(TARN))
        await here.table.wait(0.25)
        await there.table.database.settle()
        assert mine.snapshot().match == theirs.snapshot().match is not None
        assert len(await here.table.matches.running_of(MIRA)) == 1
        assert here.matches_of(MIRA) == there.matches_of(TARN)


async def test_the_lobby_lists_open_rooms_but_not_private_ones(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.arrive(ZOE)
    room = await lobby.lobby.rooms.create(MIRA, ROOM, "mira-1")
    await lobby.lobby.rooms.create(ZOE, agreed(ROOM, private=True), "zoe-1")
    await lobby.table.wait(3.25)
    assert [one.code for one in lobby.lobby.snapshot().rooms] == [room.code]
    assert [one.name for one in lobby.lobby.snapshot().here] == ["mira", "zoe"]


async def test_the_lobby_changes_at_most_every_three_seconds_and_only_when_there_is_news(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    told: list[int] = []
    lobby.lobby.subscribe(lambda: told.append(lobby.lobby.snapshot().version))
    await lobby.table.wait(3.25)
    for number in range(4):
        await lobby.lobby.rooms.create(MIRA, replace(ROOM, title=str(number)), "mira-1")
        await lobby.table.wait(0.5)
    await lobby.table.wait(3.0)
    await lobby.table.wait(6.0)
    assert told == [1, 2]


async def test_what_a_seat_brings_stays_hidden(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, THREE)
    await room.bring(TARN, {"charm": "low"})
    seat = room.snapshot().seats[1]
    assert seat.seat_options
    assert "low" not in repr(room.snapshot())
    with pytest.raises(BadNotation):
        await room.bring(TARN, {"hat": "tall"})


async def test_a_deck_that_is_not_legal_is_refused_before_anybody_waits_for_it(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby, RoomSettings(Agreement("netrunner")))
    for brings in ({"deck": "shaper"}, {"deck": "Kate\n3 Diesel"}, {"hat": "red"}):
        with pytest.raises(BadNotation):
            await room.bring(MIRA, brings)  # the Corp's seat
    await room.bring(MIRA, {"deck": "nbn"})
    await room.bring(TARN, {"deck": "criminal"})
    await room.ready(MIRA)
    await room.ready(TARN)
    match = await lobby.table.matches.open(room.snapshot().match or "")
    assert match.terms.seat_options == ({"deck": "nbn"}, {"deck": "criminal"})


async def test_a_deck_stays_with_its_side_when_somebody_moves(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, RoomSettings(Agreement("netrunner")), "mira-1")
    await room.bring(MIRA, {"deck": "nbn"})
    await room.sit(MIRA, B)
    assert [seat.seat_options for seat in room.snapshot().seats] == [False, False]
    with pytest.raises(BadNotation):
        await room.sit(MIRA, A, {"deck": "shaper"})


async def test_a_room_whose_match_could_not_begin_is_not_opened(lobby: OpenLobby) -> None:
    """Options that contradict each other were found out only when everybody sat there."""
    passage = agreed(ROOM, game="passage", players=3)
    with pytest.raises(BadNotation):
        await lobby.lobby.rooms.create(MIRA, agreed(passage, options={"supplements": ["blank"]}), "mira-1")
    written: dict[str, Json] = {"supplements": ["blank"], "blank": "greed"}
    room = await lobby.lobby.rooms.create(MIRA, agreed(passage, options=written), "mira-1")
    assert room.snapshot().settings.agreement.options == written


async def test_a_seat_that_the_room_has_no_longer_is_refused(lobby: OpenLobby) -> None:
    """A host at two terminals got a room of more seats than players at one, and an error of ours at the other."""
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, THREE, "mira-1")
    await room.set(MIRA, ROOM)
    with pytest.raises(LobbyRefused):
        await room.add_bot(MIRA, C)
    with pytest.raises(LobbyRefused):
        await room.remove(MIRA, C)
    assert len(room.snapshot().seats) == room.snapshot().settings.agreement.players == 2


async def test_who_sat_down_began_at_once_on_terms_that_were_changed_as_they_came(lobby: OpenLobby) -> None:
    """Their list still said what it had been. Now they have as long to leave as who says that they are ready."""
    for player in (MIRA, TARN):
        lobby.arrive(player)
    room = await lobby.lobby.rooms.create(MIRA, replace(ROOM, auto_start=True), "mira-1")
    await room.set(MIRA, replace(agreed(ROOM, rated=True), auto_start=True))
    await lobby.lobby.rooms.join(TARN, room.code, "tarn-1")
    assert lobby.matches_of(TARN) == []
    await room.stand(TARN)
    await lobby.table.wait(COUNTDOWN.total_seconds() + 1)
    assert lobby.matches_of(TARN) == []
    await room.sit(TARN)
    await lobby.table.wait(COUNTDOWN.total_seconds() + 1)
    assert len(lobby.matches_of(TARN)) == 1


def guest_from(lobby: OpenLobby, name: str, source: str) -> Player:
    """Let a guest come from an address, in a session of their own name."""
    lobby.lobby.arrive(Identity(None, name, frozenset(), None, None, "", source), name, lambda match: None)
    return Player("guest", name, guest_id=name)


async def test_a_guest_who_was_removed_came_back_under_another_name(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    room = await lobby.lobby.rooms.create(MIRA, agreed(ROOM, private=True), "mira-1")
    sent = guest_from(lobby, "guest-a2a2", "192.0.2.7")
    await lobby.lobby.rooms.join(sent, room.code, "guest-a2a2")
    await room.remove(MIRA, Seat(1))
    again = guest_from(lobby, "guest-b3b3", "192.0.2.8")
    with pytest.raises(LobbyRefused) as refused:
        await lobby.lobby.rooms.join(again, room.code, "guest-b3b3")
    assert refused.value.key == "room.error.removed"
    elsewhere = guest_from(lobby, "guest-c4c4", "198.51.100.7")
    await lobby.lobby.rooms.join(elsewhere, room.code, "guest-c4c4")
    assert seated(room) == ["mira", "guest-c4c4"]


async def test_an_account_that_was_removed_came_back_as_a_guest(lobby: OpenLobby) -> None:
    lobby.arrive(MIRA)
    lobby.lobby.arrive(Identity(TARN.account_id, TARN.name, frozenset(), None, None, "", "192.0.2.7"), "t", print)
    room = await lobby.lobby.rooms.create(MIRA, agreed(ROOM, private=True), "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code, "t")
    await room.remove(MIRA, Seat(1))
    guest = guest_from(lobby, "guest-a2a2", "192.0.2.8")
    with pytest.raises(LobbyRefused, match=r"room\.error\.removed"):
        await lobby.lobby.rooms.join(guest, room.code, "guest-a2a2")
    lobby.lobby.arrive(Identity(LIO.account_id, LIO.name, frozenset(), None, None, "", "192.0.2.9"), "l", print)
    await lobby.lobby.rooms.join(LIO, room.code, "l")
    assert seated(room) == ["mira", "lio"], "another account is another person"


async def test_nobody_could_send_away_who_looked_on(lobby: OpenLobby) -> None:
    room = await room_of_two(lobby)
    lobby.arrive(LIO)
    await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
    with pytest.raises(LobbyRefused):
        await room.remove_onlooker(TARN, "lio")
    await room.remove_onlooker(MIRA, "lio")
    await room.remove_onlooker(MIRA, "tarn")  # who sits here is no onlooker
    assert room.snapshot().members == ("mira", "tarn")
    with pytest.raises(LobbyRefused):
        await lobby.lobby.rooms.join(LIO, room.code, "lio-1")
