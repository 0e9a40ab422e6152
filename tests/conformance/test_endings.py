"""Every game: results, giving up, and running out of time."""

from __future__ import annotations

from typing import Any

import pytest

from game.choices import draw
from game.contract import Game, Result, Seat
from game.errors import IllegalAction
from game.replay import draw_by_agreement
from game.rng import Rng
from tests.conformance.play import MAX_DECISIONS, Case, cases, drawn_of, played, sampled

CASES = cases()


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def assert_ranks_everybody(result: Result, n_seats: int) -> None:
    """Check that every seat stands in exactly one tier, and no tier is empty."""
    assert sorted(seat for tier in result.placements for seat in tier) == list(range(n_seats))
    assert all(result.placements)
    assert result.reason


def play_on(game: Game[Any, Any], state: Any, rng: Rng, gone: frozenset[Seat] = frozenset()) -> Any:
    """Play at random to the end; seats in `gone` must never be asked again."""
    for _ in range(MAX_DECISIONS):
        owed = game.pending(state)
        assert bool(owed) is (game.result(state) is None)
        if not owed:
            return state
        assert not gone & {pending.seat for pending in owed}
        pending, rng = rng.choose(owed)
        action, rng = draw(pending.choice, rng)
        state = game.apply(state, pending.seat, action).state
    raise AssertionError(f"no end after {MAX_DECISIONS} decisions")


def test_a_result_is_there_exactly_at_the_end(case: Case) -> None:
    game = case.game
    for disturbed in (False, True):
        *before, end = played(case, disturbed=disturbed)
        assert all(game.result(moment.fold.state) is None for moment in before)
        result = game.result(end.fold.state)
        assert result is not None
        assert result == end.fold.result
        assert_ranks_everybody(result, case.n_seats)


def test_who_gives_up_is_out_and_does_not_win(case: Case) -> None:
    game = case.game
    rng = Rng(drawn_of(f"forfeits {case}"))
    for moment in sampled(played(case)[:-1], 6 if case.is_base else 3):
        seat, rng = rng.choose(game.playing(moment.fold.state))
        state = game.forfeit(moment.fold.state, seat).state
        with pytest.raises(IllegalAction):
            game.forfeit(state, seat)
        stream, rng = rng.split()
        result = game.result(play_on(game, state, stream, frozenset((seat,))))
        assert result is not None
        assert_ranks_everybody(result, case.n_seats)
        assert seat not in result.placements[0]
        if case.n_seats == 2:
            assert game.result(state) is not None


def test_those_who_are_in_can_be_taken_out_and_nobody_else(case: Case) -> None:
    game = case.game
    for moment in (*played(case), *played(case, disturbed=True)):
        state, seats = moment.fold.state, map(Seat, range(case.n_seats))
        playing = game.playing(state)
        assert list(playing) == sorted(set(playing))
        assert bool(playing) is (game.result(state) is None)
        assert {pending.seat for pending in game.pending(state)} <= set(playing)
        for seat in seats:
            if seat in playing:
                assert seat not in game.playing(game.forfeit(state, seat).state)
                continue
            with pytest.raises(IllegalAction):
                game.forfeit(state, seat)


def test_those_who_give_up_rank_in_reverse_below_those_who_stay(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case)[:-1], 4):
        state = moment.fold.state
        gone: list[Seat] = []
        while playing := game.playing(state):  # whoever is taken out may bring others down
            *stay, last = playing
            gone.append(last)
            state = game.forfeit(state, last).state
        result = game.result(state)
        assert result is not None
        assert_ranks_everybody(result, case.n_seats)
        rank = {seat: i for i, tier in enumerate(result.placements) for seat in tier}
        assert max(rank[seat] for seat in stay) < min(rank[seat] for seat in gone)
        assert [rank[seat] for seat in gone] == sorted((rank[seat] for seat in gone), reverse=True)
        assert len(set(gone)) == len({rank[seat] for seat in gone})


def test_running_out_of_time_is_answered_by_the_rules(case: Case) -> None:
    game = case.game
    rng = Rng(drawn_of(f"timeouts {case}"))
    for moment in sampled(played(case)[:-1], 12 if case.is_base else 5):
        owed = game.pending(moment.fold.state)
        for pending in owed:
            state = game.timeout(moment.fold.state, pending.seat).state
            assert bool(game.pending(state)) is (game.result(state) is None)
        for seat in set(map(Seat, range(case.n_seats))) - {p.seat for p in owed}:
            with pytest.raises(IllegalAction):
                game.timeout(moment.fold.state, seat)
    stream, rng = rng.split()
    play_on(game, state, stream)


def test_an_agreed_draw_ties_those_who_still_play(case: Case) -> None:
    """In Relati whoever is taken out may bring others down: there the draw was refused (`relati.error.out`)."""
    game = case.game
    for moment in (*played(case)[:-1], *played(case, disturbed=True)[:-1]):
        state = moment.fold.state
        result = draw_by_agreement(game, state)
        assert_ranks_everybody(result, case.n_seats)
        assert result.placements[0] == game.playing(state)
