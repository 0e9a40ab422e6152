"""A view as numbers: planes of cells for each seat, the viewer's first, then whose turn it is."""

from __future__ import annotations

from game.contract import Watcher
from game.relati.view import View

PLANES = ("source", "linked", "cut", "shield", "dead")  # of each seat


def features(view: View) -> list[float]:
    """Return zeros and ones: 5 planes (PLANES) of size x size cells for each seat, row by row from the top left.

    The viewer's planes come first, then the others' in the order of turns; watchers see as seat 0. After the planes one
    number a seat, in the same order: whether it is to move; one more a seat: whether it is out; and a constant 1.
    """
    board = view.board
    n_seats, grid = len(board.sides), board.grid
    first = 0 if isinstance(view.viewer, Watcher) else int(view.viewer)
    order = [(first + i) % n_seats for i in range(n_seats)]
    cells = [grid.cell(x, y) for y in range(board.size) for x in range(board.size)]
    found: list[float] = []
    for seat in order:
        side = board.sides[seat]
        for plane in (side.source, side.linked, side.cut, side.shield, side.mark & ~side.live):
            found += [float(plane >> cell & 1) for cell in cells]
    out = {seat for tier in view.fallen for seat in tier}
    found += [float(view.turn == seat and len(out) < n_seats - 1) for seat in order]
    found += [float(seat in out) for seat in order]
    return [*found, 1.0]
