"""What a view keeps of what a seat has legally learnt, until it is void (Passage §1.6, §6)."""

from __future__ import annotations

from game.contract import Seat, Watcher
from game.passage.rules import GAME
from tests.passage.build import at, play

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg"]
GONE = ["judge"] * 4


def test_public_draws_shift_known_positions() -> None:
    state = at(pile=PILE, known=[{}, {"0": "slip", "3": "duel", "5": "beg"}])
    assert play(state, "end").known[1] == ((2, "duel"), (4, "beg"))
    bottom = play(at(pile=PILE, bottom=1, known=[{}, {"0": "slip", "3": "duel", "5": "beg"}]), "end")
    assert bottom.known[1] == ((0, "slip"), (3, "duel"))


def test_a_known_card_is_followed_into_the_hand_that_draws_it() -> None:
    state = play(
        at(hands=[["foresight", "attack"], []], discard=GONE, pile=PILE), "play foresight", "play attack 1", "end"
    )
    assert state.held[0] == ((), ("slip",), ())
    assert GAME.view(state, Seat(0)).held[1] == ("slip",)
    assert GAME.view(state, Seat(2)).held[1] == ()


def test_a_hidden_insertion_voids_what_others_know() -> None:
    state = at(hands=[["warden"]], pile=["passage", *PILE], known=[{"1": "slip"}, {"2": "seal"}])
    state = play(state, "end", "put 1")
    assert state.known == (((0, "slip"), (1, "passage")), (), (), ())


def test_a_hidden_move_voids_what_others_know() -> None:
    state = at(hands=[["kotodama"]], discard=GONE, pile=PILE, known=[{"5": "beg"}, {"2": "tithe"}])
    state = play(state, "play kotodama 0", "put 2")
    assert state.known == (((2, "slip"), (5, "beg")), (), (), ())


def test_an_open_insertion_voids_nothing() -> None:
    options = {"open_reinsertion": True}
    state = at(hands=[["warden"]], pile=["passage", *PILE], known=[{}, {"2": "seal"}], options=options)
    state = play(state, "end", "put 1")
    assert state.known[1] == ((1, "passage"), (2, "seal"))
    assert GAME.view(state, Watcher.PUBLIC).known == ((1, "passage"),)
    assert GAME.view(state, Watcher.PUBLIC).pile[:2] == ("?", "passage")


def test_everybody_begins_with_a_warden_and_all_know_it() -> None:
    state = GAME.setup({}, 3, bytes(32)).state
    assert GAME.view(state, Watcher.PUBLIC).held == (("warden",),) * 3


def test_both_sides_of_a_gift_remember_it() -> None:
    state = at(
        hands=[["tithe"], ["slip", "duel"]],
        discard=GONE,
        pile=PILE,
        held=[{"1": ["duel"]}, {}, {"1": ["slip", "duel"]}],
    )
    state = play(state, "play tithe 1", "give duel")
    assert state.held[0][1] == ()  # the beggar saw it come
    assert state.held[1][0] == ("duel",)
    assert state.held[2][1] == ()  # either could have gone


def test_of_a_hand_that_gives_unseen_cards_so_many_fewer_are_certain() -> None:
    hands = [["tithe"], ["slip", "slip", "duel"]]
    state = at(hands=hands, discard=GONE, pile=PILE, held=[{}, {}, {"1": ["slip", "slip", "duel"]}])
    assert play(state, "play tithe 1", "give duel").held[2][1] == ("slip",)


def test_played_and_discarded_cards_are_crossed_off() -> None:
    state = at(hands=[["slip", "slip", "duel"]], pile=PILE, held=[{}, {"0": ["slip", "duel"]}])
    assert play(state, "play slip").held[1][0] == ("duel",)


def test_sealing_hides_nothing_that_was_known() -> None:
    state = at(hands=[["seal"], ["slip", "duel"]], discard=GONE, pile=PILE, held=[{"1": ["slip", "duel"]}])
    state = play(state, "play seal 1")
    assert state.held[0][1] == ("duel", "slip")
    view = GAME.view(state, Seat(0))
    assert (view.hands[1], view.sealed[1]) == ((), ("?", "?"))
    assert GAME.view(state, Seat(1)).sealed[1] == state.sealed[1]


def test_who_is_out_learns_nothing_more() -> None:
    state = at(players=3, hands=[[], ["slip"], []], pile=["passage", *PILE])
    state = play(state, "end")
    view = GAME.view(state, Seat(0))
    assert view.hands == ((), ("?",), ())
    assert set(view.pile) == {"?"}
