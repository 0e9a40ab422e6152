"""Relati in writing: positions `board turn players` and actions like `Rh8` or `Nc8e8`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from game.contract import Seat
from game.errors import BadNotation
from game.relati.geometry import LARGEST, SMALLEST, bits, grid
from game.relati.passives import relinked
from game.relati.ruleset import Ruleset
from game.relati.state import MARKS, Board, Side, State

ACTION = re.compile(r"([LREBD])([a-w][1-9][0-9]?)|([NF])([a-w][1-9][0-9]?)([a-w][1-9][0-9]?)")
FIELD = re.compile(r"([1-9][0-9]?)|([OXDUAH])([fsdxwb]?)")
STATUS = {"": "linked", "f": "cut", "s": "source", "d": "shield", "x": "broken", "w": "weapon", "b": "bomber"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """An action that was read: its letter, the chosen cell, and for attacks the medium."""

    verb: str
    cell: int
    medium: int | None = None
    text: str = ""


def read_action(text: str, size: int) -> Spoken:
    """Read an action for a board of this size. Raises BadNotation for an unknown verb or a cell off the board."""
    found = ACTION.fullmatch(text)
    if not found:
        raise BadNotation("relati.error.unreadable", text[:80])
    verb = found[1] or found[3]
    cell = grid(size).named(found[2] or found[4])
    medium = grid(size).named(found[5]) if found[5] else None
    if cell is None or (found[5] and medium is None):
        raise BadNotation("relati.error.off-board", text)
    return Spoken(verb, cell, medium, text)


def write_action(spoken: Spoken, size: int) -> str:
    """Return the action's text.

    >>> write_action(Spoken("N", 34, 36), 15)
    'Nc3e3'
    """
    names = grid(size).names
    return spoken.verb + names[spoken.cell] + ("" if spoken.medium is None else names[spoken.medium])


def write_position(state: State) -> str:
    """Return the position: rows from the top, the mark to move (or the winner's), the marks in seating order."""
    board = state.board
    marks = "".join(m.lower() if seat in state.out else m for seat, m in enumerate(MARKS[: state.n_seats]))
    return f"{write_board(board)} {MARKS[state.turn]} {marks}"


def write_board(board: Board) -> str:
    """Return the first field of a position, with `f` after forbid pieces.

    >>> write_board(Board(5, (Side(), Side())))
    '5/5/5/5/5'
    """
    texts = _cell_texts(board)
    rows = []
    for y in range(board.size):
        row, gap = "", 0
        for x in range(board.size):
            text = texts.get(board.grid.cell(x, y))
            if text is None:
                gap += 1
                continue
            row, gap = row + (str(gap) if gap else "") + text, 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows)


def _cell_texts(board: Board) -> dict[int, str]:
    texts = {}
    dead = (("x", board.broken), ("w", board.weapon), ("b", board.bomber))
    for mark, side in zip(MARKS, board.sides, strict=False):
        own = (("s", side.source), ("", side.linked), ("f", side.cut), ("d", side.shield))
        for letter, cells in own + dead:
            texts.update(dict.fromkeys(bits(cells & side.mark), mark + letter))
    return texts


def read_position(text: str, ruleset: Ruleset) -> State:
    """Read a position as it stands. The ruleset's board size is the position's.

    Forbid is worked out anew where it follows from the position. With the option `forbid=local` it does not, so there
    the letter `f` decides.

    A position does not say in which order seats fell: all that are out form one tier.
    Raises BadNotation where it can't be read or contradicts itself.
    """
    fields = text.split(" ")
    if len(fields) != 3:
        raise BadNotation("relati.error.position", text[:80])
    board_text, turn_text, players = fields
    n_seats = len(players)
    if not 2 <= n_seats <= len(MARKS) or players.upper() != MARKS[:n_seats]:
        raise BadNotation("relati.error.position-players", players[:80])
    out = tuple(Seat(seat) for seat, mark in enumerate(players) if mark.islower())
    if len(turn_text) != 1 or turn_text not in MARKS or turn_text not in players:
        raise BadNotation("relati.error.position-turn", turn_text[:80])
    board = read_board(board_text, n_seats)
    if ruleset.forbid == "source":
        board = relinked(board)
    turn = Seat(MARKS.index(turn_text))
    return State(replace(ruleset, board=board.size), board, turn, (out,) if out else ())


def read_board(text: str, n_seats: int) -> Board:
    """Read the first field of a position, forbid pieces as they are marked."""
    rows = text.split("/")
    size = len(rows)
    if not SMALLEST <= size <= LARGEST:
        raise BadNotation("relati.error.position-size", text[:80])
    cells: dict[tuple[str, str], int] = {}
    for y, row in enumerate(rows):
        for x, mark, status in _read_row(row, size, MARKS[:n_seats]):
            key = (mark, STATUS[status])
            cells[key] = cells.get(key, 0) | 1 << grid(size).cell(x, y)
    sides = []
    for mark in MARKS[:n_seats]:
        own = {status: cells.get((mark, status), 0) for status in STATUS.values()}
        sides.append(Side(sum(own.values()), own["source"], own["linked"], own["cut"], own["shield"]))
    dead = [sum(cells.get((mark, status), 0) for mark in MARKS) for status in ("broken", "weapon", "bomber")]
    return Board(size, tuple(sides), *dead)


def _read_row(row: str, size: int, marks: str) -> list[tuple[int, str, str]]:
    """Return the row's pieces as (column, mark, status letter)."""
    pieces, x, place = [], 0, 0
    while found := FIELD.match(row, place):
        place = found.end()
        if found[1]:
            x += int(found[1])
            continue
        if found[2] not in marks:
            raise BadNotation("relati.error.position-players", row[:80])
        pieces.append((x, found[2], found[3]))
        x += 1
    if place != len(row) or x != size:
        raise BadNotation("relati.error.position-row", row[:80])
    return pieces
