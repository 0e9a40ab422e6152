"""Random play for tests: the cases there are, and every state of a match of each."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from game import registry
from game.choices import contains, draw
from game.contract import Action, Bot, Choice, Event, Game, Json, Option, Seat, Viewer, Watcher
from game.errors import BadNotation
from game.options import BOTH_SIDES
from game.replay import Entry, Fold, Header, advance, begin
from game.rng import Rng
from tests.seeds import FIXED, chosen

TINY = "tiny"
HOMES = {TINY: "tests.conformance.tiny", "hex": "tests.hex"}  # games that live in the tests
MAX_DECISIONS = 3_000  # no match of any game is longer

# What a value of an option needs beside it: the rules refuse it alone, or it would change nothing.
BESIDE: Mapping[tuple[str, str], Mapping[str, Json]] = {
    ("passage", "supplements"): {"blank": "greed"},
    ("passage", "blank"): {"supplements": ["beg", "blank"]},
}


def only(named: str) -> tuple[str, ...]:
    """Return the games of a comma list. Raises LookupError for one that there is not: nothing would be tried of it."""
    games = tuple(filter(None, named.split(",")))
    if unknown := {*games} - {*HOMES, *registry.KEYS}:
        raise LookupError(f"PATCHBAY_TEST_GAMES: {', '.join(sorted(unknown))} is not in KEYS of game/registry.py")
    return games


ONLY = only(os.environ.get("PATCHBAY_TEST_GAMES", ""))  # the only ones tried, for a quick look at one; (): all


@dataclass(frozen=True, slots=True)
class Case:
    """One way of setting up a match. `is_base` cases have default options and are looked at most closely.

    `version` is that of the rules; None: the newest.
    """

    key: str
    n_seats: int
    options: Mapping[str, Json] = field(default_factory=dict)
    seat_options: tuple[Mapping[str, Json], ...] = ()
    version: int | None = None

    def __str__(self) -> str:
        said = [f"{name}={_short(value)}" for name, value in self.options.items()]
        brought = [f"{i}:{name}={_short(v)}" for i, one in enumerate(self.seat_options) for name, v in one.items()]
        rules = [] if self.version is None else [f"rules{self.version}"]
        return "-".join((self.key, *rules, str(self.n_seats), *said, *brought))

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def is_base(self) -> bool:
        return not self.options and not self.seat_options and self.version is None

    @property
    def game(self) -> Game[Any, Any]:
        """Return the rules it is played under."""
        newest = game_of(self.key)
        return newest if self.version is None else newest.under(self.version)


def viewers(case: Case) -> tuple[Viewer, ...]:
    """Return everybody who may look on during play."""
    return (*map(Seat, range(case.n_seats)), Watcher.PUBLIC)


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after one more entry (`entry` is None before the first), with the events of it."""

    fold: Fold[Any]
    entry: Entry | None
    events: tuple[Event, ...]


def keys() -> tuple[str, ...]:
    """Return the games to try."""
    return tuple(key for key in dict.fromkeys((*HOMES, *registry.KEYS)) if not ONLY or key in ONLY)


def module_of(key: str, name: str) -> ModuleType:
    """Return a module of a game."""
    home = f"game.{key}" if key in registry.KEYS else HOMES.get(key, f"game.{key}")
    return import_module(f"{home}.{name}")


def game_of(key: str) -> Game[Any, Any]:
    """Return the rules object of a game, those of the tests too."""
    game: Game[Any, Any] = module_of(key, "rules").GAME
    return game


def version_in(game: Game[Any, Any], state: Any) -> int:
    """Return the version a state is played under, as its dump says: what has none is of version 1."""
    dumped = game.dump(state)
    assert isinstance(dumped, dict)
    version = dumped.get("version", 1)
    assert isinstance(version, int)
    return version


def bots_of(key: str) -> Mapping[str, Bot[Any]]:
    """Return the built-in players of a game, those of the tests too."""
    bots: Mapping[str, Bot[Any]] = module_of(key, "bot").BOTS
    return bots


def cases() -> list[Case]:
    """List every game with every number of seats, each value of each option once, and each older version."""
    found: list[Case] = []
    for key in keys():
        game = game_of(key)
        found += [Case(key, n) for n in game.seats]
        found += [Case(key, game.seats[-1], version=version) for version in range(1, game.version)]
        variants = [
            variant
            for option in game.options()
            if not (option.returns or option.name == BOTH_SIDES)
            for variant in _variants(option)
        ]
        for i, (option, value) in enumerate(variants):
            n = game.seats[i % len(game.seats)]
            if option.per_seat:
                seat = next(seat for seat in range(n) if not option.seat_values or value in option.seat_values[seat])
                brought: list[Mapping[str, Json]] = [{} for _ in range(n)]
                brought[seat] = {option.name: value}
                found.append(Case(key, n, {}, tuple(brought)))
            else:
                found.append(Case(key, n, {**BESIDE.get((key, option.name), {}), option.name: value}))
    return found


def _variants(option: Option) -> Iterator[tuple[Option, Json]]:
    """List the values of an option worth a match: all but the default one."""
    values: list[Json]
    match option.kind:
        case "flag":
            values = [not option.default]
        case "choice":
            values = list(option.values)
        case "deck":  # one for each seat: pairings of decks are for the game's own tests
            values = [*option.values, *(values[0] for values in option.seat_values)]
        case "number":
            values = [option.low, option.high]
        case "counts":
            values = [dict.fromkeys(option.values[:3], option.high)]
        case _:
            one_each: list[Json] = [[value] for value in option.values]
            values = [*one_each, [*option.values]]
    return ((option, value) for value in values if value != option.default)


def holds(choice: Choice, action: Action) -> bool:
    """Tell whether a choice holds an action, which another kind of choice may have made."""
    try:
        return contains(choice, action)
    except BadNotation:
        return False


def _short(value: Json) -> str:
    return str(value)[:24].replace(" ", "")


def seed_of(text: str) -> bytes:
    """Return a seed that tests can name; the same each time, for what is written down."""
    return hashlib.sha256(text.encode()).digest()


def drawn_of(text: str) -> bytes:
    """Return a seed that tests can name, for what is drawn anew: another one under each TEST_SEED."""
    seed = chosen()
    return seed_of(text if seed == FIXED else f"{text} {seed}")


def header_of(case: Case, seed: bytes) -> Header:
    """Return the header of a match of this case."""
    return Header(case.key, case.game.version, case.options, case.n_seats, seed, case.seat_options)


def moments(case: Case, seed: bytes, *, disturbed: bool = False) -> Iterator[Moment]:
    """Play a match at random and yield it after every entry.

    `disturbed` adds settings, timeouts, and seats that give up where others go on.
    """
    game = case.game
    rng = Rng(hashlib.sha256(b"player" + seed).digest())
    fold, events = begin(game, header_of(case, seed))
    yield Moment(fold, None, events)
    while not fold.is_over:
        if fold.seq > MAX_DECISIONS:
            raise AssertionError(f"{case} with seed {seed.hex()} does not end")
        entry, rng = _next_entry(game, fold, rng, disturbed)
        fold, events = advance(game, fold, entry)
        yield Moment(fold, entry, events)


def _next_entry(game: Game[Any, Any], fold: Fold[Any], rng: Rng, disturbed: bool) -> tuple[Entry, Rng]:
    """Draw what happens next."""
    pending, rng = rng.choose(game.pending(fold.state))
    seat, seq = pending.seat, fold.seq + 1
    roll, rng = rng.below(100)
    if disturbed and roll < 10:
        return Entry(seq, "timeout", seat), rng
    if disturbed and roll < 20 and (settings := game.settings(fold.state, seat)):
        choice, rng = rng.choose(settings)
        action, rng = draw(choice, rng)
        return Entry(seq, "setting", seat, action.text), rng
    if disturbed and roll == 20 and len(fold.bots) > 2:
        return Entry(seq, "resign", seat), rng
    action, rng = draw(pending.choice, rng)
    return Entry(seq, "action", seat, action.text), rng


def played(case: Case, name: str = "a", *, disturbed: bool = False) -> tuple[Moment, ...]:
    """Return a whole random match, remembered; `name` tells several of one case apart."""
    return remembered(case, drawn_of(f"{case} {name}"), disturbed)


@cache
def remembered(case: Case, seed: bytes, disturbed: bool) -> tuple[Moment, ...]:
    """Return the whole random match of a seed, made once."""
    return tuple(moments(case, seed, disturbed=disturbed))


def random_states(
    game: Game[Any, Any], n_seats: int, options: Mapping[str, Json] | None = None, seed: bytes = b""
) -> Iterator[Any]:
    """Yield every state of one random match, the first and the last too; the seed may be anything."""
    case = Case(game.key, n_seats, options or {})
    return (moment.fold.state for moment in moments(case, hashlib.sha256(seed).digest()))


def sampled(items: tuple[Any, ...], n: int) -> list[Any]:
    """Return at most n of the items, evenly spread, the first and the last among them."""
    if len(items) <= n:
        return list(items)
    return [items[round(i * (len(items) - 1) / (n - 1))] for i in range(n)]
