"""RaiNet §1.4 to §1.8: setup, moves, captures, the server, the end."""

from __future__ import annotations

import pytest

from game.contract import Action, Json, Seat
from game.errors import BadNotation, IllegalAction
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rainet.view import SETUPS
from tests.answers import ended, offered
from tests.rainet.table import NORTH, SOUTH, after, at, legal, moves, position, reason, refusal, winner

LLVV = "setup LLVVLVLV"


def fresh(**options: Json) -> State:
    return GAME.setup(options, 2, bytes(32)).state


def assign(state: State, seat: Seat, cards: str) -> State:
    return GAME.apply(state, seat, Action(f"setup {cards}")).state


# §1.3


def test_both_sides_owe_a_secret_setup_out_of_all_70() -> None:
    owed = GAME.pending(fresh())
    assert [(p.seat, p.prompt, p.secret) for p in owed] == [(0, "setup", True), (1, "setup", True)]
    assert len(offered(owed[0])) == 70 == len(set(SETUPS))
    assert all(cards.count("L") == 4 for cards in SETUPS)


def test_the_letters_fill_a1_b1_c1_d2_e2_f1_g1_h1_and_the_same_files_for_north() -> None:
    state = assign(assign(fresh(first="S"), NORTH, "LVLVLVLV"), SOUTH, "LLVVLVLV")
    assert position(state) == "lvl2vlv/3vl3/8/8/8/8/3VL3/LLV2VLV S BCF4/bcf4 -/- -/- 0"


def test_either_side_may_be_ready_first() -> None:
    north_first = assign(assign(fresh(), NORTH, "LVLVLVLV"), SOUTH, "LLVVLVLV")
    south_first = assign(assign(fresh(), SOUTH, "LLVVLVLV"), NORTH, "LVLVLVLV")
    assert north_first == south_first


@pytest.mark.parametrize("cards", ["LLLLLVVV", "VVVVVVVV", "LLLVVVVV"])
def test_a_setup_that_is_not_four_and_four_is_rejected(cards: str) -> None:
    assert refusal(fresh(), f"setup {cards}", SOUTH) == "not-four-and-four"


def test_a_confirmed_setup_stays() -> None:
    assert refusal(assign(fresh(), SOUTH, "LLVVLVLV"), LLVV, SOUTH) == "ready-already"


def test_nothing_but_a_setup_is_taken_in_the_setup_and_none_after_it() -> None:
    assert refusal(fresh(), "c1c2", SOUTH) == "in-setup"
    assert refusal(at(), LLVV) == "in-play"


@pytest.mark.parametrize(("first", "turn"), [("S", 0), ("N", 1)])
def test_the_option_first_names_who_starts(first: str, turn: int) -> None:
    assert assign(assign(fresh(first=first), SOUTH, "LLVVLVLV"), NORTH, "LVLVLVLV").turn == turn


def test_the_lot_depends_on_the_seed_and_falls_to_either_side() -> None:
    starters = []
    for n in range(40):
        state = GAME.setup({}, 2, bytes([n]) * 32).state
        starters.append(assign(assign(state, SOUTH, "LLVVLVLV"), NORTH, "LVLVLVLV").turn)
        again = GAME.setup({}, 2, bytes([n]) * 32).state
        assert assign(assign(again, NORTH, "LVLVLVLV"), SOUTH, "LLVVLVLV").turn == starters[-1]
    assert 8 < sum(starters) < 32


def test_a_position_with_both_setups_begins_play() -> None:
    state = at("setup LLVVLVLV LVLVLVLV", first="N")
    assert position(state) == "lvl2vlv/3vl3/8/8/8/8/3VL3/LLV2VLV N BCF4/bcf4 -/- -/- 0"


# §1.4 and §1.5


def test_the_sides_take_turns() -> None:
    state = after(at(), "c1c2")
    assert state.turn == 1
    assert refusal(state, "a1a2", SOUTH) == "not-your-turn"


def test_a_card_steps_one_square_along_a_rank_or_a_file() -> None:
    assert moves(at("8/8/8/3L4/8/8/8/8 S -/bcf4 -/- -/- 0"), "d5") == {"d5d6", "d5c5", "d5e5", "d5d4"}


@pytest.mark.parametrize("text", ["d5e6", "d5d7", "d5h5", "d5d5"])
def test_diagonals_and_leaps_are_no_moves(text: str) -> None:
    assert refusal(at("8/8/8/3L4/8/8/8/8 S BCF4/bcf4 -/- -/- 0"), text) == "too-far"


def test_there_is_no_move_off_the_grid() -> None:
    assert moves(at("L6V/8/8/8/8/8/8/V7 S -/bcf4 -/- -/- 0"), "a8") == {"a8b8", "a8a7"}


def test_own_cards_are_in_the_way() -> None:
    assert refusal(at(), "a1b1") == "own-card"


def test_only_own_cards_move() -> None:
    assert refusal(at(), "c8c7") == "no-card"
    assert refusal(at(), "d4d5") == "no-card"


def test_the_own_exits_are_barred() -> None:
    state = at()
    assert refusal(state, "c1d1") == "own-exit"
    assert refusal(state, "e2e1") == "own-exit"


def test_with_the_option_own_exit_they_are_squares_but_the_own_centre_stays_shut() -> None:
    state = at(own_exit="on")
    assert {"c1d1", "d2d1", "e2e1", "f1e1"} <= legal(state)
    there = after(state, "d2d1", "a8a7")
    assert refusal(there, "d1>+") == "not-on-exit"


def test_an_enemy_firewall_stops_a_move_and_an_own_one_does_not() -> None:
    state = at("8/8/3l4/3L4/8/8/8/8 S -/- c5/d6 -/- 0")
    assert moves(state, "d5") == {"d5c5", "d5e5", "d5d4"}
    assert refusal(state, "d5d6") == "enemy-firewall"


# §1.6


def test_a_captured_card_lies_face_up_in_the_captors_stack() -> None:
    state = after(at("8/8/3v4/3L4/8/8/8/8 S BCF4/bcf4 -/- -/- 9"), "d5d6")
    assert position(state) == "8/8/3L4/8/8/8/8/8 N BCF4/bcf4 -/- v+/- 0"


def test_capturing_keeps_the_captors_face_down_and_its_boost() -> None:
    state = after(at("8/8/3v4/3L*4/8/8/8/8 S CF4/bcf4 -/- -/- 9"), "d5d6")
    assert "3L*4" in position(state)


def test_a_face_up_captor_stays_face_up() -> None:
    assert "3L+4" in position(after(at("8/8/3v4/3L+4/8/8/8/8 S BCF4/bcf4 -/- -/- 9"), "d5d6"))


def test_a_captured_boost_returns_to_its_owners_hand() -> None:
    state = after(at("8/8/3v*4/3L4/8/8/8/1l6 S BCF4/cf4 -/- -/- 0"), "d5d6")
    assert position(state) == "8/8/3L4/8/8/8/8/1l6 N BCF4/bcf4 -/- v+/- 0"
    assert "+b1" in legal(state)


# §1.7


def test_a_face_down_card_on_an_enemy_exit_enters_shown_or_hidden_in_either_area() -> None:
    state = at("3L4/8/8/8/8/8/8/8 S -/- -/- -/- 5")
    assert {"d8>+", "d8>l", "d8>v"} <= legal(state)
    assert refusal(state, "d8>") == "reveal-or-hide"
    assert position(after(state, "d8>+")).endswith("N -/- -/- L+/- 0")
    assert position(after(state, "d8>l")).endswith("N -/- -/- L?l/- 0")
    assert position(after(state, "d8>v")).endswith("N -/- -/- L?v/- 0")


def test_a_face_up_card_enters_as_it_is() -> None:
    state = at("8/8/8/8/8/8/8/4v+3 N -/- -/- -/- 5")
    assert moves(state, "e1") & {"e1>", "e1>+", "e1>l", "e1>v"} == {"e1>"}
    assert refusal(state, "e1>v") == "face-up-already"
    assert position(after(state, "e1>")).endswith("S -/- -/- -/v+ 0")


def test_a_card_that_enters_gives_its_boost_back() -> None:
    assert position(after(at("3L*4/8/8/8/8/8/8/8 S -/- -/- -/- 5"), "d8>+")).endswith("N B/- -/- L+/- 0")


@pytest.mark.parametrize("square", ["c8", "d7", "d1"])
def test_the_server_is_entered_from_the_opponents_exits_only(square: str) -> None:
    board = {"c8": "2L5/8/8/8/8/8/8/8", "d7": "8/3L4/8/8/8/8/8/8", "d1": "8/8/8/8/8/8/8/3L4"}[square]
    assert refusal(at(f"{board} S -/- -/- -/- 5", own_exit="on"), f"{square}>+") == "not-on-exit"


def test_a_card_on_an_enemy_exit_can_be_neither_captured_nor_blocked() -> None:
    state = at("2vL4/3v4/8/8/8/8/8/8 N BCF4/bcf4 -/- -/- 0")
    assert not {text for text in legal(state) if text.endswith("d8") and text[0] in "abcdefgh#"}
    assert refusal(state, "c8d8") == "own-exit"
    assert refusal(state, "#d8") == "firewall-exit"


# §1.8


def test_four_links_win_captured_and_entered_and_hidden_ones_counted_together() -> None:
    state = after(at("3L4/8/8/8/8/8/8/8 S -/- -/- l+,l+,L?v/- 5"), "d8>v")
    assert (reason(state), winner(state)) == ("links", SOUTH)


def test_four_viruses_lose_own_entered_ones_counted_too() -> None:
    state = after(at("8/8/8/8/8/8/3L4/3v4 N -/- -/- -/V+,v?l,V+ 5"), "d1>l")
    assert (reason(state), winner(state)) == ("viruses", SOUTH)


def test_capturing_the_fourth_virus_loses() -> None:
    state = after(at("8/8/3v4/3L4/8/8/8/8 S -/- -/- v+,v+,v+/- 5"), "d5d6")
    assert (reason(state), winner(state)) == ("viruses", NORTH)


def test_an_area_may_show_four_without_ending_the_match() -> None:
    state = after(at("3V4/8/8/8/8/8/8/8 S F/f -/- l+,l+,V?l/- 5"), "d8>l")
    assert GAME.result(state) is None
    assert [card.area for card in GAME.view(state, NORTH).stack(SOUTH)] == ["link"] * 4


def test_after_the_end_nothing_is_owed_and_nothing_taken() -> None:
    state = after(at("3L4/8/8/8/8/8/8/8 S -/- -/- l+,l+,l+/- 5"), "d8>+")
    assert GAME.pending(state) == ()
    assert position(state) == "8/8/8/8/8/8/8/8 N -/- -/- l+,l+,l+,L+/- 0"
    assert refusal(state, "#a4", NORTH) == "over"
    assert GAME.result(at(position(state))) == GAME.result(state)


def test_resigning_and_running_out_of_time_lose_in_play_and_in_the_setup() -> None:
    for state in (at(), fresh()):
        assert ended(GAME, GAME.forfeit(state, SOUTH).state).placements == ((NORTH,), (SOUTH,))
        assert reason(GAME.forfeit(state, SOUTH).state) == "forfeit"
        assert winner(GAME.timeout(state, SOUTH).state) == NORTH
    with pytest.raises(IllegalAction):
        GAME.timeout(at(), NORTH)
    with pytest.raises(IllegalAction):
        GAME.forfeit(GAME.forfeit(at(), SOUTH).state, NORTH)


# Draws (decided questions)

SHUFFLE = ("a1a2", "a8a7", "a2a1", "a7a8")


def test_the_third_time_of_a_position_is_a_draw_and_the_loaded_one_counts() -> None:
    state = after(at(), *SHUFFLE, *SHUFFLE[:3])
    assert GAME.result(state) is None
    state = after(state, SHUFFLE[3])
    assert (reason(state), ended(GAME, state).placements) == ("repetition", ((0, 1),))


def test_two_hidden_cards_in_each_others_places_are_the_same_position() -> None:
    """A link walks to where the virus stood and the other way round: to the public nothing has changed."""
    swap = ("a1a2", "h8h7", "b1a1", "h7h8", "a2b2", "h8h7", "b2b1", "h7h8")
    state = after(at("7v/8/8/8/8/8/8/LV6 S -/- -/- -/- 0"), *swap)
    assert state.board[0] != state.board[1]
    assert GAME.result(state) is None
    assert GAME.view(state, SOUTH).repetitions == 2
    assert reason(after(state, *swap)) == "repetition"


def test_a_face_up_type_makes_another_position() -> None:
    swap = ("a1a2", "h8h7", "b1a1", "h7h8", "a2b2", "h8h7", "b2b1", "h7h8")
    state = after(at("7v/8/8/8/8/8/8/L+V6 S -/- -/- -/- 0"), *swap)
    assert GAME.view(state, SOUTH).repetitions == 1


def test_the_same_squares_with_the_other_side_to_move_are_another_position() -> None:
    state = after(at("7v/8/8/8/8/8/8/L7 S B/- -/- -/- 0"), "a1a2", "h8h7", "a2a1", "h7h8")
    assert GAME.view(state, SOUTH).repetitions == 2
    assert GAME.view(after(state, "+a1"), SOUTH).repetitions == 1


def test_200_plies_on_the_clock_are_a_draw() -> None:
    state = at("7v/8/8/8/8/8/8/L7 S -/- -/- -/- 198")
    assert GAME.result(after(state, "a1a2")) is None
    assert reason(after(state, "a1a2", "h8h7")) == "plies"
    assert reason(at("7v/8/8/8/8/8/8/L7 S -/- -/- -/- 200")) == "plies"


@pytest.mark.parametrize(
    ("text", "clock"),
    [("d5d4", 42), ("+d5", 42), ("#a4", 42), ("d5d6", 0), ("?d6", 0), ("@d5e8=", 0), ("e8>l", 0)],
)
def test_the_clock_counts_from_the_last_capture_entry_check_or_404(text: str, clock: int) -> None:
    assert after(at("4L3/8/3v4/3L4/8/8/8/8 S BCF4/bcf4 -/- -/- 41"), text).clock == clock


def test_a_win_on_the_last_ply_of_the_clock_is_a_win() -> None:
    assert reason(after(at("3L4/8/8/8/8/8/8/7v S -/- -/- l+,l+,l+/- 199"), "d8>+")) == "links"


def test_a_loaded_side_without_cards_and_firewall_is_stuck() -> None:
    assert reason(at("8/8/8/8/8/8/8/L7 N -/- -/- -/- 0")) == "stuck"


def test_a_refused_action_changes_nothing() -> None:
    state = at()
    before = GAME.dump(state)
    for text in ("c1d1", "a1b1", "?c1", "@a1a1=", "d2d4"):
        refusal(state, text)
    assert GAME.dump(state) == before


def test_a_match_is_for_two() -> None:
    for players in (1, 3):
        with pytest.raises(BadNotation):
            GAME.setup({}, players, bytes(32))
    assert GAME.seat_names(2) == ("S", "N")
    assert list(GAME.seats) == [2]
