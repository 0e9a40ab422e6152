"""The Relati board as lines of text: tiles joined by their links, and why the cell under the cursor is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from game.contract import Seat
from game.relati import explain
from game.relati.areas import safe_area
from game.relati.attacks import between
from game.relati.geometry import Grid, bits
from game.relati.ruleset import Ruleset
from game.relati.state import MARKS, Board
from game.relati.telling import ACTION_EVENTS
from server.matches.model import SeenEvent
from server.tui.edges import ALERT, CHOSEN, CURSOR, LAST, NONE, PLAIN, TARGET, WALL, Edge, edge_between
from server.tui.games.relati.foresight import hits
from server.tui.games.relati.selection import (
    FREE,
    LINE,
    NOBODY,
    Selection,
    Shown,
    escapes,
    grid_of,
    offers,
    out,
    own_seat,
    spoken,
    ways,
)
from server.tui.games.relati.wires import Wire, wires
from server.tui.lines import Line, Span, block, packed
from server.tui.look import Look
from server.tui.theme import Glyphs

LABEL_COLS = 3
# columns and rows a cell takes with what is between, largest first; flat ones where a board is too high for more rows
SIZES = (*((2 * rows, rows) for rows in range(10, 2, -1)), (8, 2), (4, 2), (3, 1))
LEAST = SIZES[-1]
SIDE_COLS = 28  # what the side panel needs
LEAST_CELLS = 9  # shown in a row, however narrow the terminal is
LEGEND_ROWS, LEGEND_COLS = 2, 96  # a board of so many columns has it in one row
THREAT, HIT = WALL, ALERT  # what the edges of a cell can say, besides those words that all boards share
SOURCE, LINKED, CUT, SHIELD, BROKEN, WEAPON, BOMBER = "source", "linked", "cut", "shield", "broken", "weapon", "bomber"
DEAD = (BROKEN, WEAPON, BOMBER)
ACTIONS = frozenset(ACTION_EVENTS.values())
TOUCHING = ACTIONS | {"captured"}
AREAS = ("cell.reach", "cell.exit")  # grounds that are drawn as one area
SIGNS = {SOURCE: "*", LINKED: " ", CUT: "/", SHIELD: "#"}
REACH = "+"  # an empty cell that can be connected
ESCAPE = "e"  # an empty cell that the source could escape to, while that is asked
CROSSED = "~"  # an empty cell on the way to where the action comes from
SAFE = ":"  # an empty cell in a rectangle of shields


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the board that is shown: first column and row, how many of each, and a cell's columns and rows."""

    left: int
    top: int
    cols: int
    rows: int
    size: tuple[int, int] = LEAST


@dataclass(frozen=True, slots=True)
class Why:
    """What explains the cell under the cursor: pieces that make it possible, cells crossed or hit."""

    pieces: tuple[int, ...] = ()
    crossed: tuple[int, ...] = ()


class Cell(NamedTuple):
    """One cell as it is drawn: mark and state (two columns), style, what its edges say, and the links that cross it."""

    text: str
    style: str
    edge: Edge = PLAIN
    wire: Wire = Wire()
    is_empty: bool = True
    is_walled: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on the board, as sets of bits."""

    reach: int = 0
    escapes: int = 0
    last: int = 0
    threatened: int = 0  # the viewer's source, if it can be hit
    hit: int = 0  # the viewer's other pieces that can be hit
    safe: int = 0
    why: Why = field(default_factory=Why)


def cell_size(board_size: int, cols: int, rows: int, beside: int = 0) -> tuple[int, int]:
    """Return the largest cells with which the whole board and its legend fit, beside so many columns."""
    for size in SIZES:
        wide = board_cols(board_size, size)
        legend = 0 if size is LEAST else 1 if wide >= LEGEND_COLS else LEGEND_ROWS
        if wide + beside <= cols and board_rows(board_size, size) + legend <= rows:
            return size
    return LEAST


def board_cols(board_size: int, size: tuple[int, int] = LEAST) -> int:
    """Return the columns a whole board takes, row numbers included."""
    return LABEL_COLS + size[0] * board_size + 1


def board_rows(board_size: int, size: tuple[int, int] = LEAST) -> int:
    """Return the rows a whole board takes, letters included: nothing is below the links of its last row."""
    return 1 + size[1] * board_size - (size[1] > 1)


def window(snapshot: Shown, chosen: Selection, cols: int, rows: int) -> Window:
    """Return what fits, with the cursor (for who looks on: the last action) as near the middle as the edges allow.

    Where a click has set the cursor, what is shown stays as it was.
    """
    grid = grid_of(snapshot)
    size = cell_size(grid.size, cols, rows)
    wide = max(1, min(grid.size, (cols - LABEL_COLS - 1) // size[0]))
    high = max(1, min(grid.size, (rows - 1 + (size[1] > 1)) // size[1]))

    def around(cell: int) -> Window:
        x, y = grid.xy(cell)
        left = max(0, min(grid.size - wide, x - wide // 2))
        return Window(left, max(0, min(grid.size - high, y - high // 2)), wide, high, size)

    focus = _focus(snapshot, chosen)
    if chosen.anchor != NOBODY:
        kept, (x, y) = around(chosen.anchor), grid.xy(focus)
        if 0 <= x - kept.left < wide and 0 <= y - kept.top < high:
            return kept
    return around(focus)


def is_whole(snapshot: Shown, cols: int, rows: int) -> bool:
    """Tell whether the whole board is shown, whatever the cursor stands on."""
    shown = window(snapshot, Selection(NOBODY), cols, rows)
    return shown.cols == shown.rows == grid_of(snapshot).size


def _focus(snapshot: Shown, chosen: Selection) -> int:
    if chosen.cursor != NOBODY:
        return chosen.cursor
    view = snapshot.view
    if view.last is not None:
        return spoken(snapshot, view.last.action).cell
    return view.board.grid.cell(view.board.size // 2, view.board.size // 2)


def cell_at(snapshot: Shown, chosen: Selection, cols: int, rows: int, col: int, row: int) -> int | None:
    """Return the cell drawn at a place of the board's area."""
    shown = window(snapshot, chosen, cols, rows)
    x, y = (col - LABEL_COLS) // shown.size[0], (row - 1) // shown.size[1]
    if col < LABEL_COLS or not (0 <= x < shown.cols and 0 <= y < shown.rows):
        return None
    return grid_of(snapshot).cell(shown.left + x, shown.top + y)


def scrolled(snapshot: Shown, chosen: Selection, cols: int, rows: int, col: int, row: int) -> Selection | None:
    """Return the selection after a click on the edge of a board that goes on: half a window further, the cursor too.

    Row numbers go up and down by their halves, the letters to the left and right; the pointers where they point.
    """
    shown, grid = window(snapshot, chosen, cols, rows), grid_of(snapshot)
    if shown.cols == shown.rows == grid.size or (col >= LABEL_COLS and row > 0):
        return None
    up, down, left, right = (0, -1), (0, 1), (-1, 0), (1, 0)
    if row > 0:
        dx, dy = up if row <= rows // 2 else down
    elif col < LABEL_COLS:
        dx, dy = (up, down, left)[col]
    else:
        dx, dy = left if col < cols // 2 else right
    step_x, step_y = dx * max(1, shown.cols // 2), dy * max(1, shown.rows // 2)

    def moved(cell: int) -> int:
        x, y = grid.xy(cell)
        return grid.cell(max(0, min(grid.size - 1, x + step_x)), max(0, min(grid.size - 1, y + step_y)))

    middle = grid.cell(shown.left + shown.cols // 2, shown.top + shown.rows // 2)
    return Selection(moved(chosen.cursor), anchor=moved(middle))


def draw(
    snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
) -> list[Line]:
    """Draw the board with its labels, exactly `rows` lines of `cols` columns."""
    shown, grid = window(snapshot, chosen, cols, rows), grid_of(snapshot)
    width = shown.size[0]
    before = " " * _middle(width)
    after = " " * (width - len(before) - 1)
    letters = "".join(f"{before}{grid.names[grid.cell(shown.left + x, 0)][0]}{after}" for x in range(shown.cols))
    lines: list[Line] = [(("key", _beyond(shown, grid.size)), ("dim", letters), ("key", _right_of(shown, grid.size)))]
    marks = marked(snapshot, chosen, events)
    board = snapshot.view.board
    states, links = _states(board), wires(board)
    for y in range(shown.top, shown.top + shown.rows):
        cells = tuple(
            describe(snapshot, chosen, marks, states, links, grid.cell(shown.left + x, y), look.glyphs)
            for x in range(shown.cols)
        )
        lines += _row(cells, y + 1, shown.size, look)
    if shown.size[1] > 1:
        lines.pop()
    legend = _legend(look, cols, chosen.flees)
    apart: list[Line] = [()] if shown.size[1] > 1 and len(lines) + len(legend) < rows else []
    return block([*lines, *apart, *legend], cols, rows)


def _middle(width: int) -> int:
    """Return the column of a cell's mark."""
    return 1 + (width - 2) // 2


def _beyond(shown: Window, size: int) -> str:
    """Point to where the board goes on above, below and at the left of what is shown."""
    marks = ((shown.top > 0, "^"), (shown.top + shown.rows < size, "v"), (shown.left > 0, "<"))
    return "".join(mark if is_so else " " for is_so, mark in marks)


def _right_of(shown: Window, size: int) -> str:
    return ">" if shown.left + shown.cols < size else " "


@lru_cache(maxsize=64)
def _legend(look: Look, cols: int, flees: bool) -> list[Line]:
    """Explain every sign, whole."""
    glyphs, t = look.glyphs, look.t
    live = [f"{sign} {t(f'relati.legend.{name}')}" for name, sign in SIGNS.items() if sign.strip()]
    dead = [f"{sign} {t(f'relati.legend.{name}')}" for name, sign in zip(DEAD, glyphs.dead, strict=True)]
    extra = [
        f"{ESCAPE} {t('relati.legend.escape')}" if flees else f"{REACH} {t('relati.legend.reach')}",
        f"{glyphs.hit} {t('relati.legend.hit')}",
        f"{SAFE} {t('relati.legend.safe')}",
    ]
    return packed([*live, *extra, *dead], cols, "dim", LABEL_COLS)


@lru_cache(maxsize=2048)
def _row(cells: tuple[Cell, ...], number: int, size: tuple[int, int], look: Look) -> list[Line]:
    """Draw a row of cells: tiles with the edges between them, and where there is room the links to the next row."""
    width, height = size
    glyphs, tall = look.glyphs, max(1, height - 1)
    edges = [_edge(left, right, glyphs) for left, right in zip((None, *cells), (*cells, None), strict=True)]
    middle = (tall - 1) // 2
    lines: list[Line] = []
    for y in range(tall):
        spans: list[Span] = [("dim", f"{number:>2} " if y == middle else "   ")]
        before: Cell | None = None
        for cell, edge in zip(cells, edges, strict=False):
            spans.append(_gap(before, cell, edge, y == middle, height == 1, glyphs))
            spans += _inside(cell, y, width - 1, tall, middle, glyphs)
            before = cell
        lines.append((*spans, edges[-1]))
    if height > 1:
        lines.append((("", "   "), *[span for cell in cells for span in _below(cell, width, glyphs)], ("", " ")))
    return lines


def _edge(left: Cell | None, right: Cell | None, glyphs: Glyphs) -> Span:
    on_left, on_right = (cell.edge if cell is not None else PLAIN for cell in (left, right))
    return edge_between(on_left, on_right, glyphs, ("bad", glyphs.hit), ("", " "), ("bad", "!"))


def _gap(before: Cell | None, cell: Cell, edge: Span, is_middle: bool, is_dense: bool, glyphs: Glyphs) -> Span:
    """Draw what is left of a cell: what the edge says, a link from the cell before, or an area that goes on."""
    if edge[1] != " ":
        return edge
    if is_middle and cell.wire.west:
        seat, is_cut = cell.wire.west
        return (f"seat{seat}", glyphs.wires(is_cut)[0])
    goes_on = is_dense and before is not None and before.style == cell.style and cell.style in AREAS
    return (cell.style, " ") if goes_on else edge


def _inside(cell: Cell, y: int, width: int, tall: int, middle: int, glyphs: Glyphs) -> Line:
    """Draw a line of a cell: `width` columns of its tile, or the links that cross an empty one."""
    before = (width - 1) // 2
    if cell.is_empty and cell.wire.inner:
        return _crossed(cell, y, width, tall, middle, glyphs)
    if y != middle:
        text = " " * width
    else:
        text = " " * before + cell.text + " " * max(0, width - before - 2)
    if cell.is_walled and width > 3:
        text = f"{glyphs.walls[0]}{text[1:-1]}{glyphs.walls[1]}"
    return (("dim" if tall == 1 and width < 3 and cell.style == "cell" else cell.style, text),)


def _crossed(cell: Cell, y: int, width: int, tall: int, middle: int, glyphs: Glyphs) -> Line:
    """Draw the links across an empty cell: from each side that one comes from to its middle."""
    seat, is_cut, sides = cell.wire.inner[0][0], cell.wire.inner[0][1], {side for _, _, side in cell.wire.inner}
    style, across, upright = f"seat{seat}", *glyphs.wires(is_cut)[:2]
    before = (width - 1) // 2
    row = [" "] * width
    if y == middle:
        row[:before] = [across if "w" in sides else " "] * before
        row[before + 1 :] = [across if "e" in sides else " "] * (width - before - 1)
        row[before] = glyphs.joint("".join(side for side in "nesw" if side in sides), is_cut) or cell.text[0]
    else:
        row[before] = upright if ("n" if y < middle else "s") in sides else " "
    for side, slant in (("a", 2), ("b", 3)):  # a: from above left to below right, b: the other way
        if side in sides:
            at = round((y + 0.5) / tall * width - 0.5)
            row[at if side == "a" else width - 1 - at] = glyphs.wires(is_cut)[slant]
    if y == middle and cell.text[0] in (REACH, CROSSED, ESCAPE):
        row[before] = cell.text[0]
    return ((style if cell.style == "cell" else cell.style, "".join(row)),)


def _below(cell: Cell, width: int, glyphs: Glyphs) -> Line:
    """Draw what is between a cell and the one below it: links straight down, and slanting ones at the corner."""
    before, wire = (width - 2) // 2, cell.wire
    spans: list[Span] = [("", " ")]
    if wire.corner:
        seat, is_cut, slant = wire.corner[0]
        crosses = len({one[2] for one in wire.corner}) > 1
        spans = [(f"seat{seat}", glyphs.wires(is_cut)[4 if crosses else 2 if slant == "a" else 3])]
    if wire.south:
        seat, is_cut = wire.south
        after = width - 2 - before
        return (*spans, ("", " " * before), (f"seat{seat}", glyphs.wires(is_cut)[1]), ("", " " * after))
    return (*spans, ("", " " * (width - 1)))


def marked(snapshot: Shown, chosen: Selection, events: Sequence[SeenEvent] = ()) -> Marks:
    """Return what is to be marked: the last actions, what can be reached, threats, and why."""
    view, seat = snapshot.view, own_seat(snapshot)
    found = offers(snapshot)
    reach = 0 if chosen.mode != FREE or chosen.flees else sum(1 << cell for cell in found.cells("R"))
    last = _since_own(snapshot, events)
    if view.last is not None:
        last |= 1 << spoken(snapshot, view.last.action).cell | (view.last.changed & view.board.dead)
    aimed = 0
    for threat in source_threats(snapshot) if seat is not None else ():
        aimed |= 1 << threat.line.target
    hit, safe = _hit(snapshot) & ~aimed, _safe(view.board, view.ruleset)
    return Marks(reach, escapes(snapshot, chosen), last, aimed, hit, safe, why(snapshot, chosen))


def _since_own(snapshot: Shown, events: Sequence[SeenEvent]) -> int:
    """Return where the others acted since the viewer's own last action, and which pieces that broke or spent.

    Nothing for who has no more actions: in time it would be the whole board.
    """
    own, found = own_seat(snapshot), 0
    for event in reversed(events) if own is not None and own not in out(snapshot) else ():
        if event.seq > snapshot.seq:
            continue
        if event.kind in ACTIONS and event.params.get("seat") == own:
            break
        if event.kind in TOUCHING:
            found |= _touched(grid_of(snapshot), event)
    return found


def _touched(grid: Grid, event: SeenEvent) -> int:
    """Return the cells that an event names as acted on, broken or spent."""
    names = ("cell", "target", "spent", "killed", "cells", *(("medium",) if event.kind == "shot" else ()))
    found = 0
    for name in names:
        named = event.params.get(name, ())
        for cell in named if isinstance(named, list | tuple) else (named,):
            found |= 1 << grid.names.index(str(cell))
    return found


def _hit(snapshot: Shown) -> int:
    """Return the viewer's pieces that somebody could hit now; nothing for who looks on, is out, or when all is over."""
    seat, fallen = own_seat(snapshot), out(snapshot)
    if seat is None or seat in fallen or snapshot.result is not None:
        return 0
    return hits(snapshot.view.board, seat, fallen, snapshot.view.ruleset)


@lru_cache(maxsize=256)
def _safe(board: Board, ruleset: Ruleset) -> int:
    """Return the cells in rectangles of shields, whosever they are."""
    found = 0
    for side in board.sides:
        found |= safe_area(side.shield, board.size, ruleset.rim_is_safe)
    return found


def source_threats(snapshot: Shown) -> tuple[explain.Threat, ...]:
    """Return what could hit the viewer's source; nothing for who looks on, is out, or when all is over."""
    view, seat, fallen = snapshot.view, own_seat(snapshot), out(snapshot)
    if seat is None or seat in fallen or snapshot.result is not None:
        return ()
    return _threats(view.board, seat, fallen, view.ruleset)


@lru_cache(maxsize=256)
def _threats(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset) -> tuple[explain.Threat, ...]:
    return explain.source_threats(board, seat, frozenset(map(int, out)), ruleset)


def why(snapshot: Shown, chosen: Selection) -> Why:
    """Return what makes the selected action, or the one that enter would begin, legal."""
    view, seat = snapshot.view, own_seat(snapshot)
    if seat is None or chosen.cursor == NOBODY:
        return Why()
    found = offers(snapshot)
    texts = ways(snapshot, chosen.cursor)
    if chosen.mode == LINE or (chosen.mode == FREE and texts):
        return _attack(snapshot, chosen.text or texts[0])
    single = found.single.get(chosen.cursor, {})
    verb = chosen.text[:1] or next((verb for verb in "LREDB" if verb in single), "")
    if verb == "B" and chosen.text:
        return Why((), explain.blast(view.board, chosen.cursor))
    if verb not in ("R", "E"):
        return Why()
    path = (explain.connection if verb == "R" else explain.escape)(view.board, seat, chosen.cursor)
    return Why((path.origin,), path.crossed) if path is not None else Why()


def _attack(snapshot: Shown, text: str) -> Why:
    said = spoken(snapshot, text)
    line = next(
        line
        for line in explain.attacks_on(snapshot.view.board, own_seat(snapshot) or 0, said.cell, ruleset(snapshot))
        if (line.kind, line.medium) == (said.verb, said.medium)
    )
    return Why((line.medium, line.spent), tuple(between(snapshot.view.board, line)))


def ruleset(snapshot: Shown) -> Ruleset:
    """Return what the table has agreed on."""
    return snapshot.view.ruleset


def describe(
    snapshot: Shown,
    chosen: Selection,
    marks: Marks,
    states: Mapping[int, tuple[int, str]],
    links: Mapping[int, Wire],
    cell: int,
    glyphs: Glyphs,
) -> Cell:
    """Return one cell as it is drawn."""
    edges = (
        (cell == chosen.cursor and snapshot.result is None, CURSOR),
        (cell in marks.why.pieces, CHOSEN),
        (cell in marks.why.crossed, TARGET),
        (marks.threatened >> cell & 1, THREAT),
        (marks.hit >> cell & 1, HIT),
        (marks.last >> cell & 1, LAST),
    )
    says = next((name for is_so, name in edges if is_so), NONE)
    edge, ground = (
        Edge(says, "last" if marks.last >> cell & 1 else ""),
        {CURSOR: "cursor", CHOSEN: "selected"}.get(says, ""),
    )
    wire = links.get(cell, NO_WIRE)
    if cell in states:
        seat, state = states[cell]
        text, style = _piece(seat, state, seat in out(snapshot), glyphs)
        if marks.threatened >> cell & 1:
            style = "danger"
        return Cell(text, ground or style, edge, wire, False, state == SHIELD)
    if cell in marks.why.crossed:
        text, style = CROSSED, "cell.target"
    elif marks.escapes >> cell & 1:
        text, style = ESCAPE, "cell.target"
    elif marks.reach >> cell & 1:
        text, style = REACH, "cell.reach"
    elif marks.safe >> cell & 1:
        text, style = SAFE, "cell.exit"
    else:
        text, style = glyphs.dot, "cell"
    return Cell(f"{text} ", ground or style, edge, wire)


NO_WIRE = Wire()


def _piece(seat: int, state: str, is_out: bool, glyphs: Glyphs) -> tuple[str, str]:
    """Return a piece's two columns and its style; what is dead begins with a sign that is nobody's letter."""
    if state in DEAD:
        return glyphs.dead[DEAD.index(state)] + MARKS[seat].lower(), "dim"
    style = "dim" if is_out else f"seat{seat}" if state == CUT else f"tile{seat}"
    return MARKS[seat] + SIGNS[state], style


@lru_cache(maxsize=256)
def _states(board: Board) -> Mapping[int, tuple[int, str]]:
    """Return seat and state of every occupied cell."""
    found: dict[int, tuple[int, str]] = {}
    dead = ((BROKEN, board.broken), (WEAPON, board.weapon), (BOMBER, board.bomber))
    for seat, side in enumerate(board.sides):
        live = ((SOURCE, side.source), (LINKED, side.linked), (CUT, side.cut), (SHIELD, side.shield))
        for state, cells in live + dead:
            found.update(dict.fromkeys(bits(cells & side.mark), (seat, state)))
    return found


def state_at(snapshot: Shown, cell: int) -> tuple[int, str] | None:
    """Return whose piece a cell holds and its state, None when it is empty."""
    return _states(snapshot.view.board).get(cell)
