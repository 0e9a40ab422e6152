"""Answers given for who does not answer, and leaving for good (Passage §4.6)."""

from __future__ import annotations

import pytest

from game.contract import Seat, Watcher
from game.errors import IllegalAction
from game.passage.rules import GAME
from game.passage.state import State
from tests.passage.build import asked, at, discards, hand, pile, play, seen

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg"]
GONE = ["judge"] * 4


def lapse(state: State, seat: int) -> State:
    """Return the state after a seat's time ran out."""
    return GAME.timeout(state, Seat(seat)).state


def leave(state: State, seat: int) -> State:
    """Return the state after a seat left."""
    return GAME.forfeit(state, Seat(seat)).state


def test_the_play_phase_ends() -> None:
    state = lapse(at(hands=[["greed"]], pile=PILE), 0)
    assert (state.turn, hand(state, 0)) == (1, ["greed", "slip"])


def test_a_window_is_passed_even_with_a_judge() -> None:
    state = play(at(hands=[["greed"], ["judge"]], pile=PILE), "play greed")
    assert lapse(state, 1).draws == 4


def test_beg_is_refused() -> None:
    state = play(at(hands=[["beg"], ["slip"]], discard=GONE, pile=PILE), "play beg")
    taking = lapse(state, 1)
    assert asked(taking) == [0]
    assert hand(lapse(taking, 0), 0) == ["slip"]


def test_tithe_trade_and_discards_are_random() -> None:
    tithe = play(at(hands=[["tithe"], ["slip", "duel"]], discard=GONE, pile=PILE), "play tithe 1")
    assert len(lapse(tithe, 1).hands[0]) == 1
    hands = [["trade", "slip", "duel"], ["greed", "seal", "beg"]]
    trade = play(at(hands=hands, discard=GONE, pile=PILE), "play trade 1")
    done = lapse(lapse(trade, 1), 0)
    assert (len(done.hands[0]), len(done.hands[1]), done.stack) == (2, 3, ())
    assert set(hand(done, 0)) < {"greed", "seal", "beg"}
    full = at(phase="discard", hands=[["slip"] * 4 + ["seal"] * 4])
    assert (len(lapse(full, 0).hands[0]), len(lapse(full, 0).discard)) == (6, 2)


def test_a_passage_goes_back_at_random_by_the_matchs_own_seed() -> None:
    state = play(at(hands=[["warden"]], pile=["passage", *PILE]), "end")
    after = lapse(state, 0)
    assert after.turn == 1
    assert pile(after).count("passage") == 1
    assert after == lapse(state, 0)
    assert after.rng.used > state.rng.used


def test_kotodama_leaves_the_card() -> None:
    state = play(at(hands=[["kotodama"], ["slip"]], pile=PILE), "play kotodama 3")
    assert pile(lapse(state, 0)) == PILE


def test_in_a_duel_the_actor_stops_and_the_other_discards_at_random() -> None:
    state = play(at(hands=[["duel", "slip"], ["seal", "beg"]], discard=GONE, pile=PILE), "play duel 1")
    state = lapse(state, 0)  # the first exchange is not optional (A22)
    assert (discards(state)[-1], asked(state)) == ("slip", [1])
    state = lapse(state, 1)
    assert discards(state)[-1] in ("seal", "beg")
    state = lapse(state, 0)
    assert (state.stack, asked(state)) == ((), [0])


def test_who_owes_nothing_can_not_lapse() -> None:
    with pytest.raises(IllegalAction):
        lapse(at(pile=PILE), 1)


# Leaving.


def test_leaving_is_going_out_and_takes_a_passage_along() -> None:
    """So there stays one Passage fewer than players, and everybody may see where it lay."""
    state = at(hands=[["greed"], ["slip"]], sealed=[["seal"]], pile=["slip", "passage", "duel", "passage"], draws=4)
    step = GAME.forfeit(state, Seat(0))
    after = step.state
    assert (after.eliminated, after.forfeited, after.turn, after.draws) == ((0,), (0,), 1, 1)
    assert discards(after) == ["seal", "greed", "passage"]
    assert pile(after).count("passage") == 1
    place = seen(step.events, "passage-left", Watcher.PUBLIC)[0]["position"]
    assert state.pile[place] == "passage"


def test_what_others_know_of_the_pile_stays_true() -> None:
    state = at(
        players=3, hands=[["greed"]], pile=["slip", "passage", "duel"], known=[{}, {"2": "duel", "1": "passage"}]
    )
    assert leave(state, 0).known[1] == ((1, "duel"),)


def test_with_passage_returns_no_passage_leaves() -> None:
    state = at(pile=["slip", "passage", "passage"], options={"passage_returns": True})
    assert pile(leave(state, 0)).count("passage") == 2


def test_leaving_with_a_passage_in_hand_takes_that_one() -> None:
    state = play(at(hands=[["warden"]], pile=["passage", "passage", "slip"]), "end")
    after = leave(state, 0)
    assert (pile(after), discards(after), after.turn) == (["passage", "slip"], ["warden", "passage"], 1)


def test_the_second_last_to_leave_ends_the_match() -> None:
    state = leave(at(players=2, pile=["passage"]), 1)
    result = GAME.result(state)
    assert result is not None
    assert result.placements == ((0,), (1,))
    with pytest.raises(IllegalAction):
        leave(state, 0)


def test_leaving_when_out_already_is_refused() -> None:
    with pytest.raises(IllegalAction):
        leave(at(pile=PILE, eliminated=[2]), 2)


def test_effects_lapse_with_who_they_need() -> None:
    tithe = play(at(hands=[["tithe"], ["slip"]], discard=GONE, pile=PILE), "play tithe 1")
    assert (leave(tithe, 1).stack, asked(leave(tithe, 1))) == ((), [0])
    assert asked(leave(tithe, 0)) == [1]
    assert len(leave(tithe, 2).stack) == 1


def test_a_window_waits_for_who_is_left() -> None:
    state = play(at(players=4, hands=[["greed"], ["slip"], ["slip"], ["slip"]], pile=PILE), "play greed")
    assert asked(leave(state, 2)) == [1, 3]
    alone = play(state, "1:pass", "3:pass")
    assert leave(alone, 2).draws == 4


def test_a_beg_waits_for_who_is_left() -> None:
    state = at(players=4, hands=[["beg"], ["slip"], ["seal"]], discard=GONE, pile=PILE)
    state = play(state, "play beg", "1:give slip")
    assert hand(leave(state, 2), 0) == ["slip"]
    gone = leave(state, 1)
    assert asked(gone) == [2]
    assert asked(play(gone, "2:refuse")) == [0]


def test_a_transfer_to_who_leaves_goes_to_the_next_without_the_draws() -> None:
    state = play(at(players=4, hands=[["attack2", *["slip"] * 7]], pile=PILE), "play attack2 1")
    state = play(leave(state, 1), "0:discard slip")
    assert (state.turn, state.draws) == (2, 1)


def test_a_transfer_stands_when_the_attacker_leaves() -> None:
    state = play(at(players=4, hands=[["attack2", *["slip"] * 7]], pile=PILE), "play attack2 2")
    state = leave(state, 0)
    assert (state.turn, state.draws) == (2, 3)


def test_a_duelist_with_a_passage_still_places_it_when_the_actor_leaves() -> None:
    hands = [["duel", "slip"], ["seal", "warden"], []]
    state = at(hands=hands, discard=GONE, pile=["tithe", "passage", "slip", "passage"])
    state = play(state, "play duel 1", "discard slip", "1:discard seal")
    state = leave(state, 0)
    assert asked(state) == [1]
    state = play(state, "put 0")
    assert (state.turn, pile(state)) == (1, ["passage", "slip"])


def test_kotodama_follows_its_card_when_a_passage_leaves_the_pile() -> None:
    state = play(at(hands=[["kotodama"]], discard=GONE, pile=["passage", "slip", "seal"]), "play kotodama 2")
    state = leave(state, 2)
    assert pile(play(state, "put 0")) == ["seal", "slip"]
