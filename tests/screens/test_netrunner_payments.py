"""Payments as a person reads them: every event and operation, with every source of credits, in every language."""

from __future__ import annotations

from typing import Any

import pytest

from game import registry
from game.choices import expand
from game.contract import Action, Seat
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title, title
from game.netrunner.table import entry
from game.rng import Rng
from server.boards.board import board
from server.i18n.catalogues import CHOICES
from server.matches.model import SeenEvent
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.conformance.play import drawn_of
from tests.screens.test_netrunner_errands import Player

RULES, BOARD = registry.get("netrunner"), board("netrunner")
PLAYED = [code for code, facts in FACTS.items() if facts.type in ("event", "operation")]
LOOKS = [Look(language=language) for language in CHOICES]
MOST = 30  # decisions after a card is played


def source(code: str) -> Any:
    """Return a card that pays, with credits on it."""
    kind = "recurring" if entry(code).recurring else "credit"
    return {"card": title(code), "counters": {kind: 2}}


def table(code: str) -> dict[str, Any]:
    """Return a position in which a card may be played, and its side has every source of credits."""
    paying = [other for other in FACTS if entry(other).pays and FACTS[other].type not in ("event", "identity")]
    seat = CORP if FACTS[code].type == "operation" else RUNNER
    ice = [{"card": "Wall of Static", "rezzed": True}, {"card": "Data Raven", "rezzed": True}]
    return {
        "turn": "corp" if seat == CORP else "runner",
        "step": "corp.2.3" if seat == CORP else "runner.1.5",
        "last_turn": ["accessed", "made_run", "successful_run", "trashed_corp_card"],
        "this_turn": ["scored"],
        "corp": {
            "identity": "NBN: Making News",
            "credits": 9,
            "hq": [*([title(code)] if seat == CORP else []), "Hunter", "PAD Campaign"],
            "rd": ["Hedge Fund"] * 9,
            "archives": ["Hunter"],
            "servers": {"hq": {"ice": ice}, "remote1": {"root": [{"card": "PAD Campaign", "rezzed": True}]}},
        },
        "runner": {
            "credits": 5,
            "grip": [*([title(code)] if seat == RUNNER else []), "Corroder", "Parasite", "Sure Gamble", "Decoy"],
            "stack": ["Diesel"] * 9,
            "heap": ["Parasite", "Sure Gamble"],
            "rig": [*(source(other) for other in paying if FACTS[other].side == RUNNER), "Corroder", "Gordian Blade"],
            "tags": 1,
        },
    }


def read(player: Player, events: list[SeenEvent]) -> str:
    """Return all that a seat reads now, in every language."""
    told = []
    for look in LOOKS:
        told += [text_of(BOARD.status(player.shot, player.chosen, look))]
        told += [text_of(line) for line in BOARD.render(player.shot, player.chosen, look, 80, 19)]
        told += [BOARD.say(player.shot, look, event) for event in events]
    return "\n".join(told)


@pytest.mark.parametrize("code", PLAYED, ids=title)
def test_no_message_key_is_read_after_paying_with_any_source(code: str) -> None:
    state, rng = RULES.read_position(table(code), {}), Rng(drawn_of(f"payments {code}"))
    players = [Player(state, Seat(CORP)), Player(state, Seat(RUNNER))]
    action = Action(f'play "{title(code)}"')
    for _ in range(MOST):
        owed = RULES.pending(state)
        if not owed:
            return
        offered = list(expand(owed[0].choice))
        i, rng = rng.below(len(offered))
        action = action if action in offered else offered[i]
        found = BOARD.unasked(players[owed[0].seat].shot, players[owed[0].seat].chosen)
        if found is not None and not found.waits:
            players[owed[0].seat].chosen, action = found.chosen, found.action
        step = RULES.apply(state, owed[0].seat, action)
        state, action = step.state, Action("")
        for player in players:
            player.state, player.seq = state, player.seq + 1
            player.chosen = BOARD.follow(player.shot, player.chosen)
            seen = ((event.kind, event.seen_by(player.seat)) for event in step.events)
            said = read(player, [SeenEvent(player.seq, kind, params) for kind, params in seen if params is not None])
            assert "netrunner." not in said, said


def test_what_an_event_paid_for_is_told_by_its_title_after_it_has_left_the_table() -> None:
    player = Player(RULES.read_position(table(CODES[plain_title("Stimhack")]), {}))
    step = RULES.apply(player.state, player.seat, Action('play "Stimhack"'))
    player.state = step.state
    player.chosen = BOARD.follow(player.shot, player.chosen)
    for text in ("choose remote1", "trash"):
        for _ in range(20):
            player.go_on()
            owed = RULES.pending(player.state)[0]
            texts = [action.text for action in expand(owed.choice)]
            if text in texts and owed.seat == player.seat:
                break
            player.send(Action("pass" if "pass" in texts else "continue"), owed.seat)
        player.send(Action(text))
    player.until("action")
    for look in LOOKS:
        said = text_of(BOARD.status(player.shot, player.chosen, look))
        assert "Stimhack" in said
        assert "netrunner." not in said
