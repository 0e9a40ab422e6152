"""On every page it shows that it is one's turn in another running match, and a key goes there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from game.contract import Seat
from server.boards import keymap
from server.session.places import Landing, NamedPlace
from server.terminal import frame
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.positions import NOON, person
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


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
@pytest.mark.parametrize(("cols", "rows"), [(40, 20), (60, 20), (80, 24)])
async def test_a_match_that_waits_took_keys_and_the_turn_of_this_one(
    server: FakeServer, game: str, cols: int, rows: int
) -> None:
    """Its hint stood first: esc, Offer, and in a small window even Enter had no room; its mark hid the players."""
    server.matches.add(StagedMatch(game, (MIRA, TARN), "m1"))
    there = server.matches.add(StagedMatch("netrunner", (MIRA, TARN), "m2"))
    seated = await server.connect(account("mira"), cols, rows, landing=Landing("watch", "m1"))
    await seated.settle()
    waits, mine = " ".join(" ".join(seated.rows[-2:]).split()), seated.rows[0]
    assert seated.session.look.glyphs.turn in seated.text
    there.changes["pending"] = None
    there.tell()
    await seated.settle()
    alone = " ".join(" ".join(seated.rows[-2:]).split())
    assert waits.replace(f" ] {en('keys.everywhere.turn')}", "") == alone
    assert "] Netrunner" in mine


def test_a_hint_that_gives_way_stands_where_all_have_room() -> None:
    [turn] = keymap.hints("everywhere", ("turn",))
    back, help_ = keymap.hints("everywhere", ("back",)), keymap.hints("everywhere", ("help",))
    hints = (*back, replace(turn, gives_way=True), *help_)
    whole, _ = frame.key_lines(hints, Look(), 60, 1)
    narrow, _ = frame.key_lines(hints, Look(), 24, 1)
    assert en("keys.everywhere.turn") in text_of(whole[0])
    assert narrow == frame.key_lines((*back, *help_), Look(), 24, 1)[0]


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


async def test_the_title_named_a_match_of_days_while_the_clock_of_another_ran(server: FakeServer) -> None:
    """The first that was heard of was named; the key went to the one that is due first."""
    daily = server.matches.add(StagedMatch("relati", (MIRA, TARN), "m1"))
    daily.changes["deadline"] = NOON + timedelta(days=3)
    fast = server.matches.add(StagedMatch("rainet", (MIRA, TARN), "m2"))
    fast.changes["deadline"] = NOON + timedelta(minutes=9)
    seated = await server.connect(account("mira"))
    seated.session.go(NamedPlace.ME)
    await seated.settle()
    assert en("match.call", game=seated.session.look.game("rainet")) in seated.rows[0]
    fast.changes["deadline"] = NOON + timedelta(days=9)
    fast.tell()
    await seated.settle()
    assert en("match.call", game=seated.session.look.game("relati")) in seated.rows[0]
