"""Taking days off from daily matches, on the page of one's settings."""

from __future__ import annotations

from datetime import timedelta

from server.matches.vacations import Vacation
from server.screens.me import MePage
from server.screens.profile import ProfilePage
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, account


async def test_days_off_are_typed_and_may_be_ended(server: FakeServer) -> None:
    seated, mira = await server.connect(account("mira")), server.add("mira")
    t = seated.session.t
    await seated.type("m")
    assert t("vacation.left", n=14) in seated.text
    await seated.type("v", *"5", "enter")
    assert await server.matches.vacations.of(mira) == Vacation(NOON + timedelta(days=5), 9)
    assert f"{NOON + timedelta(days=5):%Y-%m-%d}" in seated.text
    await seated.type("v", "y")
    assert await server.matches.vacations.of(mira) == Vacation(None, 13), "of the days only what was used is gone"
    assert t("vacation.left", n=13) in seated.text


async def test_a_profile_says_until_when_somebody_is_on_vacation(server: FakeServer) -> None:
    server.add("tarn")
    until = await server.matches.vacations.begin(person("tarn"), 5)
    seated = await server.connect(account("mira"))
    seated.session.pages.push(ProfilePage(seated.session, "tarn"))
    await seated.settle()
    assert seated.says("profile.vacation", until=f"{until:%Y-%m-%d %H:%M} UTC")


async def test_enter_on_the_line_of_days_off_did_nothing(server: FakeServer) -> None:
    seated, _ = await server.connect(account("mira")), server.add("mira")
    await seated.type("m")
    page = seated.session.pages.top
    assert isinstance(page, MePage)
    names = [row.name for row in page.rows()]
    await seated.type(*(["down"] * names.index(seated.session.t("me.vacation"))), "enter")
    assert seated.session.prompts.typing is not None
    assert seated.session.prompts.typing.prompt == seated.session.t("vacation.ask-days")
