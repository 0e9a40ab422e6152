"""Positions and actions in writing, options, and what can't be read."""

from __future__ import annotations

import pytest

from game.contract import Action, Json, Seat
from game.errors import BadNotation, IllegalAction
from game.relati.messages import ERRORS
from game.relati.notation import read_action, write_action
from game.relati.rules import GAME
from tests.answers import ended
from tests.relati.positions import play, texts, written

EXAMPLE = "5/1OsO2/5/3X1/4Xs O OX"


@pytest.mark.parametrize(
    "position",
    [
        EXAMPLE,
        "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 O OX",
        "23/23/23/23/23/23/23/23/23/23/23/11Ds11/23/23/23/23/23/23/23/23/23/23/23 H OXDUAH",
        "OsOOdOxOw/Ob4/5/5/XsXXdXxXw X OX",
        "Os3O/5/3D1/5/Ds3D D OxD",
        "Os4/5/5/5/Xf4 O Ox",
    ],
)
def test_s3_a_position_is_written_as_it_was_read(position: str) -> None:
    again = written(GAME.read_position(position, {}))
    assert written(GAME.read_position(again, {})) == again
    assert again.replace("f", "") == position.replace("f", "")


def test_s3_forbid_is_printed_and_worked_out_anew() -> None:
    assert GAME.write_position(GAME.read_position("OsOf3/5/5/O4/4Xs O OX", {})) == "OsO3/5/5/Of4/4Xs O OX"


def test_s3_a_closed_ring_captures_nothing_before_the_next_action() -> None:
    state = GAME.read_position("5/2O2/1OXsO1/1OsO2/5 X OX", {})
    assert written(state).startswith("5/2O2/1OXsO1/")
    assert "/1OXxO1/" in written(play(state, "Ra1"))


def test_s3_two_sources_of_one_mark_both_link() -> None:
    assert GAME.write_position(GAME.read_position("OsO3/5/5/5/Xs2OOs O OX", {})) == "OsO3/5/5/5/Xs2OOs O OX"


def test_s3_a_mover_who_cannot_act_falls_when_the_position_is_read() -> None:
    state = GAME.read_position("Os4/5/Xx4/5/4Ds X OXD", {})
    assert GAME.write_position(state) == "Os4/5/Xx4/5/4Ds D OxD"


def test_s3_after_the_end_the_turn_field_names_the_winner_and_the_others_tie() -> None:
    state = GAME.read_position("Os4/5/5/5/D4 O OxdU".replace("U", "u"), {})
    assert GAME.pending(state) == ()
    assert ended(GAME, state).placements == ((0,), (1, 2, 3))


@pytest.mark.parametrize(
    "position",
    [
        "",
        "5/5/5/5/5",
        "5/5/5/5/5 O OX O",
        "5/5/5/5 O OX",
        "4/4/4/4 O OX",
        "5/5/5/5/6 O OX",
        "5/5/5/5/4 O OX",
        "5/5/5/5/05 O OX",
        "5/5/5/5/4D O OX",
        "5/5/5/5/4Oz O OX",
        "5/5/5/5/4o O OX",
        "5/5/5/5/5 D OX",
        "5/5/5/5/5 o OX",
        "5/5/5/5/5 O XO",
        "5/5/5/5/5 O O",
        "5/5/5/5/5 O OXDUAHO",
        "5/5/5/5/5 O oX",
        "5/5/5/5/5  OX",
        "5/5/5/5/5\nO OX",
        "/".join(["24"] * 24) + " O OX",
        None,
        7,
    ],
)
def test_positions_that_cannot_be_read(position: Json) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.read_position(position, {})
    assert refusal.value.key in ERRORS


def test_a_position_may_not_contradict_board_or_players() -> None:
    for options, n_seats in (({"board": 15}, None), ({}, 3)):
        with pytest.raises(BadNotation):
            GAME.read_position(EXAMPLE, options, n_seats)
    assert GAME.read_position(EXAMPLE, {"board": 5}, 2).ruleset.board == 5


@pytest.mark.parametrize("text", ["Lh8", "Rh8", "Eh8", "Nc8e8", "Fc8e8", "Bh8", "Dh8", "La1", "Lo15", "No15o14"])
def test_s3_actions_are_written_as_they_were_read(text: str) -> None:
    assert write_action(read_action(text, 15), 15) == text


@pytest.mark.parametrize(
    "text",
    ["", "L", "Lp1", "La0", "La16", "La01", "lh8", "LH8", "Nc8", "Lc8e8", "Nc8p8", "Lh8 ", "pass", "N c8 e8", "Lh8\n"],
)
def test_actions_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.apply(GAME.setup({}, 2, bytes(32)).state, Seat(0), Action(text))


def test_boards_of_every_size_name_their_far_corner() -> None:
    for size in range(5, 24):
        state = GAME.setup({"board": size}, 2, bytes(32)).state
        corner = "abcdefghijklmnopqrstuvw"[size - 1] + str(size)
        assert len(texts(state)) == size * size
        assert "L" + corner in texts(state)


@pytest.mark.parametrize(
    "options",
    [{"board": 4}, {"board": 24}, {"board": True}, {"bomb": "none"}, {"escape_anywhere": 1}, {"unknown": True}],
)
def test_options_out_of_range_are_refused(options: dict[str, Json]) -> None:
    with pytest.raises(BadNotation):
        GAME.setup(options, 2, bytes(32))


def test_options_have_the_decided_readings_as_defaults() -> None:
    assert {option.name: option.default for option in GAME.options()} == {
        "board": 15,
        "escape_anywhere": False,
        "contact_line": "own-or-dead",
        "attack_shields": False,
        "spend_source": True,
        "defend_source": False,
        "bomb": "literal",
        "pincer_first": True,
        "rim_is_safe": True,
        "capture_shields": False,
        "forbid": "source",
        "attack_dead": False,
        "far_runs": False,
    }


@pytest.mark.parametrize("n_seats", [0, 1, 7])
def test_two_to_six_play(n_seats: int) -> None:
    with pytest.raises(BadNotation):
        GAME.setup({}, n_seats, bytes(32))
    assert GAME.seat_names(6) == ("O", "X", "D", "U", "A", "H")


def test_a_refusal_leaves_the_state_as_it_was() -> None:
    state = GAME.setup({}, 3, bytes(32)).state
    for seat, action in ((1, "Lh8"), (0, "Rh8"), (5, "Lh8")):
        with pytest.raises(IllegalAction) as refusal:
            GAME.apply(state, Seat(seat), Action(action))
        assert refusal.value.key in ERRORS
    assert state == GAME.setup({}, 3, bytes(32)).state
