"""A table of Netrunner to read and type at: positions, keys, the screen as text."""

from __future__ import annotations

from typing import Any

from game import registry
from game.contract import Action, OneOf, Seat, Viewer, Watcher
from game.netrunner.state import State
from server.boards.board import board
from server.boards.games.netrunner.selection import Selection
from server.matches.model import AnyViewerState
from server.screens import matchpanel
from server.screens.matchpanel import MatchPanel, arranged
from server.terminal.lines import text_of
from server.terminal.look import Look
from tests.boards.driven import DrivenBoard
from tests.boards.positions import NOON, snapshot

RULES = registry.get("netrunner")


BOARD = board("netrunner")
DRIVEN = DrivenBoard(BOARD, Selection)
typed, picked, picked_from = DRIVEN.typed, DRIVEN.picked, DRIVEN.picked_from


CORP, RUNNER = Seat(0), Seat(1)


LOOKS = {"unicode": Look(), "ascii": Look(glyph_set="ascii"), "zh": Look(language="zh_CN")}


SIZES = [(80, 19), (120, 35)]


ARMITAGE = "01053"


MIDDLE: dict[str, Any] = {
    "corp": {
        "identity": "Jinteki: Personal Evolution",
        "credits": 7,
        "hq": ["Snare!", "Hedge Fund", "Neural EMP", "Nisei MK II"],
        "rd": ["Hedge Fund"] * 20,
        "archives": [{"card": "Hedge Fund"}, {"card": "Snare!", "faceup": False}],
        "score": ["Nisei MK II"],
        "bad_publicity": 1,
        "servers": {
            "hq": {"ice": [{"card": "Enigma", "rezzed": True}, "Neural Katana"], "root": ["Akitaro Watanabe"]},
            "rd": {"ice": ["Wall of Thorns"]},
            "remote1": {
                "ice": [{"card": "Wall of Static", "rezzed": True}, "Chum"],
                "root": [{"card": "Project Junebug", "advancement": 2}],
            },
            "remote2": {"root": [{"card": "PAD Campaign", "rezzed": True}]},
        },
    },
    "runner": {
        "identity": 'Kate "Mac" McCaffrey: Digital Tinker',
        "credits": 9,
        "grip": ["Sure Gamble", "Diesel", "Tinkering", "The Maker's Eye"],
        "stack": ["Diesel"] * 19,
        "heap": ["Sure Gamble", "Modded"],
        "rig": [
            "Battering Ram",
            "Gordian Blade",
            "Akamatsu Mem Chip",
            "Aesop's Pawnshop",
            {"card": "Armitage Codebusting", "counters": {"credit": 6}},
        ],
        "score": ["Priority Requisition"],
        "tags": 1,
        "brain": 1,
    },
    "turn": "runner",
    "step": "runner.1.5",
}


def at(**changes: Any) -> State:
    state: State = RULES.read_position({**MIDDLE, **changes}, {})
    return state


def seen(state: State, viewer: Viewer = RUNNER, **changes: Any) -> AnyViewerState:
    settings = () if isinstance(viewer, Watcher) else RULES.settings(state, viewer)
    return snapshot("netrunner", state, viewer, settings=settings, **changes)


def play(state: State, *moves: str) -> State:
    """Play 'SEAT:ACTION' one after the other."""
    for move in moves:
        seat, _, text = move.partition(":")
        state = RULES.apply(state, Seat(int(seat)), Action(text)).state
    return state


def passed(state: State, step: str, seat: Seat) -> State:
    """Let windows go by until a seat is asked at a step."""
    while True:
        owed = RULES.pending(state)[0]
        now = state.run.step if state.run is not None else state.step
        if (now, owed.seat) == (step, seat):
            return state
        assert isinstance(owed.choice, OneOf)
        texts = [action.text for action in owed.choice.actions]
        state = play(state, f"{owed.seat}:{'pass' if 'pass' in texts else 'continue'}")


def screen(shot: AnyViewerState, chosen: Selection, look: Look, cols: int, rows: int) -> str:
    area = BOARD.area(shot, cols, rows)
    drawn = BOARD.render(shot, chosen, look, area.cols, area.rows)
    beside = MatchPanel(BOARD, shot, [], look)
    lines = arranged(drawn, area, lambda at: matchpanel.draw(beside, NOON, at), cols, rows)
    return "\n".join(text_of(line) for line in [*lines, BOARD.status(shot, chosen, look)])


def at_wall() -> State:
    """Return a Runner who has met Wall of Static, behind an ice that was not rezzed."""
    return passed(play(at(), "1:run remote1"), "run.3.1", RUNNER)
