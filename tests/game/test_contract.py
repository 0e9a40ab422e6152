"""The shapes every game shares: who sees which event, and what a state's hash is."""

from __future__ import annotations

import doctest
import hashlib
import importlib
import pkgutil

import pytest

import game
from game.contract import Event, Seat, Watcher, state_hash
from game.errors import BadNotation, IllegalAction
from game.registry import bots, get, in_order
from tests.conformance.tiny.rules import GAME

A, B, C = map(Seat, range(3))


def test_an_event_is_seen_as_its_audience_may() -> None:
    event = Event("drew", {"seat": 0}, {A: {"seat": 0, "card": "x"}})
    assert event.seen_by(A) == {"seat": 0, "card": "x"}
    assert event.seen_by(B) == event.seen_by(Watcher.PUBLIC) == {"seat": 0}
    assert event.seen_by(Watcher.OMNISCIENT) == {"seat": 0, "card": "x"}


def test_an_event_may_be_one_seat_s_alone() -> None:
    event = Event("peeked", None, {B: {"card": "x"}})
    assert event.seen_by(Watcher.PUBLIC) is None
    assert event.seen_by(A) is None
    assert event.seen_by(B) == {"card": "x"}


def test_the_hash_is_that_of_the_canonical_json() -> None:
    state = GAME.setup({}, 2, bytes(32)).state
    assert len(state_hash(GAME, state)) == len(hashlib.sha256().hexdigest())
    assert state_hash(GAME, state) == state_hash(GAME, GAME.load(GAME.dump(state)))
    assert state_hash(GAME, state) != state_hash(GAME, GAME.setup({}, 2, b"\1" * 32).state)


def test_errors_carry_a_key_and_a_detail() -> None:
    error = IllegalAction("tiny.error.not-now", "bid 9")
    assert (error.key, error.detail, str(error)) == ("tiny.error.not-now", "bid 9", "tiny.error.not-now: bid 9")
    assert isinstance(error, ValueError)


def test_games_are_found_by_key_only() -> None:
    assert get("rainet").key == "rainet"
    for key in ("chess", "../rainet", "rainet.rules", ""):
        with pytest.raises(BadNotation):
            get(key)
        with pytest.raises(BadNotation):
            bots(key)


def test_games_are_listed_in_one_order_everywhere() -> None:
    """Screens held a list of games of their own: one that was not on it stood last."""
    assert in_order(("netrunner", "passage", "rainet", "relati")) == ("rainet", "relati", "passage", "netrunner")
    assert in_order(("tiny", "rainet")) == ("rainet", "tiny"), "what names no place comes after those that do"


def test_a_spec_names_the_ladders_of_its_seats() -> None:
    sides, many = get("netrunner").spec, get("relati").spec
    assert sides.ladders == ("netrunner-corp", "netrunner-runner")
    assert many.ladders == ("relati", "relati-many")
    assert (sides.ladder(2, 1), many.ladder(2, 1), many.ladder(5, 4)) == ("netrunner-runner", "relati", "relati-many")
    assert get("rainet").spec.ladders == ("rainet",)


def test_perft_starts_where_the_game_says() -> None:
    assert get("tiny").spec.opening == "start"
    assert str(get("rainet").spec.opening).startswith("lvl2vlv/3lv3/")


MODULES = [name for _, name, _ in pkgutil.walk_packages(game.__path__, "game.") if not name.endswith("__main__")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
