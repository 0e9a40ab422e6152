"""A match that is closed to who has no seat: no way of the screens leads to its board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Viewer, Watcher
from server.accounts.identity import MODERATOR, Identity
from server.accounts.moderation import Report
from server.accounts.preferences import Preferences
from server.matches.errors import NotWatchable
from server.session.landing import Landing
from server.tui.screens.lobby import LobbyPage
from server.tui.screens.watch import WatchPage
from tests.tui.fakeplay import FakeMatch, summary
from tests.tui.house import House, Seated, account, guest
from tests.tui.positions import NOON, person


def closed(house: House) -> FakeMatch:
    match = house.matches.add(FakeMatch("rainet", (person("mira"), person("tarn"))))
    match.is_closed = True
    house.lobby.show(matches=(replace(summary(match), watchable=False, seq=0, to_act=()),))
    return match


async def omid(house: House, *roles: str, landing: Landing | None = None) -> Seated:
    who = replace(account("omid"), roles=frozenset(roles))
    house.accounts.kept[who.account_id or 0] = Preferences(calibrated=True)
    return await house.connect(who, landing=landing)


@pytest.mark.parametrize("place", ["watch", "replay"])
async def test_ssh_to_a_closed_match_ends_in_the_lobby_with_a_sentence(house: House, place: str) -> None:
    """The live board was drawn, rated or not: only being counted as a watcher was refused."""
    match = closed(house)
    for who in (account("omid"), guest()):
        house.accounts.kept[who.account_id or 0] = Preferences(calibrated=True)
        seated = await house.connect(who, landing=Landing(place, match.id))  # type: ignore[arg-type]
        assert isinstance(seated.session.pages.top, LobbyPage)
        assert seated.says("match.error.not-watchable")
        assert match.listeners == []
        assert match.here == []


async def test_the_lobby_s_row_says_that_a_match_is_closed_and_does_not_open_it(house: House) -> None:
    closed(house)
    seated = await omid(house)
    assert seated.says("row.closed")
    assert "w Watch" not in seated.text
    await seated.type("enter")
    assert isinstance(seated.session.pages.top, LobbyPage)
    assert seated.says("match.error.not-watchable")


async def test_the_players_of_a_closed_match_open_it_as_ever(house: House) -> None:
    match = closed(house)
    who = account("mira")
    house.accounts.kept[who.account_id or 0] = Preferences(calibrated=True)
    seated = await house.connect(who, landing=Landing("watch", match.id))
    assert not seated.says("match.error.not-watchable")
    assert match.here == ["mira"]


async def test_watchers_are_not_taken_into_a_closed_rematch(house: House) -> None:
    match = house.matches.add(FakeMatch("rainet", (person("mira"), person("tarn"))))
    after = house.matches.add(FakeMatch("rainet", (person("tarn"), person("mira")), "m2"))
    after.is_closed = True
    seated = await omid(house, landing=Landing("watch", match.id))
    assert isinstance(seated.session.pages.top, WatchPage)
    await match.resign(match.seat_of(person("mira")))  # type: ignore[arg-type]
    match.changes["next_match"] = "m2"
    match.tell()
    await seated.settle()
    page = seated.session.pages.top
    assert isinstance(page, WatchPage)
    shown: object = page.match
    assert shown is match
    assert seated.says("match.error.not-watchable")


async def test_a_moderator_comes_to_a_closed_match_from_its_report_and_goes_with_the_role(house: House) -> None:
    match = closed(house)
    report = Report(7, NOON, 1, 2, "tarn", match.id, "shouts", [], by_handle="mira", about_handle="tarn")
    house.moderation.waiting = [report]
    seated = await omid(house, MODERATOR, landing=Landing("watch", match.id))
    assert isinstance(seated.session.pages.top, LobbyPage), "not by any other way"
    await seated.type("r", "enter", "w")
    assert isinstance(seated.session.pages.top, WatchPage), seated.text
    match.sight = _refuse  # type: ignore[method-assign]
    seated.session.person.take_roles(frozenset())
    await seated.settle()
    assert not isinstance(seated.session.pages.top, WatchPage)


def _refuse(who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
    raise NotWatchable
