"""The actions of a turn (§1.5): which are legal, as one list or one by one."""

from __future__ import annotations

from functools import cache, lru_cache

from game.contract import Action
from game.errors import IllegalAction
from game.relati.attacks import CONTACT, Line, arms, attackable, between, lines
from game.relati.geometry import bits, grid, shifted
from game.relati.links import neighbourhood
from game.relati.notation import Spoken, write_action
from game.relati.ruleset import Ruleset
from game.relati.state import Board, State

LOCATE, CONNECT, ESCAPE, BOMB, DEFEND = "L", "R", "E", "B", "D"


def locatable(board: Board, seat: int) -> int:
    """Return where a seat may locate: anywhere empty, as long as no cell has its mark (§1.5 L, A30)."""
    return 0 if board.sides[seat].mark else board.empty


def connectable(board: Board, seat: int) -> int:
    """Return the empty cells linked to one of the seat's valid pieces (§1.5 RN, RRN, RRS)."""
    empty = board.empty
    side = board.sides[seat]
    blank = empty | board.dead | side.shield
    return neighbourhood(side.source | side.linked, blank, board.size + 1) & empty


def escapable(board: Board, seat: int, ruleset: Ruleset) -> int:
    """Return where a seat may escape to: in line with a valid piece over blanks, and not connectable (§1.5 E, A10)."""
    valid, blank = board.sides[seat].valid, board.blank(seat)
    seen = 0
    for step in board.grid.steps:
        wave = shifted(valid, step)
        if ruleset.far_runs:  # A13
            wave = shifted(wave & blank, step)
        while wave:
            seen |= wave
            wave = shifted(wave & blank, step)
    found = seen & board.empty
    return found if ruleset.escape_anywhere else found & ~connectable(board, seat)


def defendable(board: Board, seat: int, ruleset: Ruleset) -> int:
    """Return the pieces that may become shields (§1.5 D, A16)."""
    side = board.sides[seat]
    return side.valid if ruleset.defend_source else side.linked


def bombs(board: Board, seat: int) -> int:
    """Return the shields that may be set off (§1.5 AB)."""
    return board.sides[seat].shield


def can_act(board: Board, seat: int, ruleset: Ruleset) -> bool:
    """Tell whether a seat has any legal action at all (§1.8), looking at the cheap ones first."""
    side = board.sides[seat]
    if not side.mark:
        return bool(board.empty)
    if side.shield or side.linked:
        return True
    return bool(
        defendable(board, seat, ruleset)
        or connectable(board, seat)
        or escapable(board, seat, ruleset)
        or next(lines(board, seat, ruleset), None)
    )


def legal(board: Board, seat: int, ruleset: Ruleset) -> tuple[Action, ...]:
    """List every legal action of a seat: L R E by cell, then N and F by line, then D B by cell."""
    table = _cell_actions(board.size)
    if not board.sides[seat].mark:
        return tuple([table[LOCATE][cell] for cell in bits(board.empty)])
    found = [table[CONNECT][cell] for cell in bits(connectable(board, seat))]
    found += [table[ESCAPE][cell] for cell in bits(escapable(board, seat, ruleset))]
    found += [_line_action(board.size, line.kind, line.target, line.medium) for line in lines(board, seat, ruleset)]
    found += [table[DEFEND][cell] for cell in bits(defendable(board, seat, ruleset))]
    found += [table[BOMB][cell] for cell in bits(bombs(board, seat))]
    return tuple(found)


@cache
def _cell_actions(size: int) -> dict[str, tuple[Action, ...]]:
    """Return the actions on one cell, by letter and then by bit, made once per board size."""
    names = grid(size).names
    return {
        letter: tuple(Action(letter + name) for name in names) for letter in (LOCATE, CONNECT, ESCAPE, BOMB, DEFEND)
    }


@lru_cache(maxsize=65536)
def _line_action(size: int, kind: str, target: int, medium: int) -> Action:
    return Action(write_action(Spoken(kind, target, medium), size))


def check(state: State, spoken: Spoken) -> None:
    """Raise IllegalAction with the reason, unless the player to move may do this."""
    if spoken.medium is not None:
        line_of(state, spoken)
        return
    board, seat, ruleset = state.board, state.turn, state.ruleset
    bit = 1 << spoken.cell
    if spoken.verb in (LOCATE, CONNECT, ESCAPE) and not board.empty & bit:
        raise IllegalAction("relati.error.occupied", spoken.text)
    match spoken.verb:
        case "L":
            allowed, key = locatable(board, seat), "relati.error.located"
        case "R":
            allowed, key = connectable(board, seat), "relati.error.not-linked"
        case "E":
            allowed = escapable(board, seat, ruleset)
            key = "relati.error.connectable" if connectable(board, seat) & bit else "relati.error.no-escape"
        case "D":
            allowed, key = defendable(board, seat, ruleset), "relati.error.not-defendable"
        case _:
            allowed, key = bombs(board, seat), "relati.error.not-your-shield"
    if not allowed & bit:
        raise IllegalAction(key, spoken.text)


def line_of(state: State, spoken: Spoken) -> Line:
    """Return the attack line that was said. Raises IllegalAction with the first condition of §1.5 it fails."""
    board, seat = state.board, state.turn
    medium = spoken.cell if spoken.medium is None else spoken.medium
    have = arms(board, seat, state.ruleset)
    direction = board.grid.direction(spoken.cell, medium)
    spent = medium + board.grid.steps[direction] if direction is not None else -1
    if direction is None or spent < 0 or not board.grid.full >> spent & 1:
        raise IllegalAction("relati.error.no-line", spoken.text)
    if not have.targets >> spoken.cell & 1:
        raise IllegalAction(_why_no_target(board, seat, spoken.cell, state.ruleset), spoken.text)
    media = have.media if spoken.verb == CONTACT else have.shooting_media
    if not media >> medium & 1:
        raise IllegalAction("relati.error.no-medium", spoken.text)
    if not have.spendable >> spent & 1:
        sheltered = have.sheltered >> spent & 1
        raise IllegalAction("relati.error.spent-safe" if sheltered else "relati.error.nothing-to-spend", spoken.text)
    crossed = have.contact_pass if spoken.verb == CONTACT else have.shot_pass
    line = Line(spoken.verb, spoken.cell, medium, spent, direction)
    if any(not crossed >> cell & 1 for cell in between(board, line)):
        raise IllegalAction("relati.error.line-blocked", spoken.text)
    if state.ruleset.far_runs and not between(board, line):
        raise IllegalAction("relati.error.no-line", spoken.text)
    return line


def _why_no_target(board: Board, seat: int, cell: int, ruleset: Ruleset) -> str:
    owner = board.owner(cell)
    if owner is None or owner == seat:
        return "relati.error.no-target"
    hit = attackable(board.sides[owner], ruleset)
    return "relati.error.target-safe" if hit >> cell & 1 else "relati.error.no-target"
