"""Looking for a table of many: what one is content with is chosen on the screen, said, and asked of the pairing."""

from __future__ import annotations

from typing import Any

import pytest

from server.accounts.identity import Player
from server.tui.entry import Entry
from tests.tui.house import FakeMatch, House, Seated, account
from tests.tui.positions import person


@pytest.fixture(autouse=True)
def a_game_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.tui.screens.wishes.has_board", lambda game: game == "passage")


async def choosing(house: House, *keys: str) -> Seated:
    """Open the choices of Play now and press keys there; the second line from above is the speed."""
    seated = await house.connect(account("mira"))
    await seated.type("g", *keys)
    return seated


async def test_five_are_wished_and_fewer_will_do_unless_one_says_no(house: House) -> None:
    seated = await choosing(house, "down", "down", "right", "right", "right")
    assert "< 5 >" in next(row for row in seated.rows if "Players, in games for several" in row)
    await seated.type("down")
    assert "After 30 seconds a smaller table begins" in seated.text
    await seated.type("p")
    (seek,) = house.lobby.sought[0]
    assert (seek.players, seek.fewest, seek.bots) == (5, 2, False)
    assert "fewer players after 30 seconds" in seated.text


async def test_who_wants_five_or_nothing_is_told_nothing_else(house: House) -> None:
    seated = await choosing(house, "down", "down", "left", "down", "right", "p")
    (seek,) = house.lobby.sought[0]
    assert (seek.players, seek.fewest, seek.bots) == (5, None, False)
    assert "If nobody comes" not in seated.text


async def test_bots_are_asked_for_and_said(house: House) -> None:
    seated = await choosing(house, "down", "down", "down", "right", "down", "right")
    assert "bots take empty seats" in seated.text
    await seated.type("p")
    (seek,) = house.lobby.sought[0]
    assert (seek.fewest, seek.bots) == (None, True)
    assert "bots take the empty seats after 30 seconds" in seated.text


def playing(house: House, *players: Player) -> FakeMatch:
    position: Any = {"players": len(players), "hands": [["slip"]], "pile": ["slip"] * 9}
    return house.matches.add(FakeMatch("passage", players, "m1", position))


async def test_a_found_match_that_will_not_count_says_so_and_why(house: House) -> None:
    seated = await choosing(house, "p")
    bots = tuple(Player("bot", "bot:normal") for _ in range(4))
    match = playing(house, person("mira"), *bots)
    match.changes["rated"] = False
    house.lobby.finders[0](match.id)
    await seated.settle()
    assert "casual" in seated.rows[0]
    assert "a rated match needs two people with accounts" in seated.text


async def test_a_found_match_that_counts_says_nothing(house: House) -> None:
    seated = await choosing(house, "p")
    match = playing(house, person("mira"), person("tarn"))
    house.lobby.finders[0](match.id)
    await seated.settle()
    assert "rated" in seated.rows[0]
    assert "Casual:" not in seated.text


async def test_a_match_that_ended_without_counting_is_not_called_rated(house: House) -> None:
    match = playing(house, person("mira"), person("tarn"))
    match.changes |= {"status": "finished", "counted": False}
    seated = await house.connect(account("mira"), entry=Entry("watch", "m1"))
    assert seated.rows[0].startswith(" Passage · not counted")
