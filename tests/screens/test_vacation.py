"""Taking days off from daily matches, on the page of one's settings."""

from __future__ import annotations

from datetime import timedelta

from server.matches.vacations import Vacation
from tests.boards.positions import NOON
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
