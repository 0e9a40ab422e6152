"""Positions with one good decision: who decides, how one gets there, what is good (`*`: whatever follows).

`suite.json` has decisions that win or save by themselves, `ahead.json` such as begin what wins or saves.
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from game.contract import Pending
from game.netrunner.rules import GAME
from game.netrunner.state import State
from game.registry import bots
from game.rng import Rng
from tests.netrunner.table import SEATS, Play

SEED = bytes(range(32))


@cache
def suite(name: str = "suite") -> tuple[dict[str, Any], ...]:
    """Return the positions of a file."""
    return tuple(json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")))


def missed(level: str, name: str) -> list[str]:
    """Return in which positions of a file a bot does something else."""
    return [one["name"] for one in suite(name) if not is_good(one, answer(one, level))]


def decision(one: dict[str, Any]) -> tuple[State, Pending]:
    """Return the state in which the decision is taken, and the decision."""
    play = Play(**one["position"]).do(*one.get("do", ()))
    while play.asked[0] != SEATS[one["as"]] or play.asked[1] != one.get("prompt", play.asked[1]):
        play.quiet()
    return play.state, GAME.pending(play.state)[0]


def answer(one: dict[str, Any], level: str) -> str:
    """Return what a bot does."""
    state, pending = decision(one)
    assert pending.seat == SEATS[one["as"]], (one["name"], pending)
    return bots("netrunner")[level].decide(GAME.view(state, pending.seat), pending, Rng(SEED)).text


def is_good(one: dict[str, Any], text: str) -> bool:
    """Tell whether this is a good decision."""
    return any(fnmatchcase(text, good.replace("[", "[[]")) for good in one["good"])
