"""On every page it shows that it is one's turn in another running match, and a key goes there."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.session.places import Landing, NamedPlace
from tests.boards.positions import person
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

MIRA, TARN = person("mira"), person("tarn")


async def test_no_page_said_that_it_was_ones_turn_in_another_match(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (TARN, MIRA), "m1"))
    there = server.matches.add(StagedMatch("relati", (MIRA, TARN), "m2"))
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.settle()
    your_move = en("match.call", game=seated.session.look.game("relati"))
    assert f"] {your_move}" in seated.rows[0]
    assert f"] {en('keys.everywhere.turn')}" in seated.text
    seated.session.go(NamedPlace.ME)
    await seated.settle()
    assert f"] {your_move}" in seated.rows[0]
    there.changes["pending"] = None
    there.tell()
    await seated.settle()
    assert your_move not in seated.rows[0]
    del there.changes["pending"]
    there.tell()
    await seated.settle()
    assert your_move in seated.rows[0]
    await seated.type("]")
    assert seated.session.pages.match_shown == "m2"
    assert your_move not in seated.rows[0]


async def test_the_window_title_did_not_say_that_another_match_waits(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.matches.add(StagedMatch("relati", (MIRA, TARN), "m2"))
    seated = await server.connect(account("mira"))
    await seated.settle()
    await seated.type("esc")
    assert en("match.call", game=seated.session.look.game("relati")) not in seated.rows[0]  # the lobby lists it
    titles: list[str] = []
    monkeypatch.setattr(seated.session.screen, "set_title", titles.append)
    seated.session.go(NamedPlace.ME)
    await seated.settle()
    assert titles[-1].startswith(en("match.call", game=seated.session.look.game("relati")))


async def test_a_draw_that_was_offered_in_another_match_showed_in_the_lobby_alone(server: FakeServer) -> None:
    server.matches.add(StagedMatch("relati", (TARN, MIRA), "m1"))
    there = server.matches.add(StagedMatch("relati", (TARN, MIRA), "m2"))
    seated = await server.connect(account("mira"), landing=Landing("watch", "m1"))
    await seated.settle()
    game = seated.session.look.game("relati")
    assert f"] {en('match.call.draw', game=game)}" not in seated.rows[0]
    await there.offer(Seat(0), "draw")
    await seated.settle()
    assert f"] {en('match.call.draw', game=game)}" in seated.rows[0]
    await seated.type("]")
    assert seated.session.pages.match_shown == "m2"
    await seated.type("n")
    await seated.type("esc")
    seated.session.go(NamedPlace.ME)
    await seated.settle()
    assert en("match.call.draw", game=game) not in seated.rows[0]
