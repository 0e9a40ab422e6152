"""Boards in small windows: whose turn it is, which keys act, and what squares are called stay in sight."""

from __future__ import annotations

import pytest

from game.contract import Seat
from server.boards.board import board as board_of
from server.session.places import Landing
from tests.boards.positions import person
from tests.pictures import DARK, NARROW, TRUE_COLOUR
from tests.scenes import At, board, match
from tests.session.fakeserver import FakeServer, account
from tests.session.stage import StagedMatch
from tests.texts import en

SMALLEST = At(40, 20, TRUE_COLOUR, "default", "unicode", DARK + NARROW)


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
async def test_a_small_board_told_neither_the_turn_nor_all_clocks(server: FakeServer, game: str) -> None:
    mira = await board(game)(server, SMALLEST)
    assert mira.rows[0].split() == [game.capitalize().replace("net", "Net"), "mira", "2:41", "▶tarn", "2:41"]
    assert "enter Prepare" in mira.rows[-1], "what is chosen now is for later"
    assert "P Players" in mira.rows[-1]


async def test_where_names_have_no_room_the_clocks_bear_the_signs_of_the_board(server: FakeServer) -> None:
    server.matches.add(StagedMatch("rainet", (person("mira"), person("a-rather-long-name")), "m1"))
    mira = await server.connect(account("mira"), 40, 20, landing=Landing("watch", "m1"))
    assert mira.rows[0].split() == ["RaiNet", "▶▲", "2:41", "▶▼", "2:41"]


async def test_a_small_board_had_no_letters_for_its_files(server: FakeServer) -> None:
    mira = await board("rainet")(server, SMALLEST)
    assert [one for one in mira.rows[1] if one.islower()] == list("abcdefgh"), (
        "SERVER stood where d and e would, and a mark where f"
    )


async def test_beside_the_players_the_message_told_of_a_cursor_out_of_sight(server: FakeServer) -> None:
    mira = await board("rainet", "P")(server, SMALLEST)
    assert mira.rows[-2].strip() == en("match.waiting", name="tarn")


async def test_who_looks_on_was_not_told_the_way_to_the_players(server: FakeServer) -> None:
    match(server, "rainet", names=("tarn", "lio"))
    mira = await SMALLEST.seated(server, place="watch")
    assert "P Players" in mira.rows[-1]
    await mira.type("P")
    assert "P Board" in mira.rows[-1]
    assert "1488" in mira.text


@pytest.mark.parametrize("game", ["rainet", "relati", "passage"])
async def test_each_step_of_a_cursor_looked_anew_for_what_can_be_prepared(server: FakeServer, game: str) -> None:
    shot = match(server, game).snapshot(Seat(0))
    assert board_of(game).ahead(shot) is board_of(game).ahead(shot)
