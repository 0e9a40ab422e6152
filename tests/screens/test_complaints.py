"""Blocking and reporting somebody from their profile: they need not be here any more."""

from __future__ import annotations

from datetime import timedelta

from server.accounts.identity import Identity
from server.lobby.model import RoomSettings
from server.matches.agreement import Agreement
from server.screens.profile import ProfilePage
from server.session import places
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.stage import StagedMatch
from tests.texts import en


async def on_profile(server: FakeServer, handle: str, who: Identity | None = None) -> Seated:
    server.add(handle)
    seated = await server.connect(who or account("mira"))
    if who is not None:
        await seated.type("enter")
    seated.session.pages.push(ProfilePage(seated.session, handle))
    await seated.settle()
    return seated


async def test_who_has_left_is_still_reported_and_blocked_by_their_profile(server: FakeServer) -> None:
    seated = await on_profile(server, "tarn")
    for label in ("keys.profile.block", "keys.profile.report"):
        assert seated.says(label)
    await seated.type("r", *"rude", "enter")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "rude")]
    assert seated.says("people.reported")
    await seated.type("x")
    assert await server.conduct.blocked_people(1) == {person("tarn").account_id: "tarn"}
    assert en("people.you-blocked", handle="tarn").rstrip(".") in seated.text
    assert "Matches" not in seated.text
    await seated.type("enter", "x")
    assert not await server.conduct.blocked_people(1)


async def test_a_profile_says_who_has_a_say_here(server: FakeServer) -> None:
    server.add("tarn", "admin", "moderator")
    seated = await server.connect(account("mira"))
    seated.session.pages.push(ProfilePage(seated.session, "tarn"))
    await seated.settle()
    assert seated.says("profile.role.admin")
    assert seated.says("profile.role.moderator")
    other = await on_profile(server, "admin1")
    assert not other.says("profile.role.admin")
    assert not other.says("profile.role.moderator")


async def test_nobody_reports_themselves_and_guests_report_nobody(server: FakeServer) -> None:
    for seated in (await on_profile(server, "mira"), await on_profile(server, "tarn", guest())):
        assert "Report" not in seated.text
        await seated.type("r", "x")
        assert not seated.session.prompts.is_typing
    assert not await server.conduct.blocked_people(1)


async def test_who_played_or_talked_at_a_match_is_reported_when_they_have_left(server: FakeServer) -> None:
    """Only the list of who is here had the keys: who had left the match could be told of by nobody."""
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    server.said("gallery:m1", "guest-x7k2mnpq", "what a bore")
    server.said("match:m1", "tarn", "you all lose")
    seated = await server.connect(account("mira"))
    await seated.session.reach(places.OwnMatchPlace("m1"))
    await seated.settle()
    await seated.type("O")
    assert en("people.table") in seated.rows[0]
    assert "tarn" in seated.text
    assert "guest-x7k2mnpq" in seated.text, "who only talked, too"
    assert seated.says("people.gone")
    await seated.type("down")
    assert en("keys.people.challenge") not in seated.rows[-1], "a guest who has left is challenged by nobody"
    await seated.type("up", "r", *"rude", "enter")
    assert [(one.about_name, one.why) for one in server.reports] == [("tarn", "rude")]
    report = server.reports[0]
    assert (report.match_id, [line["text"] for line in report.lines]) == ("m1", ["what a bore", "you all lose"])
    await seated.type("x", "y")
    assert await server.conduct.blocked_people(1) == {person("tarn").account_id: "tarn"}


async def test_the_list_of_people_has_whom_one_met_and_who_has_left(server: FakeServer) -> None:
    server.said("lobby", "guest-x7k2mnpq", "spam spam")
    server.said("lobby", "olde", "good old days", at=NOON - timedelta(days=31))
    seated = await server.connect(account("mira"))
    await seated.type("o")
    assert "guest-x7k2mnpq" in seated.text
    assert "olde" not in seated.text.replace("good old", ""), "thirty days are over"
    assert seated.says("people.gone")


async def test_a_room_has_its_people_also_those_who_only_talked(server: FakeServer) -> None:
    seated = await server.connect(account("mira"))
    room = await server.lobby.rooms.create(person("mira"), RoomSettings(Agreement("rainet")), seated.session.id)
    server.said(f"room:{room.code}", "zoe", "hi all")
    await seated.session.reach(places.RoomPlace(room.code))
    await seated.settle()
    await seated.type("o")
    assert "zoe" in seated.text
    await seated.type("x")
    assert await server.conduct.blocked_people(1) == {person("zoe").account_id: "zoe"}


async def test_who_plays_with_somebody_blocked_them_by_one_key(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn")), "m1"))
    server.come("tarn")
    seated = await server.connect(account("mira"))
    await seated.type("esc", "o", "end", "x")
    assert seated.says("people.ask-block", name="tarn"), seated.text
    await seated.type("n")
    assert not seated.session.person.hidden_names
    await seated.type("x", "y")
    assert seated.session.person.hidden_names == {"tarn"}
    await seated.type("end")
    assert f"x {seated.session.t('people.undo.block')}" in seated.text
    await seated.type("x")
    assert not seated.session.person.hidden_names, "taking it back is not asked about"
