"""The view of a match of Relati: all of it, since nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Json, Seat, Viewer, Watcher
from game.relati.notation import write_position
from game.relati.ruleset import Ruleset, write_ruleset
from game.relati.state import MARKS, Board, LatestAction, State


@dataclass(frozen=True, slots=True)
class View:
    """The match as everybody sees it. Fields as in State; `viewer` says who looks."""

    viewer: Viewer
    ruleset: Ruleset
    board: Board
    turn: Seat
    fallen: tuple[tuple[Seat, ...], ...]
    last: LatestAction | None
    ended_by: str


def view(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know."""
    return View(viewer, state.ruleset, state.board, state.turn, state.fallen, state.last, state.ended_by)


def known(seen: View) -> State:
    """Return the state that a view shows."""
    return State(seen.ruleset, seen.board, seen.turn, seen.fallen, seen.last, seen.ended_by)


def view_json(seen: View) -> dict[str, Json]:
    """Return the view as the outside reads it: position, options, each player's pieces, the last action."""
    state = known(seen)
    return {
        "viewer": seen.viewer.value if isinstance(seen.viewer, Watcher) else seen.viewer,
        "position": write_position(state),
        "options": write_ruleset(seen.ruleset),
        "turn": None if state.over else seen.turn,
        "players": [_player_json(state, seat) for seat in range(state.n_seats)],
        "fallen": [list(tier) for tier in seen.fallen],
        "last": None if seen.last is None else _last_json(seen.board, seen.last),
    }


def _last_json(board: Board, last: LatestAction) -> Json:
    return {"seat": last.seat, "action": last.action, "changed": list(board.grid.names_of(last.changed))}


def _player_json(state: State, seat: int) -> Json:
    side = state.board.sides[seat]
    return {
        "seat": seat,
        "mark": MARKS[seat],
        "out": seat in state.out,
        "source": list(state.board.grid.names_of(side.source)),
        "linked": side.linked.bit_count(),
        "cut": side.cut.bit_count(),
        "shields": side.shield.bit_count(),
        "dead": (side.mark & ~side.live).bit_count(),
    }
