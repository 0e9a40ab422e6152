"""What a game is: the shapes every rules package, bot, screen and log shares. No I/O, no clock, no globals.

State is a value (frozen dataclasses and tuples); `Game.apply` returns a new one. Who owes a decision is asked in
one place, `Game.pending`. What a viewer may know is built in one place, `Game.view`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, NewType, Protocol, TypeVar, runtime_checkable

from game.rng import Rng

Seat = NewType("Seat", int)  # 0-based, 0 <= seat < n_seats <= 6
Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


class Watcher(Enum):
    """A viewer who holds no seat."""

    PUBLIC = "public"  # an ordinary watcher: only what all seats may know
    PLAIN = "plain"  # without open hands: for a watcher from a player's address, while the match runs
    OMNISCIENT = "omniscient"  # replay of a finished match; never during play


Viewer = Seat | Watcher


@dataclass(frozen=True, slots=True)
class Action:
    """One decision. `text` is the game's canonical notation, e.g. 'c2c3' or 'play greed'."""

    text: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of `actions` (not empty, no repeats)."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Subset:
    """Pick min..max of `items` (texts; the same text may stand there twice).

    The action is '<verb> item item …' in any order; with nothing picked, just '<verb>'.
    """

    verb: str
    items: tuple[str, ...]
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number: the action is '<verb> n' with low <= n <= high."""

    verb: str
    low: int
    high: int


Choice = OneOf | Subset | Number


@dataclass(frozen=True, slots=True)
class Pending:
    """Seat `seat` owes a decision.

    Several at once may be answered in any order, and an answer may withdraw the others (the first veto closes a
    window). `secret` hides an answer until all are in: others see only that the seat has decided. `window` names a
    chance to respond ('veto', 'paid-ability', 'prevent:net'): it has its own short clock and may be passed.
    `prompt` is a message key and `params` its parameters, both as the deciding seat may know them; other viewers
    learn only the seat and `window`. `idle`: everybody can see that there is only one answer to this window, so when
    it comes tells nothing.
    """

    seat: Seat
    prompt: str
    choice: Choice
    secret: bool = False
    window: str | None = None
    params: tuple[tuple[str, Json], ...] = ()
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as each audience may know it: a message key and its parameters, never prose."""

    kind: str
    public: Mapping[str, Json] | None = None  # None: outsiders learn nothing
    private: Mapping[Seat, Mapping[str, Json]] | None = None  # seats that know other things than the public

    def seen_by(self, viewer: Viewer) -> Mapping[str, Json] | None:
        """Return the parameters this viewer may know, or None when the event is not theirs to see."""
        private = self.private or {}
        if viewer is Watcher.OMNISCIENT:
            return {**(self.public or {}), **{k: v for seen in private.values() for k, v in seen.items()}}
        if isinstance(viewer, Watcher):
            return self.public
        return private.get(viewer, self.public)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `placements`: best first, seats in one tier are tied; `reason` is a message key."""

    placements: tuple[tuple[Seat, ...], ...]
    reason: str


class View(Protocol):
    """What one viewer may know: frozen, hashable, and all of what that viewer could have written down."""

    @property
    def viewer(self) -> Viewer: ...


S = TypeVar("S")  # the game's state: frozen dataclasses and tuples only
V = TypeVar("V", bound=View)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """A new state and what happened on the way there."""

    state: S
    events: tuple[Event, ...] = ()


Steps = Generator[None, None, Json]  # work that may be long, in short steps, and what comes of it


def as_it_is(value: Json) -> Steps:
    """Return the value, in no step."""
    yield from ()
    return value


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the new-match form. Text form: on/off, a value, a comma list, a number."""

    name: str
    kind: str  # 'flag', 'choice', 'set', 'number', 'counts' (a number for each value), 'deck'
    default: Json
    values: tuple[str, ...] = ()  # for 'choice' and 'set'
    low: int = 0  # for 'number' and 'counts'
    high: int = 0
    per_seat: bool = False  # each seat brings its own (a deck); hidden from the others until the match ends
    seat_values: tuple[tuple[str, ...], ...] = ()  # where seats choose from different values: those of each seat
    returns: str = ""  # per seat: in the second game, with sides changed, this becomes the option of that name
    reading: Callable[[Json], Steps] = as_it_is  # of a 'deck': what of it is stored; raises BadNotation for no deck
    is_offered: bool = True  # False: it changes nothing, is read because older matches have it, and is in no form

    def values_of(self, seat: int) -> tuple[str, ...]:
        """Return the values that a seat may choose from."""
        return self.seat_values[seat] if self.seat_values else self.values


LEVELS = ("easy", "normal", "hard")
MASTER = "master"  # the level above, of games where a longer search is worth its time


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known of a game before any match of it, as data, for lists, forms, ladders and tests.

    `order`: its place in lists, least first, then by key. `version`: the newest rules.
    `seat_names`: those of the fullest table; () where seats have only their numbers. `has_sides`: each seat is another
    game, rated by itself. `presets`: named sets of options, each as what differs from the defaults. `pairings`: what
    two seats may bring, pair by pair; `other_pairings`: further lists of them, by name. `opening`: the position that
    perft starts from. `secrets`: what is hidden from somebody, named as the rules name it; () in a game of open
    information. `silent`: prompts at which the rules forbid to speak at the table, of whatever size. `levels`: its
    built-in players, weakest first; every game has LEVELS. `usual`: the decisions of all seats in a usual match, by
    number of players (the median of 60 duels of easy bots): a match that is cut short counts by its share of them.
    `revealing`: the kinds of events by which somebody may learn what was hidden from them, or chance has decided
    something; a kind of which only some do has the parameter that everybody is told then, the others have "". All
    other kinds are `harmless`: what led to them may be taken back. `open_turns`: once it is set up, the seats decide
    one after another, in seat order, one action each, and everybody learns which (`Game.told`): moves can be made that
    depend on what others will do.
    """

    key: str
    seats: range
    order: int = 100
    version: int = 1
    seat_names: tuple[str, ...] = ()
    has_sides: bool = False
    options: tuple[Option, ...] = ()
    presets: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    pairings: Sequence[tuple[Mapping[str, Json], ...]] = ((),)
    other_pairings: Mapping[str, Sequence[tuple[Mapping[str, Json], ...]]] = field(default_factory=dict)
    opening: Json = "start"
    secrets: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    levels: tuple[str, ...] = LEVELS
    usual: Mapping[int, int] = field(default_factory=dict)
    revealing: Mapping[str, str] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    open_turns: bool = False

    def names_of(self, n_seats: int) -> tuple[str, ...]:
        """Return the names of the seats of a table.

        >>> Spec("chess", range(2, 3), seat_names=("white", "black")).names_of(2), Spec("go", range(2, 3)).names_of(2)
        (('white', 'black'), ('0', '1'))
        """
        return (self.seat_names or tuple(map(str, range(n_seats))))[:n_seats]

    def usual_decisions(self, n_seats: int) -> int:
        """Return how many decisions a usual match takes, of all seats together: 20 of each where nobody has counted.

        >>> Spec("go", range(2, 3)).usual_decisions(2), Spec("go", range(2, 3), usual={2: 250}).usual_decisions(2)
        (40, 250)
        """
        return self.usual.get(n_seats, 20 * n_seats)

    def ladder(self, n_seats: int, seat: int) -> str:
        """Return the name of the ladder that a seat of a table counts on; ratings are stored under it."""
        if self.has_sides:
            return f"{self.key}-{self.seat_names[seat]}"
        return plain_ladder(self.key, n_seats)

    @property
    def ladders(self) -> tuple[str, ...]:
        """Return all its ladders: one for each side, or one for two players and one for more."""
        tables = ((n, seat) for n in self.seats for seat in range(n))
        return tuple(dict.fromkeys(self.ladder(n, seat) for n, seat in tables))


def reveals(spec: Spec, event: Event) -> bool:
    """Tell whether somebody may have learnt something by an event, from what everybody may know of it.

    >>> spec = Spec("go fish", range(2, 3), revealing={"drew": "", "laid": "card"}, harmless=frozenset(("passed",)))
    >>> reveals(spec, Event("laid", {"card": None})), reveals(spec, Event("laid", {"card": "ten"}))
    (False, True)
    """
    if event.kind in spec.harmless or event.public is None:
        return False
    told = spec.revealing.get(event.kind, "")
    return not told or event.public.get(told) is not None


def plain_ladder(key: str, n_seats: int) -> str:
    """Return the ladder of a table in a game without sides.

    >>> plain_ladder("relati", 2), plain_ladder("relati", 6)
    ('relati', 'relati-many')
    """
    return key if n_seats <= 2 else f"{key}-many"


class Bot(Protocol[V_contra]):
    """A built-in player. It gets views only, so it cannot cheat; the same inputs give the same answer."""

    def decide(self, view: V_contra, pending: Pending, rng: Rng) -> Action:
        """Answer `pending`, the viewer's own, from what the view holds. Effort is counted in positions, not time."""
        ...


@runtime_checkable
class Budgeted(Protocol):
    """A built-in player whose effort can be set, to measure it at several: the level `master`."""

    def within(self, positions: int) -> Bot[Any]:
        """Return the same player, who looks at no more than about so many positions for a decision."""
        ...


class Game(Protocol[S, V]):
    """A stateless rules object; one instance for each version. Everything that varies is in the state.

    A state is played under the version that it began with, by every instance. The instance's own version is the one
    under which `setup` and `read_position` begin.
    """

    @property
    def spec(self) -> Spec:
        """Return what is known of the game before any match; versions differ only in what they changed."""
        ...

    @property
    def key(self) -> str:
        """Return the stable name, stored in the database: 'rainet'."""
        ...

    @property
    def version(self) -> int:
        """Return the version of the rules that `setup` and `read_position` begin under; raised when `apply` changes."""
        ...

    def under(self, version: int) -> Game[S, V]:
        """Return the rules of a version, 1 to the newest. Raises BadNotation when there is none of that number."""
        ...

    @property
    def seats(self) -> range:
        """Legal numbers of players, e.g. range(2, 7)."""
        ...

    def n_seats(self, state: S) -> int:
        """Return how many seats the match began with, those that are out too."""
        ...

    def seat_names(self, n_seats: int) -> tuple[str, ...]:
        """Return the game's own names for seats 0..n-1, as `--as` and `SEAT:` take them ('S', 'N')."""
        ...

    def options(self) -> tuple[Option, ...]:
        """Return the lines of the new-match form: the room's options, and those each seat brings (`per_seat`)."""
        ...

    def moot(self, options: Mapping[str, Json]) -> frozenset[str]:
        """Return what changes nothing beside these options, complete: an option's name, or `name:value` of one."""
        ...

    def entailed(self, options: Mapping[str, Json], changed: str) -> dict[str, Json]:
        """Return complete options after one was changed, with what that asks of the others to be playable."""
        ...

    def setup(
        self,
        options: Mapping[str, Json],
        n_seats: int,
        seed: bytes,
        seat_options: Sequence[Mapping[str, Json]] = (),
    ) -> Step[S]:
        """Return the state a match begins in. Options left out have their default.

        Raises BadNotation for an unknown option, a value out of range or a number of players that is not legal.
        """
        ...

    def pending(self, state: S) -> tuple[Pending, ...]:
        """Return the decisions owed now, at most one per seat, in seat order; empty iff `result` is set."""
        ...

    def apply(self, state: S, seat: Seat, action: Action) -> Step[S]:
        """Play one action: the only way forward.

        Raises BadNotation when the text can't be read, IllegalAction when it is not allowed; the state is untouched.
        """
        ...

    def settings(self, state: S, seat: Seat) -> tuple[Choice, ...]:
        """Return actions this seat may take at any time besides its pending one: personal settings ('auto …')."""
        ...

    def automatic(self, state: S, seat: Seat) -> Action | None:
        """Return the answer this seat's own settings give to what it owes now, or None to ask the person.

        May depend on the seat's secrets; the server submits it after a delay that does not.
        """
        ...

    def timeout(self, state: S, seat: Seat) -> Step[S]:
        """Resolve this seat's decision by the game's default: pass, a random discard from the state's own stream.

        Raises IllegalAction when the seat owes nothing.
        """
        ...

    def forfeit(self, state: S, seat: Seat) -> Step[S]:
        """Take a seat out for good: resigned, ran out of time or left (two players: it ends; more: it goes on).

        Raises IllegalAction when the match is over or the seat is out already.
        """
        ...

    def playing(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that are still in, in seat order; empty iff `result` is set. Only these may forfeit."""
        ...

    def result(self, state: S) -> Result | None:
        """Return how the match ended, every seat in one tier of its placements; None while it goes on."""
        ...

    def view(self, state: S, viewer: Viewer) -> V:
        """Return what this viewer may know: built up from nothing, never the state with secrets removed.

        Equal knowledge gives equal, and equally hashed, views.
        """
        ...

    def determinize(self, view: V, rng: Rng) -> S:
        """Return a full state that is consistent with this view, made from the view alone.

        `view(determinize(v, r), v.viewer) == v`, and the viewer's own pending decision is equal too.
        """
        ...

    def view_json(self, view: V) -> dict[str, Json]:
        """Return the view as the outside reads it; `position` holds the (masked) position where the game has one."""
        ...

    def read_position(
        self,
        position: Json,
        options: Mapping[str, Json],
        n_seats: int | None = None,
        seed: bytes | None = None,
    ) -> S:
        """Read the game's own position notation (text or JSON object); what is left out has its default.

        Raises BadNotation where it can't be read or contradicts itself.
        """
        ...

    def write_position(self, state: S) -> Json:
        """Return the position in the game's own notation, complete; `read_position` takes it back."""
        ...

    def dump(self, state: S) -> Json:
        """Return the whole state as JSON, so that `load(dump(s)) == s`."""
        ...

    def load(self, data: Json) -> S:
        """Return the state that `dump` wrote. What is no such JSON may raise anything: it comes from our own store."""
        ...

    def is_move(self, action: Action) -> bool:
        """Tell whether `perft --kind move` counts this action."""
        ...

    def told(self, action: Action) -> Action:
        """Return an action as everybody else is told of it, in a game of `open_turns`; as it is, unless it hides more.

        What is told already is told alike. Not for what is decided in secret.
        """
        ...


def result_json(result: Result | None) -> Json:
    """Return the wire form of a result."""
    if result is None:
        return None
    return {"placements": [list(tier) for tier in result.placements], "reason": result.reason}


def state_hash(game: Game[S, V], state: S) -> str:
    """Return the SHA-256 of the state's canonical JSON, as hex."""
    text = json.dumps(game.dump(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
