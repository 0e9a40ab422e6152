"""The rules object of Passage: implements `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.base import GameBase
from game.contract import LEVELS, MASTER, Action, Choice, Json, Result, Seat, Spec, Step, Viewer
from game.errors import BadNotation, IllegalAction
from game.passage import changes, determinize, notation, view
from game.passage.actions import check, parse
from game.passage.answers import answer
from game.passage.cards import DEALT, Card
from game.passage.decisions import AUTO, one_of, pending
from game.passage.fields import number
from game.passage.fields import seed as seed_bytes
from game.passage.flow import begin_turn, settle
from game.passage.revealing import HARMLESS, REVEALING
from game.passage.state import Auto, State, Window
from game.passage.switches import OPTIONS, PRESETS, Switches, check_deal, entailed, moot, read_switches
from game.passage.table import Table
from game.passage.timeouts import awaited_seat, default, leave
from game.passage.view import PassageView
from game.rng import SEED_BYTES, Rng

SEATS = range(2, 6)


class Passage(GameBase[State, PassageView]):
    """The rules of Passage, for two to five players. Everything that varies is in the state."""

    spec = Spec(
        key="passage",
        order=3,
        version=changes.NEWEST,
        seats=SEATS,
        options=OPTIONS,
        presets=PRESETS,
        secrets=("hands", "pile", "answers"),
        silent=("beg",),
        levels=(*LEVELS, MASTER),
        usual=dict.fromkeys(SEATS, 100),
        revealing=REVEALING,
        harmless=HARMLESS,
    )

    moot = staticmethod(moot)
    entailed = staticmethod(entailed)
    pending = staticmethod(pending)
    view_json = staticmethod(notation.view_json)

    def n_seats(self, state: State) -> int:
        """Return the number of players the match began with."""
        return state.n_seats

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[State]:
        """Deal a new match (Passage §1.2). Raises BadNotation for what `Game.setup` says."""
        if n_seats not in SEATS or len(seed) != SEED_BYTES or any(seat_options):
            raise BadNotation("passage.error.setup", f"{n_seats} players")
        switches = read_switches(options, self.version)
        check_deal(switches, n_seats)
        t = Table(deal(self.version, switches, n_seats, Rng(seed)))
        for seat, hand in enumerate(t.hands):
            t.tell("dealt", {"seat": seat, "count": len(hand)}, {seat: {"cards": [card.value for card in hand]}})
        begin_turn(t, t.turn, 1, 0)
        return Step(t.freeze(), tuple(t.events))

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State]:
        """Play one action, or change a personal setting."""
        words = parse(action.text)
        if words[0] == "auto":
            return self._set(state, seat, words[1])
        check(state, pending(state), seat, action)
        return play_out(state, seat, words)

    def _set(self, state: State, seat: Seat, word: str) -> Step[State]:
        """Change when a seat passes by itself; nobody else learns of it."""
        auto = next((mode for mode in AUTO if mode == word), None)
        if auto is None or not self.settings(state, seat):
            raise IllegalAction("passage.error.not-playing", f"seat {seat}")
        t = Table(state)
        t.auto[seat] = auto
        t.tell("auto", None, {seat: {"seat": int(seat), "auto": auto}})
        return Step(t.freeze(), tuple(t.events))

    def settings(self, state: State, seat: Seat) -> tuple[Choice, ...]:
        """Return the personal settings: windows passed by themselves never, until my turn, or unless aimed at me."""
        if seat not in self.playing(state):
            return ()
        return (one_of(f"auto {mode}" for mode in AUTO),)

    def automatic(self, state: State, seat: Seat) -> Action | None:
        """Return "pass" where the seat's own setting lets this window go by."""
        window = state.stack[-1] if state.stack else None
        if not isinstance(window, Window) or seat not in window.waiting:
            return None
        auto: Auto = state.auto[seat]
        passes = auto == "until-my-turn" or (auto == "unless-aimed" and window.target != seat)
        return Action("pass") if passes else None

    def timeout(self, state: State, seat: Seat) -> Step[State]:
        """Give the default answer of a seat whose time ran out (Passage §4.6)."""
        owed = awaited_seat(pending(state), seat)
        if owed is None:
            raise IllegalAction("passage.error.not-awaited", f"seat {seat}")
        action, rng = default(state, owed)
        return play_out(state, seat, parse(action.text), rng)

    def forfeit(self, state: State, seat: Seat) -> Step[State]:
        """Take a seat out for good."""
        if self.result(state) is not None or seat not in state.living():
            raise IllegalAction("passage.error.not-playing", f"seat {seat}")
        t = Table(state)
        leave(t, int(seat))
        settle(t)
        return Step(t.freeze(), tuple(t.events))

    def playing(self, state: State) -> tuple[Seat, ...]:
        """Return the living until one is left."""
        return () if self.result(state) is not None else tuple(map(Seat, state.living()))

    def result(self, state: State) -> Result | None:
        """Return how the match ended, or None while two players live."""
        return view.result(state)

    def view(self, state: State, viewer: Viewer) -> PassageView:
        """Return what this viewer may know."""
        return view.view(state, viewer)

    def determinize(self, view: PassageView, rng: Rng) -> State:
        """Return a full state that fits a view."""
        return determinize.determinize(view, rng)

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> State:
        """Read a position and carry on where nobody owes a decision ("phase": "draw")."""
        if not isinstance(position, dict):
            raise BadNotation("passage.error.position", "not an object")
        if position.get("start") is True:
            return self._start(position, options, n_seats, seed)
        t = Table(notation.read(self.version, position, options, n_seats, seed))
        settle(t)
        return t.freeze()

    def _start(
        self, data: dict[str, Json], options: Mapping[str, Json], n_seats: int | None, seed: bytes | None
    ) -> State:
        """Read {"start": true, …}: a new match."""
        unknown = data.keys() - {"start", "players", "options", "seed"}
        if unknown:
            raise BadNotation("passage.error.position", f"unknown field {min(unknown)}")
        n = notation.players(data, n_seats if n_seats is not None else SEATS[0])
        given = data.get("seed", seed.hex() if seed else notation.NO_SEED)
        return self.setup(notation.own_options(data, options), n, seed_bytes(given)).state

    def write_position(self, state: State) -> Json:
        """Return the position, complete."""
        return dict(notation.write(state))

    def dump(self, state: State) -> Json:
        """Return the whole state as JSON; of version 1 as version 1 wrote it."""
        position = dict(notation.write(state))
        return position if state.version == 1 else {**position, "version": state.version}

    def load(self, data: Json) -> State:
        """Return the state that `dump` wrote."""
        if not isinstance(data, dict):
            raise BadNotation("passage.error.position", "not an object")
        position = {name: value for name, value in data.items() if name != "version"}
        return notation.read(number(data, "version", 1, 1, self.spec.version), position, {}, None, None)

    def is_move(self, action: Action) -> bool:
        """Tell whether this plays a card."""
        return action.text.startswith("play ")


def play_out(state: State, seat: int, words: list[str], rng: Rng | None = None) -> Step[State]:
    """Carry out a legal action and everything that follows by itself."""
    t = Table(state)
    t.rng = rng or state.rng
    answer(t, seat, words)
    settle(t)
    return Step(t.freeze(), tuple(t.events))


def deal(version: int, switches: Switches, n: int, rng: Rng) -> State:
    """Return the state before the first turn: hands of four functions and a Warden, the rest shuffled (§1.2).

    All know that each hand begins with a Warden.
    """
    functions, rng = rng.shuffle(switches.functions())
    hands = tuple((Card.WARDEN, *functions[DEALT * seat : DEALT * (seat + 1)]) for seat in range(n))
    spare = switches.deck(n).count(Card.WARDEN) - n
    hazards = [Card.WARDEN] * spare + [Card.PASSAGE] * (n - 1) + switches.blanks()
    pile, rng = rng.shuffle([*functions[DEALT * n :], *hazards])
    first, rng = rng.below(n)  # A29
    wardens = tuple((Card.WARDEN,) for _ in range(n))
    held = tuple(tuple(() if seat == viewer else wardens[seat] for seat in range(n)) for viewer in range(n + 1))
    off: Auto = "off"
    return State(
        version=version,
        switches=switches,
        rng=rng,
        turn=first,
        direction=1,
        phase="play",
        draws=1,
        bottom=0,
        hands=hands,
        pile=pile,
        discard=(),
        removed=(),
        sealed=((),) * n,
        blind=(),
        eliminated=(),
        forfeited=(),
        owed=(0,) * n,
        receiver=None,
        stack=(),
        known=((),) * (n + 1),
        held=held,
        auto=(off,) * n,
    )


GAME = Passage()
