"""A whole match as JSON: the position, and the fields that a position lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from game.contract import Json, Seat
from game.options import as_first_stored
from game.relati.notation import read_position, write_position
from game.relati.ruleset import LATER, read_ruleset, write_ruleset
from game.relati.state import LatestAction, State


def dump(state: State) -> Json:
    """Return the state as JSON, sets of cells as lists of names; `load` takes it back."""
    last: list[Json] | None = None
    if state.last is not None:
        last = [state.last.seat, state.last.action, *state.board.grid.names_of(state.last.changed)]
    return {
        "position": write_position(state),
        "options": as_first_stored(write_ruleset(state.ruleset), LATER),
        "fallen": [list(tier) for tier in state.fallen],
        "last": last,
        "ended_by": state.ended_by,
    }


def load(data: Any) -> State:
    """Return the state that was dumped. Raises KeyError, TypeError or BadNotation for anything else."""
    state = read_position(data["position"], read_ruleset(data["options"]))
    last = None
    if data["last"] is not None:
        seat, action, *changed = data["last"]
        last = LatestAction(Seat(seat), action, sum(1 << (state.board.grid.named(name) or 0) for name in changed))
    fallen = tuple(tuple(map(Seat, tier)) for tier in data["fallen"])
    return replace(state, fallen=fallen, last=last, ended_by=data["ended_by"])
