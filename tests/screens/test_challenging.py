"""Challenging and writing to people from the pages that show them, whether they are here or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.lobby.challenges import STANDS, STANDS_DAILY
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.matches.speeds import DAILY
from server.screens.challenging import ChallengePage
from server.screens.lobby import LobbyPage
from server.screens.newroom import NewRoomPage, RoomForm
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, Seated, account
from tests.session.hearing import hear
from tests.texts import en


async def followed(server: FakeServer, name: str = "tarn") -> Seated:
    """Look at the people as mira, who follows somebody who is away; the cursor is on them."""
    server.add(name)
    await server.following.follow(server.add("mira"), name)
    seated = await server.connect(account("mira"))
    await seated.type("o", "end")
    return seated


async def test_a_friend_who_was_away_could_not_be_challenged(server: FakeServer) -> None:
    """The key did nothing and said nothing."""
    seated = await followed(server)
    await seated.type("c")
    assert isinstance(seated.session.pages.top, ChallengePage)
    assert seated.says("challenge.away", name="tarn")
    await seated.type("enter")
    assert seated.says("challenge.left", name="tarn")
    [standing] = await server.lobby.challenges.standing(person("mira"))
    assert (standing.to, standing.agreement.speed, standing.agreement.players) == ("tarn", DAILY, 2)


async def test_a_profile_did_not_let_one_challenge_whose_it_is(server: FakeServer) -> None:
    seated = await followed(server)
    await seated.type("enter", "c")
    assert isinstance(seated.session.pages.top, ChallengePage)


async def test_a_challenge_that_can_not_be_made_says_why(server: FakeServer) -> None:
    seated = await followed(server)
    await seated.type("home", "c")
    assert seated.says("challenge.self")
    await seated.type("end", "x", "c")
    assert seated.says("people.you-blocked", handle="tarn")


async def test_a_daily_challenge_to_who_was_here_ended_as_its_maker_left_the_room(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    page = ChallengePage(seated.session, "tarn", is_away=False)
    page.settings = page.settings.agreed(speed=DAILY)
    seated.session.pages.push(page)
    await seated.type("enter")
    assert seated.says("challenge.left", name="tarn")
    [standing] = await server.lobby.challenges.standing(person("mira"))
    assert standing.until is not None
    assert standing.until - standing.since == STANDS_DAILY
    assert NewRoomPage(seated.session).agreement.speed != DAILY, "a room is for those who are here"


async def test_leaving_a_room_did_not_say_that_a_challenge_ends_with_it(server: FakeServer) -> None:
    server.come("tarn")
    seated = await server.connect(account("mira"))
    seated.session.pages.push(ChallengePage(seated.session, "tarn", is_away=False))
    await seated.type("enter", "esc")
    assert seated.says("room.ask-leave-unanswered", names="tarn")


async def test_a_challenge_stayed_in_the_list_after_it_had_lapsed(server: FakeServer) -> None:
    server.add("tarn")
    server.add("mira")
    await server.lobby.challenges.leave(person("tarn"), "mira", RoomSettings(Agreement("relati", private=True)))
    seated = await server.connect(account("mira"))
    assert seated.says("row.wants-you")
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    assert page.lists.lapses_in() == pytest.approx(STANDS.total_seconds(), abs=60)
    server.clock.pass_time(STANDS.total_seconds() + 1)
    seated.session.spawn(page.load())
    await seated.settle()
    assert not seated.says("row.wants-you")
    assert seated.says("lobby.challenge-lapsed", name="tarn", game=en("game.relati"))


async def test_the_form_of_a_challenge_forgot_what_was_chosen_last(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It began with the first game and the speed of Play now each time; so did the form of a room."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    server.come("tarn")
    seated = await server.connect(account("mira"))
    session = seated.session
    chosen = {"players": 3, "options": {"board": 9}, "speed": "fast", "rated": False, "watchable": False}

    def pushed(page: RoomForm) -> Agreement:
        session.pages.push(page)
        return page.agreement

    page = ChallengePage(session, "tarn", is_away=False)
    page.settings = page.settings.agreed(game="relati", **chosen)
    session.pages.push(page)
    await seated.type("enter")
    for form in (ChallengePage(session, "tarn", is_away=False), NewRoomPage(session)):
        now = pushed(form)
        assert now.game == "relati"
        assert {name: getattr(now, name) for name in chosen} == chosen
    assert pushed(ChallengePage(session, "tarn", is_away=False)).private
    assert not pushed(NewRoomPage(session)).private
    other = await server.connect(account("mira"))
    assert ChallengePage(other.session, "tarn", is_away=False).agreement.game == "relati", "at another terminal too"


async def test_who_is_away_or_a_guest_changes_nothing_of_what_was_chosen_before(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against them there is no choice of speed, or of rated."""
    monkeypatch.setattr("server.boards.gamefacts.has_board", lambda game: True)
    server.add("tarn")
    seated = await server.connect(account("mira"))
    page = NewRoomPage(seated.session)
    page.settings = replace(page.settings.agreed(game="relati", players=4, speed="fast"), is_speed_named=True)
    page.keep()
    assert page.agreement.rated
    away = ChallengePage(seated.session, "tarn", is_away=True)
    assert (away.agreement.game, away.agreement.players, away.agreement.speed) == ("relati", 2, DAILY)
    away.keep()
    near = ChallengePage(seated.session, "guest-3f9a", is_away=False)
    assert (near.agreement.speed, near.agreement.rated) == ("fast", False)
    near.keep()
    assert NewRoomPage(seated.session).agreement.rated


async def test_from_a_room_its_host_could_ask_nobody_in(server: FakeServer) -> None:
    """The people of the room were listed alone; challenging one of the others opened another room."""
    server.come("tarn")
    seated = await server.connect(account("mira"))
    tarn = await server.connect(account("tarn"))
    room = await server.room("mira", RoomSettings(Agreement("relati", players=3)))
    await seated.type("c", *room.code, "enter", "o", "c")
    assert seated.says("room.invited", name="tarn")
    await tarn.settle()
    assert tarn.says("row.invitation")
    await tarn.type("enter")
    assert tarn.rows[0].startswith(f" Room {room.code}")
    assert [seat.player and seat.player.name for seat in room.snapshot().seats] == ["mira", "tarn", None]


async def test_a_room_s_host_asks_by_name(server: FakeServer) -> None:
    server.come("lio")
    seated = await server.connect(account("mira"))
    room = await server.room("mira", RoomSettings(Agreement("relati", players=3)))
    await seated.type("c", *room.code, "enter", "i", *"lio", "enter")
    assert [seat.held_for for seat in room.snapshot().seats] == [None, "lio", None]
    await seated.type("i", *"nobody", "enter")
    assert seated.says("lobby.error.nobody", handle="nobody")


async def test_a_room_s_host_asks_by_name_in_lines(server: FakeServer) -> None:
    server.come("lio")
    hearer = await hear(server, account("mira"))
    room = await server.room("mira", RoomSettings(Agreement("relati", players=3)))
    await hearer.line(f"join {room.code}")
    assert en("room.invited", name="lio") in await hearer.line("invite lio")
    assert [seat.held_for for seat in room.snapshot().seats] == [None, "lio", None]
