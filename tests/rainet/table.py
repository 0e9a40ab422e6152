"""Short forms for tests: states from notation, actions as text, legal actions, refusals."""

from __future__ import annotations

from game.contract import Action, Json, Pending, Seat, Watcher
from game.errors import GameError
from game.rainet.position import OPENING
from game.rainet.rules import GAME
from game.rainet.state import State
from game.rainet.view import View
from tests.answers import offered

SOUTH, NORTH, PUBLIC = Seat(0), Seat(1), Watcher.PUBLIC


def at(position: str = OPENING, **options: Json) -> State:
    """Return the state of a position."""
    return GAME.read_position(position, options)


def after(state: State, *texts: str) -> State:
    """Play actions, each by the side whose turn it is."""
    for text in texts:
        state = GAME.apply(state, Seat(state.turn), Action(text)).state
    return state


def position(state: State) -> str:
    """Return the full position."""
    return str(GAME.write_position(state))


def _owed(state: State, seat: Seat | None) -> list[Pending]:
    return [owed for owed in GAME.pending(state) if seat in (None, owed.seat)]


def legal(state: State) -> set[str]:
    """Return the legal actions of the side to move."""
    (pending,) = GAME.pending(state)
    return {action.text for action in offered(pending)}


def moves(state: State, start: str) -> set[str]:
    """Return the legal moves and entries of the card on one square."""
    return {text for text in legal(state) if text.startswith(start)}


def refusal(state: State, text: str, seat: Seat | None = None) -> str:
    """Return the key of the error an action meets; it must not be among the legal ones."""
    try:
        GAME.apply(state, Seat(state.turn) if seat is None else seat, Action(text))
    except GameError as error:
        assert all(text not in {action.text for action in offered(owed)} for owed in _owed(state, seat))
        return error.key.removeprefix("rainet.error.")
    raise AssertionError(f"{text} was accepted in {position(state)}")


def view(state: State, viewer: Seat | Watcher) -> View:
    return GAME.view(state, viewer)


def reason(state: State) -> str | None:
    result = GAME.result(state)
    return None if result is None else result.reason


def winner(state: State) -> int | None:
    """Return the only seat on top, or None for a draw or a match that goes on."""
    result = GAME.result(state)
    return result.placements[0][0] if result and len(result.placements) == 2 else None
