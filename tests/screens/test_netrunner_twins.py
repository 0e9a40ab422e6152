"""Twins differ in hidden cards only: what happens in public, who is asked, and when, is byte for byte the same."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

from game import registry
from game.choices import expand
from game.contract import Action, Json, Seat
from game.netrunner.facts import CORP, RUNNER
from server.boards.board import board
from server.matches.model import SeenEvent
from server.terminal.look import Look
from tests.boards.positions import snapshot
from tests.screens.test_netrunner_errands import Player

HEARD = Look().heard()
RULES, BOARD = registry.get("netrunner"), board("netrunner")
AT_ONCE, BY_ITSELF, THINKING = 0, 1, 7  # how long an answer takes: the screen's own, one that waits, a person's
WANTED = ("run hq", "jack-out", "continue", "credit", "no", "pass", "spend 0", "bid 0", "discard")
DECISIONS = 90

ROOTS: dict[str, Json] = {
    "ambush": "Snare!",
    "asset": "PAD Campaign",
    "dear asset": "Melange Mining Corp.",
    "agenda": "Priority Requisition",
    "upgrade": "Corporate Troubleshooter",
}
ICE = {"cheap": "Ice Wall", "dear": "Archer", "traced": "Hunter"}
HQ = {"operations": ["Hedge Fund", "Biotic Labor"], "agendas": ["Hostile Takeover", "Posted Bounty"]}
GRIPS = {
    "money": ["Sure Gamble", "Easy Mark", "Diesel"],
    "breakers": ["Corroder", "Ninja", "Net Shield"],
    "events": ["Inside Job", "Stimhack", "Déjà Vu"],
}


def position(root: Json = "Snare!", ice: Json = "Ice Wall", hq: Json = None, grip: Json = None) -> dict[str, Any]:
    """Return a Corp that ends its turn with a card and two pieces of ice face down, and a Runner who will run."""
    servers: Json = {
        "hq": {"ice": [ice]},
        "remote1": {"ice": [ice], "root": [{"card": root, "advancement": 2}]},
    }
    scored: Json = [{"card": "AstroScript Pilot Program", "counters": {"agenda": 1}}]
    return {
        "step": "corp.2.3",
        "turn": "corp",
        "corp": {
            "credits": 5,
            "clicks": 1,
            "hq": hq or HQ["operations"],
            "rd": ["Hedge Fund"] * 20,
            "score": scored,
            "servers": servers,
        },
        "runner": {
            "credits": 6,
            "grip": grip or GRIPS["money"],
            "stack": ["Diesel"] * 20,
            "rig": ["Corroder", "Net Shield", {"card": "Datasucker", "counters": {"virus": 2}}],
        },
    }


def witnessed(start: dict[str, Any]) -> str:
    """Return all that who looks on and listens may know, as JSON: events, who is asked, the time of each, the words."""
    state = RULES.read_position(start, {})
    players = [Player(state, Seat(CORP)), Player(state, Seat(RUNNER))]
    at, seen, has_run = 0, list[Json](), False
    for _ in range(DECISIONS):
        owed = RULES.pending(state)
        if not owed:
            break
        asked, player = owed[0], players[owed[0].seat]
        player.chosen = BOARD.follow(player.shot, player.chosen)
        found = BOARD.unasked(player.shot, player.chosen)
        texts = [action.text for action in expand(asked.choice)]
        if (said := RULES.automatic(state, asked.seat)) is not None:
            action, took = said, BY_ITSELF
        elif found is not None:
            action, took, player.chosen = found.action, BY_ITSELF if found.waits else AT_ONCE, found.chosen
        else:
            wanted = [text for word in WANTED for text in texts if text == word or text.startswith(f"{word} ")]
            wanted = [text for text in wanted if text != "run hq" or not has_run]
            action, took = Action((wanted or texts)[0]), THINKING
        has_run = has_run or action.text == "run hq"
        at += took
        step = RULES.apply(state, asked.seat, action)
        state = step.state
        told: list[tuple[str, dict[str, Json]]] = [
            (event.kind, dict(event.public)) for event in step.events if event.public is not None
        ]
        public: list[Json] = [[kind, params] for kind, params in told]
        seen.append([at, int(asked.seat), asked.window, asked.idle, public, heard(state, told)])
        for one in players:
            one.state, one.seq = state, one.seq + 1
    return json.dumps(seen)


def heard(state: Any, told: list[tuple[str, dict[str, Json]]]) -> list[Json]:
    """Return what somebody hears who looks on: what happened, the table, for whom one waits."""
    shot = snapshot("netrunner", state)
    events = [SeenEvent(1, kind, params) for kind, params in told]
    said = [BOARD.say(shot, HEARD, event) for event in events]
    return [*said, *BOARD.spoken(shot, HEARD), BOARD.spoken_prompt(shot, HEARD)]


def all_of(kind: str, cards: dict[str, Any]) -> dict[str, str]:
    return {name: witnessed(position(**{kind: one})) for name, one in cards.items()}


@pytest.mark.parametrize(
    ("kind", "cards"), [("root", ROOTS), ("ice", ICE), ("hq", HQ), ("grip", GRIPS)], ids=["root", "ice", "hq", "grip"]
)
def test_twins_stop_ask_and_skip_at_the_same_moments(kind: str, cards: dict[str, Any]) -> None:
    seen = all_of(kind, cards)
    assert len(json.loads(next(iter(seen.values())))) > 40
    for one, other in combinations(seen, 2):
        assert seen[one] == seen[other], (one, other)


def test_the_test_sees_a_public_difference() -> None:
    less = position()
    less["corp"]["credits"] = 4
    assert witnessed(less) != witnessed(position())
