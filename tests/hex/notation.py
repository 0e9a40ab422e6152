"""Hex as text: a cell is a letter and a number, `b3`; a position is rows, and who is to move: `3/1r1/b2 r`."""

from __future__ import annotations

import re

from game.errors import BadNotation
from tests.hex.state import EMPTY, STONES

SMALLEST, LARGEST = 3, 11
CELL = re.compile(r"([a-k])([1-9]|1[01])")
RUNS = re.compile(r"\.+")


def read_cell(text: str, size: int) -> int:
    """Return a cell's index. Raises BadNotation for what is no cell of a board of this size."""
    found = CELL.fullmatch(text)
    column, row = ("abcdefghijk".index(found[1]), int(found[2]) - 1) if found else (size, size)
    if column >= size or row >= size:
        raise BadNotation("hex.error.cell", text[:20])
    return row * size + column


def write_cell(cell: int, size: int) -> str:
    """Return a cell's name.

    >>> write_cell(5, 3), read_cell("c2", 3)
    ('c2', 5)
    """
    return f"{'abcdefghijk'[cell % size]}{cell // size + 1}"


def write_board(cells: str, size: int, turn: int) -> str:
    """Return a position.

    >>> write_board("....r.b..", 3, 0)
    '3/1r1/b2 r'
    """
    rows = (cells[at : at + size] for at in range(0, size * size, size))
    return f"{'/'.join(RUNS.sub(lambda run: str(len(run[0])), row) for row in rows)} {STONES[turn]}"


def read_board(text: str) -> tuple[int, str, int]:
    """Return size, cells and whose turn it is. Raises BadNotation."""
    found = re.fullmatch(r"([0-9rb/]{5,200}) ([rb])", text)
    rows = [re.sub(r"\d+", _run, row) for row in found[1].split("/")] if found else []
    size = len(rows)
    if found is None or not SMALLEST <= size <= LARGEST or any(len(row) != size for row in rows):
        raise BadNotation("hex.error.position", text[:80])
    return size, "".join(rows), STONES.index(found[2])


def _run(length: re.Match[str]) -> str:
    return EMPTY * min(int(length[0]), LARGEST + 1)
