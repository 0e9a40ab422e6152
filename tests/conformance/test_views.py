"""Every game: a view holds what its viewer may know and nothing else."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from game.choices import draw, expand
from game.contract import Game, Pending, Seat, Viewer, Watcher
from game.rng import Rng
from tests.conformance.play import Case, Moment, cases, drawn_of, game_of, keys, played, sampled, viewers

CASES = cases()


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def looked_at(case: Case) -> list[Moment]:
    """Return the moments to look at: all of them where the options are the usual ones, else some."""
    moments = played(case) + played(case, disturbed=True)
    return list(moments) if case.is_base else sampled(moments, 40)


def visible(game: Game[Any, Any], state: Any, viewer: Viewer) -> Iterator[object]:
    """Yield all that a viewer learns from a state."""
    view, pending = game.view(state, viewer), game.pending(state)
    yield view
    yield hash(view)
    yield json.dumps(game.view_json(view), sort_keys=True)
    yield tuple(p for p in pending if p.seat == viewer)
    yield [(p.seat, p.window) for p in pending]  # the table sees who is asked
    yield game.result(state) is None
    if not isinstance(viewer, Watcher):
        yield game.settings(state, viewer)
        yield game.automatic(state, viewer)


def own_pending(game: Game[Any, Any], state: Any, viewer: Viewer) -> tuple[Pending, ...]:
    return tuple(p for p in game.pending(state) if p.seat == viewer)


def test_a_full_state_made_from_a_view_cannot_be_told_from_the_real_one(case: Case) -> None:
    game = case.game
    rng = Rng(drawn_of(f"leaks {case}"))
    for moment in looked_at(case):
        for viewer in viewers(case):
            stream, rng = rng.split()
            real = moment.fold.state
            made = game.determinize(game.view(real, viewer), stream)
            for of_real, of_made in zip(visible(game, real, viewer), visible(game, made, viewer), strict=True):
                assert of_made == of_real, f"{viewer} at entry {moment.fold.seq}"


def test_two_states_made_from_one_view_cannot_be_told_apart(case: Case) -> None:
    game = case.game
    rng = Rng(drawn_of(f"twins {case}"))
    for moment in sampled(tuple(looked_at(case)), 30):
        for viewer in viewers(case):
            first, rng = rng.split()
            second, rng = rng.split()
            view = game.view(moment.fold.state, viewer)
            one, two = (game.determinize(view, stream) for stream in (first, second))
            assert list(visible(game, one, viewer)) == list(visible(game, two, viewer))
            assert game.determinize(view, first) == one, "the same stream gives the same state"


def test_a_made_state_can_be_played_on(case: Case) -> None:
    game = case.game
    rng = Rng(drawn_of(f"on {case}"))
    for moment in sampled(tuple(looked_at(case)), 10):
        for viewer in viewers(case):
            stream, rng = rng.split()
            state = game.determinize(game.view(moment.fold.state, viewer), stream)
            for _ in range(25):
                if not (owed := game.pending(state)):
                    break
                pending, rng = rng.choose(owed)
                action, rng = draw(pending.choice, rng)
                state = game.apply(state, pending.seat, action).state
            assert game.load(json.loads(json.dumps(game.dump(state)))) == state


def test_a_secret_answer_shows_the_others_nothing_until_all_are_in(case: Case) -> None:
    game = case.game
    for moment in played(case) + played(case, disturbed=True):
        owed = [p for p in game.pending(moment.fold.state) if p.secret]
        for pending in owed[: len(owed) - 1 and 2]:
            answers = sampled(tuple(islice(expand(pending.choice), 100)), 3)
            seen: dict[Viewer, set[object]] = {viewer: set() for viewer in viewers(case) if viewer != pending.seat}
            for answer in answers:
                step = game.apply(moment.fold.state, pending.seat, answer)
                for viewer, shown in seen.items():
                    told = [(event.kind, event.seen_by(viewer)) for event in step.events]
                    shown.add((*map(str, visible(game, step.state, viewer)), json.dumps(told, sort_keys=True)))
            assert all(len(shown) == 1 for shown in seen.values()), f"{pending.prompt} at {moment.fold.seq}"


def test_settings_are_seen_by_their_seat_only(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case), 8):
        state = moment.fold.state
        for seat in map(Seat, range(case.n_seats)):
            for action in [a for choice in game.settings(state, seat) for a in islice(expand(choice), 6)]:
                step = game.apply(state, seat, action)
                for viewer in set(viewers(case)) - {seat}:
                    assert list(visible(game, step.state, viewer)) == list(visible(game, state, viewer))
                    assert all(event.seen_by(viewer) is None for event in step.events)


@pytest.mark.parametrize("key", [key for key in keys() if game_of(key).spec.secrets])
def test_each_seat_has_secrets_from_every_viewer(key: str) -> None:
    """Without this, a game whose views give everything away would pass."""
    case = Case(key, game_of(key).seats[0])
    for viewer in viewers(case):
        for other in set(map(Seat, range(case.n_seats))) - {viewer}:
            assert any(leaves_open(case, moment, viewer, other) for moment in sampled(played(case)[:-1], 12))


def leaves_open(case: Case, moment: Moment, viewer: Viewer, other: Seat) -> bool:
    """Tell whether what `viewer` knows fits several things that `other` may see."""
    game, rng = case.game, Rng(drawn_of(f"secrets {case}"))
    view = game.view(moment.fold.state, viewer)
    seen = set()
    for _ in range(3):
        stream, rng = rng.split()
        seen.add(game.view(game.determinize(view, stream), other))
    return len(seen) > 1


def test_the_seed_is_in_no_view(case: Case) -> None:
    game = case.game
    seed = drawn_of(f"{case} a")
    for moment in sampled(played(case), 6):
        for viewer in viewers(case):
            view = game.view(moment.fold.state, viewer)
            assert seed.hex() not in json.dumps(game.view_json(view))
            assert seed not in pickle.dumps(view)


def test_views_are_pickled_whole(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case), 6):
        for viewer in (*viewers(case), Watcher.OMNISCIENT):
            view = game.view(moment.fold.state, viewer)
            pending = own_pending(game, moment.fold.state, viewer)
            assert view.viewer == viewer
            assert pickle.loads(pickle.dumps((view, pending))) == (view, pending)


def test_the_replay_of_a_finished_match_shows_everything(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case), 6):
        view = game.view(moment.fold.state, Watcher.OMNISCIENT)
        assert json.loads(json.dumps(game.view_json(view)))
