"""Netrunner's board with what Reign and Reverie brings: facedown rigs, currents, subroutines that come and go."""

from __future__ import annotations

from typing import Any

from game.contract import Viewer, Watcher
from server.boards.games.netrunner.selection import Selection
from server.terminal.look import Look
from tests.boards.netrunner_table import CORP, MIDDLE, RULES, RUNNER, screen, seen
from tests.texts import en


def shown(viewer: Viewer, corp: dict[str, Any], runner: dict[str, Any], **more: Any) -> str:
    """Return the board of a position that differs in parts from the usual one."""
    halves = {"corp": {**MIDDLE["corp"], **corp}, "runner": {**MIDDLE["runner"], **runner}}
    state = RULES.read_position({**MIDDLE, **halves, **more}, {})
    return screen(seen(state, viewer), Selection(), Look(), 120, 35)


def test_a_facedown_card_of_the_rig_has_its_name_for_the_runner_only() -> None:
    rig = ["Corroder", {"card": "Magnum Opus", "facedown": True}]
    assert "▒Magnum Opus" in shown(RUNNER, {}, {"rig": rig})
    for viewer in (CORP, Watcher.PUBLIC):
        theirs = shown(viewer, {}, {"rig": rig})
        assert "Magnum" not in theirs
        assert "▒▒▒▒" in theirs
        assert "Corroder" in theirs


def test_a_current_stands_in_the_corps_line() -> None:
    for viewer in (CORP, RUNNER, Watcher.PUBLIC):
        assert "current: Kill Switch" in shown(viewer, {"current": ["Kill Switch"]}, {})
        assert "current:" not in shown(viewer, {}, {})


def test_gained_subroutines_stand_where_they_are_resolved() -> None:
    ice = [{"card": "Blockchain", "rezzed": True}]
    servers = {"hq": {"ice": ice}}
    run: dict[str, Any] = {"run": {"server": "hq", "ice": 0}, "step": "run.3.1"}
    lines = shown(RUNNER, {"servers": servers, "archives": ["Hedge Fund"] * 2}, {}, **run)
    assert lines.count(en("netrunner.card.do.lose.runner", n=1, count=1)) >= 2
    assert lines.index("1 [") < lines.index("2 [") < lines.index("3 [")
    assert en("netrunner.card.do.end-run").capitalize() in lines[lines.index("3 [") :]
    assert "3 [" not in shown(RUNNER, {"servers": servers, "archives": []}, {}, **run)


def test_what_is_hosted_on_dj_fenris_stands_beside_him() -> None:
    rig = [{"card": "DJ Fenris", "hosted": ["Noise: Hacker Extraordinaire"]}]
    assert "Noise" in shown(CORP, {}, {"rig": rig})


def test_a_board_with_a_program_on_ice_that_is_not_known_is_drawn() -> None:
    """Asking whether the unknown host keeps programs outside the memory ended the session with a KeyError."""
    servers = {"hq": {"ice": [{"card": "Archer", "hosted": ["Kyuban"]}]}}
    board = shown(RUNNER, {"servers": servers}, {"rig": []})
    assert "Archer" not in board
    assert "Kyuban" in board
    assert "mem 1/4" in board
