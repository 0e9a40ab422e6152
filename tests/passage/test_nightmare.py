"""Playing blind (supplement Nightmare: Passage §6, A33)."""

from __future__ import annotations

from game.contract import Number, Seat, Subset, Watcher
from game.passage.rules import GAME
from tests.passage.build import asked, at, discards, hand, offers, owed, play, seen, step

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg"]
GONE = ["judge"] * 4


def test_a_hand_under_nightmare_is_shuffled_and_shows_its_size_only() -> None:
    state = at(hands=[["nightmare"], ["slip", "duel", "seal", "greed", "warden"]], discard=GONE, pile=PILE)
    state = play(state, "play nightmare 1")
    assert state.blind == (1,)
    assert hand(state, 1) == ["duel", "greed", "seal", "slip", "warden"]
    assert GAME.view(state, Seat(1)).hands[1] == ("?",) * 5


def test_playing_blind_reveals_and_resolves() -> None:
    state = at(hands=[["greed", "slip"]], blind=[0], discard=GONE, pile=PILE)
    assert offers(state) == ["end", "pick 0", "pick 1"]
    state, events = step(state, "pick 0")
    assert (state.draws, discards(state)) == (4, [*GONE, "greed"])
    assert seen(events, "revealed", Watcher.PUBLIC) == [{"seat": 0, "card": "greed"}]


def test_an_aimed_card_asks_for_its_target_next() -> None:
    state = play(at(hands=[["attack1"], ["slip"]], blind=[0], discard=GONE, pile=PILE), "pick 0")
    assert (asked(state), offers(state)) == ([0], ["play attack1 1", "play attack1 2"])
    assert play(state, "play attack1 2").turn == 2


def test_a_kotodama_asks_for_its_position_next() -> None:
    state = play(at(hands=[["kotodama"]], blind=[0], discard=GONE, pile=PILE), "pick 0")
    assert offers(state) == [f"play kotodama {at}" for at in range(6)]
    assert owed(play(state, "play kotodama 2")).choice == Number("put", 0, 5)


def test_a_revealed_warden_or_judge_is_wasted() -> None:
    state = play(at(hands=[["warden", "judge"]], blind=[0], pile=PILE), "pick 0", "pick 0")
    assert (discards(state), asked(state), offers(state)) == (["warden", "judge"], [0], ["end"])


def test_a_window_is_answered_by_picking() -> None:
    state = play(at(hands=[["greed"], ["slip", "judge"]], blind=[1], pile=PILE), "play greed")
    assert offers(state) == ["pick 0", "pick 1", "pass"]
    wrong = play(state, "pick 0")
    assert (wrong.draws, discards(wrong)) == (4, ["greed", "slip"])
    right = play(state, "pick 1")
    assert (right.draws, discards(right)) == (1, ["greed", "judge"])


def test_one_pick_against_a_passage() -> None:
    state = at(hands=[["slip", "warden"]], blind=[0], pile=["passage", "slip"])
    state = play(state, "end")
    assert owed(state).choice == Number("pick", 0, 1)
    saved = play(state, "pick 1")
    assert owed(saved).choice == Number("put", 0, 1)
    out = play(state, "pick 0")
    assert (out.eliminated, discards(out)) == ((0,), ["slip", "passage", "warden"])


def test_a_passage_on_an_empty_blind_hand() -> None:
    assert play(at(blind=[0], pile=["passage", "slip"]), "end").eliminated == (0,)


def test_discards_gifts_and_trades_name_places() -> None:
    discarding = at(phase="discard", hands=[["slip", "seal", "duel", "duel", "duel", "duel", "tithe"]], blind=[0])
    assert owed(discarding).choice == Subset("discard", tuple("0123456"), 1, 1)
    assert discards(play(discarding, "discard 1")) == ["seal"]
    tithe = play(at(hands=[["tithe"], ["slip", "duel"]], blind=[1], discard=GONE, pile=PILE), "play tithe 1")
    assert offers(tithe) == ["give 0", "give 1"]
    given, events = step(tithe, "give 1")
    assert hand(given, 0) == ["duel"]
    assert seen(events, "gave", Seat(1)) == [{"seat": 1, "to": 0, "count": 1}]
    assert seen(events, "gave", Seat(0))[0]["cards"] == ["duel"]
    trade = at(hands=[["trade", "slip", "slip"], ["duel", "seal", "beg"]], blind=[1], discard=GONE, pile=PILE)
    trade = play(trade, "play trade 1", "1:trade 0 2", "0:trade slip slip")
    assert (hand(trade, 0), hand(trade, 1)) == (["beg", "duel"], ["seal", "slip", "slip"])


def test_nightmare_ends_after_the_own_draw_phase() -> None:
    state, events = step(at(hands=[["greed"]], blind=[0], pile=PILE), "end")
    assert (state.blind, hand(state, 0)) == ((), ["greed", "slip"])
    assert "card" not in seen(events, "drew", Seat(0))[0]
    kept = play(at(hands=[["attack"]], blind=[0], discard=GONE, pile=PILE), "pick 0", "play attack 1")
    assert kept.blind == (0,)
