"""Why an action is legal, and what threatens a source: the cells that a board draws while somebody chooses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from game.relati.actions import bombs, connectable
from game.relati.attacks import Line, between, lines
from game.relati.geometry import DIRECTIONS, bits, king
from game.relati.ruleset import Ruleset
from game.relati.state import Board

ADJACENT, STRAIGHT, BENT, ESCAPE = "adjacent", "straight", "bent", "escape"  # RN, RRN, RRS, E


@dataclass(frozen=True, slots=True)
class Path:
    """A link from a cell to a piece: the piece, the blank cells crossed from the piece on, the kind of link."""

    kind: str
    origin: int
    crossed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Threat:
    """A source that `seat` could attack if it were to move now, by this line; `crossed` from the target on."""

    seat: int
    line: Line
    crossed: tuple[int, ...]


def connection(board: Board, seat: int, cell: int) -> Path | None:
    """Return the shortest link from a valid piece of the seat to an empty cell (§1.4), None when there is none.

    The three kinds are tried in the order RN, RRN, RRS, so the simplest reason is the one given.
    """
    if not board.empty >> cell & 1:
        return None
    blank, valid = board.blank(seat), board.sides[seat].valid
    return next((path for path in _paths(board, cell, blank) if valid >> path.origin & 1), None)


def _paths(board: Board, cell: int, blank: int) -> Iterator[Path]:
    """Yield every possible path that ends in a cell, whatever stands at its other end."""
    x, y = board.grid.xy(cell)
    for kind, offset, crossed in LINK_PATHS:
        if board.grid.has(x + offset[0], y + offset[1]):
            inner = [(x + dx, y + dy) for dx, dy in crossed]
            cells = tuple(board.grid.cell(*c) for c in inner if board.grid.has(*c))
            if len(cells) == len(inner) and all(blank >> c & 1 for c in cells):
                yield Path(kind, board.grid.cell(x + offset[0], y + offset[1]), cells)


def _link_paths() -> tuple[tuple[str, tuple[int, int], tuple[tuple[int, int], ...]], ...]:
    """Tabulate §1.4: kind, offset of the piece, offsets of the cells crossed from the piece to the chosen cell."""
    found: list[tuple[str, tuple[int, int], tuple[tuple[int, int], ...]]] = []
    found += [(ADJACENT, d, ()) for d in DIRECTIONS]
    found += [(STRAIGHT, (2 * dx, 2 * dy), ((dx, dy),)) for dx, dy in DIRECTIONS]
    for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        for offset, near in (((sx, 2 * sy), (0, sy)), ((2 * sx, sy), (sx, 0))):
            far = (2 * near[0], 2 * near[1])
            found.append((BENT, offset, ((sx, sy), near)))
            found.append((BENT, offset, ((sx, sy), (sx - near[0], sy - near[1]))))
            found.append((BENT, offset, (far, near)))
    return tuple(found)


LINK_PATHS = _link_paths()
LINK_RANKS = tuple((ADJACENT, STRAIGHT, BENT).index(kind) for kind, _, _ in LINK_PATHS)


def escape(board: Board, seat: int, cell: int, far_runs: bool = False) -> Path | None:
    """Return the line along which the seat could escape to an empty cell (§1.5 E), from the nearest piece.

    `far_runs`: a neighbour is no such piece (A13).
    """
    if not board.empty >> cell & 1:
        return None
    blank, valid = board.blank(seat), board.sides[seat].valid
    found = []
    for direction in range(len(DIRECTIONS)):
        crossed: list[int] = []
        for step in board.grid.along(cell, direction):
            if valid >> step & 1 and (crossed or not far_runs):
                found.append(Path(ESCAPE, step, tuple(reversed(crossed))))
            if not blank >> step & 1:
                break
            crossed.append(step)
    return min(found, key=lambda path: len(path.crossed), default=None)


def attacks_on(board: Board, seat: int, target: int, ruleset: Ruleset) -> tuple[Line, ...]:
    """Return every line by which the seat may attack a cell: contact attacks first, then shots."""
    return tuple(line for line in lines(board, seat, ruleset) if line.target == target)


def source_threats(board: Board, seat: int, out: frozenset[int], ruleset: Ruleset) -> tuple[Threat, ...]:
    """Return every attack on a source of this seat, if one of the others still playing were to move now."""
    sources = board.sides[seat].source
    return tuple(
        Threat(other, line, tuple(between(board, line)))
        for other in range(len(board.sides))
        if other != seat and other not in out
        for line in lines(board, other, ruleset)
        if sources >> line.target & 1
    )


def bomb_threats(board: Board, seat: int, out: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """Return owner and cell of each shield whose bomb (§1.5 AB) would break a source of this seat if it came now."""
    near = king(board.sides[seat].source, board.size + 1)
    return tuple(
        (other, cell)
        for other in range(len(board.sides))
        if other != seat and other not in out
        for cell in bits(bombs(board, other) & near)
    )


def tree(board: Board, seat: int) -> tuple[tuple[int, Path], ...]:
    """Return a tree of links from the seat's source to its linked pieces (§1.4): pairs of piece and path to it.

    Each linked piece comes once. Of several links the simplest is taken. Empty where there is no source.
    """
    side = board.sides[seat]
    return tuple(_grown(board, seat, set(bits(side.source)), set(bits(side.linked))))


def clusters(board: Board, seat: int) -> tuple[tuple[int, Path], ...]:
    """Return the links among the seat's pieces that are cut off, as `tree` does: one tree for each group."""
    rest, found = set(bits(board.sides[seat].cut)), list[tuple[int, Path]]()
    while rest:
        grown = list(_grown(board, seat, {rest.pop()}, rest))
        rest -= {cell for cell, _ in grown}
        found += grown
    return tuple(found)


def _grown(board: Board, seat: int, roots: set[int], rest: set[int]) -> Iterator[tuple[int, Path]]:
    """Yield pieces of `rest` joined to the roots, always by the simplest link left, until no more can be joined."""
    grid, blank, rest = board.grid, board.blank(seat), set(rest)
    waiting = list[tuple[int, int, int, int]]()  # a heap: rank of the link's kind, root, piece, index in LINK_PATHS

    def offer(root: int) -> None:
        x, y = grid.xy(root)
        for at, (_, offset, _) in enumerate(LINK_PATHS):
            if grid.has(x - offset[0], y - offset[1]) and (cell := grid.cell(x - offset[0], y - offset[1])) in rest:
                heappush(waiting, (LINK_RANKS[at], root, cell, at))

    for root in sorted(roots):
        offer(root)
    while waiting:
        _, root, cell, at = heappop(waiting)
        if cell not in rest:
            continue
        kind, _, crossed = LINK_PATHS[at]
        x, y = grid.xy(cell)
        inner = [(x + dx, y + dy) for dx, dy in crossed]
        if all(grid.has(*one) and blank >> grid.cell(*one) & 1 for one in inner):
            rest.discard(cell)
            yield cell, Path(kind, root, tuple(grid.cell(*one) for one in inner))
            offer(cell)


def blocks(board: Board, seat: int, threat: Threat) -> tuple[int, ...]:
    """Return the cells of the line where the threatened seat could connect a piece, to block it."""
    reach = connectable(board, seat)
    return tuple(cell for cell in threat.crossed if reach >> cell & 1)


def blast(board: Board, cell: int) -> tuple[int, ...]:
    """Return the cells around a bomb."""
    return tuple(bits(king(1 << cell, board.size + 1) & board.grid.full & ~(1 << cell)))
