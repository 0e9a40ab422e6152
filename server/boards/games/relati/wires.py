"""The links between Relati's pieces as lines: which sides and corners of each cell they cross."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from game.relati.explain import Path, clusters, tree
from game.relati.geometry import bits
from game.relati.state import Board

Link = tuple[int, bool]  # the seat, and whether it joins pieces that are cut off
Slant = tuple[int, bool, str]  # the same, and the direction: see `Wire`


class Wire(NamedTuple):
    """What crosses a cell. `west`: from its left neighbour; `south`: to the one below.

    `corner`: across its lower left corner, "a" from above left to below right, "b" the other way. `inner`: through
    the cell itself, from a side ("n", "e", "s", "w") to its middle, or slanting.
    """

    west: Link | None = None
    south: Link | None = None
    corner: tuple[Slant, ...] = ()
    inner: tuple[Slant, ...] = ()


# By the step between neighbours (columns, rows): the side at which a link leaves the one and enters the other.
SIDES = {(1, 0): ("e", "w"), (-1, 0): ("w", "e"), (0, 1): ("s", "n"), (0, -1): ("n", "s")}


@lru_cache(maxsize=256)
def wires(board: Board) -> Mapping[int, Wire]:
    """Return what crosses each cell: each side's tree of links, links of neighbours, links of cut-off pieces."""
    found = _Wires(board)
    for seat, side in enumerate(board.sides):
        for cell, path in tree(board, seat):
            found.add(seat, False, cell, path)
        for cell, path in clusters(board, seat):
            found.add(seat, True, cell, path)
        for cells, is_cut in ((side.valid, False), (side.cut, True)):
            for cell in bits(cells & cells << 1):
                found.step(seat, is_cut, cell - 1, cell)
            for cell in bits(cells & cells << board.grid.stride):
                found.step(seat, is_cut, cell - board.grid.stride, cell)
    return found.made()


class _Wires:
    """Collects what crosses the cells of a board."""

    def __init__(self, board: Board) -> None:
        self._grid, self._occupied = board.grid, board.occupied
        self._west, self._south = dict[int, Link](), dict[int, Link]()
        self._corner, self._inner = dict[int, list[Slant]](), dict[int, list[Slant]]()

    def add(self, seat: int, is_cut: bool, cell: int, path: Path) -> None:
        """Draw a link from its piece over the cells it crosses."""
        way = (path.origin, *path.crossed, cell)
        for start, end in pairwise(way):
            self.step(seat, is_cut, start, end)

    def step(self, seat: int, is_cut: bool, start: int, end: int) -> None:
        """Draw a link between neighbours."""
        (x1, y1), (x2, y2) = self._grid.xy(start), self._grid.xy(end)
        dx, dy = x2 - x1, y2 - y1
        if dy == 0:
            self._west[max(start, end)] = (seat, is_cut)
        elif dx == 0:
            self._south[min(start, end)] = (seat, is_cut)
        else:
            slant = "a" if dx == dy else "b"
            owner = self._grid.cell(max(x1, x2), min(y1, y2))
            self._add(self._corner, owner, (seat, is_cut, slant))
            for cell in (start, end):
                self._cross(cell, (seat, is_cut, slant))
            return
        leaves, arrives = SIDES[dx, dy]
        self._cross(start, (seat, is_cut, leaves))
        self._cross(end, (seat, is_cut, arrives))

    def _cross(self, cell: int, slant: Slant) -> None:
        if not self._occupied >> cell & 1:
            self._add(self._inner, cell, slant)

    def _add(self, where: dict[int, list[Slant]], cell: int, slant: Slant) -> None:
        if slant not in (known := where.setdefault(cell, [])):
            known.append(slant)

    def made(self) -> Mapping[int, Wire]:
        """Return what was collected."""
        cells = self._west.keys() | self._south.keys() | self._corner.keys() | self._inner.keys()
        return {
            cell: Wire(
                self._west.get(cell),
                self._south.get(cell),
                tuple(self._corner.get(cell, ())),
                tuple(self._inner.get(cell, ())),
            )
            for cell in cells
        }
