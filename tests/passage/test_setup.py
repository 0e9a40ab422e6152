"""The deck by number of players and the deal (Passage §1.1, §1.2, §2)."""

from __future__ import annotations

from collections import Counter

import pytest

from game.contract import Json, Seat, Watcher
from game.errors import BadNotation
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.switches import PRESETS, Switches

SEED = bytes(range(32))


def test_the_deck_has_55_cards_and_five_players_use_all_passages() -> None:
    deck = Switches(supplements=()).deck(5)
    assert len(deck) == 55
    assert Counter(deck)[Card.SLIP] == 8
    assert Counter(deck)[Card.PASSAGE] == 4


@pytest.mark.parametrize(
    ("players", "passages", "wardens", "size"), [(2, 1, 4, 42), (3, 2, 3, 38), (4, 3, 2, 34), (5, 4, 1, 30)]
)
def test_the_pile_by_number_of_players(players: int, passages: int, wardens: int, size: int) -> None:
    """§1.2."""
    state = GAME.setup({"supplements": []}, players, SEED).state
    assert len(state.pile) == size
    assert state.pile.count(Card.PASSAGE) == passages
    assert state.pile.count(Card.WARDEN) == wardens
    for hand in state.hands:
        assert len(hand) == 5
        assert hand.count(Card.WARDEN) == 1
        assert Card.PASSAGE not in hand


@pytest.mark.parametrize(("supplements", "more"), [([], 0), (["beg"], 1), (["beg", "nightmare"], 2)])
def test_supplements_join_the_deck(supplements: list[Json], more: int) -> None:
    state = GAME.setup({"supplements": supplements}, 4, SEED).state
    assert len(state.pile) == 34 + more


def test_beg_is_in_by_default() -> None:
    state = GAME.setup({}, 2, SEED).state
    assert len(state.pile) == 43
    assert Card.BEG in (*state.pile, *state.hands[0], *state.hands[1])


@pytest.mark.parametrize(("players", "size"), [(2, 38), (3, 35), (4, 32), (5, 29)])
def test_no_spare_wardens(players: int, size: int) -> None:
    state = GAME.setup({"supplements": [], "no_spare_wardens": True}, players, SEED).state
    assert len(state.pile) == size
    assert Card.WARDEN not in state.pile


def test_blank_comes_with_rebirth_and_is_never_dealt() -> None:
    for seed in range(20):
        state = GAME.setup({"rebirth": True}, 5, bytes([seed]) * 32).state
        assert state.pile.count(Card.BLANK) == 1


def test_the_first_player_is_random_and_the_same_seed_deals_the_same() -> None:
    """A29."""
    states = [GAME.setup({}, 4, bytes([seed]) * 32).state for seed in range(20)]
    assert {state.turn for state in states} == {0, 1, 2, 3}
    assert states[3] == GAME.setup({}, 4, bytes([3]) * 32).state


def test_a_hand_is_shown_to_its_owner_only() -> None:
    events = [event for event in GAME.setup({}, 3, SEED).events if event.kind == "dealt"]
    for event, seat in zip(events, range(3), strict=True):
        own = event.seen_by(Seat(seat))
        assert own is not None
        assert len(own["cards"]) == 5  # type: ignore[arg-type]
        assert event.seen_by(Seat((seat + 1) % 3)) == event.seen_by(Watcher.PUBLIC) == {"seat": seat, "count": 5}


def test_presets_are_known_switches() -> None:
    names = {option.name for option in GAME.options()}
    assert all(set(switches) <= names for switches in PRESETS.values())


@pytest.mark.parametrize(
    "options",
    [{"nonsense": True}, {"supplements": ["greed"]}, {"bottom_rule": "stack"}, {"rebirth": 3}, {"blank": "passage"}],
)
def test_options_that_can_not_be_read(options: dict[str, object]) -> None:
    with pytest.raises(BadNotation):
        GAME.setup(options, 3, SEED)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [1, 6])
def test_wrong_number_of_players(players: int) -> None:
    with pytest.raises(BadNotation):
        GAME.setup({}, players, SEED)
