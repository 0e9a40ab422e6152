"""The part of a Relati board that is shown: how large its cells are, and what stands at a place of the screen."""

from __future__ import annotations

from dataclasses import dataclass

from server.boards.games.relati.selection import NOBODY, Selection, Shown, grid_of, spoken

LABEL_COLS = 3  # columns of the row numbers
# Columns and rows of a cell with the gap beside it, largest first; the last are flat, for boards of many rows.
SIZES = (*((2 * rows, rows) for rows in range(10, 2, -1)), (8, 2), (4, 2), (3, 1))
LEAST = SIZES[-1]
PANEL_COLS = 28  # columns that the side panel needs
LEAST_PANEL_COLS = 22  # of the least panel that is drawn, with the gap before it
LEAST_CELLS = 9  # cells shown in a row, however narrow the terminal is
LEGEND_ROWS, LEGEND_COLS = 2, 96  # rows of the legend; it needs one where the board has so many columns
UNDER_ROWS = 4  # below the cells in a narrow window: what is out of sight, and the legend
BELOW_ROWS = 10  # below all that, from which on players and log stand there


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of the board that is shown: first column and row, how many of each, and a cell's columns and rows.

    `margin`: the blank columns and rows before it, in an area that is larger.
    """

    left: int
    top: int
    cols: int
    rows: int
    size: tuple[int, int] = LEAST
    margin: tuple[int, int] = (0, 0)


def cell_size(board_size: int, cols: int, rows: int, beside: int = 0) -> tuple[int, int]:
    """Return the largest cell size (columns, rows) with which board and legend fit, `beside` columns left free."""
    for size in SIZES:
        wide = board_cols(board_size, size)
        legend = 0 if size is LEAST else 1 if wide >= LEGEND_COLS else LEGEND_ROWS
        if wide + beside <= cols and board_rows(board_size, size) + legend <= rows:
            return size
    return LEAST


def area_cols(board_size: int, cols: int, rows: int) -> int:
    """Return the columns that the board takes: all of them where nothing of use fits beside it."""
    whole = board_cols(board_size, cell_size(board_size, cols, rows, PANEL_COLS))
    least = min(board_cols(LEAST_CELLS), cols)
    taken = min(whole, max(least, cols - PANEL_COLS))
    return taken if cols - taken >= LEAST_PANEL_COLS else cols


def area_rows(board_size: int, cols: int, rows: int) -> int:
    """Return the rows that a board as wide as its body takes: no more than it needs, where players have room below."""
    needed = board_rows(board_size, cell_size(board_size, cols, rows)) + UNDER_ROWS
    return needed if rows - needed >= BELOW_ROWS else rows


def board_cols(board_size: int, size: tuple[int, int] = LEAST) -> int:
    """Return the columns a whole board takes, row numbers included."""
    return LABEL_COLS + size[0] * board_size + 1


def board_rows(board_size: int, size: tuple[int, int] = LEAST) -> int:
    """Return the rows a whole board takes, letters included: nothing is below the links of its last row."""
    return 1 + size[1] * board_size - (size[1] > 1)


def viewport(snapshot: Shown, chosen: Selection, cols: int, rows: int) -> Viewport:
    """Return what fits, with the cursor (for a watcher: the last action) as near the middle as the edges allow.

    Where a click has set the cursor, what is shown stays as it was.
    """
    grid = grid_of(snapshot)
    size = cell_size(grid.size, cols, rows)
    wide = max(1, min(grid.size, (cols - LABEL_COLS - 1) // size[0]))
    high = max(1, min(grid.size, (rows - 1 + (size[1] > 1)) // size[1]))
    spare_cols = cols - LABEL_COLS - 1 - wide * size[0]
    spare_rows = rows - board_rows(high, size) - LEGEND_ROWS - 1  # a blank row is above the legend
    margin = max(0, spare_cols // 2), max(0, spare_rows // 2)

    def around(cell: int) -> Viewport:
        x, y = grid.xy(cell)
        left = max(0, min(grid.size - wide, x - wide // 2))
        return Viewport(left, max(0, min(grid.size - high, y - high // 2)), wide, high, size, margin)

    focus = _focus(snapshot, chosen)
    if chosen.anchor != NOBODY:
        kept, (x, y) = around(chosen.anchor), grid.xy(focus)
        if 0 <= x - kept.left < wide and 0 <= y - kept.top < high:
            return kept
    return around(focus)


def is_whole(snapshot: Shown, cols: int, rows: int) -> bool:
    """Tell whether the whole board is shown, whatever the cursor stands on."""
    shown = viewport(snapshot, Selection(NOBODY), cols, rows)
    return shown.cols == shown.rows == grid_of(snapshot).size


def _focus(snapshot: Shown, chosen: Selection) -> int:
    if chosen.cursor != NOBODY:
        return chosen.cursor
    view = snapshot.view
    if view.last is not None:
        return spoken(snapshot, view.last.action).cell
    return view.board.grid.cell(view.board.size // 2, view.board.size // 2)


def cell_at(snapshot: Shown, chosen: Selection, cols: int, rows: int, col: int, row: int) -> int | None:
    """Return the cell drawn at a column and row of the board's area, from 0; None: none is."""
    shown = viewport(snapshot, chosen, cols, rows)
    before, above = shown.margin
    x, y = (col - before - LABEL_COLS) // shown.size[0], (row - above - 1) // shown.size[1]
    if not (0 <= x < shown.cols and 0 <= y < shown.rows):
        return None
    return grid_of(snapshot).cell(shown.left + x, shown.top + y)


def scrolled(snapshot: Shown, chosen: Selection, cols: int, rows: int, col: int, row: int) -> Selection | None:
    """Return the selection after a click on the edge of a board that goes on: half of it further, the cursor too.

    A click on the upper half of the row numbers goes up, on the lower half down; on the left half of the letters left,
    on the right half right; on a pointer where it points. None: the click was not on the edge.
    """
    shown, grid = viewport(snapshot, chosen, cols, rows), grid_of(snapshot)
    col, row = max(0, col - shown.margin[0]), max(0, row - shown.margin[1])
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
