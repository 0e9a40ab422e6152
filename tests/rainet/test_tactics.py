"""Positions with one good answer: hard finds at least 29 in 30 of them, normal 25 in 30."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.contract import Json
from game.rainet.bot import BOTS
from game.rainet.rules import GAME
from game.rng import Rng

SUITE = json.loads(Path(__file__).with_name("tactics.json").read_text())
STREAMS = 3  # a bot draws among equals, so each position is tried a few times


def is_solved(case: dict[str, Json], level: str) -> bool:
    state = GAME.read_position(case["position"], case.get("options", {}))
    (pending,) = GAME.pending(state)
    seen = GAME.view(state, pending.seat)
    answers = {BOTS[level].decide(seen, pending, Rng(bytes(32), n * 1000)).text for n in range(STREAMS)}
    return answers <= set(case["good"]) if "good" in case else not answers & set(case["bad"])


@pytest.mark.parametrize(("level", "at_least"), [("hard", 29 / 30), ("normal", 25 / 30)])
def test_a_level_solves_its_part_of_the_suite(level, at_least):
    missed = [case["name"] for case in SUITE if not is_solved(case, level)]
    assert len(SUITE) >= 30
    assert 1 - len(missed) / len(SUITE) >= at_least, missed


def test_every_named_answer_is_legal():
    for case in SUITE:
        (pending,) = GAME.pending(GAME.read_position(case["position"], case.get("options", {})))
        assert set(case.get("good", case.get("bad"))) <= {action.text for action in pending.choice.actions}, case[
            "name"
        ]
