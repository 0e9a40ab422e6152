"""Writing positions as pictures, and asking what may be done in them."""

from __future__ import annotations

import pytest

from game.contract import Action, Json
from game.errors import IllegalAction
from game.relati.rules import GAME
from game.relati.state import State
from tests.answers import as_text, offered, told


def board(picture: str, turn: str = "O", players: str = "OX", **options: Json) -> State:
    """Read a picture: one row a line, cells by spaces, `.` empty, else mark and status as in positions."""
    rows = []
    for line in picture.split("\n"):
        if not line.strip():
            continue
        row = "".join(cell if cell != "." else "." for cell in line.split())
        for gap in range(len(line.split()), 0, -1):
            row = row.replace("." * gap, str(gap))
        rows.append(row)
    return GAME.read_position(f"{'/'.join(rows)} {turn} {players}", options)


def texts(state: State, *verbs: str) -> set[str]:
    """Return the actions offered, those with one of these letters if any are given."""
    pending = GAME.pending(state)
    known = [action.text for action in offered(pending[0])] if pending else []
    return {text for text in known if not verbs or text[0] in verbs}


def play(state: State, *actions: str) -> State:
    """Play actions in turn, whoever's turn it is."""
    for action in actions:
        state = GAME.apply(state, state.turn, Action(action)).state
    return state


def events(state: State, action: str) -> list[tuple[str, dict[str, Json]]]:
    """Return what an action would tell the public."""
    step = GAME.apply(state, state.turn, Action(action))
    return [(event.kind, dict(told(event))) for event in step.events]


def cell(state: State, name: str) -> str:
    """Return what stands on a cell, as in positions; '.' when it is empty."""
    text = written(state).split(" ")[0].split("/")[int(name[1:]) - 1]
    row: list[str] = []
    i = 0
    while i < len(text):
        if text[i].isdigit():
            digits = text[i : i + 2] if text[i : i + 2].isdigit() else text[i]
            row += ["."] * int(digits)
            i += len(digits)
            continue
        status = text[i + 1] if text[i + 1 : i + 2].islower() else ""
        row.append(text[i] + status)
        i += 1 + len(status)
    return row["abcdefghijklmnopqrstuvw".index(name[0])]


def written(state: State) -> str:
    """Return the position as the rules write it."""
    return as_text(GAME.write_position(state))


def refused(state: State, action: str) -> str:
    with pytest.raises(IllegalAction) as refusal:
        GAME.apply(state, state.turn, Action(action))
    return refusal.value.key


SHOT = """
    .  .  .  .  .  .
    Os O  .  .  Xs .
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  .  .  .
"""
