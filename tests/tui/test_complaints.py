"""Blocking and reporting somebody from their profile: they need not be here any more."""

from __future__ import annotations

from types import SimpleNamespace

from server.accounts.identity import Identity
from server.tui.screens.profile import ProfilePage
from tests.tui.house import House, Seated, account, guest


async def on_profile(house: House, handle: str, who: Identity | None = None) -> Seated:
    house.accounts.handles[handle] = SimpleNamespace(id=2, handle=handle, roles=frozenset())
    house.chat.lines["lobby"] = []
    seated = await house.connect(who or account("mira"))
    if who is not None:
        await seated.type("enter")
    seated.session.push(ProfilePage(seated.session, handle))
    await seated.settle()
    return seated


async def test_who_has_left_is_still_reported_and_blocked_by_their_profile(house: House) -> None:
    seated = await on_profile(house, "tarn")
    assert "x Block  r Report" in seated.text
    await seated.type("r", *"rude", "enter")
    assert house.conduct.reports == [(1, "tarn", "rude")]
    assert "The moderators will look at it" in seated.text
    await seated.type("x")
    assert house.conduct.blocks == {(1, "tarn")}
    assert "You have blocked tarn" in seated.text
    assert "Matches" not in seated.text
    await seated.type("enter", "x")
    assert house.conduct.blocks == set()


async def test_a_profile_says_who_has_a_say_here(house: House) -> None:
    house.accounts.handles["tarn"] = SimpleNamespace(id=2, handle="tarn", roles=frozenset(("admin", "moderator")))
    seated = await house.connect(account("mira"))
    seated.session.push(ProfilePage(seated.session, "tarn"))
    await seated.settle()
    assert "Administrator of this server" in seated.text
    assert "Moderator of this server" in seated.text
    assert "of this server" not in (await on_profile(house, "admin1")).text


async def test_nobody_reports_themselves_and_guests_report_nobody(house: House) -> None:
    for seated in (await on_profile(house, "mira"), await on_profile(house, "tarn", guest())):
        assert "Report" not in seated.text
        await seated.type("r", "x")
        assert not seated.session.is_typing
    assert house.conduct.blocks == set()
