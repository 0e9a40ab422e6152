"""The rules of Hex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from game.base import GameBase
from game.contract import Action, Event, Json, OneOf, Option, Pending, Result, Seat, Spec, Step, Viewer
from game.errors import BadNotation, IllegalAction
from game.rng import Rng
from tests.hex.notation import LARGEST, SMALLEST, read_board, read_cell, write_board, write_cell
from tests.hex.state import EMPTY, STONES, State, is_joined
from tests.hex.view import View


class Hex(GameBase[State, View]):
    """The rules object; see the contract for what each method promises."""

    spec = Spec(
        key="hex",
        seats=range(2, 3),
        seat_names=("red", "blue"),
        options=(Option("size", "number", 7, low=SMALLEST, high=LARGEST),),
        harmless=frozenset(("placed",)),
    )

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        size = int(str(self.checked(options, n_seats, seat_options)["size"]))
        return Step(State(size, EMPTY * size * size, Seat(0)))

    def pending(self, state: State) -> tuple[Pending, ...]:
        if state.ended_by:
            return ()
        free = (cell for cell, stone in enumerate(state.cells) if stone == EMPTY)
        return (Pending(state.turn, "place", OneOf(tuple(Action(write_cell(cell, state.size)) for cell in free))),)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        cell = read_cell(action.text, state.size)
        if state.ended_by or seat != state.turn:
            raise IllegalAction("hex.error.not-your-turn", action.text)
        if state.cells[cell] != EMPTY:
            raise IllegalAction("hex.error.taken", action.text)
        cells = state.cells[:cell] + STONES[seat] + state.cells[cell + 1 :]
        placed = Event("placed", {"seat": seat, "cell": action.text})
        return Step(judged(replace(state, cells=cells, turn=Seat(1 - seat))), (placed,))

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        """Lose on time: no cell is a fair default."""
        if state.ended_by or seat != state.turn:
            raise IllegalAction("hex.error.not-your-turn")
        return Step(replace(state, winner=Seat(1 - seat), ended_by="timeout"))

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        if state.ended_by:
            raise IllegalAction("hex.error.over")
        return Step(replace(state, winner=Seat(1 - seat), ended_by="left"))

    def result(self, state: State) -> Result | None:
        if state.winner is None:
            return None
        return Result(((state.winner,), (Seat(1 - state.winner),)), state.ended_by)

    def view(self, state: State, viewer: Viewer) -> View:
        return View(viewer, state)

    def determinize(self, view: View, rng: Rng) -> State:
        return view.state

    def view_json(self, view: View) -> dict[str, Json]:
        return {"position": self.write_position(view.state)}

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        self.checked(options, 2 if n_seats is None else n_seats)
        if not isinstance(position, str):
            raise BadNotation("hex.error.position", str(position)[:80])
        size, cells, turn = read_board(position)
        if options.get("size", size) != size:
            raise BadNotation("hex.error.position", position[:80])
        return judged(State(size, cells, Seat(turn)))

    def write_position(self, state: State) -> Json:
        return write_board(state.cells, state.size, state.turn)

    def dump(self, state: State) -> Json:
        return asdict(state)

    def load(self, data: Any) -> State:
        return State(**data)


def judged(state: State) -> State:
    """Return the state, over if somebody has joined their edges."""
    winner = next((Seat(seat) for seat in (0, 1) if is_joined(state.size, state.cells, seat)), None)
    return state if winner is None else replace(state, winner=winner, ended_by="joined")


GAME = Hex()
