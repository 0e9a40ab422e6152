"""What each card does (Passage §1.1, §1.6 to §1.9 and the ambiguities about them)."""

from __future__ import annotations

import pytest

from game.contract import Number, Seat, Subset, Watcher
from game.passage.cards import FUNCTIONS, Card
from tests.passage.build import asked, at, discards, hand, offers, owed, pile, play, seen, step

PILE = ["slip", "seal", "tithe", "duel", "trade", "beg"]
GONE = ["judge"] * 4  # all Judges lie open, so no window is opened


def test_seal_puts_two_random_cards_face_down() -> None:
    """A16."""
    state, events = step(at(hands=[["seal"], ["warden", "slip", "duel"]], discard=GONE, pile=PILE), "play seal 1")
    assert (len(state.hands[1]), len(state.sealed[1])) == (1, 2)
    assert sorted([*state.hands[1], *state.sealed[1]]) == ["duel", "slip", "warden"]
    assert seen(events, "sealed", Seat(0)) == seen(events, "sealed", Watcher.PUBLIC) == [{"seat": 1, "count": 2}]
    assert sorted(seen(events, "sealed", Seat(1))[0]["cards"]) == sorted(state.sealed[1])


def test_a_sealed_warden_does_not_save() -> None:
    """A16."""
    state = play(at(hands=[["seal"], ["warden"]], discard=GONE, pile=["slip", "passage"]), "play seal 1", "end", "end")
    assert state.eliminated == (1,)


def test_sealed_cards_come_back_after_the_own_draw_phase_and_count_for_the_limit() -> None:
    """A17, A18."""
    sealed = [["slip", "slip"]]
    after_draw = play(at(hands=[["duel"]], sealed=sealed, pile=PILE), "end")
    assert (hand(after_draw, 0), after_draw.sealed[0]) == (["duel", "slip", "slip", "slip"], ())
    no_draw = play(at(hands=[["slip"]], sealed=sealed, pile=PILE), "play slip", "end")
    assert hand(no_draw, 0) == ["slip", "slip"]
    skipped = play(at(hands=[["attack"]], sealed=sealed, pile=PILE), "play attack 1")
    assert len(skipped.sealed[0]) == 2
    many = play(at(hands=[["duel"] * 5], sealed=sealed, pile=PILE), "end")
    assert owed(many).params == (("count", 2),)


def test_sealed_cards_can_not_be_used() -> None:
    state = at(hands=[["slip"]], sealed=[["greed"]], pile=PILE)
    assert offers(state) == ["end", "play slip"]
    window = play(at(hands=[["tithe"], ["slip"]], sealed=[[], ["judge"]], pile=PILE), "play tithe 1")
    assert offers(window) == ["pass"]
    assert offers(play(window, "pass")) == ["give slip"]


def test_tithe_lets_the_target_choose() -> None:
    """A19."""
    state = play(at(hands=[["tithe"], ["slip", "duel", "slip"]], discard=GONE, pile=PILE), "play tithe 1")
    assert asked(state) == [1]
    assert offers(state) == ["give slip", "give duel"]
    state, events = step(state, "give duel")
    assert (hand(state, 0), hand(state, 1), asked(state)) == (["duel"], ["slip", "slip"], [0])
    assert seen(events, "gave", Seat(0)) == seen(events, "gave", Seat(1))
    assert seen(events, "gave", Seat(0))[0]["cards"] == ["duel"]
    assert seen(events, "gave", Seat(2)) == [{"seat": 1, "to": 0, "count": 1}]


def test_cards_on_an_empty_hand_do_nothing() -> None:
    """§6."""
    for card in ("tithe", "seal", "trade"):
        state = play(at(hands=[[card, "slip"]], pile=PILE), f"play {card} 1")
        assert (asked(state), discards(state)) == ([0], [card])


def test_trade_swaps_two_each_secretly() -> None:
    """A21."""
    state = at(hands=[["trade", "slip", "duel"], ["greed", "greed", "seal"]], discard=GONE, pile=PILE)
    state = play(state, "play trade 1")
    assert asked(state) == [0, 1]
    assert owed(state, 1).secret
    assert owed(state, 1).choice == Subset("trade", ("greed", "greed", "seal"), 2, 2)
    state, events = step(state, "1:trade seal greed")
    assert asked(state) == [0]
    assert seen(events, "decided", Seat(0)) == [{"seat": 1}]
    state, events = step(state, "0:trade slip duel")
    assert (hand(state, 0), hand(state, 1)) == (["greed", "seal"], ["duel", "greed", "slip"])
    assert [sorted(told.get("cards", [])) for told in seen(events, "gave", Seat(2))] == [[], []]
    assert state.held[1][0] == ("seal", "greed")


def test_trade_with_too_few_cards_does_nothing() -> None:
    """A20: counted after Trade left the hand."""
    state = play(at(hands=[["trade", "slip"], ["greed", "greed"]], discard=GONE, pile=PILE), "play trade 1")
    assert (asked(state), state.stack) == ([0], ())


def test_reconnect_shuffles_the_pile_and_voids_what_was_known() -> None:
    """§1.9."""
    cards = PILE * 5
    state = at(hands=[["reconnect"]], pile=cards, discard=["greed", *GONE], known=[{}, {"0": "slip"}])
    state = play(state, "play reconnect")
    assert pile(state) != cards
    assert sorted(pile(state)) == sorted(cards)
    assert state.known == ((),) * 4
    assert discards(state) == ["greed", *GONE, "reconnect"]


def test_reconnect_with_the_discards() -> None:
    """§2: the used Reconnect leaves the match, a vetoed one is discarded."""
    state = at(
        hands=[["reconnect"], ["judge"]], pile=PILE, discard=["greed"], options={"reconnect_mixes_discards": True}
    )
    state = play(state, "play reconnect")
    passed = play(state, "1:pass")
    assert sorted(pile(passed)) == sorted([*PILE, "greed"])
    assert (discards(passed), passed.removed) == ([], ("reconnect",))
    vetoed = play(state, "1:judge")
    assert (pile(vetoed), discards(vetoed), vetoed.removed) == (PILE, ["greed", "reconnect", "judge"], ())


def test_foresight_shows_the_top_card_to_its_player_only() -> None:
    state, events = step(at(hands=[["foresight"], ["judge"]], pile=PILE), "play foresight")
    assert seen(events, "looked", Seat(0)) == [{"seat": 0, "position": 0, "card": "slip"}]
    assert seen(events, "looked", Seat(1)) == [{"seat": 0, "position": 0}]
    assert state.known[0] == ((0, "slip"),)
    assert asked(state) == [0]


def test_kotodama_looks_and_moves() -> None:
    """§1.6, §6: afterwards the card stands at the named position."""
    state, events = step(at(hands=[["kotodama"]], discard=GONE, pile=PILE), "play kotodama 3")
    assert seen(events, "looked", Seat(1)) == [{"seat": 0, "position": 3}]
    assert owed(state).choice == Number("put", 0, 5)
    assert dict(owed(state).params) == {"card": "duel", "position": 3}
    state, events = step(state, "put 5")
    assert pile(state) == ["slip", "seal", "tithe", "trade", "beg", "duel"]
    assert seen(events, "moved", Seat(1)) == [{"seat": 0, "position": 3}]
    assert state.known[0] == ((5, "duel"),)


def test_kotodama_that_leaves_the_card_can_not_be_vetoed() -> None:
    """A27."""
    state = play(at(hands=[["kotodama"], ["judge"]], pile=PILE), "play kotodama 2", "put 2")
    assert (asked(state), pile(state), state.known[0]) == ([0], PILE, ((2, "tithe"),))


def test_a_vetoed_kotodama_leaves_the_card_but_not_the_memory() -> None:
    state = at(hands=[["kotodama"], ["judge"]], pile=PILE, known=[{}, {"0": "slip"}])
    state = play(state, "play kotodama 2", "0:put 0", "1:judge")
    assert (pile(state), state.known[0], state.known[1]) == (PILE, ((2, "tithe"),), ((0, "slip"),))


def test_kotodama_needs_a_pile() -> None:
    assert offers(at(hands=[["kotodama", "foresight"]])) == ["end", "play foresight"]


# Duel (§1.7).


def test_a_duel_alternates_discarding_and_drawing_from_the_top() -> None:
    """A22, A24: the first exchange is mandatory; N and M are left alone."""
    state = at(hands=[["duel", "slip", "greed"], ["seal", "beg"]], draws=2, bottom=1, discard=GONE, pile=PILE)
    state = play(state, "play duel 1")
    assert offers(state) == ["discard slip", "discard greed"]
    state = play(state, "0:discard slip")
    assert (asked(state), offers(state)) == ([1], ["discard seal", "discard beg"])
    state = play(state, "1:discard seal")
    assert offers(state) == ["stop", "discard greed", "discard slip"]
    assert (hand(state, 0), hand(state, 1)) == (["greed", "slip"], ["beg", "seal"])
    state = play(state, "0:stop")
    assert (asked(state), state.draws, state.bottom, state.phase) == ([0], 2, 1, "play")


def test_a_duel_ends_with_a_passage() -> None:
    """§1.7, A25: a Warden still saves; the actor's N and M survive the other's end."""
    hands = [["duel", "slip"], ["seal", "warden"]]
    state = at(hands=hands, draws=3, discard=GONE, pile=["tithe", "passage", "slip", "slip"])
    state = play(state, "play duel 1", "discard slip")
    saved = play(state, "1:discard seal")
    assert asked(saved) == [1]
    saved = play(saved, "put 0")
    assert (asked(saved), saved.draws, saved.phase) == ([0], 3, "play")
    out = play(state, "1:discard warden")
    assert (out.eliminated, asked(out), out.draws) == ((1,), [0], 3)


def test_a_duel_that_puts_the_actor_out_ends_the_turn() -> None:
    state = at(hands=[["duel", "slip"], ["seal"]], draws=3, bottom=2, discard=GONE, pile=["passage", "slip"])
    state = play(state, "play duel 1", "discard slip")
    assert (state.eliminated, state.turn, state.draws, state.bottom) == ((0,), 1, 1, 0)


def test_a_duel_without_cards_to_discard_ends() -> None:
    """A23."""
    assert asked(play(at(hands=[["duel"], ["seal"]], discard=GONE, pile=PILE), "play duel 1")) == [0]
    state = play(at(hands=[["duel", "slip"]], discard=GONE, pile=PILE), "play duel 1", "discard slip")
    assert (asked(state), state.stack) == ([0], ())


# Beg (§1.8).


def test_beg_asks_all_at_once_and_opens_the_answers_together() -> None:
    state = at(players=4, hands=[["beg"], ["slip", "duel"], ["seal"]], discard=GONE, pile=PILE)
    state = play(state, "play beg")
    assert asked(state) == [1, 2]  # seat 3 has no card: it counts as refusing
    assert all(owed(state, seat).secret for seat in (1, 2))
    assert offers(state, 1) == ["refuse", "give slip", "give duel"]
    state, events = step(state, "2:refuse")
    assert [event.kind for event in events] == ["decided"]
    state, events = step(state, "1:give duel")
    assert seen(events, "alms", Watcher.PUBLIC) == [{"seat": 0, "gave": [1], "refused": [2]}]
    assert (hand(state, 0), hand(state, 1), asked(state)) == (["duel"], ["slip"], [0])
    assert seen(events, "gave", Seat(2)) == [{"seat": 1, "to": 0, "count": 1}]


def test_the_beggar_takes_a_random_card_when_all_refuse() -> None:
    """A15."""
    state = at(players=4, hands=[["beg"], ["slip", "duel"], ["seal"]], discard=GONE, pile=PILE)
    state = play(state, "play beg", "1:refuse", "2:refuse")
    assert (asked(state), offers(state)) == ([0], ["take 1", "take 2"])
    state, events = step(state, "take 1")
    assert len(state.hands[0]) == len(state.hands[1]) == 1
    assert seen(events, "gave", Seat(0))[0]["cards"] == hand(state, 0)
    assert "cards" not in seen(events, "gave", Seat(2))[0]


def test_beg_among_empty_hands_does_nothing() -> None:
    state = play(at(hands=[["beg", "slip"]], pile=PILE), "play beg")
    assert (asked(state), state.stack) == ([0], ())


def test_take_is_asked_even_with_one_candidate() -> None:
    """§6."""
    state = play(at(hands=[["beg"], ["slip"]], discard=GONE, pile=PILE), "play beg", "1:refuse")
    assert offers(state) == ["take 1"]


@pytest.mark.parametrize("card", [*FUNCTIONS, Card.BEG, Card.NIGHTMARE])
def test_every_card_goes_to_the_discards_when_announced(card: Card) -> None:
    if card is Card.JUDGE:
        return
    state = at(hands=[[card.value, "warden", "warden"], ["slip", "slip", "judge"], ["slip"]], pile=PILE)
    action = next(text for text in offers(state) if text.startswith(f"play {card}"))
    after = play(state, action)
    assert after.discard[0] is card
    assert card not in after.hands[0]
