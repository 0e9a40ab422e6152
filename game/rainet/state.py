"""The state of a match: a frozen value that holds everything, secrets included."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Json, Result
from game.rng import Rng

# What a side has in hand, as bits; `HAND_LETTERS` is the order they are written in.
BOOST, CHECK, FIREWALL, NOT_FOUND = 1, 2, 4, 8
FULL_HAND = BOOST | CHECK | FIREWALL | NOT_FOUND
HAND_LETTERS = "BCF4"
NOWHERE = -1  # the square of a Firewall that is not on the grid


@dataclass(frozen=True, slots=True)
class Options:
    """What a room may choose (RaiNet, decided questions)."""

    boost_into_server: bool = False  # a boosted first step onto an enemy EXIT may be followed by the server
    own_exit: bool = False  # own EXITs are ordinary squares
    first: str = "lot"  # 'lot', 'S' or 'N'
    firewall_anywhere: bool = False  # a Firewall may lie on any square but an EXIT


LATER: dict[str, Json] = {"firewall_anywhere": False}  # options that matches stored before do not name


@dataclass(frozen=True, slots=True)
class State:
    """A match at rest between two actions. Pairs are (South, North); squares are 0..63.

    `board` is 64 card codes, or empty while the sides set up; `stacks` are card codes in order of arrival.
    `log` are the actions since `origin`, each with what it showed to all: `c2c3:l` captured a North link,
    `?c7:v` checked a virus, `d8>+:L` revealed a link on its way in. `origin` is the board as everybody saw it when
    play began, `first` who moved then. `seen` are the public positions since the last action that can't be undone.
    """

    options: Options
    rng: Rng | None  # until the lot is drawn
    setups: tuple[str | None, str | None] = (None, None)
    board: bytes = b""
    turn: int = 0
    hands: tuple[int, int] = (FULL_HAND, FULL_HAND)
    firewalls: tuple[int, int] = (NOWHERE, NOWHERE)
    stacks: tuple[bytes, bytes] = (b"", b"")
    clock: int = 0
    first: int = 0
    origin: bytes = b""
    log: tuple[str, ...] = ()
    seen: tuple[bytes, ...] = ()
    result: Result | None = None
