"""The passives after every action (§1.6): pincer and forbid, repeated to a fixed point."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Seat
from game.relati.geometry import king
from game.relati.links import beside, flood
from game.relati.ruleset import Ruleset
from game.relati.state import Board, Side


@dataclass(slots=True)
class Capture:
    """Pieces of others that one player has captured by rings of its own (§1.6)."""

    by: Seat
    cells: int


class Draft:
    """A mutable copy of a board, while an action is being resolved; sets of cells are lists by seat."""

    def __init__(self, board: Board) -> None:
        self.size, self.stride = board.size, board.size + 1
        self.grid = board.grid
        self.mark = [side.mark for side in board.sides]
        self.source = [side.source for side in board.sides]
        self.linked = [side.linked for side in board.sides]
        self.cut = [side.cut for side in board.sides]
        self.shield = [side.shield for side in board.sides]
        self.broken, self.weapon, self.bomber = board.broken, board.weapon, board.bomber
        self.touched = 0  # cells placed, killed or shielded since links were last worked out
        self.captures: list[Capture] = []

    @property
    def empty(self) -> int:
        """Return the cells without a mark."""
        occupied = 0
        for mark in self.mark:
            occupied |= mark
        return self.grid.full & ~occupied

    @property
    def dead(self) -> int:
        """Return the cells with the status broken, weapon or bomber."""
        return self.broken | self.weapon | self.bomber

    def unstatus(self, cells: int) -> None:
        """Remove the status of these cells; the caller gives them a new one."""
        self.touched |= cells
        keep = ~cells
        for seat in range(len(self.mark)):
            self.source[seat] &= keep
            self.linked[seat] &= keep
            self.cut[seat] &= keep
            self.shield[seat] &= keep
        self.broken &= keep
        self.weapon &= keep
        self.bomber &= keep

    def break_(self, cells: int) -> None:
        """Turn cells that carry a mark broken."""
        self.unstatus(cells)
        self.broken |= cells

    def put(self, seat: int, cells: int) -> None:
        """Set a seat's mark on empty cells, still without a status."""
        self.touched |= cells
        self.mark[seat] |= cells

    def freeze(self) -> Board:
        """Return the board as a value."""
        sides = zip(self.mark, self.source, self.linked, self.cut, self.shield, strict=True)
        return Board(self.size, tuple(Side(*side) for side in sides), self.broken, self.weapon, self.bomber)


def settle(draft: Draft, ruleset: Ruleset) -> None:
    """Run the passives to their fixed point (A20): pincer with the links as they are, then forbid, and again both."""
    if ruleset.forbid == "local":
        return _settle_once(draft, ruleset)
    if not ruleset.pincer_first:
        relink(draft)
    while True:
        captured = capture(draft, ruleset)
        if not relink(draft) and not captured:
            return


def _settle_once(draft: Draft, ruleset: Ruleset) -> None:
    """Run each passive once: a local forbid is not worked out again from its own results (A7)."""
    if ruleset.pincer_first:
        capture(draft, ruleset)
    relink_locally(draft)
    if not ruleset.pincer_first:
        capture(draft, ruleset)


def capture(draft: Draft, ruleset: Ruleset) -> bool:
    """Break every valid piece that four valid pieces of one other player ring, all at once (A19, A21, A29)."""
    stride = draft.stride
    found: list[Capture] = []
    for seat in range(len(draft.mark)):
        valid = draft.source[seat] | draft.linked[seat]
        level, above, below = (valid << 1) & (valid >> 1), valid << stride, valid >> stride
        ringed = level & above & below
        ringed |= (above << 1) & (above >> 1) & (below << 1) & (below >> 1)
        if ringed and (cells := ringed & _capturable(draft, seat, ruleset)):
            found.append(Capture(Seat(seat), cells))
    for capture_ in found:
        draft.break_(capture_.cells)
    draft.captures += found
    return bool(found)


def _capturable(draft: Draft, seat: int, ruleset: Ruleset) -> int:
    """Return the pieces of all others that a ring breaks."""
    cells = 0
    for other in range(len(draft.mark)):
        if other != seat:
            cells |= draft.source[other] | draft.linked[other]
            if ruleset.capture_shields:
                cells |= draft.shield[other]
    return cells


def relink(draft: Draft) -> bool:
    """Work out forbid for every seat that the touched cells can concern; tell whether anything changed.

    A link reaches two cells and crosses only cells within that reach, so a change further away from all of a seat's
    pieces leaves its links as they were.
    """
    near = king(king(draft.touched, draft.stride), draft.stride)
    draft.touched = 0
    lane, blank = draft.grid.lane, draft.empty | draft.dead
    concerned: list[tuple[int, int, int]] = []  # seat, first bit of its lane, its normal pieces
    sources = normals = blanks = 0  # of all seats concerned, each in a lane of its own
    for seat in range(len(draft.mark)):
        normal = draft.linked[seat] | draft.cut[seat]
        if near & (normal | draft.source[seat]):
            at = len(concerned) * lane
            concerned.append((seat, at, normal))
            sources |= draft.source[seat] << at
            normals |= normal << at
            blanks |= (blank | draft.shield[seat]) << at
    flooded = flood(sources, normals, blanks, draft.stride)
    changed = False
    for seat, at, normal in concerned:
        linked = flooded >> at & normal
        changed = changed or linked != draft.linked[seat]
        draft.linked[seat], draft.cut[seat] = linked, normal ^ linked
    return changed


def relink_locally(draft: Draft) -> None:
    """Forbid every normal piece of a seat that is linked to none of its valid ones, as they stand before (A7).

    All seats and pieces are looked at: what the action before changed may concern a piece far from the touched cells.
    """
    draft.touched = 0
    for seat in range(len(draft.mark)):
        normal = draft.linked[seat] | draft.cut[seat]
        blank = draft.empty | draft.dead | draft.shield[seat]
        linked = beside(draft.source[seat] | draft.linked[seat], normal, blank, draft.stride)
        draft.linked[seat], draft.cut[seat] = linked, normal ^ linked


def relinked(board: Board) -> Board:
    """Return the board with forbid worked out for every seat, and nothing captured."""
    draft = Draft(board)
    draft.touched = board.grid.full
    relink(draft)
    return draft.freeze()
