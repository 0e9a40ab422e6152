"""The Relati board as lines of text: tiles joined by their links, a legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from game.relati.geometry import bits
from game.relati.state import MARKS, Board
from server.boards.games.relati.marks import Marks, marked, why
from server.boards.games.relati.selection import NOBODY, Selection, Shown, grid_of, out
from server.boards.games.relati.viewport import LABEL_COLS, Viewport, viewport
from server.boards.games.relati.wires import Wire, wires
from server.matches.model import SeenEvent
from server.terminal.edges import ALERT, CHOSEN, CURSOR, LAST, NONE, PLAIN, TARGET, WALL, Edge, edge_between
from server.terminal.glyphs import Glyphs
from server.terminal.lines import Line, Span, block, clip, fit, packed, plain
from server.terminal.look import Look
from server.terminal.memo import PerObjectCache

THREAT, HIT = WALL, ALERT  # what the edges of a cell mean on this board
SOURCE, LINKED, CUT, SHIELD, BROKEN, WEAPON, BOMBER = "source", "linked", "cut", "shield", "broken", "weapon", "bomber"
DEAD = (BROKEN, WEAPON, BOMBER)
AREAS = ("cell.reach", "cell.exit")  # styles whose neighbouring cells are drawn without a gap
SIGNS = {SOURCE: "*", LINKED: " ", CUT: "/", SHIELD: "#"}
REACH = "+"  # an empty cell that can be connected
ESCAPE = "e"  # an empty cell that the source could escape to, while that is asked
CROSSED = "~"  # an empty cell on the way to where the action comes from
SAFE = ":"  # an empty cell in a rectangle of shields
NO_WIRE = Wire()
SHAPED_COLS = 3  # inside a cell: from here on a source and a shield have a shape
ROOMY_COLS = 4  # inside a cell: from here on a link and a sign stand apart


class Cell(NamedTuple):
    """One cell as it is drawn: mark and state (two columns), style, what its edges say, and the links that cross it."""

    text: str
    style: str
    edge: Edge = PLAIN
    wire: Wire = Wire()
    is_empty: bool = True
    shape: str = ""  # SOURCE or SHIELD, which are drawn where there is room


class Still(NamedTuple):
    """A board drawn without its cursor: what is marked, pieces and links by cell, the cells by row, and the lines."""

    marks: Marks
    states: Mapping[int, tuple[int, str]]
    links: Mapping[int, Wire]
    cells: tuple[tuple[Cell, ...], ...]
    lines: tuple[Line, ...]


_STILLS: Final = PerObjectCache[Still](512)  # by snapshot: a cursor changes few of its lines


def draw(
    snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
) -> list[Line]:
    """Draw the board with its labels, exactly `rows` lines of `cols` columns."""
    shown, grid = viewport(snapshot, chosen, cols, rows), grid_of(snapshot)
    still_chosen = Selection(NOBODY, chosen.mode, flees=chosen.flees)
    still = _STILLS.get(
        snapshot,
        (still_chosen, shown, look, cols, rows, len(events)),
        lambda: _still(snapshot, still_chosen, shown, look, (cols, rows), events),
    )
    marks = replace(still.marks, why=why(snapshot, chosen))
    changed: dict[int, list[Cell]] = {}
    for cell in {chosen.cursor, *marks.why.pieces, *marks.why.crossed} - {NOBODY}:
        x, y = grid.xy(cell)
        x, y = x - shown.left, y - shown.top
        if 0 <= x < shown.cols and 0 <= y < shown.rows:
            row = changed.setdefault(y, list(still.cells[y]))
            row[x] = describe(snapshot, chosen, marks, still.states, still.links, cell, look)
    lines, height = list(still.lines), shown.size[1]
    left, above = shown.margin
    last = above + 1 + shown.rows * height - (height > 1)
    for y, row in changed.items():
        for at, line in enumerate(_row(tuple(row), shown.top + y + 1, shown.size, look), above + 1 + y * height):
            if at < min(last, rows):
                lines[at] = fit((("", " " * left), *line), cols)
    return lines


def _still(
    snapshot: Shown, chosen: Selection, shown: Viewport, look: Look, area: tuple[int, int], events: Sequence[SeenEvent]
) -> Still:
    """Draw the board without a cursor."""
    (cols, rows), grid, width = area, grid_of(snapshot), shown.size[0]
    before = " " * _middle(width)
    after = " " * (width - len(before) - 1)
    letters = "".join(f"{before}{grid.names[grid.cell(shown.left + x, 0)][0]}{after}" for x in range(shown.cols))
    lines: list[Line] = [(("key", _beyond(shown, grid.size)), ("dim", letters), ("key", _right_of(shown, grid.size)))]
    marks, board = marked(snapshot, chosen, events), snapshot.view.board
    states, links = _states(board), wires(board)
    places = [[grid.cell(shown.left + x, shown.top + y) for x in range(shown.cols)] for y in range(shown.rows)]
    cells = tuple(
        [tuple([_one_of(describe(snapshot, chosen, marks, states, links, at, look)) for at in row]) for row in places]
    )
    for y, row in enumerate(cells, shown.top + 1):
        lines += _row(row, y, shown.size, look)
    if shown.size[1] > 1:
        lines.pop()
    left, top = shown.margin
    wide = cols - left
    legend = [*_out_of_sight(snapshot, shown, look, wide), *_legend(look, wide, chosen.flees, width - 1 == SHAPED_COLS)]
    apart: list[Line] = [()] if shown.size[1] > 1 and len(lines) + len(legend) < rows else []
    placed = [(("", " " * left), *line) for line in (*lines, *apart, *legend)]
    return Still(marks, states, links, cells, tuple(block([*[()] * top, *placed], cols, rows)))


@lru_cache(maxsize=2048)
def _one_of(cell: Cell) -> Cell:
    """Return one object for all equal cells: most of a board's are equal, and many boards are cached."""
    return cell


def _middle(width: int) -> int:
    """Return the column of a cell's mark."""
    return 1 + (width - 2) // 2


def _out_of_sight(snapshot: Shown, shown: Viewport, look: Look, cols: int) -> list[Line]:
    """Say which columns and rows of a large board don't show, and how many pieces stand there."""
    grid, last = grid_of(snapshot), grid_of(snapshot).size - 1
    spans = (
        *_beside(shown.left, shown.left + shown.cols - 1, last, lambda x: grid.names[grid.cell(x, 0)][0]),
        *_beside(shown.top, shown.top + shown.rows - 1, last, lambda y: str(y + 1)),
    )
    if not spans:
        return []
    hidden = sum(
        not (0 <= x - shown.left < shown.cols and 0 <= y - shown.top < shown.rows)
        for x, y in map(grid.xy, bits(snapshot.view.board.occupied))
    )
    said = look.t("relati.out-of-sight", places=look.t("list.comma").join(spans), n=hidden)
    return [plain(clip(" " * LABEL_COLS + said, cols), "accent")]


def _beside(first: int, end: int, last: int, name: Callable[[int], str]) -> list[str]:
    """Name the ranges before and after what shows."""
    ranges = ((0, first - 1), (end + 1, last))
    return [name(a) if a == b else f"{name(a)}-{name(b)}" for a, b in ranges if a <= b]


def _beyond(shown: Viewport, size: int) -> str:
    """Return pointers to where the board goes on above, below and at the left of what is shown."""
    marks = ((shown.top > 0, "^"), (shown.top + shown.rows < size, "v"), (shown.left > 0, "<"))
    return "".join(mark if is_so else " " for is_so, mark in marks)


def _right_of(shown: Viewport, size: int) -> str:
    return ">" if shown.left + shown.cols < size else " "


def _legend(look: Look, cols: int, flees: bool, has_shapes: bool) -> list[Line]:
    """Explain every sign, none cut off. `has_shapes`: shapes stand in the place of signs."""
    glyphs, t = look.glyphs, look.t
    signs = {**SIGNS, **({SOURCE: " ".join(glyphs.tips), SHIELD: " ".join(glyphs.walls)} if has_shapes else {})}
    live = [f"{sign} {t(f'relati.legend.{name}')}" for name, sign in signs.items() if sign.strip()]
    dead = [f"{sign} {t(f'relati.legend.{name}')}" for name, sign in zip(DEAD, glyphs.dead, strict=True)]
    extra = [
        f"{ESCAPE} {t('relati.legend.escape')}" if flees else f"{REACH} {t('relati.legend.reach')}",
        f"{CROSSED} {t('relati.legend.crossed-short')}",
        f"{glyphs.hit} {t('relati.legend.hit')}",
        f"{SAFE} {t('relati.legend.safe')}",
    ]
    return packed([*live, *extra, *dead], cols, "dim", LABEL_COLS)


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
            spans.append(_gap(before, cell, edge, y == middle, height == 1, look))
            spans += _inside(cell, y, width - 1, tall, middle, look)
            before = cell
        lines.append((*spans, edges[-1]))
    if height > 1:
        lines.append((("", "   "), *[span for cell in cells for span in _below(cell, width, look)], ("", " ")))
    return lines


def _edge(left: Cell | None, right: Cell | None, glyphs: Glyphs) -> Span:
    on_left, on_right = (cell.edge if cell is not None else PLAIN for cell in (left, right))
    return edge_between(on_left, on_right, glyphs, ("bad", glyphs.hit), ("", " "), ("bad", "!"))


def _gap(before: Cell | None, cell: Cell, edge: Span, is_middle: bool, is_dense: bool, look: Look) -> Span:
    """Draw what is left of a cell: what the edge says, a link from the cell before, or an area that goes on."""
    if edge[1] != " ":
        return edge
    if is_middle and cell.wire.west:
        seat, is_cut = cell.wire.west
        return (f"seat{look.hue(seat)}", look.glyphs.wires(is_cut)[0])
    goes_on = is_dense and before is not None and before.style == cell.style and cell.style in AREAS
    return (cell.style, " ") if goes_on else edge


def _inside(cell: Cell, y: int, width: int, tall: int, middle: int, look: Look) -> Line:
    """Draw a line of a cell: `width` columns of its tile, or the links that cross an empty one."""
    before = (width - 1) // 2
    if cell.is_empty and cell.wire.inner:
        return _crossed(cell, y, width, tall, middle, look)
    if y != middle:
        text = " " * width
    else:
        text = " " * before + cell.text + " " * max(0, width - before - 2)
    if cell.shape and width >= SHAPED_COLS:
        return _shaped(cell, text, y, tall, look.glyphs)
    return (("dim" if tall == 1 and width < 3 and cell.style == "cell" else cell.style, text),)


def _shaped(cell: Cell, text: str, y: int, tall: int, glyphs: Glyphs) -> Line:
    """Draw a line of a shield, which has walls, or of a source, which is pointed, or round where it has more rows."""
    if cell.shape == SHIELD:
        return ((cell.style, f"{glyphs.walls[0]}{text[1:-1]}{glyphs.walls[1]}"),)
    ends = glyphs.tips if tall == 1 else glyphs.rounded[:2] if y == 0 else glyphs.rounded[2:]
    is_end = tall == 1 or (y in (0, tall - 1) and cell.style.startswith("tile"))
    if not is_end:
        return ((cell.style, text),)
    style = cell.style.replace("tile", "seat")  # on no ground: the ends are what is left of it
    return ((style, ends[0]), (cell.style, text[1:-1]), (style, ends[1]))


def _crossed(cell: Cell, y: int, width: int, tall: int, middle: int, look: Look) -> Line:
    """Draw the links across an empty cell, on its ground: from a side to its middle, or slanting across it."""
    glyphs, (seat, is_cut, _), sides = look.glyphs, cell.wire.inner[0], {side for _, _, side in cell.wire.inner}
    hue = look.hue(seat)
    across, upright = glyphs.wires(is_cut)[0], glyphs.wires(is_cut)[1]
    before = (width - 1) // 2
    row = list(_slants(width, tall, "".join(sorted(sides & {"a", "b"})), is_cut, glyphs)[y])
    if y == middle and not sides <= {"a", "b"}:
        row[:before] = [across] * before if "w" in sides else row[:before]
        row[before + 1 :] = [across] * (width - before - 1) if "e" in sides else row[before + 1 :]
        row[before] = glyphs.joint("".join(side for side in "nesw" if side in sides), is_cut)
    elif ("n" if y < middle else "s") in sides:
        row[before] = upright
    if y == middle and cell.text[0] in (REACH, CROSSED, ESCAPE):
        is_small = cell.text[0] == REACH and 1 < width < ROOMY_COLS  # there the sign leaves the link its column
        row[before + 1 if is_small and row[before] not in (" ", REACH) else before] = cell.text[0]
    style = {"cell": f"wire{hue}", "cell.reach": f"reach{hue}"}.get(cell.style, cell.style)
    return ((f"seat{hue}" if tall == 1 and width < 3 and style.startswith("wire") else style, "".join(row)),)


def _slants(width: int, tall: int, sides: str, is_cut: bool, glyphs: Glyphs) -> tuple[str, ...]:
    """Draw the links that slant across a cell of so many columns and rows: as steep as at the corners between cells.

    `sides`: "a" from above left to below right, "b" the other way.
    """
    rows = [[" "] * width for _ in range(tall)]
    for y, row in enumerate(rows):
        at = round((y + 0.5) / tall * width - 0.5)
        for side in sides:
            row[at if side == "a" else width - 1 - at] = glyphs.wires(is_cut)[2 if side == "a" else 3]
    return tuple("".join(row) for row in rows)


def _below(cell: Cell, width: int, look: Look) -> Line:
    """Draw what is between a cell and the one below it: links straight down, and slanting ones at the corner."""
    glyphs, before, wire = look.glyphs, (width - 2) // 2, cell.wire
    spans: list[Span] = [("", " ")]
    if wire.corner:
        seat, is_cut, slant = wire.corner[0]
        crosses = len({one[2] for one in wire.corner}) > 1
        spans = [(f"seat{look.hue(seat)}", glyphs.wires(is_cut)[4 if crosses else 2 if slant == "a" else 3])]
    if wire.south:
        seat, is_cut = wire.south
        after = width - 2 - before
        return (*spans, ("", " " * before), (f"seat{look.hue(seat)}", glyphs.wires(is_cut)[1]), ("", " " * after))
    return (*spans, ("", " " * (width - 1)))


def describe(
    snapshot: Shown,
    chosen: Selection,
    marks: Marks,
    states: Mapping[int, tuple[int, str]],
    links: Mapping[int, Wire],
    cell: int,
    look: Look,
) -> Cell:
    """Return one cell as it is drawn; `states` and `links` are those of the board (`Still`)."""
    edges = (
        (cell == chosen.cursor and snapshot.result is None, CURSOR),
        (cell in marks.why.pieces, CHOSEN),
        (cell in marks.why.crossed, TARGET),
        (marks.threatened >> cell & 1, THREAT),
        (marks.hit >> cell & 1, HIT),
        (marks.last >> cell & 1, LAST),
    )
    says = next((name for is_so, name in edges if is_so), NONE)
    edge = Edge(says, "last" if marks.last >> cell & 1 else "")
    ground = {CURSOR: "cursor", CHOSEN: "selected"}.get(says, "")
    wire = links.get(cell, NO_WIRE)
    if cell in states:
        seat, state = states[cell]
        text, style = _piece(seat, state, seat in out(snapshot), look)
        if marks.threatened >> cell & 1:
            style = "danger"
        return Cell(text, ground or style, edge, wire, False, state if state in (SOURCE, SHIELD) else "")
    if cell in marks.why.crossed:
        text, style = CROSSED, "cell.target"
    elif marks.escapes >> cell & 1:
        text, style = ESCAPE, "cell.target"
    elif marks.reach >> cell & 1:
        text, style = REACH, "cell.reach"
    elif marks.safe >> cell & 1:
        text, style = SAFE, "cell.exit"
    else:
        text, style = look.glyphs.dot, "cell"
    return Cell(f"{text} ", ground or style, edge, wire)


def _piece(seat: int, state: str, is_out: bool, look: Look) -> tuple[str, str]:
    """Return a piece's two columns and its style; a dead one begins with a sign that is no player's mark."""
    if state in DEAD:
        return look.glyphs.dead[DEAD.index(state)] + MARKS[seat].lower(), "dim"
    hue = look.hue(seat)
    style = "dim" if is_out else f"seat{hue}" if state == CUT else f"tile{hue}"
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
