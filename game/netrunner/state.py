"""The state of a match: frozen values only. Strength, memory, link, requirements are asked (`queries`), never stored.

Cards in hands, decks and heaps are only codes; what lies on the table is a `Card` with an id of its own, which it
gets anew whenever it comes onto the table, so that an id never tells where a card was before.
"""

from __future__ import annotations

from dataclasses import dataclass

from game.rng import Rng

Value = None | bool | int | str | tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the table. `place`: 'ice:hq', 'root:remote1', 'rig', 'identity', 'score:corp', 'play', 'hosted', …"""

    iid: int
    code: str
    side: int  # the owner
    place: str
    host: int = 0
    rezzed: bool = False  # faceup
    seen: bool = False  # the Runner has legally seen it while unrezzed
    shown: bool = False  # everybody has seen it while unrezzed: exposed, or derezzed
    since: int = 0  # of rezzed cards: which of two was rezzed later; the Runner's cards are as old as their ids
    advancement: int = 0
    virus: int = 0
    power: int = 0
    agenda: int = 0
    credit: int = 0
    recurring: int = 0
    worth: int = 0  # points of what was turned into an agenda
    note: tuple[int, ...] = ()  # ids that the card remembers, e.g. the ice it chose


@dataclass(frozen=True, slots=True)
class Run:
    """A run (Netrunner §1.8). Where it is: the id of the ice at hand (0: none) and the ids of the ice passed."""

    server: str
    step: str = "run.1"
    ice: int = 0
    passed: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()  # indices of subroutines
    breakers: tuple[int, ...] = ()  # ids of the cards that broke a subroutine in this encounter
    bypassed: bool = False
    encountering: bool = False
    credits: int = 0  # left of those for bad publicity
    successful: bool = False
    ended: bool = False
    approached: int = 0  # ice approached so far in this run
    encountered: int = 0
    mods: tuple[str, ...] = ()  # what is different in this run, by card effects
    source: int = 0  # id of the card that began it; 0: the basic action
    accessed: tuple[int | str, ...] = ()  # ids of root cards; places in HQ, R&D and Archives as they were: "rd:0"


@dataclass(frozen=True, slots=True)
class Lasting:
    """Something that holds for a while for the card with id `target`: 'strength', 'subtypes', 'barred' or 'named'.

    `until`: 'encounter', 'run', 'turn', or 'corp-turn' for the beginning of the Corp's next one.
    """

    kind: str
    target: int
    n: int
    until: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A half-resolved effect: the name of its operation and its variables, sorted by name."""

    op: str
    data: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Hands:
    """What was hidden at the end of a turn: both hands, and the unrezzed cards of the table by their ids."""

    hq: tuple[str, ...] = ()
    grip: tuple[str, ...] = ()
    unrezzed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A whole match. Pairs are (corp, runner); decks lie top first; `archives` holds (code, faceup).

    `known` says who besides their owner knows cards of hidden zones: (zone, a sum of bits for each card, 1 the Corp,
    2 the Runner, 4 the public; zeros at the end left out). `decks` are the lists that were brought, () where unknown.
    `hands` is for watchers of open hands: None when closed, else what they see and what they will see next.
    `version` is that of the rules the match is played under (`changes`).
    """

    version: int
    rng: Rng
    identities: tuple[str, str]
    turn: int
    step: str
    credits: tuple[int, int]
    clicks: tuple[int, int]
    tags: int
    brain: int
    bad_publicity: int
    hq: tuple[str, ...]
    rd: tuple[str, ...]
    archives: tuple[tuple[str, bool], ...]
    grip: tuple[str, ...]
    stack: tuple[str, ...]
    heap: tuple[str, ...]
    removed: tuple[str, ...]
    cards: tuple[Card, ...]
    run: Run | None
    this_turn: tuple[str, ...]
    last_turn: tuple[str, ...]
    lasting: tuple[Lasting, ...]
    frames: tuple[Frame, ...]
    next_iid: int
    auto: tuple[tuple[tuple[str, str], ...], ...]
    outcome: tuple[int, str] | None  # winner and reason
    known: tuple[tuple[str, tuple[int, ...]], ...] = ()
    decks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    hands: tuple[Hands, Hands] | None = None
