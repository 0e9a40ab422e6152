"""States in the middle of card effects: they survive storage and notation, and their views leak nothing."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice

from game.choices import expand
from game.contract import Action, Seat, Step, Viewer, Watcher
from game.netrunner.facts import CORP, RUNNER
from game.netrunner.rules import GAME, Netrunner
from game.netrunner.state import State
from game.rng import SEED_BYTES, Rng
from tests.conformance.test_views import visible
from tests.netrunner.cards import MARKS
from tests.netrunner.cards.proof import load

load()
VIEWERS: tuple[Viewer, ...] = (Seat(CORP), Seat(RUNNER), Watcher.PUBLIC)
PLAIN = ("window", "action")


@cache
def half_done() -> dict[State, str]:
    """Play all marked tests; return the states in which somebody decides about a card, with the test they are from."""
    found: dict[State, str] = {}
    apply = Netrunner.apply

    def remembered(self: Netrunner, state: State, seat: Seat, action: Action) -> Step[State]:
        step = apply(self, state, seat, action)
        if is_half_done(step.state):
            found.setdefault(step.state, mark.test.__name__)
        return step

    Netrunner.apply = remembered  # type: ignore[method-assign]
    try:
        for mark in MARKS:
            mark.test()
    finally:
        Netrunner.apply = apply  # type: ignore[method-assign]
    return found


def is_half_done(state: State) -> bool:
    """Tell whether a decision is about a card, and not only whether to go on."""
    return any(pending.prompt not in PLAIN for pending in GAME.pending(state))


def test_the_tests_of_cards_pass_through_decisions_of_every_kind() -> None:
    prompts = {pending.prompt for state in half_done() for pending in GAME.pending(state)}
    assert len(half_done()) > 600
    assert {"choose", "may", "either", "prevent", "trace", "link", "x", "pay", "forfeit", "bid", "arrange"} <= prompts


def test_a_half_done_effect_survives_being_stored_and_being_written() -> None:
    for state, name in half_done().items():
        assert GAME.load(json.loads(json.dumps(GAME.dump(state)))) == state, name
        written = json.loads(json.dumps(GAME.write_position(state)))
        assert GAME.write_position(GAME.read_position(written, {})) == written, name


def test_every_answer_that_is_offered_in_the_middle_of_an_effect_can_be_given() -> None:
    for state, name in half_done().items():
        for pending in GAME.pending(state):
            for action in islice(expand(pending.choice), 30):
                after = GAME.apply(state, pending.seat, action).state
                assert GAME.pending(after) or after.outcome is not None, f"{action.text} in {name}"


def test_a_half_done_effect_tells_nobody_what_they_may_not_know() -> None:
    rng = Rng(bytes(SEED_BYTES))
    for state, name in half_done().items():
        for viewer in VIEWERS:
            stream, rng = rng.split()
            made = GAME.determinize(GAME.view(state, viewer), stream)
            for of_real, of_made in zip(visible(GAME, state, viewer), visible(GAME, made, viewer), strict=True):
                assert of_made == of_real, f"{viewer} in {name}"
