"""The turn order (§1.8): one action a turn, elimination, and the result."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Action, Event, Result, Seat, Step
from game.errors import IllegalAction
from game.relati.actions import can_act, check
from game.relati.effects import perform
from game.relati.events import changed_cells, events_of
from game.relati.notation import read_action
from game.relati.state import LatestAction, State

STUCK, LEFT, LATE = "stuck", "left", "late"


def play(state: State, seat: Seat, action: Action) -> Step[State]:
    """Play one action of the seat to move, with all that follows. Raises BadNotation or IllegalAction."""
    spoken = read_action(action.text, state.board.size)
    require_playing(state, seat)
    if seat != state.turn:
        raise IllegalAction("relati.error.not-your-turn", action.text)
    check(state, spoken)
    outcome = perform(state.board, seat, spoken, state.ruleset)
    events = events_of(state.board, seat, spoken, outcome)
    last = LatestAction(seat, action.text, changed_cells(state.board, outcome.board))
    after = replace(state, board=outcome.board, turn=next_seat(state), last=last)
    return pass_on(after, events)


def require_playing(state: State, seat: Seat) -> None:
    """Raise IllegalAction when the match is over or this seat is out."""
    if state.over:
        raise IllegalAction("relati.error.over")
    if seat in state.out or not 0 <= seat < state.n_seats:
        raise IllegalAction("relati.error.out")


def next_seat(state: State) -> Seat:
    """Return the next seat in turn order that is not out."""
    out = state.out
    turn = state.turn
    while True:
        turn = Seat((turn + 1) % state.n_seats)
        if turn not in out:
            return turn


def pass_on(state: State, events: tuple[Event, ...] = ()) -> Step[State]:
    """Take out each seat that can't act when its turn comes, until one can or one is left (A24)."""
    while not state.over and not can_act(state.board, state.turn, state.ruleset):
        state, fell = _fall(state, state.turn, STUCK)
        events += fell
    if state.over:
        events += (Event("won", {"seat": state.turn}),)
    return Step(state, events)


def take_out(state: State, seat: Seat, why: str) -> Step[State]:
    """Take a seat out that left or was late; its pieces stay. Raises IllegalAction as `require_playing` does."""
    require_playing(state, seat)
    return pass_on(*_fall(state, seat, why))


def _fall(state: State, seat: Seat, why: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state without a seat, its turn passed on, and the event; when one is left the turn names it."""
    turn = next_seat(state) if seat == state.turn else state.turn
    after = replace(state, turn=turn, fallen=(*state.fallen, (seat,)))
    if after.over:
        after = replace(after, turn=next(s for s in map(Seat, range(after.n_seats)) if s not in after.out))
    return replace(after, ended_by=why), (Event(f"out-{why}", {"seat": seat}),)


def result(state: State) -> Result | None:
    """Return the placements, the last to fall first after the winner; None while two or more are left."""
    if not state.over:
        return None
    return Result(((state.turn,), *reversed(state.fallen)), state.ended_by or "last")
