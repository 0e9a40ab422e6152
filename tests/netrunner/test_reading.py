"""Reading positions that people write and damage: each is read and can be played on, or is refused."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from game.choices import draw
from game.errors import BadNotation
from game.netrunner.decks import SIDES_OF
from game.netrunner.rules import GAME
from game.netrunner.timing import TABLE
from game.rng import Rng
from tests.conformance.play import Case, drawn_of, moments, sampled
from tests.game.test_fuzz_command_line import broken_json
from tests.netrunner.table import Play

ROUNDS = 250


@cache
def written() -> tuple[Any, ...]:
    """Return positions of random matches, without what is half resolved."""
    found = []
    for corp, runner in list(product(*SIDES_OF))[::3]:
        case = Case("netrunner", 2, {}, ({"deck": corp}, {"deck": runner}))
        log = tuple(moments(case, drawn_of(f"written {case}")))
        found += [without_stack(GAME.write_position(moment.fold.state)) for moment in sampled(log[:-1], 25)]
    return tuple(found)


def without_stack(position: Any) -> Any:
    """Return a position without its stack and its run."""
    return {name: value for name, value in position.items() if name not in ("stack", "seal", "pending", "run")}


def moved(position: Any, random: Random) -> Any:
    """Return a position at a random step, with a run where the step is one of a run."""
    step = random.choice(tuple(TABLE))
    told = {**position, "step": step, "turn": "corp" if step.startswith(("corp", "setup")) else "runner"}
    if step.startswith("run.") and len(step) < 8:
        servers = sorted(position["corp"]["servers"])
        told |= {"turn": "runner", "run": {"server": random.choice(servers), "ice": random.randint(0, 3)}}
    return told


def play_on(position: Any, rng: Rng) -> Rng:
    """Read a position and play some of it; every decision must offer something."""
    state = GAME.read_position(position, {})
    for _ in range(12):
        owed = GAME.pending(state)
        assert bool(owed) is (GAME.result(state) is None)
        if not owed:
            break
        action, rng = draw(owed[0].choice, rng)
        state = GAME.apply(state, owed[0].seat, action).state
    return rng


def read_many(random: Random, rounds: int) -> tuple[int, int]:
    """Damage and read positions; return how many were read and how many refused."""
    rng, counts = Rng(bytes(32)), [0, 0]
    for _ in range(rounds):
        position = moved(random.choice(written()), random)
        if random.random() < 0.7:
            position = broken_json(position, random)
        try:
            rng = play_on(position, rng)
            counts[0] += 1
        except BadNotation:
            counts[1] += 1
        except Exception as error:
            raise AssertionError(json.dumps(position)) from error
    return counts[0], counts[1]


def test_every_step_with_damage_or_without_is_read_or_refused() -> None:
    assert min(read_many(Random("written"), ROUNDS)) > ROUNDS // 10


@pytest.mark.soak
def test_many_damaged_positions_are_read_or_refused() -> None:
    assert min(read_many(Random("soak written"), 30 * ROUNDS)) > 3 * ROUNDS


def test_a_stack_is_read_only_with_the_table_it_was_written_for() -> None:
    play = Play({"servers": {"hq": {"ice": ["Enigma"]}}, "hq": ["Hedge Fund"]}, turn="runner").do("run hq", "pass")
    position = play.position
    assert GAME.read_position(position, {}) == play.state
    changed = {**position, "corp": {**position["corp"], "servers": {}}}
    with pytest.raises(BadNotation, match="leave the stack out"):
        GAME.read_position(changed, {})
    assert GAME.read_position(without_stack({**position, "step": "runner.1.5"}), {}).frames[-1].op == "ask"


@pytest.mark.parametrize("turn", ["corp", "nobody", 1])
def test_a_step_of_the_other_sides_turn_is_refused(turn: Any) -> None:
    with pytest.raises(BadNotation):
        GAME.read_position({"turn": turn, "step": "runner.1.5"}, {})
    with pytest.raises(BadNotation):
        GAME.read_position({"turn": turn, "run": {"server": "hq"}}, {})
