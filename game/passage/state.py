"""The state of a match of Passage: zones, counters, viewers' knowledge, and half-resolved effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from game.passage.cards import Card
from game.passage.switches import Switches
from game.rng import Rng

Cards = tuple[Card, ...]
Phase = Literal["play", "draw", "discard"]
Known = tuple[tuple[int, Card], ...]  # pile positions (0 = top) and the card there, by position
Held = tuple[Cards, ...]  # by seat: cards known to be in that hand or sealed in front of it, sorted
Auto = Literal["off", "until-my-turn", "unless-aimed"]

REFUSED = -1  # in an Alms answer: no gift
MASKED = -2  # in views: this answer is in, but hidden


@dataclass(frozen=True, slots=True)
class Window:
    """A veto window: `card` is announced, and the seats `waiting` may still veto it (Passage §1.5).

    `target` is the seat it is aimed at (Reversal: who would receive the turn). Kotodama: the card at `origin` is to go
    to `place`, which only the actor knows. `judges` counts the vetoes so far, `by` is who gave the last (veto_chain).
    """

    card: Card
    actor: int
    waiting: tuple[int, ...]
    target: int | None = None
    origin: int | None = None
    place: int | None = None
    judges: int = 0
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """A card that was revealed blind still lacks its target or position (Nightmare)."""

    actor: int
    card: Card


@dataclass(frozen=True, slots=True)
class Peek:
    """Kotodama: the actor has seen the card at `origin` and names its place."""

    actor: int
    origin: int


@dataclass(frozen=True, slots=True)
class Return:
    """`seat` has met a Passage with a Warden and names the place it goes back to (Passage §1.4)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rescue:
    """`seat` plays blind and has drawn a Passage: it picks one card, and a Warden saves it (Nightmare)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Gift:
    """Tithe: the target chooses a card for the actor."""

    actor: int
    target: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Trade: both choose two cards; `picked` holds hand places (actor's, target's), () in views when hidden."""

    actor: int
    target: int
    picked: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Alms:
    """Beg: `waiting` have not answered; `answers` are pairs of seat and hand place (or REFUSED, or MASKED)."""

    actor: int
    waiting: tuple[int, ...]
    answers: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Seizure:
    """Beg: all refused, and the beggar names whom to take a card from."""

    actor: int


@dataclass(frozen=True, slots=True)
class Bout:
    """Duel: `mover` owes a discard; until the first exchange is done the actor can't stop (A22)."""

    actor: int
    target: int
    mover: int
    opening: bool = True


Frame = Window | Aim | Peek | Return | Rescue | Gift | Swap | Alms | Seizure | Bout


@dataclass(frozen=True, slots=True)
class State:
    """A whole match. Zones list cards top (pile) or oldest (discard) first; a hand keeps the order it came in.

    `known` and `held` have one entry a seat and a last one for the public; `held[v][s]` is what viewer v knows that
    seat s has. `owed` are bottom draws put on a seat's next draw phase, `receiver` is who gets the turn after a
    transfer. `eliminated` is in order of going out; `forfeited` are those among them who left for good.
    `version` is that of the rules the match is played under (`changes`).
    """

    version: int
    switches: Switches
    rng: Rng
    turn: int
    direction: int
    phase: Phase
    draws: int
    bottom: int
    hands: tuple[Cards, ...]
    pile: Cards
    discard: Cards
    removed: Cards
    sealed: tuple[Cards, ...]
    blind: tuple[int, ...]
    eliminated: tuple[int, ...]
    forfeited: tuple[int, ...]
    owed: tuple[int, ...]
    receiver: int | None
    stack: tuple[Frame, ...]
    known: tuple[Known, ...]
    held: tuple[Held, ...]
    auto: tuple[Auto, ...]

    @property
    def n_seats(self) -> int:
        """Return the number of players the match began with."""
        return len(self.hands)

    def living(self) -> tuple[int, ...]:
        """Return the seats still in the match, in seat order."""
        return tuple(seat for seat in range(len(self.hands)) if seat not in self.eliminated)

    def after(self, seat: int, direction: int) -> int:
        """Return the next living seat from `seat` in a direction (itself when nobody else lives)."""
        return next_living(len(self.hands), self.eliminated, seat, direction)


def next_living(n_seats: int, eliminated: Sequence[int], seat: int, direction: int) -> int:
    """Return the next seat from `seat` in a direction that is not eliminated (itself when nobody else lives)."""
    for step in range(1, n_seats + 1):
        other = (seat + step * direction) % n_seats
        if other not in eliminated:
            return other
    return seat
