"""What newcomers stumbled over: rooms, waiting, a second session, lists, help on what holds in all games."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.lobby import room_state
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.screens.lobbyrows import names_cols_of
from server.session import places
from tests.boards.positions import person
from tests.screens.test_rooms import in_room
from tests.session.evening import MIDDLE, in_lobby
from tests.session.fakeserver import CODE, FakeServer, guest
from tests.session.stage import StagedMatch
from tests.texts import read_catalogue


async def test_three_presses_of_b_made_one_master_of_the_first_bot(server: FakeServer) -> None:
    seated, room = await in_room(server)
    await seated.type("b", "b")
    assert [seat.player.name for seat in room.state.seats if seat.player is not None] == ["mira", "bot:easy"]
    assert seated.says("room.no-seat")
    await seated.type("right")
    assert [seat.player.name for seat in room.state.seats if seat.player is not None] == ["mira", "bot:normal"]
    await seated.type("k")
    assert [seat.player.name for seat in room.state.seats if seat.player is not None] == ["mira"]


async def test_enter_while_the_other_thinks_says_whom_one_waits_for(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m7", MIDDLE))
    seated = await in_lobby(server, name="tarn")
    await seated.type("enter")
    assert seated.rows[0].startswith(" RaiNet")
    server.clock.pass_time(2)
    await seated.type("enter")
    assert seated.says("match.waits-for", names="mira")


async def test_a_rematch_that_waits_stands_in_the_lobby(server: FakeServer) -> None:
    match = StagedMatch("rainet", (person("mira"), person("tarn")), "m5")
    match.agree(speed="daily", rated=False)
    await server.matches.add(match.end()).offer(Seat(1), "rematch")
    seated = await in_lobby(server)
    row = next(line for line in seated.rows if "tarn" in line)
    assert seated.session.t("row.offered.rematch") in row
    assert seated.session.t("speed.daily") in row


async def test_an_idle_second_session_was_pulled_into_the_match_of_the_first(server: FakeServer) -> None:
    seated = await in_lobby(server)
    other = server.come("mira")
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m9", MIDDLE))
    match.enter(person("mira"), Seat(0), other.session)
    server.tell("m9")
    await seated.settle()
    await server.clock.advance(2)
    await seated.settle()
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("match.in-other-session")


async def test_a_session_that_joined_a_room_that_began_at_once_stayed_in_the_room(server: FakeServer) -> None:
    """The match was told before the room's page was there, and another session was sent to it."""
    seated = await in_lobby(server)
    other = server.come("mira")
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m9", MIDDLE))
    match.enter(person("mira"), Seat(0), other.session)
    server.tell("m9")
    room = await server.room("mira", RoomSettings(Agreement("rainet"), auto_start=True))
    seated.session.go(places.JoinedRoomPlace(room))
    await seated.settle()
    assert CODE in seated.rows[0]
    await server.clock.advance(2)
    await seated.settle()
    assert seated.rows[0].startswith(" RaiNet"), seated.text
    assert not seated.says("match.in-other-session")


async def test_the_help_on_all_games_is_a_key_away(server: FakeServer) -> None:
    seated = await in_lobby(server)
    await seated.type("?", "h")
    assert seated.says("help.all-games")
    assert "1500?" in seated.text


def test_at_60_columns_short_names_leave_room_for_the_rest() -> None:
    assert names_cols_of(60) < names_cols_of(78) == names_cols_of(80)


async def test_at_60_columns_a_row_cut_the_time_of_one_s_own_match_in_its_middle(server: FakeServer) -> None:
    server.matches.add(StagedMatch("passage", (person("mira"), person("tarn")), "m7"))
    seated = await in_lobby(server)
    await seated.resize(60, 20)
    await seated.settle()
    row = next(line for line in seated.rows if "tarn" in line)
    assert "since" not in row or "UTC" in row


async def test_the_goal_of_netrunner_was_gone_once_the_hand_was_kept(server: FakeServer) -> None:
    """A hand that is kept is no move, nor is the card that a turn begins with."""
    match = server.matches.add(StagedMatch("netrunner", (person("mira"), person("tarn")), "m1"))
    seated = await in_lobby(server, 120, 40)
    await seated.type("enter")
    goal = seated.session.t("tutorial.netrunner.goal").split()[:4]
    match.play(0, "keep")
    match.play(1, "keep")
    while (pending := match.rules.pending(match.state))[0].prompt != "action":
        match.play(pending[0].seat, "pass")
    await seated.settle()
    assert "drew" in [event.kind for event in match.events(Seat(0), 2)]
    assert " ".join(goal) in seated.text
    match.play(0, "credit")
    await seated.settle()
    assert " ".join(goal) not in seated.text


@pytest.mark.parametrize("language", ["en", "zh_CN", "zh_TW"])
def test_help_and_lobby_disagreed_about_how_long_the_tutorial_takes(language: str) -> None:
    told = {
        str(message.id): str(message.string) for message in read_catalogue(language) if "tutorial" in str(message.id)
    }
    assert [key for key, text in told.items() if any(one in text for one in ("minute", "分钟", "分鐘"))] == [
        "lobby.empty.tutorial"
    ]


async def test_a_take_back_that_waits_stood_in_no_row_of_the_lobby(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m5", MIDDLE))
    match.agree(rated=False)
    seated = await in_lobby(server)
    match.play(0, "d4e4")
    match.play(1, "d7e7")
    await match.offer(Seat(1), "takeback")
    await seated.settle()
    assert seated.session.t("row.offered.takeback") in next(line for line in seated.rows if "tarn" in line)


async def test_keys_of_accounts_were_silent_for_a_guest(server: FakeServer) -> None:
    """Help named them, and nothing came of them."""
    seated = await server.connect(guest())
    await seated.type("enter")
    for key in "pkcarvf":
        await seated.type("m", key)
        assert seated.says("account.needed"), key
        await seated.type("esc")


async def test_keys_for_others_were_silent_on_ones_own_profile(server: FakeServer) -> None:
    seated = await in_lobby(server)
    seated.session.go(places.ProfilePlace("mira"))
    await seated.settle()
    for key in "cfmnxr":
        await seated.type("up", key)
        assert seated.says("people.yourself"), key


async def test_keys_of_the_host_and_of_a_seat_were_silent_for_who_looks_on(server: FakeServer) -> None:
    room = await server.room("tarn", RoomSettings(Agreement("rainet")))
    await room.change(lambda one: room_state.sat(one, person("lio"), None))
    seated = await in_lobby(server, name="zoe")
    await seated.type("c", *CODE.lower(), "enter")
    for key, why in (("b", "host"), ("e", "host"), ("g", "host"), ("k", "host"), ("y", "seated"), ("d", "seated")):
        await seated.type("up", key)
        assert seated.says(f"room.error.not-{why}"), key
