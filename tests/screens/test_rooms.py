"""Rooms on the screen: what they wait for, and the way between a room and its match."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from game.contract import Result, Seat, Viewer
from server.accounts.identity import bot_player
from server.accounts.preferences import Preferences
from server.boards.seats import player_name
from server.boards.speeds import speed_words
from server.boards.wire import room_json
from server.lobby import listing, room_state
from server.lobby.model import LobbyView, RoomSettings
from server.lobby.new_matches import of_room
from server.lobby.room import Room
from server.lobby.seating import Seating, SeatState
from server.matches.agreement import Agreement
from server.matches.announcer import FEW
from server.matches.model import AnyViewerState
from server.ratings.bradley_terry import Rating
from server.screens.lobby import LobbyPage
from server.screens.newroom import OptionsPage
from server.screens.people import PeoplePage
from server.screens.profile import ProfilePage
from server.screens.room import RoomPage
from server.store.lobby import all_rooms
from server.terminal.look import Look
from tests.agreements import agreed
from tests.boards.positions import NOON, person
from tests.session.evening import in_lobby
from tests.session.fakeserver import CODE, FakeServer, Seated, account
from tests.session.stage import StagedMatch
from tests.texts import en

WON_BY_TARN = Result(((Seat(1),), (Seat(0),)), "resign")
RAINET = RoomSettings(Agreement("rainet"))


async def in_room(server: FakeServer, name: str = "mira") -> tuple[Seated, Room]:
    """Go to mira's room, where nobody else is before the first other one."""
    server.prefer(name, Preferences(calibrated=True))
    seated = await server.connect(account(name))
    room = await (server.the_room() if server.run(all_rooms) else server.room("mira", RAINET))
    await seated.type("c", *CODE.lower(), "enter")
    return seated, room


async def playing(server: FakeServer, seated: Seated, room: Room) -> StagedMatch:
    """Have the room's match begin."""
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes["room"] = room.code
    await room.change(lambda one: room_state.begun(room_state.sat(one, person("tarn"), None), match.id))
    await seated.settle()
    return match


async def test_the_match_and_its_room_are_each_open_once_however_often_one_goes_there(server: FakeServer) -> None:
    seated, room = await in_room(server)
    match = await playing(server, seated, room)
    assert seated.rows[0].startswith(" RaiNet")
    match.changes["status"] = "finished"
    match.tell()
    for _ in range(3):
        await seated.type("w")
        assert seated.rows[0].startswith(f" Room {CODE}")
        await seated.type("w")
        assert seated.rows[0].startswith(" RaiNet")
    await seated.type("esc")
    assert seated.rows[0].startswith(f" Room {CODE}")
    await seated.type("esc", "Y")
    assert seated.rows[0].startswith(" Lobby"), "the room was open once"


async def test_a_match_below_its_room_comes_on_top_again(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.changes["room"] = CODE
    room = await server.room("mira", RAINET)
    seated = await server.connect(account("mira"))
    assert seated.rows[0].startswith(" RaiNet")
    await room.change(lambda one: room_state.begun(one, match.id))
    match.changes["status"] = "finished"
    match.tell()
    await seated.settle()
    await seated.type("w")
    assert seated.rows[0].startswith(f" Room {CODE}")
    await seated.type("w")
    assert seated.rows[0].startswith(" RaiNet")
    await seated.type("esc")
    assert seated.rows[0].startswith(f" Room {CODE}")


async def test_who_is_out_of_a_match_is_not_called_back_to_it(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    match = server.matches.add(StagedMatch("relati", (person("mira"), person("tarn"), person("lio"))))
    shown = match.snapshot

    def snapshot(viewer: Viewer) -> AnyViewerState:
        shot = shown(viewer)
        return replace(shot, seats=(replace(shot.seats[0], out=True), *shot.seats[1:]))

    match.snapshot = snapshot  # type: ignore[method-assign]
    seated = await server.connect(account("mira"))
    assert seated.rows[0].startswith(" Lobby")
    assert "Relati" in seated.text, "but the match is listed"


async def test_a_room_says_who_plays_and_not_who_is_ready_while_it_plays(server: FakeServer) -> None:
    seated, room = await in_room(server)
    assert seated.says("room.not-ready")
    await playing(server, seated, room)
    await seated.type("esc")
    assert "not ready" not in seated.text
    assert seated.text.count("playing") == 2


async def test_a_room_says_how_often_each_has_won(server: FakeServer) -> None:
    seated, room = await in_room(server, "lio")
    results = (("a", "lio"), ("b", ""), ("c", "mira"), ("d", "lio"), ("e", "zoe"))
    by_person = {"mira": 1, "lio": 2, "zoe": 1}
    won = tuple((person(name).person, n) for name, n in by_person.items())
    await room.change(lambda one: replace(one, results=results, won=won))
    await seated.settle()
    assert seated.says("outcome.score", won="mira 1, lio 2")
    assert of_room(room.state).won == (1, 2)


async def test_a_win_of_one_bot_was_counted_for_another_of_its_level(server: FakeServer) -> None:
    """Who won is kept by person, and they are the same: no score is said rather than a false one."""
    seated, room = await in_room(server, "lio")
    bot = SeatState(bot_player("easy"), True)
    results = (("a", "bot:easy"), ("b", "bot:easy"))
    won = ((bot_player("easy").person, 2),)
    await room.change(lambda one: replace(one, results=results, won=won, seats=Seating((bot, bot))))
    await seated.settle()
    assert of_room(room.state).won == ()
    assert seated.says("room.result", n=2, name=player_name("bot:easy", Look()))
    assert not seated.says("outcome.score", won="bot (easy) 2, bot (easy) 2")


async def test_an_open_room_could_not_be_made_one_by_invite_only(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    await seated.type("n", "enter")
    page = seated.session.pages.top
    assert isinstance(page, RoomPage)
    code = page.room.code
    assert not page.room.state.agreement.private
    await seated.type("e")
    form = seated.session.pages.top
    assert isinstance(form, OptionsPage)
    form.choose([row.name for row in form.rows()].index(en("agreed.private")) + 1)
    await seated.type("right", "enter")
    page = seated.session.pages.top
    assert isinstance(page, RoomPage)
    assert page.room.state.agreement.private
    assert page.room.code != code
    assert seated.says("room.new-code", code=page.room.code)
    assert [row.code for row in server.run(all_rooms)] == [page.room.code]


async def test_a_room_asks_of_everybody_what_they_can_do(server: FakeServer) -> None:
    mira, room = await in_room(server)
    assert mira.says("room.wait-seats", n=1)
    lio, room = await in_room(server, "lio")
    assert lio.says("room.press-ready")
    await room.stand(person("lio"))
    await lio.type("down")
    assert lio.says("room.press-sit", n=1)
    await room.sit(person("lio"))
    await room.stand(person("mira"))
    await lio.settle()
    assert lio.says("room.wait-others", n=1)
    assert "add a bot" not in lio.text, "that is the host's"


async def test_a_room_that_plays_says_so_in_the_lobby(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    room = await server.room("tarn", RAINET)
    seated = await server.connect(account("mira"))
    assert seated.says("row.seats", taken=1, of=2)
    await room.change(lambda one: room_state.begun(one, "m1"))  # which is not listed
    await server.look()
    assert not seated.says("row.seats", taken=1, of=2)
    assert "playing" in seated.text


async def test_the_lobby_called_a_room_rated_in_which_nobody_plays_for_a_rating(server: FakeServer) -> None:
    """The room itself said that it is casual and has no clock with a bot in the other seat."""
    seated = await server.connect(account("mira"))
    await server.room("mira", replace(RAINET, agreement=replace(RAINET.agreement, rated=True)))
    other = await in_lobby(server, name="tarn")

    async def row() -> str:
        await server.look()
        await other.settle()
        return next(line for line in other.text.splitlines() if en("row.room") in line and "mira" in line)

    assert en("match.rated") in await row()
    await seated.type("c", *CODE.lower(), "enter", "b")
    assert en("match.casual") in await row()
    assert en("match.rated") not in await row()
    [room] = server.lobby.snapshot().rooms
    assert room_json(room)["rated"] is False, "programs are told the same"


async def test_a_seat_that_is_held_says_for_whom(server: FakeServer) -> None:
    seated, room = await in_room(server)
    await room.change(lambda one: room_state.held(one, Seat(1), "tarn"))
    await seated.settle()
    assert seated.says("room.held", name="tarn")
    assert seated.says("room.wait-held", names="tarn")


async def test_a_key_gave_the_seat_of_who_was_challenged_to_a_bot(server: FakeServer) -> None:
    """The challenge was gone, and the match with the bot began."""
    seated, room = await in_room(server)
    await room.change(lambda one: room_state.held(one, Seat(1), "tarn"))
    await seated.settle()
    await seated.type("b")
    assert seated.says("room.ask-bot-held", name="tarn")
    await seated.type("n")
    assert room.state.seats[Seat(1)].held_for == "tarn"
    await seated.type("b", "Y")
    assert room.state.seats[Seat(1)].held_for is None


async def test_who_challenged_is_told_that_it_was_declined(server: FakeServer) -> None:
    seated, room = await in_room(server)
    await room.change(lambda one: room_state.held(one, Seat(1), "tarn"))
    await seated.settle()
    seated.wire.sent.clear()
    await room.change(lambda one: room_state.declined(one, "tarn"))
    await seated.settle()
    assert b"\x07" in seated.wire.sent, "the bell called"
    assert seated.session.t("room.has-declined", name="tarn") in seated.text
    await seated.type("down")
    assert seated.session.t("room.declined", names="tarn")[:40] in seated.text, "it stays said"


async def test_a_challenge_is_declined_with_a_key(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    room = await server.lobby.challenges.make(person("tarn"), "mira", RAINET)
    seated = await server.connect(account("mira"))
    assert f"enter {seated.session.t('keys.lobby.accept-challenge')}" in seated.text
    assert f"d {seated.session.t('keys.lobby.decline-challenge')}" in seated.text
    await seated.type("d")
    assert room.state.declined == ("mira",)
    assert seated.session.t("lobby.declined") in seated.text
    assert f"d {seated.session.t('keys.lobby.decline-challenge')}" not in seated.text


async def test_a_challenge_said_answer_in_the_lobby_and_the_lobby_did_not_say_how(server: FakeServer) -> None:
    server.add("tarn")
    server.matches.add(StagedMatch("relati", (person("mira"), person("tarn")), "m1"))
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    await seated.type("esc")
    await server.lobby.challenges.make(person("tarn"), "mira", RAINET)
    await server.look()
    await seated.settle()
    assert f"d {seated.session.t('keys.lobby.decline-challenge')}" in seated.text
    assert f"enter {seated.session.t('keys.lobby.accept-challenge')}" in seated.text


async def test_escape_from_a_match_led_to_the_room_of_another_one(server: FakeServer) -> None:
    seated, room = await in_room(server)
    await playing(server, seated, room)
    other = server.matches.add(StagedMatch("relati", (person("mira"), person("lio")), "m2"))
    server.clock.pass_time(2)
    await seated.type("]")
    assert seated.session.pages.match_shown == "m2"
    other.end().tell()
    server.clock.pass_time(2)
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")


async def test_a_standing_challenge_of_one_s_own_is_withdrawn_with_a_key(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    await server.lobby.challenges.leave(person("mira"), "tarn", RAINET)
    seated = await server.connect(account("mira"))
    t = seated.session.t
    assert any(t("row.asked") in row and "tarn" in row for row in seated.rows)
    assert f"d {t('keys.lobby.withdraw')}" in seated.text
    await seated.type("d")
    assert await server.lobby.challenges.standing(person("mira")) == ()
    assert t("lobby.withdrawn") in seated.text
    assert t("row.asked") not in seated.text


async def test_who_is_removed_from_a_room_is_told_and_back_in_the_lobby(server: FakeServer) -> None:
    seated, room = await in_room(server, "tarn")
    await seated.type("?")
    room.leave(seated.session.id)
    await seated.settle()
    await seated.type("esc")
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("room.removed", code=CODE)


async def test_the_host_could_not_remove_who_looks_on(server: FakeServer) -> None:
    mira, room = await in_room(server, "mira")
    await in_room(server, "tarn")
    lio, _ = await in_room(server, "lio")
    assert "lio" in room.snapshot().members
    await mira.type("o")
    page = mira.session.pages.top
    assert isinstance(page, PeoplePage)
    for one in page.listed():
        chosen = page.chosen()
        assert chosen is not None
        assert chosen.name == one.name
        await mira.type("s", "y", "down")
    assert set(room.snapshot().members) == {"mira", "tarn"}, "who sits has a seat to be taken from"
    await lio.settle()
    assert lio.says("room.removed", code=CODE)


async def test_nobody_in_a_room_was_told_who_came_and_went_and_was_removed(server: FakeServer) -> None:
    mira, _ = await in_room(server)
    tarn, _ = await in_room(server, "tarn")
    assert mira.says("room.has-come", names="tarn")
    lio, _ = await in_room(server, "lio")
    await lio.type("esc", "Y")
    await tarn.settle()
    assert tarn.says("room.has-left", names="lio")


async def test_y_for_ready_left_the_room_where_it_was_still_asked_whether_to(server: FakeServer) -> None:
    """Other keys did nothing at that question and said nothing, so it was taken for gone."""
    seated, _ = await in_room(server)
    await seated.type("esc", "g")
    for _ in range(2):
        assert seated.says("room.ask-leave")
        assert seated.says("confirm.no-answer", yes="Y", no="n")
        await seated.type("y")
    assert seated.rows[0].startswith(f" Room {CODE}")
    await seated.type("n", "y")
    assert seated.says("room.ready")
    await seated.type("esc", "Y")
    assert seated.rows[0].startswith(" Lobby")


async def test_a_removed_player_s_room_stood_on_in_their_list(server: FakeServer) -> None:
    tarn, room = await in_room(server, "tarn")
    assert not tarn.says("room.has-removed", names="tarn")
    mira, zoe = await in_room(server, "mira"), await in_room(server, "zoe")
    seat = next(one.seat for one in room.snapshot().seats if one.player is not None and one.player.name == "tarn")
    await room.remove(account("mira").player, seat)
    await zoe[0].settle()
    assert zoe[0].says("room.has-removed", names="tarn")
    await tarn.settle()
    await server.look()
    await tarn.settle()
    assert tarn.rows[0].startswith(" Lobby")
    assert not tarn.says("row.seats", taken=1, of=2), "what they can't enter is not on offer"
    assert mira[0].rows[0].startswith(f" Room {CODE}")


async def test_others_read_that_the_host_has_changed_something_but_not_what(server: FakeServer) -> None:
    mira, room = await in_room(server)
    tarn, room = await in_room(server, "tarn")
    await tarn.type("y")
    await room.set(account("mira").player, agreed(room.snapshot().settings, speed="fast"))
    await tarn.settle()
    fast = tarn.session.look.t("speed.fast")
    said = " ".join(tarn.text.split())
    assert any(tarn.session.t("room.changed", what=what) in said for what in (fast, speed_words("fast", Look())))
    assert tarn.says("room.changed.unready")
    await mira.settle()
    assert not mira.says("room.changed.unready")


async def test_who_blocks_somebody_beside_them_in_a_room_is_told_what_that_does(server: FakeServer) -> None:
    seated, room = await in_room(server, "mira")
    server.add("tarn")
    await room.change(lambda one: room_state.sat(one, person("tarn"), None))
    seated.session.pages.push(ProfilePage(seated.session, "tarn"))
    await seated.settle()
    await seated.type("x")
    assert seated.says("people.blocked-here", name="tarn")


async def test_a_report_from_a_room_has_what_was_said_there(server: FakeServer) -> None:
    """What was said in a room, or in the gallery of a match that one watched, was not attached."""
    seated, room = await in_room(server, "mira")
    server.said(f"room:{CODE}", "tarn", "you fool")
    server.add("tarn")
    seated.session.pages.push(ProfilePage(seated.session, "tarn"))
    await seated.settle()
    await seated.type("r", *"rude", "enter")
    assert "you fool" in [line["text"] for line in server.reports[-1].lines]
    assert room.code == CODE


async def test_a_bot_that_won_in_a_room_is_named_as_everywhere_else(server: FakeServer) -> None:
    """The room said "match 1: bot:easy won"."""
    seated, room = await in_room(server)
    await room.change(lambda one: replace(one, results=(("m1", "bot:easy"),)))
    await seated.settle()
    assert seated.says("room.result", n=1, name=player_name("bot:easy", Look()))
    assert "bot:" not in seated.text


async def test_going_back_to_a_room_that_is_closed_to_somebody_ends(server: FakeServer) -> None:
    """The page of the room left when it came on top, and the loop that looked for it never ended."""
    seated, room = await in_room(server)
    match = await playing(server, seated, room)
    match.changes["status"] = "finished"
    match.tell()
    room.leave(seated.session.id)
    await seated.type("w")
    assert seated.rows[0].startswith(" Lobby")
    assert not seated.says("room.title", code=room.code)


async def test_a_challenge_was_not_shown_where_the_lobby_had_changed_before_it_was_heard_of(server: FakeServer) -> None:
    """It came as somebody logged in: what told of it was taken for the new list, and the page looked at nothing."""
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    lobby = seated.session.pages.top
    assert isinstance(lobby, LobbyPage)
    lobby.stop()
    await server.room("omid", RAINET)
    await server.look()
    assert server.lobby.snapshot() is not lobby.lists.view
    lobby.start()
    await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
    await seated.settle()
    assert [one.by.name for one in lobby.lists.challenges] == ["tarn"]


async def test_a_challenge_told_in_one_turn_with_a_new_list_was_taken_for_the_list(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where more than four are in the lobby they are told by a task: of both at once, and the challenge was missed."""
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    lobby = seated.session.pages.top
    assert isinstance(lobby, LobbyPage)
    for _ in range(FEW):
        server.lobby.subscribe(lambda: None)
    await server.room("omid", RAINET)
    read_view = listing.read_view

    async def read_as_a_challenge_comes(*args: Any) -> LobbyView:
        view = await read_view(*args)
        await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
        return view

    monkeypatch.setattr(listing, "read_view", read_as_a_challenge_comes)
    before = lobby.lists.view
    await server.look()
    assert lobby.lists.view is not before
    assert [one.by.name for one in lobby.lists.challenges] == ["tarn"]


async def test_who_was_challenged_was_not_told_that_the_challenge_was_withdrawn(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
    seated = await server.connect(account("mira"))
    await server.lobby.challenges.withdraw(person("tarn"), CODE)
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    await page.load()
    await seated.settle()
    assert seated.says("lobby.challenge-gone", name="tarn", game=Look().game("rainet"))


async def test_a_challenge_withdrawn_elsewhere_stood_on_in_the_open_room(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    await server.lobby.challenges.leave(person("mira"), "tarn", RAINET)
    seated = await server.connect(account("mira"))
    await seated.type("enter")
    room = await server.the_room()
    assert seated.says("room.held", name="tarn")
    await server.lobby.challenges.withdraw(person("mira"), room.code)
    await seated.settle()
    assert seated.rows[0].startswith(" Lobby")
    assert seated.says("room.gone", code=room.code)


async def test_who_withdrew_a_challenge_by_changing_the_room_was_not_told(server: FakeServer) -> None:
    seated, room = await in_room(server)
    await room.change(lambda one: room_state.held(one, Seat(1), "tarn"))
    await seated.settle()
    assert not seated.says("room.called-off", names="tarn")
    await room.change(lambda one: replace(one, seats=Seating((one.seats[0], SeatState()))))
    await seated.settle()
    assert seated.says("room.called-off", names="tarn")


async def test_g_skipped_the_countdown_that_those_who_are_ready_see(server: FakeServer) -> None:
    seated, room = await in_room(server)
    both = Seating(SeatState(person(name), ready=True) for name in ("mira", "tarn"))
    server.add("tarn")
    await room.change(lambda one: replace(one, seats=both))
    await seated.settle()
    await seated.type("g")
    assert room.state.begins_at == NOON + timedelta(seconds=3)
    assert seated.session.t("keys.room.start") not in seated.rows[-1]
    await seated.type("g")
    assert not room.state.playing


async def test_nothing_in_a_room_said_which_seat_was_one_s_own(server: FakeServer) -> None:
    """The cursor stood on the first seat for everybody."""
    await in_room(server)
    tarn, _ = await in_room(server, "tarn")
    yours = tarn.session.t("room.yours", name="").strip()
    mine = [row for row in tarn.rows if yours in row]
    assert len(mine) == 1
    assert "tarn" in mine[0]
    assert mine[0].startswith(f" {tarn.session.look.glyphs.pointer}")


async def test_a_room_s_key_said_ready_to_who_was_ready(server: FakeServer) -> None:
    mira, _ = await in_room(server)
    await in_room(server, "tarn")
    ready, taken_back = (f"y {mira.session.t(one)}" for one in ("keys.room.ready", "room.taken-back.ready"))
    assert ready in mira.text
    await mira.type("y")
    assert taken_back in mira.text
    await mira.type("y")
    assert ready in mira.text


async def test_escape_never_led_out_of_a_room_after_its_match(server: FakeServer) -> None:
    """It asked whether to leave, and Escape was No."""
    seated, room = await in_room(server)
    match = await playing(server, seated, room)
    match.end().tell()
    await room.change(lambda one: room_state.ended(one, match.id, match.terms.players, WON_BY_TARN))
    await seated.settle()
    await seated.type("esc", "esc")
    assert seated.rows[0].startswith(" Lobby")


async def test_a_rematch_was_offered_where_nobody_else_was(server: FakeServer) -> None:
    mira, room = await in_room(server)
    tarn, _ = await in_room(server, "tarn")
    match = await playing(server, mira, room)
    match.end().tell()
    await room.change(lambda one: room_state.ended(one, match.id, match.terms.players, WON_BY_TARN))
    await mira.settle()
    await mira.type("w")
    rematch = mira.session.t("keys.room.rematch")
    assert rematch in labels(mira)
    room.leave(tarn.session.id)
    await mira.settle()
    assert rematch not in labels(mira)


def labels(seated: Seated) -> list[str]:
    """Return what the keys of the page on top do."""
    page = seated.session.pages.top
    return [seated.session.t(hint.label) for hint in page.hints()] if page is not None else []


@pytest.mark.parametrize("where", ["lobby", "help", "lines"])
async def test_who_had_left_a_challenge_standing_was_not_told_that_it_was_declined(
    server: FakeServer, where: str
) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True, lines=where == "lines"))
    await server.lobby.challenges.leave(person("mira"), "tarn", agreed(RAINET, private=True))
    seated = await server.connect(account("mira"), has_lines=True)
    await seated.type(*(["?"] if where == "help" else []))
    await server.lobby.challenges.decline(person("tarn"), (await server.the_room()).code)
    await seated.settle()
    t = seated.session.t
    said = t("lobby.has-declined", name="tarn", game=Look().game("rainet"))
    if where == "lines":
        assert said in seated.wire.sent.decode()
        return
    assert said in seated.text
    await seated.type(*(["esc"] if where == "help" else ["down"]))
    assert any(t("row.declined") in row and "tarn" in row for row in seated.rows), "it stays said"
    assert f"d {t('keys.lobby.put-away')}" in seated.text
    await seated.type("d")
    assert seated.says("lobby.put-away")
    assert not any("tarn" in row for row in seated.rows)


async def test_a_challenge_accepted_by_its_code_with_a_dash_was_said_to_be_withdrawn(
    server: FakeServer,
) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
    seated = await server.connect(account("mira"))
    await seated.type("c", *f"{CODE[:4]}-{CODE[4:]}".lower(), "enter")
    await seated.settle()
    await seated.type("esc", "esc")
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    await page.load()
    assert not seated.says("lobby.challenge-gone", name="tarn", game=Look().game("rainet"))


async def test_an_equal_challenge_in_place_of_another_was_said_to_be_withdrawn(server: FakeServer) -> None:
    server.add("tarn")
    server.prefer("mira", Preferences(calibrated=True))
    await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
    seated = await server.connect(account("mira"))
    await server.lobby.challenges.leave(person("tarn"), "mira", RAINET)
    page = seated.session.pages.top
    assert isinstance(page, LobbyPage)
    await page.load()
    await seated.settle()
    assert not seated.says("lobby.challenge-gone", name="tarn", game=Look().game("rainet"))


async def test_an_accepted_challenge_brings_both_to_the_board(server: FakeServer) -> None:
    for name in ("mira", "tarn"):
        server.prefer(name, Preferences(calibrated=True))
    tarn, mira = await server.connect(account("tarn")), await server.connect(account("mira"))
    await server.look()
    await mira.type("o")
    await mira.type(*([] if "tarn" in next(row for row in mira.rows if "›" in row) else ["down"]), "c", "enter")
    assert mira.says("room.wait-held", names="tarn")
    page = tarn.session.pages.first
    assert isinstance(page, LobbyPage)
    await page.load()
    await tarn.settle()
    await tarn.type("enter")
    for seated in (mira, tarn):
        await seated.settle()
        assert seated.session.pages.match_shown, seated.text


async def test_a_room_showed_a_provisional_rating_as_a_settled_one(server: FakeServer) -> None:
    server.rate("mira", {"rainet": Rating(25.0, 8.0, 2)})
    seated, _ = await in_room(server)
    assert "mira 1500?" in seated.text


async def test_who_lost_the_connection_in_a_room_came_back_to_the_lobby(server: FakeServer) -> None:
    mira, room = await in_room(server)
    tarn, _ = await in_room(server, "tarn")
    await tarn.hang_up()
    await mira.settle()
    assert mira.says("room.is-lost", names="tarn")
    assert mira.says("seat.away")
    again = await server.connect(account("tarn"))
    assert again.rows[0].startswith(f" Room {room.code}")
    await mira.settle()
    assert mira.says("room.is-back", names="tarn")


async def test_a_bot_had_a_name_in_the_match_and_another_one_in_its_room(server: FakeServer) -> None:
    server.prefer("mira", Preferences(calibrated=True))
    seated = await server.connect(account("mira"))
    room = await server.room("mira", RoomSettings(Agreement("relati", players=4)))
    await room.change(lambda one: room_state.sat(one, bot_player("easy"), Seat(2)))
    await room.change(lambda one: room_state.sat(one, bot_player("easy"), Seat(3)))
    await seated.type("c", *CODE.lower(), "enter")
    for named in ("Cleo", "Dora"):
        assert seated.says("bot.named", name=named, level=en("bot.easy"))


async def test_a_full_room_offered_to_add_a_bot(server: FakeServer) -> None:
    seated, room = await in_room(server)
    label = "keys.room.bot"
    page = seated.session.pages.top
    assert isinstance(page, RoomPage)
    assert label in [hint.label for hint in page.hints()]
    await room.change(lambda one: room_state.sat(one, bot_player("easy"), None))
    await seated.settle()
    assert label not in [hint.label for hint in page.hints()]


async def test_a_full_room_stood_before_what_one_can_join(server: FakeServer) -> None:
    """Who looked for a seat found a room without one first."""
    full = await server.room("mira", RAINET)
    await full.change(lambda one: room_state.sat(one, person("lio"), None))
    await server.room("zoe", RoomSettings(Agreement("relati", players=4)))
    seated = await in_lobby(server, name="omid")
    await server.look()
    await seated.settle()
    full_at, free_at = (next(y for y, row in enumerate(seated.rows) if name in row) for name in ("mira", "zoe"))
    assert free_at < full_at
