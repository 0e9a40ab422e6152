"""Who may veto what, when a window is skipped, and what a veto does (Passage §1.5, §4, A3 to A6, A11 to A14)."""

from __future__ import annotations

import pytest

from game.contract import Action, Seat, Watcher
from game.errors import IllegalAction
from game.passage.rules import GAME
from tests.passage.build import asked, at, discards, hand, offers, owed, pile, play, seen, step

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg"]
FULL = ["slip", "slip"]


def window_of(card: str, how: str = "", **fields: object) -> list[int]:
    """Return who is asked when seat 0 of four plays a card (nobody is: the empty list)."""
    state = at(players=4, hands=[[card, *FULL], FULL, FULL, FULL], pile=PILE, **fields)
    state = play(state, f"0:play {card}{how}")
    return asked(state) if state.stack and owed(state, asked(state)[0]).window == "veto" else []


@pytest.mark.parametrize("card", ["seal", "duel", "tithe", "attack", "attack1", "attack2", "trade", "nightmare"])
def test_an_aimed_card_asks_its_target_only(card: str) -> None:
    """A12."""
    assert window_of(card, " 2") == [2]


@pytest.mark.parametrize("card", ["bottom", "greed", "reconnect", "beg"])
def test_a_card_on_the_pile_asks_everybody_else(card: str) -> None:
    """§1.5, A13."""
    assert window_of(card) == [1, 2, 3]
    assert window_of(card, eliminated=[]) == [1, 2, 3]


@pytest.mark.parametrize("card", ["slip", "foresight"])
def test_cards_that_can_not_be_vetoed(card: str) -> None:
    assert window_of(card) == []


def test_reversal_asks_who_would_receive_the_turn() -> None:
    """A11."""
    assert window_of("reversal") == [3]
    assert window_of("reversal", direction=-1) == [1]


def test_a_moved_kotodama_asks_everybody_else() -> None:
    state = at(hands=[["kotodama"], FULL, FULL], pile=PILE)
    assert asked(play(state, "play kotodama 0", "put 1")) == [1, 2]


def test_a_window_stands_open_whether_or_not_anyone_holds_a_judge() -> None:
    """§4.2: it looks the same from outside."""
    without = play(at(hands=[["greed"], ["slip"], []], pile=PILE), "play greed")
    with_one = play(at(hands=[["greed"], ["judge"], []], pile=PILE), "play greed")
    assert (offers(without), offers(with_one)) == (["pass"], ["judge", "pass"])
    assert GAME.view(without, Watcher.PUBLIC) == GAME.view(with_one, Watcher.PUBLIC)
    assert GAME.view(without, Seat(0)) == GAME.view(with_one, Seat(0))


def test_a_window_is_skipped_when_all_judges_lie_open() -> None:
    """§6: in the discards or out of play."""
    assert window_of("greed", discard=["judge"] * 3) == [1, 2, 3]
    assert window_of("greed", discard=["judge"] * 3, removed=["judge"]) == []


def test_empty_hands_are_not_asked() -> None:
    """§6: sealed cards are not in hand."""
    state = at(hands=[["greed"], [], ["slip"]], sealed=[[], ["judge"]], pile=PILE)
    assert asked(play(state, "play greed")) == [2]
    assert asked(play(at(hands=[["greed"], [], []], pile=PILE), "play greed")) == [0]


def test_the_first_judge_closes_the_window() -> None:
    state = play(at(hands=[["greed"], ["judge"], ["judge"]], pile=PILE), "play greed")
    assert asked(state) == [1, 2]
    after, events = step(state, "2:judge")
    assert (asked(after), after.draws, discards(after)) == ([0], 1, ["greed", "judge"])
    assert seen(events, "judged", Watcher.PUBLIC) == [{"seat": 2, "card": "greed", "actor": 0, "chain": 0}]
    with pytest.raises(IllegalAction):
        GAME.apply(after, Seat(1), Action("judge"))


def test_answers_are_final_and_the_last_pass_lets_the_card_through() -> None:
    state = play(at(hands=[["greed"], ["judge"], ["judge"]], pile=PILE), "play greed", "1:pass")
    assert asked(state) == [2]
    assert play(state, "2:pass").draws == 4


def test_passing_without_a_judge_is_possible_but_judging_is_not() -> None:
    state = play(at(hands=[["greed"], ["slip"]], pile=PILE), "play greed")
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, Seat(1), Action("judge"))
    assert refused.value.key == "passage.error.not-now"


def test_a_vetoed_attack_does_nothing_at_all() -> None:
    """A4, A5, A6: its own number is gone, the play phase goes on, and another Attack may follow."""
    state = at(hands=[["attack2", "attack"], ["judge"], []], draws=3, bottom=1, pile=PILE)
    state = play(state, "play attack2 1", "1:judge")
    assert (state.turn, state.phase, state.draws, state.bottom) == (0, "play", 3, 1)
    assert "play attack 1" in offers(state)


def test_a_vetoed_reversal_leaves_the_direction() -> None:
    state = play(at(hands=[["reversal"], [], ["judge"]], pile=PILE), "play reversal", "2:judge")
    assert (state.turn, state.direction, state.phase) == (0, 1, "play")


def test_a_vetoed_beg_is_cancelled_for_all_and_taking_has_no_window() -> None:
    """A13, A14."""
    state = at(hands=[["beg"], ["judge", "slip"], ["slip"]], pile=PILE)
    state = play(state, "play beg")
    vetoed = play(state, "1:judge")
    assert (asked(vetoed), hand(vetoed, 2)) == ([0], ["slip"])
    taking = play(state, "1:pass", "2:pass", "1:refuse", "2:refuse", "take 1")
    assert asked(taking) == [0]


def test_earlier_cards_keep_their_effect() -> None:
    state = at(hands=[["greed", "bottom"], ["judge"], []], pile=PILE)
    state = play(state, "play greed", "1:pass", "0:play bottom", "1:judge")
    assert (state.draws, state.bottom) == (4, 0)


def test_a_judge_can_not_be_vetoed_by_default() -> None:
    """A3."""
    state = play(at(hands=[["greed", "judge"], ["judge"], []], pile=PILE), "play greed", "1:judge")
    assert asked(state) == [0]
    assert state.stack == ()


def test_judge_clears_draws() -> None:
    """A4."""
    options = {"judge_clears_draws": True}
    state = at(hands=[["attack2"], ["judge"], []], draws=5, bottom=2, pile=PILE, options=options)
    state = play(state, "play attack2 1", "1:judge")
    assert (state.turn, state.draws, state.bottom) == (0, 1, 0)


def test_veto_chain_goes_by_parity() -> None:
    """A3, §6: every other living player may answer a Judge."""
    hands = [["greed", "judge"], ["judge"], ["judge"]]
    state = play(at(hands=hands, pile=PILE, options={"veto_chain": True}), "play greed", "1:judge")
    assert asked(state) == [0, 2]
    assert dict(owed(state, 0).params)["judges"] == 1
    assert play(state, "0:pass", "2:pass").draws == 1
    twice = play(state, "0:judge")
    assert asked(twice) == [2]  # seat 1 has no card left
    assert play(twice, "2:pass").draws == 4
    assert play(twice, "2:judge").draws == 1


def test_a_window_tells_what_is_at_stake() -> None:
    """§4.5."""
    state = play(at(hands=[["attack2"], ["slip"], []], draws=2, bottom=1, pile=PILE), "play attack2 1")
    told = dict(owed(state, 1).params)
    assert (told["card"], told["seat"], told["target"]) == ("attack2", 0, 1)
    assert (told["draws"], told["draws_after"], told["bottom_after"]) == (2, 4, 1)


def test_a_moved_kotodama_keeps_its_place_secret() -> None:
    """A26."""
    state = at(hands=[["kotodama"], ["slip"]], pile=PILE)
    near, far = play(state, "play kotodama 1", "put 0"), play(state, "play kotodama 1", "put 4")
    assert GAME.view(near, Seat(1)) == GAME.view(far, Seat(1))
    assert GAME.view(near, Seat(0)) != GAME.view(far, Seat(0))
    assert pile(play(near, "1:pass")) == ["seal", "slip", *PILE[2:]]


# Personal settings.


def test_passing_by_itself_until_my_turn() -> None:
    state = at(hands=[["greed", "tithe"], ["judge"], []], pile=PILE)
    after = GAME.apply(state, Seat(1), Action("auto until-my-turn"))
    assert after.events[0].seen_by(Seat(0)) is None
    assert after.events[0].seen_by(Seat(1)) == {"seat": 1, "auto": "until-my-turn"}
    window = play(after.state, "0:play tithe 1")
    assert asked(window) == [1]
    assert GAME.automatic(window, Seat(1)) == Action("pass")
    assert GAME.automatic(window, Seat(0)) is None
    assert play(window, "1:pass", "1:give judge", "0:end").auto == ("off",) * 3


def test_passing_by_itself_unless_aimed() -> None:
    state = at(hands=[["greed", "tithe"], ["judge"], []], pile=PILE, auto=["off", "unless-aimed"])
    assert GAME.automatic(play(state, "play greed"), Seat(1)) == Action("pass")
    assert GAME.automatic(play(state, "play tithe 1"), Seat(1)) is None


def test_settings_are_the_seats_secret() -> None:
    state = at(hands=[["greed"], ["judge"], []], pile=PILE)
    other = GAME.apply(state, Seat(1), Action("auto unless-aimed")).state
    assert GAME.view(state, Seat(0)) == GAME.view(other, Seat(0))
    assert GAME.view(other, Seat(1)).auto == "unless-aimed"


def test_who_is_out_has_no_settings() -> None:
    state = at(pile=PILE, eliminated=[2])
    assert GAME.settings(state, Seat(2)) == ()
    with pytest.raises(IllegalAction):
        GAME.apply(state, Seat(2), Action("auto off"))
