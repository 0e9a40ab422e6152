"""Every game, whatever is drawn at random: what is offered is legal, what is not offered is refused."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

from game.choices import contains, expand
from game.contract import Action, Number, OneOf, Pending, Seat, Subset, state_hash
from game.errors import BadNotation, GameError, IllegalAction
from tests.conformance.play import Case, cases, game_of, holds, played, sampled

CASES = cases()
UNREADABLE = ("", " ", "xyzzy 1", "play", "\x00", "\u200b", "zz99", '"', "1" * 5000, "a b  c", " auto on", "🂡 x")
MOST = 250  # actions tried of one choice: a subset may offer thousands


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def owed_in_turn(case: Case) -> list[tuple[Any, Pending]]:
    """Return (state, pending) for every decision of both random matches."""
    game = case.game
    states = [moment.fold.state for disturbed in (False, True) for moment in played(case, disturbed=disturbed)]
    return [(state, pending) for state in states for pending in game.pending(state)]


def test_pending_is_well_formed_and_empty_only_at_the_end(case: Case) -> None:
    game = case.game
    for disturbed in (False, True):
        for moment in played(case, disturbed=disturbed):
            pending = game.pending(moment.fold.state)
            seats = [p.seat for p in pending]
            assert (not pending) is (game.result(moment.fold.state) is not None)
            assert seats == sorted(set(seats))
            assert all(0 <= seat < case.n_seats for seat in seats)
            for one in pending:
                assert_well_formed(one)


def assert_well_formed(pending: Pending) -> None:
    json.dumps(dict(pending.params))
    assert pending.prompt
    match pending.choice:
        case OneOf(actions):
            assert actions
            assert len(set(actions)) == len(actions)
        case Subset(verb, items, low, high):
            assert verb
            assert 0 <= low <= high <= len(items)
        case Number(verb, low, high):
            assert verb
            assert 0 <= low <= high


def test_every_offered_action_is_accepted_and_leaves_the_old_state_alone(case: Case) -> None:
    game = case.game
    for state, pending in sampled(tuple(owed_in_turn(case)), 16 if case.is_base else 6):
        before = state_hash(game, state)
        for action in islice(expand(pending.choice), MOST):
            assert contains(pending.choice, action)
            after = game.apply(state, pending.seat, action).state
            assert bool(game.pending(after)) is (game.result(after) is None), action.text
        assert state_hash(game, state) == before


def test_settings_are_accepted_at_any_time(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case), 8):
        for seat in map(Seat, range(case.n_seats)):
            for choice in game.settings(moment.fold.state, seat):
                for action in islice(expand(choice), 20):
                    owed = [(p.seat, p.choice) for p in game.pending(moment.fold.state)]
                    after = game.apply(moment.fold.state, seat, action).state
                    assert [(p.seat, p.choice) for p in game.pending(after)] == owed


def test_what_settings_answer_is_among_what_is_offered(case: Case) -> None:
    game = case.game
    for moment in played(case, disturbed=True):
        for pending in game.pending(moment.fold.state):
            answer = game.automatic(moment.fold.state, pending.seat)
            assert answer is None or contains(pending.choice, answer)


def test_actions_of_other_moments_are_illegal_not_unreadable(case: Case) -> None:
    game = case.game
    owed = owed_in_turn(case)
    known = {action for _, p in sampled(tuple(owed), 12) for action in islice(expand(p.choice), 0, 60, 3)}
    for state, pending in sampled(tuple(owed), 8):
        before = state_hash(game, state)
        allowed = (pending.choice, *game.settings(state, pending.seat))
        for action in sorted(known, key=lambda a: a.text):
            if not any(holds(choice, action) for choice in allowed):
                with pytest.raises(IllegalAction):
                    game.apply(state, pending.seat, action)
        assert state_hash(game, state) == before


def test_seats_that_owe_nothing_may_not_act(case: Case) -> None:
    game = case.game
    for state, pending in sampled(tuple(owed_in_turn(case)), 10):
        action = next(expand(pending.choice))
        owing = {p.seat for p in game.pending(state)}
        for seat in set(map(Seat, range(case.n_seats))) - owing:
            with pytest.raises(IllegalAction):
                game.apply(state, seat, action)


def test_nothing_may_be_done_after_the_end(case: Case) -> None:
    game = case.game
    end = played(case)[-1].fold.state
    assert game.pending(end) == ()
    for moment in sampled(played(case), 5):
        for pending in game.pending(moment.fold.state):
            with pytest.raises(IllegalAction):
                game.apply(end, pending.seat, next(expand(pending.choice)))
            with pytest.raises(IllegalAction):
                game.timeout(end, pending.seat)
    for seat in map(Seat, range(case.n_seats)):
        with pytest.raises(IllegalAction):
            game.forfeit(end, seat)


@pytest.mark.parametrize("base", [case for case in CASES if case.is_base], ids=str)
def test_unreadable_text_is_told_from_illegal(base: Case) -> None:
    game = base.game
    for state, pending in sampled(tuple(owed_in_turn(base)), 4):
        before = state_hash(game, state)
        for text in (*UNREADABLE, f"{next(expand(pending.choice)).text} "):
            with pytest.raises(BadNotation):
                game.apply(state, pending.seat, Action(text))
        assert state_hash(game, state) == before


@pytest.mark.parametrize("key", sorted({case.key for case in CASES}))
def test_unknown_options_and_player_counts_cannot_be_read(key: str) -> None:
    game = game_of(key)
    seed = bytes(32)
    for n in (0, 1, game.seats[-1] + 1):
        if n not in game.seats:
            with pytest.raises(BadNotation):
                game.setup({}, n, seed)
    with pytest.raises(BadNotation):
        game.setup({"no-such-option": True}, game.seats[0], seed)
    for option in game.options():
        if not option.per_seat:
            with pytest.raises(GameError):
                game.setup({option.name: {"nonsense": 1}}, game.seats[0], seed)
