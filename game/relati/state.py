"""The state of a match of Relati: each player's cells by status, the turn, the seats that are out."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Seat
from game.relati.geometry import Geometry, grid
from game.relati.ruleset import Ruleset

MARKS = "OXDUAH"  # in seating order (§1.1)


@dataclass(frozen=True, slots=True)
class Side:
    """One player's cells, as sets of bits (§1.2). `mark` holds all of them, the dead ones too."""

    mark: int = 0
    source: int = 0
    linked: int = 0  # normal, and linked to a source
    cut: int = 0  # normal, and forbid
    shield: int = 0

    @property
    def valid(self) -> int:
        """Return the pieces that link, attack and are spent: own-valid (§1.3)."""
        return self.source | self.linked

    @property
    def live(self) -> int:
        """Return the pieces that are not broken, weapon or bomber."""
        return self.source | self.linked | self.cut | self.shield


@dataclass(frozen=True, slots=True)
class Board:
    """All cells. `broken`, `weapon` and `bomber` are everybody's dead cells; marks in `sides` tell whose they are."""

    size: int
    sides: tuple[Side, ...]
    broken: int = 0
    weapon: int = 0
    bomber: int = 0

    @property
    def grid(self) -> Geometry:
        """Return the measures of the board."""
        return grid(self.size)

    @property
    def occupied(self) -> int:
        """Return the cells that carry a mark."""
        cells = 0
        for side in self.sides:
            cells |= side.mark
        return cells

    @property
    def empty(self) -> int:
        """Return the real-blank cells (§1.3)."""
        return grid(self.size).full & ~self.occupied

    @property
    def dead(self) -> int:
        """Return everybody's dead cells."""
        return self.broken | self.weapon | self.bomber

    def blank(self, seat: int) -> int:
        """Return the cells that links and shots of this seat may cross (§1.3)."""
        return self.empty | self.dead | self.sides[seat].shield

    def owner(self, cell: int) -> Seat | None:
        """Return whose mark the cell carries, None when it is empty."""
        return next((Seat(seat) for seat, side in enumerate(self.sides) if side.mark >> cell & 1), None)


@dataclass(frozen=True, slots=True)
class LatestAction:
    """The latest action, for boards to show: its seat, its text, and the set of cells that it changed."""

    seat: Seat
    action: str
    changed: int


@dataclass(frozen=True, slots=True)
class State:
    """A match. `fallen` holds the seats that are out, earliest first; seats in one tier can't be told apart.

    When one seat is left, `turn` names it: the winner (§1.8).
    """

    ruleset: Ruleset
    board: Board
    turn: Seat
    fallen: tuple[tuple[Seat, ...], ...] = ()
    last: LatestAction | None = None
    ended_by: str = ""  # why the latest seat fell: 'stuck', 'left' or 'late'

    @property
    def n_seats(self) -> int:
        """Return how many seats the match began with."""
        return len(self.board.sides)

    @property
    def out(self) -> frozenset[int]:
        """Return the seats that are out."""
        return frozenset(seat for tier in self.fallen for seat in tier)

    @property
    def over(self) -> bool:
        """Tell whether one seat is left."""
        return len(self.out) == self.n_seats - 1
