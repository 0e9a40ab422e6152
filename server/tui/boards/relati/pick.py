"""What a Relati player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from game.contract import Action, OneOf, Seat, Watcher
from game.relati.geometry import Grid
from game.relati.notation import Spoken, read_action
from game.relati.view import View
from server.matches.model import Snapshot

NOBODY = -1  # who only looks on has no cursor
FREE, LINE, SURE = "free", "line", "sure"  # nothing selected; choosing what is spent; asked once more
STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
STEPS |= {"k": (0, -1), "j": (0, 1), "h": (-1, 0), "l": (1, 0)}


@dataclass(frozen=True, slots=True)
class Pick:
    """The cursor, what is being done, and the actions to choose from; `at` is the one shown."""

    cursor: int
    mode: str = FREE
    texts: tuple[str, ...] = ()
    at: int = 0

    @property
    def text(self) -> str:
        """Return the action that enter would send; empty: none."""
        return self.texts[self.at] if self.texts else ""


@dataclass(frozen=True, slots=True)
class Offers:
    """The legal actions by cell: one by letter (L R E D B), and the attacks on it."""

    single: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    attacks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def cells(self, verb: str) -> list[int]:
        """Return the cells on which an action of this letter is legal, row by row."""
        return sorted(cell for cell, texts in self.single.items() if verb in texts)


NOTHING = Offers()


@lru_cache(maxsize=256)
def sort_offers(choice: OneOf, size: int) -> Offers:
    """Sort what the rules offer by cell. Shots that a contact attack does for less are left out: nobody wants them."""
    single: dict[int, dict[str, str]] = {}
    attacks: dict[int, tuple[str, ...]] = {}
    for action in choice.actions:
        said = read_action(action.text, size)
        if said.medium is None:
            single.setdefault(said.cell, {})[said.verb] = action.text
        elif said.verb == "N" or "N" + action.text[1:] not in attacks.get(said.cell, ()):
            attacks[said.cell] = (*attacks.get(said.cell, ()), action.text)
    return Offers(single, attacks)


def offers(snapshot: Snapshot) -> Offers:
    """Return what the viewer may do now, sorted."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf):
        return NOTHING
    return sort_offers(pending.choice, view_of(snapshot).board.size)


def view_of(snapshot: Snapshot) -> View:
    """Return the game's view, typed."""
    view: View = snapshot.view
    return view


def grid_of(snapshot: Snapshot) -> Grid:
    """Return the board's measures."""
    return view_of(snapshot).board.grid


def own_seat(snapshot: Snapshot) -> Seat | None:
    """Return the viewer's seat, None for who only looks on."""
    return None if isinstance(snapshot.viewer, Watcher) else snapshot.viewer


def spoken(snapshot: Snapshot, text: str) -> Spoken:
    """Return an action as it was read."""
    return read_action(text, view_of(snapshot).board.size)


def begin(snapshot: Snapshot) -> Pick:
    """Return the selection to begin with: on the own source, in the middle where there is none."""
    seat = own_seat(snapshot)
    if seat is None:
        return Pick(NOBODY)
    return Pick(home(snapshot, seat))


def home(snapshot: Snapshot, seat: int) -> int:
    """Return the cell of a seat's source, the middle of the board where it has none."""
    view = view_of(snapshot)
    source = view.board.sides[seat].source
    middle = view.board.size // 2
    return (source & -source).bit_length() - 1 if source else view.board.grid.cell(middle, middle)


def follow(snapshot: Snapshot, pick: Pick) -> Pick:
    """Return the selection for a new position: what is no longer possible is dropped."""
    found = offers(snapshot)
    possible = {text for texts in found.single.values() for text in texts.values()}
    possible |= {text for texts in found.attacks.values() for text in texts}
    return pick if set(pick.texts) <= possible else drop(pick)


def drop(pick: Pick) -> Pick:
    """Return the pick with nothing selected."""
    return Pick(pick.cursor)


def moved(snapshot: Snapshot, pick: Pick, key: str) -> Pick:
    """Move the cursor; while what is spent is being chosen, go to the next or previous way instead."""
    dx, dy = STEPS[key]
    if pick.mode == LINE:
        return replace(pick, at=(pick.at + dx + dy) % len(pick.texts))
    grid = grid_of(snapshot)
    x, y = grid.xy(pick.cursor)
    last = grid.size - 1
    return Pick(grid.cell(max(0, min(last, x + dx)), max(0, min(last, y + dy))))


def go(snapshot: Snapshot, pick: Pick) -> Pick | Action:
    """Do what the cell under the cursor offers; what can't be taken back or costs pieces is asked once more."""
    if pick.mode != FREE:
        return Action(pick.text)
    found = offers(snapshot)
    if ways := found.attacks.get(pick.cursor):
        return replace(pick, mode=LINE, texts=ways, at=0)
    single = found.single.get(pick.cursor, {})
    for verb in "LR":
        if verb in single:
            return Action(single[verb])
    return next((replace(pick, mode=SURE, texts=(single[verb],)) for verb in "EDB" if verb in single), pick)


def use(snapshot: Snapshot, pick: Pick, verb: str) -> Pick:
    """Take up escape, defend or bomb: here, or on the next cell where it is possible."""
    found = offers(snapshot)
    if pick.mode == SURE and pick.text.startswith(verb):
        return drop(pick)
    cells = found.cells(verb)
    if not cells:
        return drop(pick)
    if pick.cursor in cells:
        return Pick(pick.cursor, SURE, (found.single[pick.cursor][verb],))
    return Pick(_next(cells, pick.cursor))


def next_target(snapshot: Snapshot, pick: Pick) -> Pick:
    """Go to the next piece that can be attacked."""
    cells = sorted(offers(snapshot).attacks)
    return Pick(_next(cells, pick.cursor)) if cells else drop(pick)


def _next(cells: list[int], cursor: int) -> int:
    return next((cell for cell in cells if cell > cursor), cells[0])
