"""What a table may agree on beside the printed deck: numbers of cards, a meaning for Blank, the printed bottom rule."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from game import registry
from game.contract import Json, Seat
from game.errors import BadNotation
from game.passage.bots.levels import BOTS
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.state import State
from game.rng import Rng
from tests.answers import as_dict
from tests.passage.build import at, discards, hand, offers, owed, play, step

SEED = bytes(32)
PILE = ["slip", "greed", "seal", "slip", "trade", "slip", "slip", "slip"]


def blank(meaning: str, **options: Any) -> dict[str, Any]:
    return {"supplements": ["blank"], "blank": meaning, **options}


def cards_of(state: State) -> Counter[Card]:
    return Counter([*state.pile, *(card for zone in state.hands for card in zone)])


# The number of function cards.


def test_a_deck_changes_numbers_and_leaves_the_others_as_printed() -> None:
    dealt = cards_of(GAME.setup({"deck": {"greed": 5, "slip": 0, "beg": 3}}, 3, SEED).state)
    assert (dealt[Card.GREED], dealt[Card.SLIP], dealt[Card.BEG], dealt[Card.ATTACK]) == (5, 0, 3, 4)


def test_a_deck_is_written_as_text_too() -> None:
    assert GAME.setup({"deck": "greed:5,slip:0"}, 3, SEED) == GAME.setup({"deck": {"slip": 0, "greed": 5}}, 3, SEED)


@pytest.mark.parametrize(
    "deck",
    [{"greed": 21}, {"greed": -1}, {"greed": True}, {"warden": 3}, {"nightmare": 2}, "greed", "greed:2,greed:3", [1]],
)
def test_numbers_that_no_deck_can_have_are_refused(deck: Any) -> None:
    with pytest.raises(BadNotation):
        GAME.setup({"deck": deck}, 3, SEED)


def test_a_deck_without_four_functions_for_each_player_is_refused() -> None:
    names = [str(card.value) for card in Card if card.value in GAME.options()[-1].values]
    scarce: dict[str, Json] = dict.fromkeys(names, 0)
    scarce |= {"nightmare": 1, "blank": 1, "slip": 7, "beg": 0}
    with pytest.raises(BadNotation) as refused:
        GAME.setup({"deck": scarce}, 2, SEED)
    assert refused.value.key == "passage.error.deck"
    assert len(GAME.setup({"deck": {**scarce, "slip": 8}}, 2, SEED).state.hands[0]) == 5


def test_windows_are_skipped_when_the_judges_of_this_deck_are_gone() -> None:
    options = {"deck": {"judge": 1}}
    open_ = at(hands=[["greed"], ["slip"], ["slip"]], pile=PILE, options=options)
    assert owed(play(open_, "play greed"), 1).prompt == "veto"
    gone = at(hands=[["greed"], ["slip"], ["slip"]], pile=PILE, discard=["judge"], options=options)
    assert play(gone, "play greed").draws == 4


def test_a_position_prints_its_deck_and_reads_it_again() -> None:
    state = GAME.setup({"deck": {"greed": 5}}, 3, SEED).state
    position = GAME.write_position(state)
    options = as_dict(as_dict(position)["options"])
    assert as_dict(options["deck"])["greed"] == 5
    assert GAME.read_position(position, {}) == state


def test_a_state_of_an_older_match_keeps_its_hash() -> None:
    told = GAME.dump(GAME.setup({}, 3, SEED).state)
    assert not {"deck", "blank"} & as_dict(as_dict(told)["options"]).keys()


# Blank.


def test_a_blank_without_a_meaning_did_nothing_without_a_word() -> None:
    with pytest.raises(BadNotation) as refused:
        GAME.setup({"supplements": ["blank"]}, 3, SEED)
    assert refused.value.key == "passage.error.blank"
    registry.get("passage", 2).setup({"supplements": ["blank"]}, 3, SEED)  # running matches go on


def test_a_blank_can_not_be_a_function_and_rebirth() -> None:
    with pytest.raises(BadNotation):
        GAME.setup({"rebirth": True, "blank": "greed"}, 3, SEED)


def test_a_meaning_alone_puts_no_blank_into_the_deck() -> None:
    assert cards_of(GAME.setup({"blank": "greed"}, 3, SEED).state)[Card.BLANK] == 0
    assert cards_of(GAME.setup(blank("greed"), 3, SEED).state)[Card.BLANK] == 1


def test_a_blank_that_means_rebirth_waits_in_the_pile() -> None:
    for seed in range(20):
        state = GAME.setup(blank("rebirth"), 5, bytes([seed]) * 32).state
        assert state.pile.count(Card.BLANK) == 1


def test_a_blank_acts_as_what_was_agreed_on_and_says_so() -> None:
    state = at(hands=[["blank"], [], []], pile=PILE, options=blank("greed"))
    assert offers(state) == ["end", "play blank"]
    after, events = step(state, "play blank")
    assert after.draws == 4
    assert discards(after) == ["blank"]
    assert ("blank-acts", {"seat": 0, "card": "greed"}) in [(e.kind, e.public) for e in events]


def test_a_blank_aims_and_looks_like_its_meaning() -> None:
    attack = at(hands=[["blank"], [], []], pile=PILE, options=blank("attack2"))
    assert offers(attack) == ["end", "play blank 1", "play blank 2"]
    assert play(attack, "play blank 2").turn == 2
    look = at(hands=[["blank"], [], []], pile=PILE[:3], options=blank("kotodama"))
    assert offers(look) == ["end", "play blank 0", "play blank 1", "play blank 2"]
    assert owed(play(look, "play blank 1")).prompt == "place"


def test_a_blank_judge_vetoes_and_counts_where_windows_are_skipped() -> None:
    hands = [["greed"], ["blank"], ["slip"]]
    state = at(hands=hands, pile=PILE, discard=["judge"] * 4, options=blank("judge"))
    asked = play(state, "play greed")
    assert offers(asked, 1) == ["judge", "pass"]
    assert offers(asked, 2) == ["pass"]
    vetoed = play(asked, "1:judge")
    assert (vetoed.draws, discards(vetoed)[-1]) == (1, "blank")
    gone = at(hands=hands[:1] + [["slip"]] * 2, pile=PILE, discard=["judge"] * 4 + ["blank"], options=blank("judge"))
    assert play(gone, "play greed").draws == 4


def test_a_real_judge_goes_before_a_blank_one() -> None:
    state = at(hands=[["greed"], ["blank", "judge"], []], pile=PILE, options=blank("judge"))
    assert hand(play(state, "play greed", "1:judge"), 1) == ["blank"]


def test_a_blank_reconnect_leaves_play_where_reconnect_does() -> None:
    options = blank("reconnect", reconnect_mixes_discards=True)
    after = play(at(hands=[["blank"], [], []], pile=PILE, discard=["seal"], options=options), "play blank")
    assert (after.removed, after.discard) == ((Card.BLANK,), ())


def test_a_blank_revealed_under_nightmare_resolves_as_its_meaning() -> None:
    state = at(hands=[["blank"], [], []], blind=[0], pile=PILE, options=blank("greed"))
    assert play(state, "pick 0").draws == 4


@pytest.mark.parametrize("level", BOTS)
def test_bots_play_a_blank_where_they_would_play_its_meaning(level: str) -> None:
    state = at(hands=[["blank"], ["slip"], ["slip"]], pile=["passage"], draws=1, options=blank("attack2"))
    (pending,) = GAME.pending(state)
    chosen = [BOTS[level].decide(GAME.view(state, Seat(0)), pending, Rng(SEED, n * 99)).text for n in range(3)]
    plain = at(hands=[["attack2"], ["slip"], ["slip"]], pile=["passage"], draws=1)
    (pending,) = GAME.pending(plain)
    usual = [BOTS[level].decide(GAME.view(plain, Seat(0)), pending, Rng(SEED, n * 99)).text for n in range(3)]
    assert [text.replace("blank", "attack2").split()[:2] for text in chosen] == [text.split()[:2] for text in usual]
    assert any(text.startswith("play blank") for text in chosen)


# bottom_rule = printed: §1.11, the printed example 1.


def test_by_the_printed_rule_an_unused_bottom_draw_passes_to_the_next_player() -> None:
    """A plays two Bottom Draws and draws one; B plays Bottom Draw and Greed: two from the bottom, two from the top."""
    pile = ["slip", "seal", "trade", "slip", "foresight", "tithe", "duel"]
    hands = [["bottom", "bottom"], ["bottom", "greed"], []]
    drawn = {}
    for rule in ("count", "printed"):
        state = at(hands=hands, pile=pile, discard=["judge"] * 4, options={"bottom_rule": rule})
        state = play(state, "play bottom", "play bottom", "end")
        assert hand(state, 0) == ["duel"]
        assert (state.turn, state.draws, state.bottom) == (1, 1, 1 if rule == "printed" else 0)
        drawn[rule] = hand(play(state, "play bottom", "play greed", "end"), 1)
    assert drawn == {
        "count": sorted(["tithe", "slip", "seal", "trade"]),
        "printed": sorted(["tithe", "foresight", "slip", "seal"]),
    }


def test_by_the_printed_rule_going_out_wipes_what_is_left() -> None:
    state = at(
        hands=[["bottom", "bottom"], [], []],
        pile=["slip", "slip", "passage"],
        discard=["judge"] * 4,
        options={"bottom_rule": "printed"},
    )
    state = play(state, "play bottom", "play bottom", "end")
    assert (state.eliminated, state.turn, state.bottom) == ((0,), 1, 0)


def test_by_the_printed_rule_the_rest_waits_for_the_discard_phase_and_can_be_read_again() -> None:
    state = at(
        hands=[["bottom", "bottom", *["slip"] * 6], [], []],
        pile=PILE,
        discard=["judge"] * 4,
        options={"bottom_rule": "printed"},
    )
    state = play(state, "play bottom", "play bottom", "end")
    assert (state.phase, state.draws, state.bottom, state.receiver) == ("discard", 0, 1, None)
    assert GAME.read_position(GAME.write_position(state), {}) == state
    state = play(state, "discard slip")
    assert (state.turn, state.draws, state.bottom) == (1, 1, 1)
