"""The rules object of Relati: implements `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.base import GameBase
from game.contract import LEVELS, MASTER, Json, OneOf, Pending, Seat, Spec, Step
from game.contract import Game as GameContract
from game.errors import BadNotation, IllegalAction
from game.relati import notation, turns
from game.relati import ruleset as rulesets
from game.relati import view as views
from game.relati.actions import legal
from game.relati.revealing import HARMLESS, REVEALING
from game.relati.state import MARKS, Board, Side, State
from game.relati.storage import dump, load
from game.relati.view import View
from game.rng import Rng

SEATS = range(2, len(MARKS) + 1)


class Relati(GameBase[State, View]):
    """The rules of Relati. Everything that varies is in the state; `Game` says what each method promises."""

    spec = Spec(
        key="relati",
        order=2,
        seats=SEATS,
        seat_names=tuple(MARKS),
        options=rulesets.options(),
        presets={"as_written": rulesets.AS_WRITTEN},
        levels=(*LEVELS, MASTER),
        revealing=REVEALING,
        harmless=HARMLESS,
        open_turns=True,
    )

    apply = staticmethod(turns.play)
    result = staticmethod(turns.result)
    view = staticmethod(views.view)
    view_json = staticmethod(views.view_json)
    write_position = staticmethod(notation.write_position)
    dump = staticmethod(dump)
    load = staticmethod(load)

    def n_seats(self, state: State) -> int:
        return state.n_seats

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        if n_seats not in SEATS:
            raise BadNotation("relati.error.players", str(n_seats))
        if any(seat_options):
            raise BadNotation("relati.error.option", "seats bring nothing")
        ruleset = rulesets.read_ruleset(options)
        return Step(State(ruleset, Board(ruleset.board, (Side(),) * n_seats), Seat(0)))

    def pending(self, state: State) -> tuple[Pending, ...]:
        if state.over:
            return ()
        prompt = "act" if state.board.sides[state.turn].mark else "locate"
        return (Pending(state.turn, prompt, OneOf(legal(state.board, state.turn, state.ruleset))),)

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        """Take the seat out: a turn requires an action (A25), so there is nothing to fall back on."""
        turns.require_playing(state, seat)
        if seat != state.turn:
            raise IllegalAction("relati.error.not-your-turn")
        return turns.take_out(state, seat, turns.LATE)

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        return turns.take_out(state, seat, turns.LEFT)

    def playing(self, state: State) -> tuple[Seat, ...]:
        return () if state.over else tuple(seat for seat in map(Seat, range(state.n_seats)) if seat not in state.out)

    def determinize(self, view: View, rng: Rng) -> State:
        return views.known(view)

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        """Read `board turn players`; a mover who can't act falls at once. Raises BadNotation (see notation)."""
        if not isinstance(position, str):
            raise BadNotation("relati.error.position", str(position)[:80])
        ruleset = rulesets.read_ruleset(options)
        state = notation.read_position(position, ruleset)
        if "board" in options and ruleset.board != state.board.size:
            raise BadNotation("relati.error.position-board", str(ruleset.board))
        if n_seats not in (None, state.n_seats):
            raise BadNotation("relati.error.position-players", str(n_seats))
        return state if state.over else turns.pass_on(state).state


GAME: GameContract[State, View] = Relati()
