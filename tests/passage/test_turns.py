"""N and M, phases, transfers and drawing (Passage §1.3, §1.11, A1 to A10)."""

from __future__ import annotations

import pytest

from game.contract import Subset
from tests.passage.build import asked, at, discards, hand, offers, owed, pile, play

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg", "attack", "greed", "bottom"]


def test_a_fresh_turn_draws_one_from_the_top() -> None:
    """A1."""
    state = play(at(pile=PILE), "0:end")
    assert hand(state, 0) == ["slip"]
    assert (state.turn, state.draws, state.bottom) == (1, 1, 0)


def test_greed_adds_three() -> None:
    state = play(at(hands=[["greed"], [], []], pile=PILE), "0:play greed", "0:end")
    assert hand(state, 0) == ["duel", "seal", "slip", "tithe"]


def test_slip_takes_one_off_and_stops_at_zero_each_time() -> None:
    """A10: the surplus is lost at once, so a Greed afterwards counts in full."""
    state = at(hands=[["slip", "slip", "greed"], [], []], pile=PILE)
    state = play(state, "0:play slip", "0:play slip")
    assert state.draws == 0
    assert play(state, "0:play greed").draws == 3


def test_no_draws_is_a_turn_without_drawing() -> None:
    state = play(at(hands=[["slip"], [], []], pile=PILE), "0:play slip", "0:end")
    assert hand(state, 0) == []
    assert state.turn == 1


def test_bottom_draws_come_first() -> None:
    """§1.3, §1.11: Bottom Draw and Greed are one from the bottom, then three from the top."""
    state = at(hands=[["bottom", "greed"], [], []], pile=PILE)
    state = play(state, "0:play bottom", "0:play greed")
    assert (state.draws, state.bottom) == (4, 1)
    state = play(state, "0:end")
    assert [card.value for card in state.hands[0]] == ["bottom", "slip", "seal", "tithe"]


def test_left_over_bottom_draws_are_wiped() -> None:
    """A2: two Bottom Draws on one draw; the second is lost, not handed on."""
    state = play(at(hands=[["bottom", "bottom"], [], []], pile=PILE), "0:play bottom", "0:play bottom", "0:end")
    assert hand(state, 0) == ["bottom"]
    assert (state.turn, state.draws, state.bottom) == (1, 1, 0)


def test_attack_hands_on_exactly_what_was_owed() -> None:
    """A1, S ex. 2: two Bottom Draws and an Attack; the target draws one, from the bottom."""
    state = at(hands=[["bottom", "bottom", "attack"], [], []], pile=PILE)
    state = play(state, "0:play bottom", "0:play bottom", "0:play attack 1")
    assert (state.turn, state.draws, state.bottom) == (1, 1, 2)
    state = play(state, "1:end")
    assert hand(state, 1) == ["bottom"]
    assert (state.turn, state.draws, state.bottom) == (2, 1, 0)


@pytest.mark.parametrize(("card", "draws"), [("attack", 1), ("attack1", 2), ("attack2", 3)])
def test_attacks_add_their_number(card: str, draws: int) -> None:
    state = play(at(hands=[[card], [], []], pile=PILE), f"0:play {card} 2")
    assert (state.turn, state.draws) == (2, draws)


def test_who_follows_an_attack_is_the_next_from_the_receiver() -> None:
    """A8."""
    state = play(at(players=4, hands=[["attack"]], pile=PILE), "0:play attack 2", "2:end")
    assert state.turn == 3


def test_slip_to_zero_then_attack_hands_on_nothing() -> None:
    """A9."""
    state = play(at(hands=[["slip", "attack"], [], []], pile=PILE), "0:play slip", "0:play attack 1")
    assert (state.turn, state.draws) == (1, 0)
    assert play(state, "1:end").hands[1] == ()


def test_reversal_turns_the_direction_for_good() -> None:
    state = play(at(hands=[["reversal", "greed"], [], []], pile=PILE), "0:play greed", "0:play reversal")
    assert (state.turn, state.direction, state.draws) == (2, -1, 4)
    assert play(state, "2:end").turn == 1


def test_an_attacker_discards_before_the_receiver_starts() -> None:
    """A7."""
    state = play(at(hands=[["attack", *["slip"] * 8], [], []], pile=PILE), "0:play attack 1")
    assert (state.turn, state.phase, state.receiver, state.draws) == (0, "discard", 1, 1)
    assert asked(state) == [0]
    state = play(state, "0:discard slip slip")
    assert (state.turn, state.phase, state.draws) == (1, "play", 1)
    assert discards(state) == ["attack", "slip", "slip"]


def test_discarding_is_down_to_six_in_one_action() -> None:
    state = play(at(hands=[["greed", "judge", "slip", "slip", "seal", "warden"]], pile=PILE), "0:end")
    assert (state.turn, state.phase) == (0, "discard") if len(state.hands[0]) > 6 else (1, "play")
    full = play(at(hands=[["greed", "judge", "slip", "slip", "seal", "warden", "duel"]], pile=PILE), "0:end")
    choice = owed(full).choice
    assert isinstance(choice, Subset)
    assert (choice.min, choice.max) == (2, 2)
    assert hand(play(full, "discard slip greed"), 0) == ["duel", "judge", "seal", "slip", "slip", "warden"]


def test_no_limit_outside_the_discard_phase() -> None:
    state = at(hands=[["slip"] * 9], pile=PILE)
    assert "play slip" in offers(state)


def test_unplayable_cards_are_not_offered() -> None:
    """A28."""
    assert offers(at(hands=[["warden", "judge", "blank"]], pile=PILE)) == ["end"]


def test_aimed_cards_name_another_living_player() -> None:
    state = at(players=4, hands=[["seal"], [], ["slip"]], pile=PILE, eliminated=[3])
    assert offers(state) == ["end", "play seal 1", "play seal 2"]


def test_an_empty_pile_gives_no_card() -> None:
    state = play(at(hands=[["greed"], [], []]), "play greed", "end")
    assert (state.turn, hand(state, 0)) == (1, [])


def test_turns_skip_who_is_out() -> None:
    assert play(at(players=4, pile=PILE, eliminated=[1, 2]), "end").turn == 3


def test_a_written_draw_phase_carries_on() -> None:
    """§6: what is still owed is drawn, bottom first."""
    state = at(phase="draw", draws=3, bottom=1, pile=PILE)
    assert [card.value for card in state.hands[0]] == ["bottom", "slip", "seal"]
    assert state.turn == 1
    assert pile(state) == PILE[2:-1]


def test_whole_phase_rule() -> None:
    """§1.11: one Bottom Draw turns the whole draw phase round, and a second adds nothing."""
    state = at(hands=[["bottom", "bottom", "greed"]], pile=PILE, options={"bottom_rule": "whole_phase"})
    state = play(state, "play bottom", "play bottom", "play greed")
    assert (state.draws, state.bottom) == (4, 1)
    assert [card.value for card in play(state, "end").hands[0]] == ["bottom", "greed", "attack", "beg"]


def test_whole_phase_can_be_handed_on() -> None:
    state = at(hands=[["bottom", "attack1"]], pile=PILE, options={"bottom_rule": "whole_phase"})
    state = play(state, "play bottom", "play attack1 1", "end")
    assert [card.value for card in state.hands[1]] == ["bottom", "greed"]


def test_bottom_draw_on_another_player() -> None:
    """§2, §6: it counts in that seat's next draw phase, whatever else happens to its turn."""
    state = at(hands=[["bottom"], ["attack"]], pile=PILE, options={"bottom_targets_others": True})
    assert offers(state) == ["end", "play bottom", "play bottom 1", "play bottom 2"]
    state = play(state, "play bottom 1", "1:pass", "0:end", "1:play attack 2")
    assert (state.owed, state.bottom) == ((0, 1, 0), 0)
    state = play(state, "2:end", "0:end", "1:end")
    assert hand(state, 1) == ["bottom"]
    assert state.owed == (0, 0, 0)
