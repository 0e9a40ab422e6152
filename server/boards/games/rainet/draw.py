"""The RaiNet grid as lines of text: the viewer's own side at the bottom, cards as tiles, everything told by glyphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from game.rainet.board import ALL_EXITS, SOUTH
from game.rainet.view import Card
from server.boards.games.rainet.position import entered_server, last_squares, placed_cards, threatened_exits
from server.boards.games.rainet.selection import NOBODY, SERVER_OF, SETUP, Selection, Shown, nearest, targets
from server.matches.model import SeenEvent
from server.terminal.edges import (
    ALERT,
    CHOSEN,
    CURSOR,
    LAST,
    NONE,
    PLAIN,
    TARGET,
    WALL,
    Edge,
    edge_between,
    side_between,
    strongest,
)
from server.terminal.glyphs import Glyphs
from server.terminal.lines import Line, Span, block, centre, columns, fit, plain, text_of, width_cols
from server.terminal.look import Look
from server.terminal.memo import PerObjectCache
from server.terminal.theme import MONO

LABEL_COLS = 3
LEAST_ROWS = 16  # with lines between ranks: the last line and the letters may be missing
PANEL_COLS = 40  # what the panel should have left before cells grow
BESIDE_COLS = 12  # with fewer beside it, a panel stands below the board where that has room
LEGEND_ROWS, BELOW_ROWS = 1, 6
LETTERS = {"link": "L", "virus": "V"}
LEFT = "cell.last"  # the ground of a square that a card has just left


class Size(NamedTuple):
    """Columns and rows inside a cell, and lines between ranks: without them all eight have room in half the rows."""

    width: int
    height: int
    gap: int = 1


SIZES = (Size(11, 5), Size(9, 4), Size(7, 3), Size(5, 2), Size(3, 1))  # largest first: all nearly square
LEAST = Size(3, 1, gap=0)


class Square(NamedTuple):
    """One square as it is drawn: its ground, the card on it or what else stands there, and what its edges say."""

    ground: str
    mark: str = ""  # whose card; of a firewall its owner's style
    kind: str = ""  # "link", "virus" or "hidden"; empty: no card
    state: str = " "
    text: str = ""
    edge: Edge = PLAIN
    wall: bool = False


_square = lru_cache(maxsize=4096)(Square)  # a board in memory holds 64, and all boards have the same few


def cell_size(cols: int, rows: int, beside: int = 0) -> Size:
    """Return the largest cells that fit and leave `beside` columns for the side panel."""
    for size in SIZES[:-1]:
        if board_cols(size.width) + beside <= cols and board_rows(size.height) <= rows:
            return size
    return SIZES[-1] if rows >= LEAST_ROWS else LEAST


def board_cols(width: int) -> int:
    """Return the columns a board of such cells takes, its rank labels included."""
    return LABEL_COLS + 8 * (width + 1) + 1


def board_rows(height: int, gap: int = 1) -> int:
    """Return the rows a board of such cells takes, its file letters included."""
    return 8 * (height + gap) + gap + 1


def square_at(snapshot: Shown, cols: int, rows: int, col: int, row: int) -> int | None:
    """Return the square (or server) drawn at a place of the board's area."""
    width, height, gap = cell_size(cols, rows)
    x, y = (col - LABEL_COLS) // (width + 1), row // (height + gap)
    bottom = nearest(snapshot)
    if gap and row == 0 and x in (3, 4):
        return SERVER_OF[1 - bottom]
    if (gap and row % (height + gap) == 0) or not (0 <= x < 8 and 0 <= y < 8) or col < LABEL_COLS:
        return None
    return (7 - y) * 8 + x if bottom == SOUTH else y * 8 + (7 - x)


class Still(NamedTuple):
    """A board without its cursor: the squares in the order of the screen, the states of both servers, the lines.

    `files`: the letters that stand in its uppermost line, where they have none of their own.
    """

    cells: tuple[tuple[Square, ...], ...]
    servers: tuple[int, int]
    files: str
    lines: tuple[Line, ...]


_STILLS: Final = PerObjectCache[Still](512)  # by snapshot: a cursor changes few of its lines


def draw(
    snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
) -> list[Line]:
    """Draw the grid with its labels, exactly `rows` lines of `cols` columns."""
    still_chosen = replace(chosen, cursor=NOBODY)
    cells, servers, files, drawn = _STILLS.get(
        snapshot, (still_chosen, look, cols, rows), lambda: _still(snapshot, still_chosen, look, cols, rows)
    )
    lines, size, bottom = list(drawn), cell_size(cols, rows), nearest(snapshot)
    changed: list[tuple[int, Line]] = []
    if size.gap and chosen.cursor == SERVER_OF[1 - bottom]:
        changed = [(0, _border_at(0, cells, (CURSOR, servers[1]), size, look, files))]
    elif 0 <= chosen.cursor < 64 and snapshot.result is None:  # where nothing can be done, it points at nothing
        rank, x = chosen.cursor // 8, chosen.cursor % 8
        y, x = (7 - rank, x) if bottom == SOUTH else (rank, 7 - x)
        row = (*cells[y][:x], _under_cursor(cells[y][x]), *cells[y][x + 1 :])
        cells = (*cells[:y], row, *cells[y + 1 :])
        top = y * (size.height + size.gap)
        inside = enumerate(_rank(row, rank + 1, size, look), top + size.gap)
        borders = ((top, y), (top + size.height + size.gap, y + 1)) if size.gap else ()
        changed = [*inside, *((at, _border_at(below, cells, servers, size, look, files)) for at, below in borders)]
    for at, line in changed:
        if at < rows:
            lines[at] = line if cols == board_cols(size.width) else fit(line, cols)
    return lines


def _still(snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int) -> Still:
    """Draw the board without a cursor."""
    size, bottom = cell_size(cols, rows), nearest(snapshot)
    order = [[(7 - y) * 8 + x if bottom == SOUTH else y * 8 + 7 - x for x in range(8)] for y in range(8)]
    described = describe(snapshot, chosen, look)
    cells = tuple([tuple([described[square] for square in squares]) for squares in order])
    marked = targets(snapshot, chosen) if chosen.mode != SETUP else frozenset()
    server = SERVER_OF[1 - bottom]
    entered = entered_server(snapshot.view)
    behind, before = (LAST if entered == place else NONE for place in (server, SERVER_OF[bottom]))
    servers = (TARGET if server in marked else behind, before)
    files = "abcdefgh" if bottom == SOUTH else "hgfedcba"
    has_letters = rows >= board_rows(size.height, size.gap)  # in a line of their own
    top = "" if has_letters else files
    lines = []
    for y, squares in enumerate(order):
        lines += [_border_at(y, cells, servers, size, look, top)] * size.gap
        lines += _rank(cells[y], squares[0] // 8 + 1, size, look)
    lines += [_border_at(8, cells, servers, size, look, top)] * size.gap
    if has_letters:
        letters = "".join(" " + centre(file, size.width) for file in files)
        lines.append(plain(" " * LABEL_COLS + letters, "dim"))
    if len(lines) < rows:
        lines.append(_legend(look, cols))
    return Still(cells, servers, top, tuple(block(lines, cols, rows)))


def _border_at(
    y: int,
    cells: tuple[tuple[Square, ...], ...],
    servers: tuple[int, int],
    size: Size,
    look: Look,
    files: str,
) -> Line:
    """Return the line above a row of squares, of the screen's eight; 8: below the last. The first has the `files`.

    Of low squares the last move is marked at their sides alone: calmer, and less to send at each move.
    """
    pairs = zip(cells[max(y - 1, 0)], cells[min(y, 7)], strict=True)
    edges = tuple([strongest(above.edge, below.edge) for above, below in pairs])
    if size.height == 1:
        edges = tuple([PLAIN if edge.says == LAST else edge for edge in edges])
    if y in (0, 8):
        return _server_border(look, size.width, servers[min(y, 1)], edges, y == 0, files if y == 0 else "")
    return _border(edges, size, look)


def _under_cursor(cell: Square) -> Square:
    """Return a square as it is drawn with the cursor on it."""
    return cell._replace(ground="cursor", mark=cell.mark if cell.kind else "", edge=Edge(CURSOR, cell.edge.style))


def _legend(look: Look, cols: int) -> Line:
    """Explain the signs, as many as fit whole."""
    glyphs = look.glyphs
    marks = (
        ("dim", glyphs.exit, "exit-short"),
        ("dim", glyphs.boosted, "boosted"),
        ("dim", glyphs.face_up, "face-up"),
        ("dim", glyphs.boosted_face_up, "both"),
        ("danger", f" {glyphs.exit}! ", "threatened"),
    )
    line: Line = (("", " " * LABEL_COLS),)
    for style, glyph, name in marks:
        gap: Line = (("", "  "),) if len(line) > 1 else ()
        longer = (*line, *gap, (style, glyph), ("dim", f" {look.t(f'rainet.legend.{name}')}"))
        line = longer if width_cols(longer) <= cols else line
    return line


@lru_cache(maxsize=2048)
def _rank(row: tuple[Square, ...], rank: int, size: Size, look: Look) -> list[Line]:
    """Draw the squares of a rank with the edges between them."""
    width, height, _ = size
    tiles = [_tile(cell, width, height, look) for cell in row]
    edges = [_edge(left, right, size, look) for left, right in zip((None, *row), (*row, None), strict=True)]
    lines: list[Line] = []
    for y in range(height):
        spans: list[Span] = [("dim", f" {rank} " if y == height // 2 else "   "), edges[0]]
        for tile, edge in zip(tiles, edges[1:], strict=True):
            spans += tile[y]
            spans.append(edge)
        lines.append(tuple(spans))
    return lines


def _tile(cell: Square, width: int, height: int, look: Look) -> tuple[Line, ...]:
    """Draw the inside of a square: `height` lines of `width` columns."""
    if not cell.kind:
        return _place(cell, width, height, look)
    if height == 1:
        letter = LETTERS.get(cell.kind, look.glyphs.hidden)
        chip = cell.kind if cell.kind in LETTERS else cell.ground
        left = (width - 3) // 2
        card = (
            (cell.ground, " " * left + cell.mark),
            (chip, letter),
            (cell.ground, cell.state + " " * (width - left - 3)),
        )
        return (card,)
    head: Line = ((cell.ground, cell.mark + " " * (width - 2) + cell.state),)
    below = [_inner(cell, y, width, height, look) for y in range(1, height)]
    return (head, *below)


def _inner(cell: Square, y: int, width: int, height: int, look: Look) -> Line:
    """Draw a line of a card below its first: a hatched back, or what it is on the ground of its kind."""
    ground, is_foot = cell.ground, height > 2 and y == height - 1
    inner = width - 2
    if is_foot:
        return ((ground, centre(_state_words(cell, width, look), width)),)
    if cell.kind not in LETTERS:
        return ((ground, " " + look.glyphs.hidden * inner + " "),)
    word = look.t(f"rainet.tile.{cell.kind}")
    word = word if columns(word) <= inner else LETTERS[cell.kind]
    text = centre(word if y == height // 2 else "", inner)
    return ((ground, " "), (cell.kind, text), (ground, " "))


def _state_words(cell: Square, width: int, look: Look) -> str:
    """Say what the sign in a card's corner means, where that fits whole."""
    glyphs = look.glyphs
    names = {glyphs.boosted: "boosted", glyphs.face_up: "face-up", glyphs.boosted_face_up: "both"}
    name = names.get(cell.state)
    said = look.t(f"rainet.legend.{name}") if name is not None and width >= SIZES[1][0] else ""
    return said if columns(said) <= width else ""


def _place(cell: Square, width: int, height: int, look: Look) -> tuple[Line, ...]:
    """Draw a square without a card: empty, an exit, a firewall."""
    fill = look.glyphs.wall if cell.wall else " "
    blank: Line = ((cell.ground, fill * width),)
    left = (width - columns(cell.text)) // 2
    spans = (
        (cell.ground, fill * left),
        (cell.mark or cell.ground, cell.text),
        (cell.ground, fill * (width - left - columns(cell.text))),
    )
    middle = tuple([span for span in spans if span[1]])
    if not cell.mark:
        middle = ((cell.ground, text_of(middle)),)
    return tuple([middle if y == height // 2 else blank for y in range(height)])


def _edge(left: Square | None, right: Square | None, size: Size, look: Look) -> Span:
    on_left, on_right = (cell.edge if cell is not None else PLAIN for cell in (left, right))
    glyphs = look.glyphs
    if size.height > 1 and glyphs.name != "ascii" and strongest(on_left, on_right).says != NONE:
        return side_between(on_left, on_right, glyphs, upright=True)
    plain_edge = " " if size.gap else glyphs.dot  # where no line has corners
    return edge_between(on_left, on_right, glyphs, ("bad", "!"), ("grid", plain_edge), ("wall", glyphs.wall))


@lru_cache(maxsize=1024)
def _border(edges: tuple[Edge, ...], size: Size, look: Look) -> Line:
    """Return the line between two ranks: the corners, and what the squares say with their edges."""
    left, inner, right = _corners(1, look)
    spans: list[Span] = [("", " " * LABEL_COLS)]
    for x, edge in enumerate(edges):
        spans += [("grid", inner if x else left), _side(edge, size.width, look)]
    return (*spans, ("grid", right))


def _corners(at: int, look: Look) -> Sequence[str]:
    """Return the corners of squares in the first line (0) of a board, between ranks (1) and in the last line (2).

    The left one, those within, the right one: dots, but where no tint shows the squares.
    """
    return look.glyphs.cross[3 * at : 3 * at + 3] if look.palette == MONO else look.glyphs.dot * 3


@lru_cache(maxsize=1024)
def _server_border(look: Look, width: int, state: int, edges: tuple[Edge, ...], is_first: bool, files: str) -> Line:
    """Return the first or last line of the grid, with a server in its middle.

    `edges`: what the squares beside it say. Where the letters of `files` stand in it, its name is short.
    """
    glyphs = look.glyphs
    left, joint, right = _corners(0 if is_first else 2, look)
    opening, closing = {CURSOR: ("[", "]"), TARGET: (">", "<")}.get(state, (joint, joint))
    mark: str = "mark" if state < LAST else "grid"
    spans: list[Span] = [("grid", " " * LABEL_COLS + left)]
    for x in (0, 1, 2):
        spans += [_side(edges[x], width, look, files[x : x + 1]), ("grid", joint) if x < 2 else (mark, opening)]
    word, room = look.t("rainet.server"), 2 * width + 1
    roomy = f"{glyphs.dot} {word} {glyphs.dot}"
    if files:
        word = f"{files[3]}{centre(look.t('rainet.server-short'), room - 2)}{files[4]}"
    elif state == TARGET:  # marked as any other place that a card may go to
        word = roomy if columns(roomy) <= room else f"{glyphs.dot}{word}"
    label = centre(word, room)
    spans += [({CURSOR: "cursor", TARGET: "target", LAST: "last"}.get(state, "exit"), label), (mark, closing)]
    for x in (5, 6, 7):
        spans += [_side(edges[x], width, look, files[x : x + 1]), ("grid", joint if x < 7 else right)]
    return tuple(spans)


def _side(edge: Edge, width: int, look: Look, letter: str = "") -> Span:
    """Return the side of a square along a line between ranks, with a letter in its middle, if it has one."""
    plain_side = ("dim" if letter else "grid", " ")
    style, sign = plain_side if edge.says == NONE else side_between(edge, PLAIN, look.glyphs, upright=False)
    before = (width - 1) // 2
    return (style, sign * before + (letter or sign) + sign * (width - before - 1))


def describe(snapshot: Shown, chosen: Selection, look: Look) -> list[Square]:
    """Return all 64 squares as they are drawn without a cursor."""
    view, bottom, glyphs = snapshot.view, nearest(snapshot), look.glyphs
    cards = placed_cards(snapshot, chosen)
    marked = targets(snapshot, chosen) if snapshot.pending is not None else frozenset()
    walls = {square: tuple(s for s in (0, 1) if view.firewalls[s] == square) for square in view.firewalls}
    last = last_squares(view)
    threatened = threatened_exits(view) if snapshot.agreement.warnings else frozenset[int]()
    cells: list[Square] = []
    for square in range(64):
        card, wall = cards.get(square), walls.get(square, ())
        says = NONE
        if square in chosen.squares:
            says = CHOSEN
        elif square in marked and card is not None:
            says = TARGET
        elif wall:
            says = WALL
        elif square in threatened:
            says = ALERT
        elif square in last:
            says = LAST
        style = "" if square not in last else LEFT if card is None and not wall else "last"
        edge, ground = Edge(says, style), "selected" if says == CHOSEN else ""
        if card is not None:
            kind = card.kind or "hidden"
            mark, state = owner_glyph(card.owner, bottom, glyphs), state_sign(card, glyphs)
            cells.append(_square(ground or f"tile{look.hue(card.owner)}", mark, kind, state, "", edge, bool(wall)))
            continue
        text, plain_ground = _content(square, wall, square in marked, square in threatened, bottom, glyphs)
        if plain_ground == "cell" and square in last:
            plain_ground = LEFT
        owner = f"tile{look.hue(wall[0])}" if len(wall) == 1 and not ground else ""
        cells.append(_square(ground or plain_ground, owner, text=text, edge=edge, wall=bool(wall)))
    return cells


def _content(
    square: int, walls: tuple[int, ...], marked: bool, threatened: bool, bottom: int, glyphs: Glyphs
) -> tuple[str, str]:
    """Return what stands on a square without a card, and its ground."""
    if marked:
        return glyphs.dot, "cell.target"
    if walls:
        owners = [glyphs.wall_owners[wall != bottom] for wall in walls]
        return glyphs.wall.join(owners if len(owners) > 1 else ("", *owners, "")), "wall"
    if square in ALL_EXITS:
        return (f"{glyphs.exit}!", "danger") if threatened else (glyphs.exit, "cell.exit")
    return "", "cell"


def state_sign(card: Card, glyphs: Glyphs) -> str:
    """Return the sign of a card that is boosted or face up."""
    if card.face_up:
        return glyphs.boosted_face_up if card.boosted else glyphs.face_up
    return glyphs.boosted if card.boosted else " "


def owner_glyph(owner: int, bottom: int, glyphs: Glyphs) -> str:
    """Return the mark of a side: it points where its cards march on this viewer's screen."""
    return glyphs.ours if owner == bottom else glyphs.theirs
