"""The Relati board as lines of text: marks with their state beside them, and why the cell under the cursor is legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from game.contract import Seat
from game.relati import explain
from game.relati.attacks import between
from game.relati.geometry import bits
from game.relati.ruleset import Ruleset
from game.relati.state import MARKS, Board
from server.matches.model import Snapshot
from server.tui.boards.relati.pick import FREE, LINE, NOBODY, Pick, grid_of, offers, own_seat, spoken, view_of
from server.tui.edges import ALERT, CHOSEN, CURSOR, LAST, NONE, TARGET, edge_between
from server.tui.lines import Line, Span, block, plain
from server.tui.look import Look
from server.tui.theme import Glyphs

LABEL_COLS = 3
CELL_COLS = 3  # an edge, the mark, its state
SIDE_COLS = 28  # what the side panel needs
LEAST_CELLS = 9  # shown in a row, however narrow the terminal is
THREAT = ALERT  # what the edges of a cell can say, besides those words that all boards share
SOURCE, CUT, SHIELD, BROKEN, WEAPON, BOMBER = "*", "/", "#", "x", "w", "b"
REACH = "+"  # an empty cell that can be connected
CROSSED = "~"  # an empty cell on the way to where the action comes from


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the board that is shown: first column and row, and how many of each."""

    left: int
    top: int
    cols: int
    rows: int


@dataclass(frozen=True, slots=True)
class Why:
    """What explains the cell under the cursor: pieces that make it possible, cells crossed or hit."""

    pieces: tuple[int, ...] = ()
    crossed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as it is drawn: mark and state (two columns), style, and what its edges say."""

    text: str
    style: str
    edge: int = NONE


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on the board, as sets of bits."""

    reach: int = 0
    last: int = 0
    threatened: int = 0
    why: Why = field(default_factory=Why)


def board_cols(size: int) -> int:
    """Return the columns a whole board takes, row numbers included."""
    return LABEL_COLS + CELL_COLS * size + 1


def window(snapshot: Snapshot, pick: Pick, cols: int, rows: int) -> Window:
    """Return what fits, with the cursor (for who looks on: the last action) as near the middle as the edges allow."""
    grid = grid_of(snapshot)
    wide = max(1, min(grid.size, (cols - LABEL_COLS - 1) // CELL_COLS))
    high = max(1, min(grid.size, rows - 1))
    x, y = grid.xy(_focus(snapshot, pick))
    left = max(0, min(grid.size - wide, x - wide // 2))
    top = max(0, min(grid.size - high, y - high // 2))
    return Window(left, top, wide, high)


def _focus(snapshot: Snapshot, pick: Pick) -> int:
    if pick.cursor != NOBODY:
        return pick.cursor
    view = view_of(snapshot)
    if view.last is not None:
        return spoken(snapshot, view.last.action).cell
    return view.board.grid.cell(view.board.size // 2, view.board.size // 2)


def cell_at(snapshot: Snapshot, pick: Pick, col: int, row: int, cols: int, rows: int) -> int | None:
    """Return the cell drawn at a place of the board's area."""
    shown = window(snapshot, pick, cols, rows)
    x, y = (col - LABEL_COLS) // CELL_COLS, row - 1
    if col < LABEL_COLS or not (0 <= x < shown.cols and 0 <= y < shown.rows):
        return None
    return grid_of(snapshot).cell(shown.left + x, shown.top + y)


def draw(snapshot: Snapshot, pick: Pick, look: Look, cols: int, rows: int) -> list[Line]:
    """Draw the board with its labels, exactly `rows` lines of `cols` columns."""
    shown, grid = window(snapshot, pick, cols, rows), grid_of(snapshot)
    letters = "".join(f" {grid.names[grid.cell(shown.left + x, 0)][0]} " for x in range(shown.cols))
    lines: list[Line] = [(("key", _beyond(shown, grid.size)), ("dim", letters), ("key", _right_of(shown, grid.size)))]
    marks = marked(snapshot, pick)
    states = _states(view_of(snapshot).board)
    for y in range(shown.top, shown.top + shown.rows):
        cells = [
            describe(snapshot, pick, marks, states, grid.cell(shown.left + x, y), look.glyphs)
            for x in range(shown.cols)
        ]
        lines.append((("dim", f"{y + 1:>2} "), *_row(cells, look.glyphs)))
    lines += _legend(look)
    return block(lines, cols, rows)


def _beyond(shown: Window, size: int) -> str:
    """Point to where the board goes on above, below and at the left of what is shown."""
    marks = ((shown.top > 0, "^"), (shown.top + shown.rows < size, "v"), (shown.left > 0, "<"))
    return "".join(mark if is_so else " " for is_so, mark in marks)


def _right_of(shown: Window, size: int) -> str:
    return ">" if shown.left + shown.cols < size else " "


def _legend(look: Look) -> list[Line]:
    first = ((SOURCE, "source"), (CUT, "cut"), (SHIELD, "shield"), (REACH, "reach"))
    second = ((BROKEN, "broken"), (WEAPON, "weapon"), (BOMBER, "bomber"))
    lines = ["  ".join(f"{glyph} {look.t(f'relati.legend.{name}')}" for glyph, name in row) for row in (first, second)]
    return [plain("   " + lines[0], "dim"), plain(f"   {look.t('relati.legend.dead')} {lines[1]}", "dim")]


def _row(cells: list[Cell], glyphs: Glyphs) -> list[Span]:
    spans: list[Span] = []
    for x, cell in enumerate(cells):
        spans += [_edge(cells[x - 1] if x else None, cell, glyphs), (cell.style, cell.text)]
    return [*spans, _edge(cells[-1], None, glyphs)]


def _edge(left: Cell | None, right: Cell | None, glyphs: Glyphs) -> Span:
    on_left, on_right = (cell.edge if cell is not None else NONE for cell in (left, right))
    return edge_between(on_left, on_right, glyphs, ("bad", "!"), ("", " "))


def marked(snapshot: Snapshot, pick: Pick) -> Marks:
    """Return what is to be marked: the last action, what can be reached, threats, and why."""
    view, seat = view_of(snapshot), own_seat(snapshot)
    found = offers(snapshot)
    reach = 0 if pick.mode != FREE else sum(1 << cell for cell in found.cells("R"))
    last = 1 << spoken(snapshot, view.last.action).cell if view.last is not None else 0
    hit = 0
    for threat in source_threats(snapshot) if seat is not None else ():
        hit |= 1 << threat.line.target
    return Marks(reach, last, hit, why(snapshot, pick))


def source_threats(snapshot: Snapshot) -> tuple[explain.Threat, ...]:
    """Return what could hit the viewer's source; nothing for who looks on, is out, or when all is over."""
    view, seat = view_of(snapshot), own_seat(snapshot)
    out = frozenset(fallen for tier in view.fallen for fallen in tier)
    if seat is None or seat in out or snapshot.result is not None:
        return ()
    return _threats(view.board, seat, out, view.ruleset)


@lru_cache(maxsize=256)
def _threats(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset) -> tuple[explain.Threat, ...]:
    return explain.source_threats(board, seat, frozenset(map(int, out)), ruleset)


def why(snapshot: Snapshot, pick: Pick) -> Why:
    """Return what makes the selected action, or the one that enter would begin, legal."""
    view, seat = view_of(snapshot), own_seat(snapshot)
    if seat is None or pick.cursor == NOBODY:
        return Why()
    found = offers(snapshot)
    ways = found.attacks.get(pick.cursor, ())
    if pick.mode == LINE or (pick.mode == FREE and ways):
        return _attack(snapshot, pick.text or ways[0])
    single = found.single.get(pick.cursor, {})
    verb = pick.text[:1] or next((verb for verb in "LREDB" if verb in single), "")
    if verb == "B" and pick.text:
        return Why((), explain.blast(view.board, pick.cursor))
    if verb not in ("R", "E"):
        return Why()
    path = (explain.connection if verb == "R" else explain.escape)(view.board, seat, pick.cursor)
    return Why((path.origin,), path.crossed) if path is not None else Why()


def _attack(snapshot: Snapshot, text: str) -> Why:
    said = spoken(snapshot, text)
    line = next(
        line
        for line in explain.attacks_on(view_of(snapshot).board, own_seat(snapshot) or 0, said.cell, ruleset(snapshot))
        if (line.kind, line.medium) == (said.verb, said.medium)
    )
    return Why((line.medium, line.spent), tuple(between(view_of(snapshot).board, line)))


def ruleset(snapshot: Snapshot) -> Ruleset:
    """Return what the table has agreed on."""
    return view_of(snapshot).ruleset


def describe(
    snapshot: Snapshot, pick: Pick, marks: Marks, states: Mapping[int, tuple[int, str]], cell: int, glyphs: Glyphs
) -> Cell:
    """Return one cell as it is drawn."""
    if cell in states:
        seat, state = states[cell]
        out = any(seat in tier for tier in view_of(snapshot).fallen)
        dead = state in (BROKEN, WEAPON, BOMBER)
        mark = MARKS[seat].lower() if dead else MARKS[seat]
        text, style = mark + state, "dim" if out or dead else f"seat{seat}"
    elif cell in marks.why.crossed:
        text, style = f"{CROSSED} ", "target"
    elif marks.reach >> cell & 1:
        text, style = f"{REACH} ", "target"
    else:
        text, style = f"{glyphs.dot} ", "dim"
    edges = (
        (cell == pick.cursor, CURSOR),
        (cell in marks.why.pieces, CHOSEN),
        (cell in marks.why.crossed, TARGET),
        (marks.threatened >> cell & 1, THREAT),
        (marks.last >> cell & 1, LAST),
    )
    edge = next((name for is_so, name in edges if is_so), NONE)
    return Cell(text, {CURSOR: "cursor", CHOSEN: "selected"}.get(edge, style), edge)


@lru_cache(maxsize=256)
def _states(board: Board) -> Mapping[int, tuple[int, str]]:
    """Return seat and state of every occupied cell."""
    found: dict[int, tuple[int, str]] = {}
    dead = ((BROKEN, board.broken), (WEAPON, board.weapon), (BOMBER, board.bomber))
    for seat, side in enumerate(board.sides):
        live = ((SOURCE, side.source), (" ", side.linked), (CUT, side.cut), (SHIELD, side.shield))
        for state, cells in live + dead:
            found.update(dict.fromkeys(bits(cells & side.mark), (seat, state)))
    return found


def state_at(snapshot: Snapshot, cell: int) -> tuple[int, str] | None:
    """Return whose piece a cell holds and its state's sign, None when it is empty."""
    return _states(view_of(snapshot).board).get(cell)
