"""What a match of Hex is at one moment: its board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from game.contract import Seat

EMPTY, STONES = ".", "rb"  # a cell's letter; red is seat 0, blue seat 1
AROUND = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))  # (row, column) of a cell's six neighbours


@dataclass(frozen=True, slots=True)
class State:
    """`cells` holds a letter a cell, row by row; `ended_by` why it is over, '' while it is not; then `winner` won."""

    size: int
    cells: str
    turn: Seat
    winner: Seat | None = None
    ended_by: str = ""


def neighbours(size: int, cell: int) -> Iterator[int]:
    """Yield the cells beside a cell."""
    row, column = divmod(cell, size)
    for down, right in AROUND:
        if 0 <= row + down < size and 0 <= column + right < size:
            yield cell + down * size + right


def edges(size: int, seat: int) -> tuple[frozenset[int], frozenset[int]]:
    """Return the two rows (red) or columns (blue) that a seat joins."""
    first = range(size) if seat == 0 else range(0, size * size, size)
    away = size * (size - 1) if seat == 0 else size - 1
    return frozenset(first), frozenset(cell + away for cell in first)


def is_joined(size: int, cells: str, seat: int) -> bool:
    """Tell whether a chain of this seat's stones goes from edge to edge."""
    stone, (start, goal) = STONES[seat], edges(size, seat)
    seen = {cell for cell in start if cells[cell] == stone}
    front = [*seen]
    while front:
        cell = front.pop()
        if cell in goal:
            return True
        fresh = {one for one in neighbours(size, cell) if cells[one] == stone} - seen
        seen |= fresh
        front += fresh
    return False
