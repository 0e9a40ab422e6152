"""RaiNet §1.9: Line Boost, Virus Check, Firewall, 404."""

from __future__ import annotations

import pytest

from game.contract import Action, Json, Watcher
from game.errors import BadNotation
from game.rainet.rules import GAME
from game.rainet.state import State
from tests.answers import as_dict, told
from tests.rainet.table import NORTH, PUBLIC, SOUTH, after, at, legal, moves, position, refusal, view

ALONE = "8/8/8/3L*4/8/8/8/8 S CF4/bcf4 -/- -/- 0"


# Line Boost


def test_attaching_and_detaching_are_whole_turns_and_may_be_done_again_and_again() -> None:
    state = after(at(), "+c1", "a8a7", "-c1", "a7a8", "+c1")
    assert position(state).endswith("N CF4/bcf4 -/- -/- 5")
    assert "VLV*2LVL" in position(state)


def test_a_boost_goes_on_own_cards_on_the_grid_only() -> None:
    assert refusal(at(), "+c8") == "no-card"
    assert refusal(at(), "+d4") == "no-card"
    assert refusal(after(at(), "+c1", "a8a7"), "+a1") == "not-in-hand"
    assert refusal(at(), "-c1") == "not-boosted"


def test_a_boosted_card_moves_one_or_two_steps_and_may_turn_a_corner() -> None:
    assert moves(at(ALONE), "d5") == {
        *("d5d6", "d5c5", "d5e5", "d5d4"),
        *("d5d6d7", "d5d6c6", "d5d6e6", "d5c5c6", "d5c5b5", "d5c5c4"),
        *("d5e5e6", "d5e5f5", "d5e5e4", "d5d4d3", "d5d4c4", "d5d4e4"),
    }


def test_the_boost_travels_with_its_card() -> None:
    assert position(after(at(ALONE), "d5d6c6")) == "8/8/2L*5/8/8/8/8/8 N CF4/bcf4 -/- -/- 1"


def test_coming_back_is_no_move() -> None:
    assert refusal(at(ALONE), "d5d6d5") == "back-again"


def test_two_steps_need_a_boost() -> None:
    assert refusal(at(), "d2d3d4") == "not-boosted"


@pytest.mark.parametrize(("card", "why"), [("V", "own-card"), ("v", "blocked")])
def test_there_is_no_jumping(card: str, why: str) -> None:
    state = at(f"8/8/3{card}4/3L*4/8/8/8/8 S CF4/bcf4 -/- -/- 0")
    assert refusal(state, "d5d6d7") == why


def test_a_firewall_or_an_own_exit_in_between_stops_the_second_step() -> None:
    assert refusal(at("8/8/8/3L*4/8/8/8/8 S CF4/bc4 -/d6 -/- 0"), "d5d6d7") == "enemy-firewall"
    assert refusal(at("8/8/8/8/8/8/3L*4/8 S CF4/bcf4 -/- -/- 0"), "d2d1c1") == "own-exit"
    assert "d2d1c1" in legal(at("8/8/8/8/8/8/3L*4/8 S CF4/bcf4 -/- -/- 0", own_exit=True))


def test_a_capture_with_the_first_step_ends_the_move_and_the_second_may_capture() -> None:
    state = at("8/3v4/2l5/3L*4/8/8/8/8 S CF4/bcf4 -/- -/- 0")
    assert {"d5d6d7", "d5d6c6", "d5c5c6"} <= legal(state)
    assert position(after(state, "d5c5c6")) == "8/3v4/2L*5/8/8/8/8/8 N CF4/bcf4 -/- l+/- 0"
    near = at("8/8/3v4/3L*4/8/8/8/8 S CF4/bcf4 -/- -/- 0")
    assert "d5d6" in legal(near)
    assert not {text for text in legal(near) if text.startswith("d5d6") and len(text) > 4}


def test_a_first_step_onto_an_exit_goes_on_along_the_grid_but_not_into_the_server() -> None:
    state = at("8/3L*4/8/8/8/8/8/8 S CF4/bcf4 -/- -/- 0")
    assert {"d7d8c8", "d7d8e8"} <= legal(state)
    assert refusal(state, "d7d8>+") == "exit-then-server"


def test_the_option_boost_into_server_lets_it_in() -> None:
    state = at("8/3L*4/8/8/8/8/8/8 S CF4/bcf4 -/- -/- 0", boost_into_server="on")
    assert {"d7d8>+", "d7d8>l", "d7d8>v"} <= legal(state)
    assert position(after(state, "d7d8>v")) == "8/8/8/8/8/8/8/8 N BCF4/bcf4 -/- L?v/- 0"
    assert refusal(state, "d7d8>") == "reveal-or-hide"
    shown = at("8/3L+*4/8/8/8/8/8/8 S CF4/bcf4 -/- -/- 0", boost_into_server="on")
    assert position(after(shown, "d7d8>")).endswith("N BCF4/bcf4 -/- L+/- 0")
    bare = at("8/3L4/8/8/8/8/8/8 S BCF4/bcf4 -/- -/- 0", boost_into_server="on")
    assert refusal(bare, "d7d8>+") == "not-boosted"


def test_a_boosted_card_that_starts_on_an_exit_may_enter() -> None:
    assert "d8>+" in legal(at("3L*4/8/8/8/8/8/8/8 S CF4/bcf4 -/- -/- 0"))


def test_two_ways_to_one_square_are_two_actions() -> None:
    assert {"d5d6c6", "d5c5c6"} <= legal(at(ALONE))


# Virus Check


def test_a_check_turns_one_face_down_enemy_card_up_for_everyone() -> None:
    state = after(at(), "?c8")
    assert position(state) == "lvl+2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL N BF4/bcf4 -/- -/- 0"
    for viewer in (SOUTH, NORTH, PUBLIC):
        card = view(state, viewer).card_at(58)
        assert card is not None
        assert card.kind == "link"


def test_a_check_is_used_once_and_on_face_down_enemy_cards_on_the_grid_only() -> None:
    assert refusal(after(at(), "?c8", "a8a7"), "?b8") == "used"
    assert refusal(at(), "?c1") == "no-target"
    assert refusal(at(), "?d4") == "no-target"
    assert refusal(at("lvl+2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"), "?c8") == "no-target"


# Firewall


def test_a_firewall_goes_on_an_empty_square_or_under_an_own_card_and_comes_back() -> None:
    assert {"#d4", "#c1"} <= legal(at())
    state = after(at(), "#c1", "a8a7")
    assert position(state).startswith("1vl2vlv/l2lv3")
    assert " BC4/bcf4 c1/- " in position(state)
    assert {text for text in legal(state) if text[0] in "#~"} == {"~c1"}
    assert " BCF4/bcf4 -/- " in position(after(state, "~c1"))


@pytest.mark.parametrize("square", ["d1", "e1", "d8", "e8"])
def test_no_firewall_on_an_exit(square: str) -> None:
    assert refusal(at(), f"#{square}") == "firewall-exit"


def test_no_firewall_under_an_enemy_card_or_on_the_enemys() -> None:
    assert refusal(at(), "#c8") == "firewall-card"
    assert refusal(after(at(), "#d4"), "#d4") == "firewall-taken"
    assert refusal(after(at(), "#d4", "a8a7"), "#d5") == "not-in-hand"
    assert refusal(after(at(), "#d4", "a8a7"), "~d5") == "no-firewall"
    assert refusal(after(at(), "#d4"), "~d4") == "no-firewall"


def test_firewall_anywhere_takes_any_square_but_an_exit() -> None:
    """RaiNet §1.9, decided questions: the 52 squares of the standard rules and the eight enemy cards."""
    state = at(firewall_anywhere=True)
    assert sum(1 for text in legal(state) if text[0] == "#") == 60
    assert refusal(state, "#d8") == "firewall-exit"
    assert "#d4" in legal(after(state, "#d4"))


def test_a_covered_enemy_card_may_leave_but_nothing_of_its_side_may_enter() -> None:
    covered = at("8/8/3l*4/3v4/8/8/8/2L5 N BC4/cf4 d6/- -/- 0", firewall_anywhere=True)
    assert {"d6d7", "d6c6", "d6d7c7"} <= legal(covered)
    left = after(covered, "d6c6", "c1c2")
    assert refusal(left, "c6d6") == "enemy-firewall"
    assert refusal(left, "d5d6") == "enemy-firewall"
    assert refusal(left, "c6d6d7") == "enemy-firewall"


def test_a_covered_enemy_card_may_be_captured_and_checked() -> None:
    covered = at("8/8/3l4/3L4/8/8/8/8 S BC4/bcf4 d6/- -/- 0", firewall_anywhere=True)
    assert {"d5d6", "?d6"} <= legal(covered)
    assert position(after(covered, "d5d6")) == "8/8/3L4/8/8/8/8/8 N BC4/bcf4 d6/- l+/- 0"


def test_a_404_may_swap_a_covered_card_for_nobody_must_learn_whether_it_did() -> None:
    covered = at("8/8/3l4/8/v7/8/8/2L5 N BC4/bcf4 d6/- -/- 0", firewall_anywhere=True)
    assert {"@a4d6=", "@a4d6x"} <= legal(covered)


def test_both_firewalls_may_lie_on_one_square_and_nobody_enters_it() -> None:
    both = at("8/8/8/3l4/8/3L4/8/8 S BC4/bc4 d4/d4 -/- 0", firewall_anywhere=True)
    assert refusal(both, "d3d4") == "enemy-firewall"
    assert refusal(after(both, "d3c3"), "d5d4") == "enemy-firewall"
    assert " S BCF4/bcf4 -/- " in position(after(both, "~d4", "~d4"))


@pytest.mark.parametrize(("hands", "walls"), [("BC4/bcf4", "d6/-"), ("BC4/bc4", "d3/d3")])
def test_without_the_option_such_positions_can_not_be_read(hands: str, walls: str) -> None:
    text = f"8/8/3l4/8/8/8/8/2L5 S {hands} {walls} -/- 0"
    assert position(at(text, firewall_anywhere=True)) == text
    with pytest.raises(BadNotation):
        at(text)


def stored_options(state: State) -> dict[str, Json]:
    return as_dict(as_dict(GAME.dump(state))["options"])


def test_a_state_stored_before_firewall_anywhere_keeps_its_hash() -> None:
    assert "firewall_anywhere" not in stored_options(at())
    state = at(firewall_anywhere=True)
    assert stored_options(state)["firewall_anywhere"] is True
    assert GAME.load(GAME.dump(state)) == state


def test_a_card_on_its_own_sides_firewall_is_safe() -> None:
    state = at("8/8/3l4/3L4/8/8/8/8 N BCF4/bcf4 -/- -/- 0")
    assert "d6d5" in legal(state)
    guarded = at("8/8/3l4/3L4/8/8/8/8 N BC4/bcf4 d5/- -/- 0")
    assert refusal(guarded, "d6d5") == "enemy-firewall"


def test_a_firewall_belongs_to_its_square() -> None:
    state = after(at("8/8/3l4/3L4/8/8/8/8 S BC4/bcf4 d5/- -/- 0"), "d5c5")
    assert " d5/- " in position(state)
    assert "d6c6" in legal(state)
    assert "d6d5" not in legal(state)


# 404


def test_404_hides_two_own_cards_and_swaps_them_or_not() -> None:
    state = at("8/8/8/8/8/8/8/L+V+6 S BCF4/bcf4 -/- -/- 8")
    assert {text for text in legal(state) if text[0] == "@"} == {"@a1b1=", "@a1b1x"}
    assert position(after(state, "@a1b1=")).startswith("8/8/8/8/8/8/8/LV6 N BCF/bcf4 -/- -/- 0")
    assert position(after(state, "@a1b1x")).startswith("8/8/8/8/8/8/8/VL6 N BCF/bcf4 -/- -/- 0")


def test_404_is_used_once_on_two_different_own_cards_on_the_grid() -> None:
    assert refusal(after(at(), "@a1b1=", "a8a7"), "@a1c1=") == "used"
    assert refusal(at(), "@a1a1=") == "404-same"
    assert refusal(at(), "@a1a8=") == "no-card"
    assert refusal(at(), "@a1a3x") == "no-card"
    assert refusal(at(), "@b1a1x") == "404-order"


def test_the_boost_and_the_firewall_stay_on_their_squares_at_a_404() -> None:
    state = after(at("8/8/8/8/8/8/8/L+*V6 S C4/bcf4 b1/- -/- 8"), "@a1b1x")
    assert position(state) == "8/8/8/8/8/8/8/V*L6 N C/bcf4 b1/- -/- 0"


def test_nobody_else_can_tell_whether_a_404_swapped() -> None:
    """Views, events and what follows are equal for the opponent and the public, whatever the owner did."""
    kept, swapped = (GAME.apply(at(), SOUTH, Action(f"@b1c1{how}")) for how in "=x")
    for viewer in (NORTH, PUBLIC):
        assert GAME.view(kept.state, viewer) == GAME.view(swapped.state, viewer)
        assert GAME.view(kept.state, viewer).log == ("@b1c1?",)
        assert [e.seen_by(viewer) for e in kept.events] == [e.seen_by(viewer) for e in swapped.events]
    assert GAME.view(kept.state, SOUTH) != GAME.view(swapped.state, SOUTH)
    assert told(swapped.events[0], SOUTH)["action"] == "@b1c1x"
    assert told(swapped.events[0], Watcher.OMNISCIENT)["action"] == "@b1c1x"
    assert told(swapped.events[0], NORTH)["action"] == "@b1c1?"
