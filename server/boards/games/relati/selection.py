"""What a Relati player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from game.contract import Action, OneOf, Seat
from game.relati.actions import escapable, legal
from game.relati.geometry import Geometry, bits
from game.relati.notation import Spoken, read_action
from game.relati.ruleset import Ruleset
from game.relati.state import Board
from game.relati.view import View
from server.boards.games.relati.foresight import cost
from server.boards.seats import own_seat
from server.matches.model import ViewerState
from server.terminal.cursor import GRID_STEPS
from server.terminal.memo import PerObjectCache, by_identity

Shown: TypeAlias = ViewerState[View]  # what a viewer is shown of a match

NOBODY = -1  # a watcher has no cursor
APART = 4  # cells between two sources that can't attack each other within a few turns
Mode: TypeAlias = Literal["free", "line", "sure"]
FREE: Final = "free"
LINE: Final = "line"  # choosing a line of attack
SURE: Final = "sure"  # asked to confirm


@dataclass(frozen=True, slots=True)
class Selection:
    """The cursor, the mode (FREE, LINE, SURE), and the actions to choose from; `at` is the index of the one shown.

    `anchor`: a click has set the cursor, and the part of a large board that is shown stays the one around this cell.
    `flees`: where the source could escape to is marked.
    """

    cursor: int
    mode: Mode = FREE
    texts: tuple[str, ...] = ()
    at: int = 0
    anchor: int = NOBODY
    flees: bool = False

    @property
    def text(self) -> str:
        """Return the action that enter would send; empty: none."""
        return self.texts[self.at] if self.texts else ""


@dataclass(frozen=True, slots=True)
class LegalActions:
    """The legal actions by cell: `single` has one for each letter (L R E D B), `attacks` those on the cell."""

    single: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    attacks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def cells(self, verb: str) -> list[int]:
        """Return the cells on which an action of this letter is legal, row by row."""
        return sorted(cell for cell, texts in self.single.items() if verb in texts)


NOTHING = LegalActions()
_OFFERS: Final = PerObjectCache[LegalActions](256)  # by choice


def sorted_actions(choice: OneOf, size: int) -> LegalActions:
    """Sort what the rules offer by cell. A shot is left out where a contact attack does the same for one piece less."""
    single: dict[int, dict[str, str]] = {}
    attacks: dict[int, tuple[str, ...]] = {}
    for action in choice.actions:
        said = read_action(action.text, size)
        if said.medium is None:
            single.setdefault(said.cell, {})[said.verb] = action.text
        elif said.verb == "N" or "N" + action.text[1:] not in attacks.get(said.cell, ()):
            attacks[said.cell] = (*attacks.get(said.cell, ()), action.text)
    return LegalActions(single, attacks)


def offers(snapshot: Shown) -> LegalActions:
    """Return what the viewer may do now, sorted."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf):
        return NOTHING
    choice, size = pending.choice, snapshot.view.board.size
    return _OFFERS.get(choice, size, lambda: sorted_actions(choice, size))


@by_identity(256)
def ahead(snapshot: Shown) -> tuple[str, ...]:
    """Return what the viewer could do if it were their turn."""
    seat, view = own_seat(snapshot), snapshot.view
    if seat is None or snapshot.result is not None or seat in out(snapshot):
        return ()
    return tuple([action.text for action in legal(view.board, seat, view.ruleset)])


@by_identity(256)
def reachable(snapshot: Shown) -> int:
    """Return the cells that the viewer may connect to, or could if it were their turn, as a set of bits.

    So they stay marked while others move: a move made changes few of them.
    """
    if snapshot.pending is not None:
        return sum(1 << cell for cell in offers(snapshot).cells("R"))
    texts, size = () if snapshot.is_past else ahead(snapshot), snapshot.view.board.size
    return sum(1 << read_action(text, size).cell for text in texts if text[0] == "R")


def spellings(text: str) -> tuple[str, ...]:
    """Return how an action may be typed: its cells alone say enough, but where more is lost (E, D, B, F).

    >>> spellings("Rh8"), spellings("Bh8")
    (('h8', 'rh8'), ('bh8',))
    """
    whole = text.casefold()
    return (whole[1:], whole) if text[0] in "LRN" else (whole,)


def out(snapshot: Shown) -> frozenset[Seat]:
    """Return the seats that are out."""
    return frozenset(fallen for tier in snapshot.view.fallen for fallen in tier)


def ways(snapshot: Shown, cell: int) -> tuple[str, ...]:
    """Return the attacks on a cell, the one that costs the viewer least first (`foresight.cost`)."""
    found, seat = offers(snapshot).attacks.get(cell, ()), own_seat(snapshot)
    if seat is None or len(found) < 2:
        return found
    return _ranked(snapshot.view.board, seat, out(snapshot), snapshot.view.ruleset, found)


@lru_cache(maxsize=256)
def _ranked(
    board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset, texts: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(sorted(texts, key=lambda text: cost(board, seat, out, ruleset, text)))


def grid_of(snapshot: Shown) -> Geometry:
    """Return the geometry of the board."""
    return snapshot.view.board.grid


def spoken(snapshot: Shown, text: str) -> Spoken:
    """Return an action's text as its parts."""
    return read_action(text, snapshot.view.board.size)


def begin(snapshot: Shown) -> Selection:
    """Return the selection to begin with: on the own source; where there is none, on a good place for one."""
    seat = own_seat(snapshot)
    if seat is None:
        return Selection(NOBODY)
    return Selection(home(snapshot, seat))


def home(snapshot: Shown, seat: int) -> int:
    """Return the cell of a seat's source; where it has none, the one nearest to the middle that is far from others."""
    board, grid = snapshot.view.board, snapshot.view.board.grid
    source, middle = board.sides[seat].source, board.size // 2
    if source:
        return (source & -source).bit_length() - 1
    taken = [grid.xy(cell) for cell in bits(board.occupied)]

    def to_middle(cell: int) -> tuple[int, int]:
        x, y = grid.xy(cell)
        near = min((max(abs(x - a), abs(y - b)) for a, b in taken), default=APART)
        return max(0, APART - near), max(abs(x - middle), abs(y - middle))

    return min(
        (cell for cell in range(len(grid.names)) if board.empty >> cell & 1),
        key=to_middle,
        default=grid.cell(middle, middle),
    )


def follow(snapshot: Shown, chosen: Selection) -> Selection:
    """Return the selection for a new position: actions that are no longer legal are dropped."""
    found = offers(snapshot)
    possible = {text for texts in found.single.values() for text in texts.values()}
    possible |= {text for texts in found.attacks.values() for text in texts}
    if not set(chosen.texts) <= possible:
        return drop(chosen)
    return replace(chosen, flees=chosen.flees and bool(found.cells("E")))


def drop(chosen: Selection) -> Selection:
    """Return the selection with nothing selected."""
    return Selection(chosen.cursor, anchor=chosen.anchor)


def moved(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Move the cursor; while what is spent is being chosen, go to the next or previous way instead."""
    dx, dy = GRID_STEPS[key]
    if chosen.mode == LINE:
        return replace(chosen, at=(chosen.at + dx + dy) % len(chosen.texts))
    grid = grid_of(snapshot)
    x, y = grid.xy(chosen.cursor)
    last = grid.size - 1
    cell = grid.cell(max(0, min(last, x + dx)), max(0, min(last, y + dy)))
    return Selection(cell, flees=chosen.flees)


def go(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Do what the cell under the cursor offers; escapes, shields and bombs are to be confirmed first."""
    if chosen.mode != FREE:
        return Action(chosen.text)
    found = offers(snapshot)
    if texts := ways(snapshot, chosen.cursor):
        return Selection(chosen.cursor, LINE, texts, anchor=chosen.anchor)
    if is_own_source(snapshot, chosen.cursor) and not chosen.flees:
        return replace(chosen, flees=bool(found.cells("E")))
    single = found.single.get(chosen.cursor, {})
    for verb in "LR":
        if verb in single:
            return Action(single[verb])
    verb = next((verb for verb in "EDB" if verb in single), "")
    return replace(chosen, mode=SURE, texts=(single[verb],), flees=verb == "E") if verb else chosen


def is_own_source(snapshot: Shown, cell: int) -> bool:
    """Tell whether the viewer's source stands on a cell."""
    seat = own_seat(snapshot)
    return seat is not None and cell >= 0 and bool(snapshot.view.board.sides[seat].source >> cell & 1)


def escapes(snapshot: Shown, chosen: Selection) -> int:
    """Return the cells to mark because the viewer's source could escape there, as a set of bits.

    They show while an escape is asked about or the source is selected.
    """
    seat = own_seat(snapshot)
    return escapable(snapshot.view.board, seat, snapshot.view.ruleset) if chosen.flees and seat is not None else 0


def nth(chosen: Selection, number: int) -> Selection:
    """Return the selection at the line of this number, counted from 1; as it was where there are fewer."""
    return replace(chosen, at=number - 1) if number <= len(chosen.texts) else chosen


def proposed(snapshot: Shown, chosen: Selection) -> str:
    """Return the action that enter would send or ask about at the cursor; empty: none."""
    found = offers(snapshot)
    if texts := ways(snapshot, chosen.cursor):
        return texts[0]
    single = found.single.get(chosen.cursor, {})
    return next((single[verb] for verb in "LREDB" if verb in single), "")


def use(snapshot: Shown, chosen: Selection, verb: str) -> Selection:
    """Ask to confirm an escape, shield or bomb at the cursor, or move it to the next cell where that is legal.

    The same key again drops the question.
    """
    found = offers(snapshot)
    if chosen.mode == SURE and chosen.text.startswith(verb):
        return drop(chosen)
    cells = found.cells(verb)
    if not cells:
        return drop(chosen)
    if chosen.cursor in cells:
        return Selection(chosen.cursor, SURE, (found.single[chosen.cursor][verb],), flees=verb == "E")
    return Selection(_next(cells, chosen.cursor), flees=verb == "E")


def next_target(snapshot: Shown, chosen: Selection) -> Selection:
    """Go to the next piece that can be attacked."""
    cells = sorted(offers(snapshot).attacks)
    return Selection(_next(cells, chosen.cursor)) if cells else drop(chosen)


def after_typing(snapshot: Shown, chosen: Selection, text: str) -> Selection:
    """Return the selection with the cursor on the cell of a typed action."""
    return Selection(spoken(snapshot, text).cell)


def next_able(snapshot: Shown, chosen: Selection) -> Selection:
    """Go to the viewer's next piece that is linked or can act."""
    cells = able(snapshot)
    return Selection(_next(cells, chosen.cursor)) if cells else chosen


def able(snapshot: Shown) -> list[int]:
    """Return the cells of the viewer's pieces that are linked or can act."""
    seat, found = own_seat(snapshot), offers(snapshot)
    own = snapshot.view.board.sides[seat] if seat is not None else None
    linked = [] if own is None else list(bits(own.linked | own.source))
    return sorted({*linked, *found.cells("D"), *found.cells("B")})


def _next(cells: list[int], cursor: int) -> int:
    return next((cell for cell in cells if cell > cursor), cells[0])
