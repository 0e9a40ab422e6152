"""Random play: invariants, leaks, message keys, and that every match ends."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import pytest

from game.contract import Event, Seat, Viewer, Watcher
from game.passage import messages
from game.passage.cards import Card
from game.passage.rules import GAME
from game.passage.state import Rescue, Return, State
from game.rng import Rng
from tests.passage.build import VARIANTS, random_match

VIEWERS: tuple[Viewer, ...] = (Watcher.PUBLIC, Watcher.OMNISCIENT)
CASES = [(variant, players) for variant in VARIANTS for players in range(2, 6)]


def viewers(state: State) -> list[Viewer]:
    """Return everybody who may look on."""
    return [*map(Seat, range(state.n_seats)), *VIEWERS]


def cards_of(state: State) -> Counter[Card]:
    """Return every card of a match, wherever it is."""
    cards = Counter((*state.pile, *state.discard, *state.removed))
    for zone in (*state.hands, *state.sealed):
        cards.update(zone)
    cards[Card.PASSAGE] += in_limbo(state)
    return cards


def in_limbo(state: State) -> int:
    """Return how many Passages wait for their place."""
    return sum(isinstance(frame, Return | Rescue) for frame in state.stack)


def check_passages(state: State) -> None:
    """Check the invariant of §1.2 (and that of `passage_returns`)."""
    switches = state.switches
    there = state.pile.count(Card.PASSAGE) + in_limbo(state)
    if switches.passage_returns:
        assert there == state.n_seats - 1
    elif switches.reconnect_mixes_discards:
        assert there >= len(state.living()) - 1
    else:
        assert there == len(state.living()) - 1
    assert len(state.living()) < 2 or state.pile or in_limbo(state)


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_invariants_hold_in_random_play(variant: dict[str, Any], players: int) -> None:
    for seed in range(3):
        for before, after, events in random_match(variant, players, seed):
            assert cards_of(after) == Counter(after.switches.deck(players)), seed
            check_passages(after)
            check_hands(before, after)
            check_keys(events)
            assert (GAME.pending(after) == ()) is (GAME.result(after) is not None)
            assert after.direction in (1, -1)


def check_hands(before: State, after: State) -> None:
    """Check who holds what: nobody a Passage, the next on turn begins with no discards owed, the dead nothing."""
    for seat in range(after.n_seats):
        assert Card.PASSAGE not in after.hands[seat]
        assert not (seat in after.eliminated and after.hands[seat])
    if after.turn != before.turn and before.turn in after.living() and not after.switches.no_hand_limit:
        assert len(after.hands[before.turn]) <= 6


def check_keys(events: tuple[Event, ...]) -> None:
    """Check that each event's key is documented with exactly its parameters."""
    for event in events:
        told = event.seen_by(Watcher.OMNISCIENT)
        assert told is not None
        assert set(told) <= set(messages.EVENTS[f"passage.event.{event.kind}"]), event
        json.dumps(dict(told))


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_a_view_can_not_tell_its_own_guess_from_the_truth(variant: dict[str, Any], players: int) -> None:
    """The leak test: deal the hidden cards anew, and no viewer sees or owes anything else."""
    seed = players * 7
    rng = Rng(bytes([players]) * 32)
    for count, (_, state, _) in enumerate(random_match(variant, players, seed)):
        viewer = viewers(state)[count % (players + 2)]
        _, rng = rng.below(2)
        check_guess(state, viewer, rng)


def check_guess(state: State, viewer: Viewer, rng: Rng) -> None:
    """Check one viewer's guess at one state."""
    view = GAME.view(state, viewer)
    guess = GAME.determinize(view, rng)
    again = GAME.view(guess, viewer)
    assert again == view
    assert hash(again) == hash(view)
    assert pickle.loads(pickle.dumps(view)) == view
    mine = [one for one in GAME.pending(state) if one.seat == viewer]
    assert [one for one in GAME.pending(guess) if one.seat == viewer] == mine
    assert GAME.automatic(guess, Seat(0)) == GAME.automatic(state, Seat(0)) or viewer != 0
    assert cards_of(guess) == Counter(state.switches.deck(state.n_seats))
    text = json.dumps(GAME.view_json(view))
    assert state.rng.seed.hex() not in text
    for owed in GAME.pending(state):
        assert set(dict(owed.params)) == set(messages.PROMPTS[f"passage.prompt.{owed.prompt}"])


@pytest.mark.parametrize("players", range(2, 6))
def test_events_hide_what_views_hide(players: int) -> None:
    """What somebody is told of a draw or a gift is what that seat's view shows: cards go to those who see them only."""
    looked_at = 0
    for _, _, events in random_match({"supplements": ["beg", "nightmare"]}, players, players):
        for event in events:
            secret = {"drew": 1, "looked": 1, "dealt": 1, "gave": 2}.get(event.kind)
            if secret is None:
                continue
            looked_at += 1
            told = [seat for seat in range(players) if {"card", "cards"} & set(event.seen_by(Seat(seat)) or {})]
            assert len(told) <= secret
            assert not {"card", "cards"} & set(event.seen_by(Watcher.PUBLIC) or {})
    assert looked_at > 5


@pytest.mark.parametrize("players", range(2, 6))
def test_leaving_and_lapsing_at_random_ends_well(players: int) -> None:
    for seed in range(6):
        rng = Rng(bytes([seed, players]) * 16)
        for _, after, _ in random_match(VARIANTS[seed % len(VARIANTS)], players, seed + 100):
            if GAME.result(after) is not None:
                continue
            lapser, rng = rng.choose(GAME.pending(after))
            check_passages(GAME.timeout(after, lapser.seat).state)
            leaver, rng = rng.choose(after.living())
            left = GAME.forfeit(after, Seat(leaver)).state
            check_passages(left)
            assert GAME.load(GAME.dump(left)) == left
            assert leaver in left.forfeited
            assert all(one.seat != leaver for one in GAME.pending(left))


@pytest.mark.soak
@pytest.mark.parametrize("players", range(2, 6))
def test_two_thousand_random_matches_end(players: int) -> None:
    for seed in range(2000):
        for _, after, _ in random_match(VARIANTS[seed % len(VARIANTS)], players, 10_000 + seed):
            check_passages(after)
