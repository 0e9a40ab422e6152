"""Proof-number search: finds the wins of the suite, claims none that isn't there, and keeps to its positions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.cli.suites import Position, decision, suite
from game.contract import Action
from game.relati.bots.levels import BOTS, FAR_SIGHTED, LevelBot
from game.relati.bots.proof import winning
from game.relati.bots.search import Node, Search, node_of
from game.relati.rules import GAME
from game.relati.state import State
from game.rng import Rng
from game.solver import Solver
from tests.answers import offered

WINS = [one for one in suite("relati") if one.kind == "win"]
SAVES = [one for one in suite("relati") if one.kind == "save" and not one.name.startswith("trick")]
ENOUGH = 3500


def begun(position: Position) -> tuple[State, Search, Node]:
    state, _ = decision(GAME, position)
    assert isinstance(state, State)
    return state, Search(state.ruleset, FAR_SIGHTED), node_of(state)


@pytest.mark.parametrize("position", WINS, ids=lambda one: str(one.name))
def test_every_win_of_the_suite_is_proved_by_its_shortest_line(position: Position) -> None:
    _, search, node = begun(position)
    spoken = winning(search, node, ENOUGH)
    assert spoken is not None
    assert position.is_good(spoken.text)
    assert search.spent <= ENOUGH


@pytest.mark.parametrize("position", SAVES, ids=lambda one: str(one.name))
def test_what_saves_the_source_does_not_lose_and_nothing_else_wins(position: Position) -> None:
    """Three positions of the suite claimed to be saved where all was lost; in one a shot won, too."""
    _, search, node = begun(position)
    saved = [search.after(node, one) for one in search.choices(node) if position.is_good(one.text)]
    assert saved
    assert all(after.over or winning(search, after, 3000) is None for after in saved)
    said = winning(search, node, 1000)
    assert said is None or position.is_good(said.text)


def test_a_proof_agrees_with_exhaustive_search() -> None:
    """In endings of random matches, where every line can be looked at."""
    proved = 0
    for number in range(12):
        state, rng = GAME.setup({"board": 5}, 2, bytes([number]) * 32).state, Rng(bytes([number + 1]) * 32)
        states = [state]
        while pending := GAME.pending(state):
            action, rng = rng.choose(offered(pending[0]))
            state = GAME.apply(state, pending[0].seat, action).state
            states.append(state)
        before = states[-6]
        search, node = Search(before.ruleset, FAR_SIGHTED), node_of(before)
        if not all(side.mark for side in before.board.sides):
            continue
        spoken = winning(search, node, 2000)
        if spoken is None:
            continue
        proved += 1
        after = GAME.apply(before, before.turn, Action(spoken.text)).state
        assert Solver(GAME, 200_000).forces(after, before.turn, 12)
    assert proved >= 3


def test_a_proof_stops_at_its_positions() -> None:
    _, search, node = begun(next(one for one in WINS if one.decisions == 5))
    assert winning(search, node, 20) is None
    assert search.spent <= 20


def test_hard_sees_the_wins_in_three_moves_that_it_missed() -> None:
    """Four of the suite: they begin with a shield or a shot that looks like nothing."""
    hard = BOTS["hard"]
    assert isinstance(hard, LevelBot)
    names = ("Df1 or Dg3 wins", "Na2d2 wins", "Dd4 or Dd5 wins", "Dd4 wins")
    for position in (one for one in WINS if one.name.startswith(names)):
        state, pending = decision(GAME, position)
        view = GAME.view(state, pending.seat)
        assert position.is_good(hard.decide(view, pending, Rng(bytes(32))).text)
        assert not position.is_good(replace(hard, proofs=0).decide(view, pending, Rng(bytes(32))).text)
