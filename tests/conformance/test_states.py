"""Every game: states are values that survive a log, a database and a position as text."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from game.contract import Action, Game, Json, Seat, Watcher, state_hash
from game.errors import BadNotation
from game.replay import fold_all
from game.rng import Rng
from tests.conformance.play import Case, cases, drawn_of, game_of, header_of, keys, played, sampled, version_in, viewers

CASES = cases()
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    chosen: Case = request.param
    return chosen


def through_text(value: Json) -> Json:
    """Write JSON and read it again, as a database or a file does."""
    read: Json = json.loads(json.dumps(value))
    return read


@pytest.mark.parametrize("disturbed", [False, True], ids=["quiet", "disturbed"])
def test_the_log_folds_to_the_same_state_and_hash(case: Case, disturbed: bool) -> None:
    game = case.game
    log = played(case, disturbed=disturbed)
    end = log[-1].fold
    again = fold_all(game, header_of(case, drawn_of(f"{case} a")), [m.entry for m in log if m.entry])
    assert again == end
    assert state_hash(game, again.state) == state_hash(game, end.state)


def test_the_same_action_gives_the_same_events(case: Case) -> None:
    game = case.game
    log = played(case)
    for before, after in sampled(tuple(pairwise(log)), 12):
        entry = after.entry
        assert game.apply(before.fold.state, entry.seat, Action(entry.action)).events == after.events


def test_every_state_survives_dump_and_load(case: Case) -> None:
    game = case.game
    for moment in played(case, disturbed=True):
        state = moment.fold.state
        assert game.n_seats(state) == case.n_seats
        dumped = game.dump(state)
        read = through_text(dumped)
        assert read == dumped
        assert game.load(read) == state
    for moment in sampled(played(case, disturbed=True), 10):
        loaded = game.load(through_text(game.dump(moment.fold.state)))
        assert state_hash(game, loaded) == state_hash(game, moment.fold.state)
        assert game.pending(loaded) == game.pending(moment.fold.state)


def test_a_state_keeps_the_version_it_is_played_under_whatever_is_done_with_it(case: Case) -> None:
    """The newest rules take a state of older ones as it is, and everything made of it is of its version."""
    game, newest = case.game, game_of(case.key)
    rng = Rng(drawn_of(f"version {case}"))
    for moment in sampled(played(case, disturbed=True), 8):
        state = moment.fold.state
        assert version_in(newest, state) == game.version
        assert version_in(newest, newest.load(newest.dump(state))) == game.version
        assert newest.pending(state) == game.pending(state)
        for viewer in viewers(case):
            view = newest.view(state, viewer)
            assert view == game.view(state, viewer)
            assert version_in(newest, newest.determinize(view, rng)) == game.version
        if game.result(state) is None:
            written = game.read_position(game.write_position(state), case.options, case.n_seats, bytes(32))
            assert version_in(game, written) == game.version
            for pending in game.pending(state):
                after = newest.timeout(state, pending.seat).state
                assert after == game.timeout(state, pending.seat).state
                assert version_in(newest, after) == game.version


def test_positions_are_read_as_they_were_written(case: Case) -> None:
    game = case.game
    for moment in sampled(played(case, disturbed=True), 40 if case.is_base else 12):
        state = moment.fold.state
        written = game.write_position(state)
        assert through_text(written) == written
        read = game.read_position(through_text(written), case.options, case.n_seats, bytes(32))
        assert game.write_position(read) == written
        if game.result(state) is None and game.result(read) is None:
            assert game.pending(read) == game.pending(state)


@pytest.mark.parametrize("position", ["", "start", "nonsense", "🂡", [], 7, None, True, {"no-such-field": 1}], ids=repr)
@pytest.mark.parametrize("key", keys())
def test_other_positions_cannot_be_read(key: str, position: Json) -> None:
    """`start` is no game's: it is how a command line asks for a new match (`game/cli/positions.py`)."""
    with pytest.raises(BadNotation):
        game_of(key).read_position(position, {}, None, bytes(32))


def test_states_are_frozen_and_hashable(case: Case) -> None:
    for moment in sampled(played(case, disturbed=True), 5):
        state = moment.fold.state
        assert hash(state) == hash(state)
        assert_frozen(state)


def assert_frozen(value: Any) -> None:
    """Walk a value: nothing in it can be changed in place."""
    if isinstance(value, tuple | frozenset):
        for item in value:
            assert_frozen(item)
    elif dataclasses.is_dataclass(value):
        kind: Any = type(value)
        assert kind.__dataclass_params__.frozen, kind
        for field in dataclasses.fields(value):
            assert_frozen(getattr(value, field.name))
    else:
        assert not isinstance(value, list | dict | set | bytearray), type(value)


def test_the_same_seed_begins_the_same_match(case: Case) -> None:
    game = case.game
    header = header_of(case, drawn_of("begin"))
    first, again = (game.setup(case.options, case.n_seats, header.seed, header.seat_options) for _ in range(2))
    assert first == again


def test_events_are_keys_with_json_parameters(case: Case) -> None:
    for disturbed in (False, True):
        for moment in played(case, disturbed=disturbed):
            for event in moment.events:
                assert event.kind
                assert " " not in event.kind
                for viewer in (*map(Seat, range(case.n_seats)), *Watcher):
                    seen = event.seen_by(viewer)
                    assert seen is None or through_text(dict(seen)) == dict(seen)


@pytest.mark.parametrize("key", keys())
def test_hashes_do_not_depend_on_the_seed_of_python_s_own(key: str) -> None:
    ask = [sys.executable, "-m", "tests.conformance.hashes", key]
    said = set()
    for hash_seed in ("0", "1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        said.add(subprocess.run(ask, env=env, cwd=ROOT, capture_output=True, check=True, text=True).stdout)
    assert len(said) == 1
    assert len(said.pop().split()) == len(list(game_of(key).seats))


@pytest.mark.parametrize("key", keys())
def test_a_game_names_its_key_seats_and_options_once(key: str) -> None:
    game: Game[Any, Any] = game_of(key)
    assert game.key == key
    assert game.version >= 1
    assert 1 <= game.seats[0] <= game.seats[-1] <= 6
    for n in game.seats:
        names = game.seat_names(n)
        assert len(set(names)) == len(names) == n
    names = tuple(option.name for option in game.options())
    assert len(set(names)) == len(names)
