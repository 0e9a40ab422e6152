"""What a match of Tiny holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from game.contract import Option, Seat
from game.rng import Rng

NUMBERS = ("1", "2", "3", "4", "5", "6")
VETO = "veto"
HAND = 4
PRIZES = ("cards", "coins", "swap")
OPS = ("bid", "cards", "close", "prize", "swap", "veto")
OPTIONS = (
    Option("lives", "number", 2, low=1, high=3),
    Option("rounds", "number", 6, low=1, high=9),
    Option("prizes", "set", list(PRIZES), PRIZES),
    Option("ties", "choice", "nobody", ("nobody", "first")),
    Option("open_hands", "flag", False),
    Option("charm", "deck", "none", per_seat=True),
)
CHARMS = ("none", "low", "high")


@dataclass(frozen=True, slots=True)
class Rules:
    """The room's options."""

    lives: int
    rounds: int
    prizes: tuple[str, ...]
    ties: str
    open_hands: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """One thing still to be resolved: it waits for answers of `waiting`, then its `op` is done for `seat`."""

    op: str
    seat: Seat | None = None
    waiting: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """One seat. `hand` is sorted; `bid` is the card laid aside this round; `auto` passes windows by itself."""

    hand: tuple[str, ...]
    lives: int
    coins: int = 0
    bid: str | None = None
    auto: bool = False
    charm: str = "none"


@dataclass(frozen=True, slots=True)
class State:
    """The whole match. The last frame of `stack` is resolved first; an empty stack is the end.

    `deck` has its top first, `discard` its oldest first; `out` lists seats in the order they went out.
    """

    rules: Rules
    rng: Rng
    players: tuple[Player, ...]
    deck: tuple[str, ...]
    round: int = 1
    prize: str = "coins"
    discard: tuple[str, ...] = ()
    out: tuple[Seat, ...] = ()
    stack: tuple[Frame, ...] = ()

    @property
    def living(self) -> tuple[Seat, ...]:
        """Return the seats still in, in order."""
        return tuple(Seat(i) for i in range(len(self.players)) if i not in self.out)

    def pop(self) -> State:
        """Return the state without its top frame."""
        return replace(self, stack=self.stack[:-1])

    def push(self, *frames: Frame) -> State:
        """Return the state with more frames, the last of them on top."""
        return replace(self, stack=self.stack + frames)

    def with_player(self, seat: Seat, **changes: Any) -> State:
        """Return the state with one seat changed; a new hand is sorted."""
        if "hand" in changes:
            changes["hand"] = tuple(sorted(changes["hand"]))
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        return replace(self, players=tuple(players))


def full_deck(n_seats: int) -> tuple[str, ...]:
    """Return every card of the game: each number four times, and a veto a seat and two more."""
    return NUMBERS * 4 + (VETO,) * (n_seats + 2)
