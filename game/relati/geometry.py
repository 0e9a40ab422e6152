"""The grid as bits: cells, directions, and sets of cells as Python ints.

Cell (x, y), x to the right and y downwards from the top left, is bit `y * (size + 1) + x`. The one unused column at the
right stops a step over an edge: after every step a set is cut down to cells of the board, so nothing wraps around.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

SMALLEST, LARGEST = 5, 23
COLUMNS = "abcdefghijklmnopqrstuvw"

# ALL8 of §1.1 as (dx, dy), clockwise from the front.
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board's measures. `steps` holds the bit distance of each of DIRECTIONS, in that order.

    Boards of several seats fit into one number side by side, `lane` bits apart: no step of a link leads into another's.
    """

    size: int
    stride: int
    full: int  # every cell of the board
    steps: tuple[int, ...]
    names: tuple[str, ...]  # by bit; "" for the unused column
    lane: int
    open: tuple[int, ...]  # by bit: in how many directions medium and spent piece of an attack line find room

    def cell(self, x: int, y: int) -> int:
        """Return the bit number of a cell on the board."""
        return y * self.stride + x

    def xy(self, cell: int) -> tuple[int, int]:
        """Return column and row, from 0 at the top left."""
        return cell % self.stride, cell // self.stride

    def has(self, x: int, y: int) -> bool:
        """Tell whether there is such a cell."""
        return 0 <= x < self.size and 0 <= y < self.size

    def along(self, cell: int, direction: int) -> Iterator[int]:
        """Yield the cells from the next one in a direction to the edge."""
        (x, y), (dx, dy) = self.xy(cell), DIRECTIONS[direction]
        while self.has(x := x + dx, y := y + dy):
            yield self.cell(x, y)

    def direction(self, start: int, end: int) -> int | None:
        """Return the index of the direction that leads from one cell to another, None when they are not in line."""
        (x1, y1), (x2, y2) = self.xy(start), self.xy(end)
        dx, dy = x2 - x1, y2 - y1
        if start == end or (dx and dy and abs(dx) != abs(dy)):
            return None
        return DIRECTIONS.index(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))

    def step(self, start: int, end: int) -> int:
        """Return the bit distance of one step towards another cell in line. Raises ValueError when out of line."""
        if (direction := self.direction(start, end)) is None:
            raise ValueError(f"{self.names[start]} and {self.names[end]} are not in line")
        return self.steps[direction]

    def named(self, name: str) -> int | None:
        """Return the cell of this name, None when the board has none.

        >>> grid(15).named("c2"), grid(15).named("p1")
        (18, None)
        """
        return _by_name(self.size).get(name)

    def names_of(self, cells: int) -> list[str]:
        """Return the names of a set's cells, row by row from the top."""
        return [self.names[cell] for cell in bits(cells)]

    def box(self, x1: int, y1: int, x2: int, y2: int) -> int:
        """Return the closed box between two corners, x1 <= x2 and y1 <= y2; empty when they are crossed."""
        if x1 > x2 or y1 > y2:
            return 0
        row = ((1 << (x2 - x1 + 1)) - 1) << x1
        return sum(row << (y * self.stride) for y in range(y1, y2 + 1))


@cache
def grid(size: int) -> Geometry:
    """Return the grid of `size` x `size` cells, 1 <= size <= LARGEST."""
    stride = size + 1
    row = (1 << size) - 1
    full = sum(row << (y * stride) for y in range(size))
    cells = [(y, x) for y in range(size) for x in range(stride)]
    names = tuple(f"{COLUMNS[x]}{y + 1}" if x < size else "" for y, x in cells)
    roomy = tuple(sum(0 <= x + 2 * dx < size and 0 <= y + 2 * dy < size for dx, dy in DIRECTIONS) for y, x in cells)
    steps = tuple(dy * stride + dx for dx, dy in DIRECTIONS)
    return Geometry(size, stride, full, steps, names, stride * (size + 4), roomy)


@cache
def _by_name(size: int) -> dict[str, int]:
    return {name: cell for cell, name in enumerate(grid(size).names) if name}


def bits(cells: int) -> Iterator[int]:
    """Yield the bit numbers of a set in rising order: row by row from the top, each from the left.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def shifted(cells: int, step: int) -> int:
    """Return a set with every cell moved by a bit distance; the caller cuts it down to the board."""
    return cells << step if step > 0 else cells >> -step


def king(cells: int, stride: int) -> int:
    """Return the cells one king step away from the set, and the set itself; not cut down to the board."""
    row = cells | cells << 1 | cells >> 1
    return row | row << stride | row >> stride
