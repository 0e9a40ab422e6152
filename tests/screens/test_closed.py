"""A match that is closed to who has no seat: no way of the screens leads to its board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.contract import Viewer, Watcher
from server.accounts.identity import MODERATOR, Identity
from server.accounts.moderation import Report
from server.accounts.preferences import Preferences
from server.matches.errors import NotWatchable
from server.screens.lobby import LobbyPage
from server.screens.watch import WatchPage
from server.session.places import Landing
from tests.boards.positions import NOON, person
from tests.session.fakeserver import FakeServer, Seated, account, guest
from tests.session.stage import StagedMatch


def closed(server: FakeServer) -> StagedMatch:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    match.is_closed = True
    match.agree(watchable=False)
    return match


async def omid(server: FakeServer, *roles: str, landing: Landing | None = None) -> Seated:
    who = replace(account("omid"), roles=frozenset(roles))
    server.prefer(who.name, Preferences(calibrated=True))
    return await server.connect(who, landing=landing)


@pytest.mark.parametrize("place", ["watch", "replay"])
async def test_ssh_to_a_closed_match_ends_in_the_lobby_with_a_sentence(server: FakeServer, place: str) -> None:
    """The live board was drawn, rated or not: only being counted as a watcher was refused."""
    match = closed(server)
    for who in (account("omid"), guest()):
        server.prefer(who.name, Preferences(calibrated=True))
        seated = await server.connect(who, landing=Landing(place, match.id))  # type: ignore[arg-type]
        assert isinstance(seated.session.pages.top, LobbyPage)
        assert seated.says("match.error.not-watchable")
        assert match.listeners == []
        assert match.here == []


async def test_the_lobby_s_row_says_that_a_match_is_closed_and_does_not_open_it(server: FakeServer) -> None:
    closed(server)
    seated = await omid(server)
    assert seated.says("row.closed")
    assert "w Watch" not in seated.text
    await seated.type("enter")
    assert isinstance(seated.session.pages.top, LobbyPage)
    assert seated.says("match.error.not-watchable")


async def test_the_players_of_a_closed_match_open_it_as_ever(server: FakeServer) -> None:
    match = closed(server)
    who = account("mira")
    server.prefer(who.name, Preferences(calibrated=True))
    seated = await server.connect(who, landing=Landing("watch", match.id))
    assert not seated.says("match.error.not-watchable")
    assert match.here == ["mira"]


async def test_watchers_are_not_taken_into_a_closed_rematch(server: FakeServer) -> None:
    match = server.matches.add(StagedMatch("rainet", (person("mira"), person("tarn"))))
    after = server.matches.add(StagedMatch("rainet", (person("tarn"), person("mira")), "m2"))
    after.is_closed = True
    seated = await omid(server, landing=Landing("watch", match.id))
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


async def test_a_moderator_comes_to_a_closed_match_from_its_report_and_goes_with_the_role(server: FakeServer) -> None:
    match = closed(server)
    report = Report(0, NOON, 1, 2, "tarn", match.id, "shouts", [], by_handle="mira", about_handle="tarn")
    server.report(report)
    seated = await omid(server, MODERATOR, landing=Landing("watch", match.id))
    assert isinstance(seated.session.pages.top, LobbyPage), "not by any other way"
    await seated.type("r", "enter", "w")
    assert isinstance(seated.session.pages.top, WatchPage), seated.text
    match.sight = _refuse  # type: ignore[method-assign]
    seated.session.set_roles(frozenset())
    await seated.settle()
    assert not isinstance(seated.session.pages.top, WatchPage)


def _refuse(who: Identity, wished: Viewer = Watcher.PUBLIC, case: str | None = None) -> Viewer:
    raise NotWatchable
