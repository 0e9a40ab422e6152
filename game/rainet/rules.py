"""The rules object of RaiNet: implements `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace

from game.base import GameBase
from game.contract import (
    LEVELS,
    MASTER,
    Action,
    Event,
    Game,
    Json,
    OneOf,
    Option,
    Pending,
    Result,
    Seat,
    Spec,
    Step,
)
from game.errors import BadNotation, IllegalAction
from game.options import complete
from game.rainet.board import CARD, OF_NORTH, SEAT_NAMES, START_SQUARES, VIRUS
from game.rainet.legal import legal_texts
from game.rainet.notation import Assign, action, public_text, read_action
from game.rainet.play import begin_play, judge, play, started, win
from game.rainet.position import OPENING, read_grid, read_setup
from game.rainet.revealing import HARMLESS, REVEALING
from game.rainet.state import Options, State
from game.rainet.storage import dump, load, write_position
from game.rainet.view import SETUPS, View, determinize, see, view_json
from game.rng import SEED_BYTES, Rng

_OPTIONS = (
    Option("boost_into_server", "flag", False),
    Option("own_exit", "flag", False),
    Option("first", "choice", "lot", ("lot", *SEAT_NAMES)),
    Option("firewall_anywhere", "flag", False),
)
_SETUP_CHOICE = OneOf(tuple(action(f"setup {cards}") for cards in SETUPS))
_SEATS = (Seat(0), Seat(1))


def read_options(given: Mapping[str, Json]) -> Options:
    """Read the room's options. Raises BadNotation for an unknown name or value."""
    return _read(complete(_OPTIONS, given))


def _read(values: Mapping[str, Json]) -> Options:
    """Return options that are complete and checked."""
    return Options(
        boost_into_server=values["boost_into_server"] is True,
        own_exit=values["own_exit"] is True,
        first=str(values["first"]),
        firewall_anywhere=values["firewall_anywhere"] is True,
    )


def _check_players(n_seats: int | None) -> None:
    if n_seats not in (None, 2):
        raise BadNotation("option.value", f"players={n_seats}")


class RaiNet(GameBase[State, View]):
    """The rules of RaiNet. Everything that varies is in the state."""

    spec = Spec(
        key="rainet",
        order=1,
        seats=range(2, 3),
        seat_names=SEAT_NAMES,
        options=_OPTIONS,
        opening=OPENING,
        secrets=("setups", "cards face down"),
        levels=(*LEVELS, MASTER),
        usual={2: 40},
        revealing=REVEALING,
        harmless=HARMLESS,
        open_turns=True,
    )

    view = staticmethod(see)
    determinize = staticmethod(determinize)
    view_json = staticmethod(view_json)
    write_position = staticmethod(write_position)
    dump = staticmethod(dump)
    load = staticmethod(load)

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        return Step(State(_read(self.checked(options, n_seats, seat_options)), Rng(seed)))

    def pending(self, state: State) -> tuple[Pending, ...]:
        if state.result is not None:
            return ()
        if state.board:
            choice = OneOf(tuple([action(text) for text in legal_texts(state)]))
            return (Pending(_SEATS[state.turn], "move", choice),)
        waiting = [seat for seat in _SEATS if state.setups[seat] is None]
        return tuple(Pending(seat, "setup", _SETUP_CHOICE, secret=True) for seat in waiting)

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        decision = read_action(action.text)
        if state.result is not None:
            raise IllegalAction("rainet.error.over", action.text)
        if not state.board:
            return _assign(state, seat, decision, action.text)
        if seat != state.turn:
            raise IllegalAction("rainet.error.not-your-turn", action.text)
        return play(state, action.text, decision)

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        """Lose on time: there is no pass, and a random action could reveal cards."""
        owes = state.setups[seat] is None if not state.board else seat == state.turn
        if state.result is not None or not owes:
            raise IllegalAction("rainet.error.not-your-turn")
        return Step(replace(state, result=win(1 - seat, "timeout")))

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        if state.result is not None:
            raise IllegalAction("rainet.error.over")
        return Step(replace(state, result=win(1 - seat, "forfeit")))

    def result(self, state: State) -> Result | None:
        return state.result

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        _check_players(n_seats)
        if not isinstance(position, str):
            raise BadNotation("rainet.error.position", "not a text")
        wanted, rng = read_options(options), Rng(seed or bytes(SEED_BYTES))
        if position.startswith("setup"):
            state = State(wanted, rng, read_setup(position))
            return _when_ready(state).state
        grid = read_grid(position, wanted)
        loaded = started(State(wanted, None, (None, None), *astuple(grid)))
        return replace(loaded, result=judge(loaded))

    def is_move(self, action: Action) -> bool:
        return action.text[:1] in tuple("abcdefgh")

    def told(self, action: Action) -> Action:
        """Tell all of it but whether a 404 swapped (RaiNet §1.9)."""
        return Action(public_text(action.text))


GAME: Game[State, View] = RaiNet()


def _assign(state: State, seat: Seat, decision: object, text: str) -> Step[State]:
    """Take one side's setup (RaiNet §1.3); the second one begins play."""
    if not isinstance(decision, Assign):
        raise IllegalAction("rainet.error.in-setup", text)
    if seat not in _SEATS or state.setups[seat] is not None:
        raise IllegalAction("rainet.error.ready-already", text)
    if decision.cards.count("L") != 4:
        raise IllegalAction("rainet.error.not-four-and-four", text)
    south, north = state.setups
    setups = (south, decision.cards) if seat else (decision.cards, north)
    ready = Event("ready", {"seat": seat}, {seat: {"seat": seat, "setup": decision.cards}})
    step = _when_ready(replace(state, setups=setups))
    return Step(step.state, (ready, *step.events))


def _when_ready(state: State) -> Step[State]:
    """Begin play once both sides have set up: the lot is drawn unless the option names who starts."""
    south, north = state.setups
    if south is None or north is None or state.rng is None:
        return Step(state)
    first = state.rng.below(2)[0] if state.options.first == "lot" else SEAT_NAMES.index(state.options.first)
    board = bytearray(64)
    for seat, cards in enumerate((south, north)):
        for square, kind in zip(START_SQUARES[seat], cards, strict=True):
            board[square] = CARD | (OF_NORTH if seat else 0) | (VIRUS if kind == "V" else 0)
    return Step(begin_play(state.options, bytes(board), first), (Event("begin", {"seat": first}),))
