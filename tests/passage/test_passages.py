"""Drawing a Passage, going out, and the end (Passage §1.4, §1.10)."""

from __future__ import annotations

from game.contract import Seat, Watcher
from game.passage.rules import GAME
from tests.passage.build import asked, at, discards, hand, offers, pile, play, seen, step


def test_a_warden_is_used_by_itself_and_its_owner_names_the_place() -> None:
    state = play(at(hands=[["warden"]], pile=["passage", "slip"]), "end")
    assert asked(state) == [0]
    assert offers(state) == ["put 0", "put 1"]
    assert (hand(state, 0), discards(state), pile(state)) == ([], ["warden"], ["slip"])
    assert pile(play(state, "put 1")) == ["slip", "passage"]


def test_only_its_owner_sees_where_a_passage_goes() -> None:
    state, events = step(play(at(hands=[["warden"]], pile=["passage", "slip"]), "end"), "put 1")
    assert seen(events, "put-back", Seat(0)) == [{"seat": 0, "position": 1}]
    assert (
        seen(events, "put-back", Seat(1)) == seen(events, "put-back", Watcher.PUBLIC) == [{"seat": 0, "position": None}]
    )
    assert state.known == (((1, "passage"),), (), (), ())


def test_open_reinsertion_tells_everybody() -> None:
    state = at(hands=[["warden"]], pile=["passage", "slip"], options={"open_reinsertion": True})
    state, events = step(play(state, "end"), "put 1")
    assert seen(events, "put-back", Watcher.PUBLIC) == [{"seat": 0, "position": 1}]
    assert state.known == (((1, "passage"),),) * 4


def test_drawing_goes_on_and_may_meet_the_same_passage_again() -> None:
    state = play(at(hands=[["greed", "warden", "warden"]], pile=["passage", "slip"]), "play greed", "end")
    state = play(state, "put 0")
    assert (state.draws, discards(state)) == (2, ["greed", "warden", "warden"])
    state = play(state, "put 1")
    assert state.eliminated == (0,)  # slip came, then the Passage without a Warden


def test_a_warden_drawn_a_moment_earlier_counts() -> None:
    state = play(at(hands=[["greed"]], pile=["warden", "passage", "slip", "slip"]), "play greed", "end")
    assert asked(state) == [0]
    assert state.eliminated == ()


def test_going_out_discards_passage_hand_and_sealed_cards() -> None:
    state = at(hands=[["slip"]], sealed=[["warden"]], pile=["passage", "seal"], draws=3, bottom=0)
    state, events = step(state, "end")
    assert state.eliminated == (0,)
    assert discards(state) == ["passage", "warden", "slip"]
    assert (state.turn, state.draws, state.bottom, pile(state)) == (1, 1, 0, ["seal"])
    assert seen(events, "out", Watcher.PUBLIC) == [{"seat": 0, "cards": ["warden", "slip"]}]


def test_after_going_out_the_next_in_the_current_direction_begins() -> None:
    state = play(at(direction=-1, draws=4, bottom=2, pile=["slip", "passage"]), "end")
    assert (state.turn, state.draws, state.bottom) == (2, 1, 0)


def test_the_last_one_standing_wins_at_once() -> None:
    state = play(at(pile=["passage", "passage"], draws=2), "end", "end")
    result = GAME.result(state)
    assert result is not None
    assert (result.placements, result.reason) == (((2,), (1,), (0,)), "last-standing")
    assert GAME.pending(state) == ()


def test_winning_inside_a_duel() -> None:
    """§1.10."""
    state = play(at(players=2, hands=[["duel", "slip"], ["seal"]], pile=["seal", "passage"]), "play duel 1", "pass")
    state = play(state, "0:discard slip", "1:discard seal")
    result = GAME.result(state)
    assert result is not None
    assert result.placements == ((0,), (1,))


def test_passage_returns() -> None:
    """§2: it is always shuffled back in, with nobody choosing, also when its drawer goes out."""
    options = {"passage_returns": True}
    saved = play(at(hands=[["warden"]], pile=["passage", "slip", "seal"], options=options), "end")
    assert (saved.turn, sorted(pile(saved)), discards(saved)) == (1, ["passage", "seal", "slip"], ["warden"])
    out = play(at(hands=[["judge"]], pile=["passage", "slip", "seal"], options=options), "end")
    assert (out.eliminated, sorted(pile(out)), discards(out)) == ((0,), ["passage", "seal", "slip"], ["judge"])


def test_rebirth_brings_somebody_back_with_three_discards() -> None:
    """§2: the drawer's remaining draws go on, and the Blank leaves the match."""
    state = at(
        players=4,
        turn=1,
        draws=2,
        pile=["blank", "slip", "seal"],
        discard=["greed", "judge", "duel", "tithe"],
        eliminated=[3, 0],
        forfeited=[3],
        options={"rebirth": True, "passage_returns": True},
    )
    state, events = step(state, "end")
    assert state.eliminated == (3,)
    assert len(state.hands[0]) == 3
    assert len(state.discard) == 1
    assert (hand(state, 1), state.removed) == (["slip"], ("blank",))
    assert sorted([*hand(state, 0), *discards(state)]) == ["duel", "greed", "judge", "tithe"]
    assert seen(events, "returned", Watcher.PUBLIC)[0]["cards"] == [card.value for card in state.hands[0]]
    assert [sorted(held[0]) for held in state.held] == [[], *[hand(state, 0)] * 4]


def test_rebirth_with_fewer_discards_and_with_nobody_out() -> None:
    options = {"rebirth": True, "passage_returns": True}
    few = play(at(pile=["blank", "slip"], discard=["greed"], eliminated=[2], options=options), "end")
    assert hand(few, 2) == ["greed"]
    none = play(at(pile=["blank", "slip"], options=options), "end")
    assert (none.removed, hand(none, 0), none.turn) == (("blank",), [], 1)


def test_rebirth_without_passage_returns_brings_a_passage_back() -> None:
    """So that there stays one Passage fewer than players."""
    options = {"rebirth": True}
    state = play(at(pile=["blank", "slip", "passage"], discard=["passage"], eliminated=[2], options=options), "end")
    assert pile(state).count("passage") == 2
    assert discards(state) == []
