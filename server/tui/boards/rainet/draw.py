"""The RaiNet grid as lines of text: the viewer's own side at the bottom, everything told by glyphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from game.rainet.board import ALL_EXITS, NORTH, SOUTH, SQUARES, START_SQUARES
from game.rainet.notation import public_text
from game.rainet.view import Card, View
from server.matches.model import SeenEvent, Snapshot
from server.tui.boards.rainet.pick import NORTH_SERVER, SERVER_OF, SETUP, Pick, side, targets, view_of
from server.tui.edges import ALERT, CHOSEN, CURSOR, LAST, NONE, TARGET, edge_between
from server.tui.lines import Line, Span, block, centre, plain
from server.tui.look import Look
from server.tui.memo import by_identity
from server.tui.theme import GLYPHS, Glyphs

LABEL_COLS = 3
SIZES = ((7, 3), (5, 1), (3, 1))  # columns and rows inside a cell, largest first
SIDE_COLS = 40  # what the side panel should have left before cells grow
WALL = ALERT  # what the edges of a cell can say, besides those words that all boards share


class Cell(NamedTuple):
    """One square as it is drawn: its text (three columns), its style, and what its edges say."""

    text: str
    style: str
    edge: int
    wall: bool = False


def cell_size(cols: int, rows: int, beside: int = 0) -> tuple[int, int]:
    """Return the largest cells that fit and leave `beside` columns for the side panel."""
    for width, height in SIZES[:-1]:
        if board_cols(width) + beside <= cols and board_rows(height) <= rows:
            return width, height
    return SIZES[-1]


def board_cols(width: int) -> int:
    """Return the columns a board of such cells takes, its rank labels included."""
    return LABEL_COLS + 8 * (width + 1) + 1


def board_rows(height: int) -> int:
    """Return the rows a board of such cells takes, its file letters included."""
    return 8 * (height + 1) + 1 + 1


def square_at(snapshot: Snapshot, col: int, row: int, cols: int, rows: int) -> int | None:
    """Return the square (or server) drawn at a place of the board's area."""
    width, height = cell_size(cols, rows)
    x, y = (col - LABEL_COLS) // (width + 1), row // (height + 1)
    bottom = side(snapshot)
    if row == 0 and x in (3, 4):
        return SERVER_OF[1 - bottom]
    if row % (height + 1) == 0 or not (0 <= x < 8 and 0 <= y < 8) or col < LABEL_COLS:
        return None
    return (7 - y) * 8 + x if bottom == SOUTH else y * 8 + (7 - x)


def draw(
    snapshot: Snapshot, pick: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
) -> list[Line]:
    """Draw the grid with its labels, exactly `rows` lines of `cols` columns."""
    width, height = cell_size(cols, rows)
    bottom, glyphs = side(snapshot), look.glyphs
    order = [[(7 - y) * 8 + x if bottom == SOUTH else y * 8 + 7 - x for x in range(8)] for y in range(8)]
    cells = describe(snapshot, pick, glyphs)
    marked = targets(snapshot, pick) if pick.mode != SETUP else frozenset()
    server = SERVER_OF[1 - bottom]
    state = CURSOR if pick.cursor == server else TARGET if server in marked else NONE
    lines = [_server_border(look, width, 0, state)]
    for y, squares in enumerate(order):
        row = tuple([cells[square] for square in squares])
        lines += _rank(row, squares[0] // 8 + 1, width, height, glyphs.name)
        if y < 7:
            walled = tuple([row[x].wall or cells[order[y + 1][x]].wall for x in range(8)])
            lines.append(_border(walled, width, glyphs.name))
    lines.append(_server_border(look, width, 6, NONE))
    files = "abcdefgh" if bottom == SOUTH else "hgfedcba"
    letters = "".join(" " + centre(file, width) for file in files)
    lines.append(plain(" " * LABEL_COLS + letters, "dim"))
    if len(lines) < rows:
        lines.append(_legend(look))
    return block(lines, cols, rows)


def _legend(look: Look) -> Line:
    glyphs = look.glyphs
    marks = ((glyphs.boosted, "boosted"), (glyphs.face_up, "face-up"), (glyphs.boosted_face_up, "both"))
    parts = [f"{glyph} {look.t(f'rainet.legend.{name}')}" for glyph, name in marks]
    return plain("   " + "  ".join(parts), "dim")


@lru_cache(maxsize=2048)
def _rank(row: tuple[Cell, ...], rank: int, width: int, height: int, glyph_set: str) -> list[Line]:
    glyphs = GLYPHS[glyph_set]
    lines: list[Line] = []
    for y in range(height):
        middle = y == height // 2
        spans: list[Span] = [("dim", f" {rank} " if middle else "   ")]
        for x, cell in enumerate(row):
            spans.append(_edge(row[x - 1] if x else None, cell, glyph_set))
            text = cell.text if middle else glyphs.wall * 3 if cell.wall and not cell.text.strip() else "   "
            spans.append(_span(cell.style, text, width))
        spans.append(_edge(row[-1], None, glyph_set))
        lines.append(tuple(spans))
    return lines


@lru_cache(maxsize=1024)
def _span(style: str, text: str, width: int) -> Span:
    """Return a cell's text across its width: one object wherever it stands, on all boards."""
    return (style, centre(text, width))


def _edge(left: Cell | None, right: Cell | None, glyph_set: str) -> Span:
    return _edge_of(left.edge if left is not None else NONE, right.edge if right is not None else NONE, glyph_set)


@lru_cache(maxsize=128)
def _edge_of(left: int, right: int, glyph_set: str) -> Span:
    glyphs = GLYPHS[glyph_set]
    return edge_between(left, right, glyphs, ("wall", glyphs.wall), ("grid", glyphs.vertical))


@lru_cache(maxsize=512)
def _border(walled: tuple[bool, ...], width: int, glyph_set: str) -> Line:
    """Return the line between two ranks; a walled square is walled on all sides."""
    glyphs = GLYPHS[glyph_set]
    spans: list[Span] = [("", " " * LABEL_COLS)]
    for x in range(8):
        spans.append(("grid", glyphs.cross[3] if x == 0 else glyphs.cross[4]))
        spans.append(("wall", glyphs.wall * width) if walled[x] else ("grid", glyphs.rule * width))
    return (*spans, ("grid", glyphs.cross[5]))


def _server_border(look: Look, width: int, corner: int, state: int) -> Line:
    """Return the top (corner 0) or bottom (6) line of the grid, with the server in its middle."""
    glyphs = look.glyphs
    outer, joint, last = glyphs.cross[corner : corner + 3]
    arm = glyphs.rule * width
    opening, closing = {CURSOR: ("[", "]"), TARGET: (">", "<")}.get(state, (joint, joint))
    style = {CURSOR: "cursor", TARGET: "target"}.get(state, "exit")
    label = centre(look.t("rainet.server"), 2 * width + 1)
    return (
        ("grid", " " * LABEL_COLS + outer + arm + joint + arm + joint + arm),
        ("mark" if state < NONE else "grid", opening),
        (style, label),
        ("mark" if state < NONE else "grid", closing),
        ("grid", arm + joint + arm + joint + arm + last),
    )


def describe(snapshot: Snapshot, pick: Pick, glyphs: Glyphs) -> list[Cell]:
    """Return all 64 squares as they are drawn."""
    view, bottom = view_of(snapshot), side(snapshot)
    cards = placed_cards(snapshot, pick)
    marked = targets(snapshot, pick) if snapshot.pending is not None else frozenset()
    walls = {square: seat for seat, square in enumerate(view.firewalls) if square >= 0}
    last = last_squares(view)
    cells: list[Cell] = []
    for square in range(64):
        card, wall = cards.get(square), walls.get(square)
        text, style = _content(square, card, wall, square in marked, bottom, glyphs)
        edge = NONE
        if square == pick.cursor:
            edge, style = CURSOR, "cursor"
        elif square in pick.chosen:
            edge, style = CHOSEN, "selected"
        elif square in marked and card is not None:
            edge = TARGET
        elif wall is not None:
            edge = WALL
        elif square in last:
            edge = LAST
        cells.append(Cell(text, style, edge, wall is not None))
    return cells


def _content(
    square: int, card: Card | None, wall: int | None, marked: bool, bottom: int, glyphs: Glyphs
) -> tuple[str, str]:
    if card is not None:
        return card_text(card, bottom, glyphs), f"seat{card.owner}"
    if marked:
        return f" {glyphs.dot} ", "target"
    if wall is not None:
        return glyphs.wall + owner_glyph(wall, bottom, glyphs) + glyphs.wall, "wall"
    if square in ALL_EXITS:
        return f" {glyphs.exit} ", "exit"
    return "   ", ""


def owner_glyph(owner: int, bottom: int, glyphs: Glyphs) -> str:
    """Return the mark of a side: it points where its cards march on this viewer's screen."""
    return glyphs.ours if owner == bottom else glyphs.theirs


def card_text(card: Card, bottom: int, glyphs: Glyphs) -> str:
    """Write a card in three columns: whose, what, and whether boosted or face up."""
    kind = {"link": "L", "virus": "V", None: glyphs.hidden}[card.kind]
    state = " "
    if card.face_up:
        state = glyphs.boosted_face_up if card.boosted else glyphs.face_up
    elif card.boosted:
        state = glyphs.boosted
    return owner_glyph(card.owner, bottom, glyphs) + kind + state


@by_identity(1024)
def cards_on(view: View) -> Mapping[int, Card]:
    """Return the cards on the grid by square."""
    found = ((square, view.card_at(square)) for square, code in enumerate(view.board) if code)
    return {square: card for square, card in found if card is not None}


def placed_cards(snapshot: Snapshot, pick: Pick) -> Mapping[int, Card]:
    """Return the cards on the grid; while the sides set up, one's own as they are placed, the other's hidden."""
    view = view_of(snapshot)
    if not view.is_setup:
        return cards_on(view)
    cards: dict[int, Card] = {}
    for seat in (SOUTH, NORTH):
        known = view.setups[seat] or ""
        letters = pick.placed if pick.mode == SETUP and seat == side(snapshot) else known
        for i, square in enumerate(START_SQUARES[seat]):
            kind = {"L": "link", "V": "virus"}.get(letters[i : i + 1]) if len(letters) == 8 else None
            cards[square] = Card(seat, kind, False, False)
    return cards


@by_identity(1024)
def last_squares(view: View) -> frozenset[int]:
    """Return the squares of the last action, as far as this viewer knows it."""
    if view.is_setup or not view.log:
        return frozenset()
    text = public_text(view.log[-1]).split(":")[0]
    names = [text[i : i + 2] for i in range(len(text) - 1)]
    return frozenset(SQUARES[name] for name in names if name in SQUARES)


def server_name(place: int) -> str:
    """Return the message key of a server centre."""
    return "rainet.square.north-server" if place == NORTH_SERVER else "rainet.square.south-server"
