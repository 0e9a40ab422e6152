"""What an action does to the board (§1.5), passives included (§1.6)."""

from __future__ import annotations

from dataclasses import dataclass

from game.relati.attacks import CONTACT
from game.relati.geometry import king
from game.relati.notation import Spoken
from game.relati.passives import Capture, Draft, settle
from game.relati.ruleset import Ruleset
from game.relati.state import Board


@dataclass(frozen=True, slots=True)
class Outcome:
    """The board after an action, and the captures on the way there."""

    board: Board
    captures: tuple[Capture, ...]


def perform(board: Board, seat: int, spoken: Spoken, ruleset: Ruleset) -> Outcome:
    """Carry out a legal action and everything that follows by itself. Does not check that it is legal."""
    draft = Draft(board)
    bit = 1 << spoken.cell
    match spoken.verb:
        case "L":
            _locate(draft, seat, bit)
        case "R":
            draft.put(seat, bit)
            draft.linked[seat] |= bit  # counts as linked in the first pincer (§1.6)
        case "E":
            draft.break_(draft.mark[seat] & ~draft.shield[seat])
            _locate(draft, seat, bit)  # after the others have died, or it would die with them (A11)
        case "D":
            draft.unstatus(bit)
            draft.shield[seat] |= bit
        case "B":
            _detonate(draft, seat, bit, ruleset)
        case _:
            _attack(draft, spoken)
    settle(draft, ruleset)
    return Outcome(draft.freeze(), tuple(draft.captures))


def _locate(draft: Draft, seat: int, bit: int) -> None:
    draft.put(seat, bit)
    draft.source[seat] |= bit


def _attack(draft: Draft, spoken: Spoken) -> None:
    """Break the target; the consumable is spent, in a shot the medium too (§1.5 AN, AR)."""
    medium = spoken.cell if spoken.medium is None else spoken.medium
    spent = 1 << medium + draft.grid.step(spoken.cell, medium)
    if spoken.verb != CONTACT:
        spent |= 1 << medium
    draft.break_(1 << spoken.cell)
    draft.unstatus(spent)
    draft.weapon |= spent


def _detonate(draft: Draft, seat: int, bit: int, ruleset: Ruleset) -> None:
    """Set off a shield: it kills neighbours, and empty ones become its owner's broken cells (§1.5 AB, A17, A18)."""
    around = king(bit, draft.stride) & draft.grid.full & ~bit
    burnt = around & draft.empty
    victims = around & _blown_up(draft, seat, ruleset)
    draft.unstatus(bit)
    draft.bomber |= bit
    draft.put(seat, burnt)
    draft.break_(victims | burnt)


def _blown_up(draft: Draft, seat: int, ruleset: Ruleset) -> int:
    """Return what a bomb of this seat kills: sources, linked pieces, others' shields; or, by A17, all that lives."""
    cells = 0
    for other in range(len(draft.mark)):
        cells |= draft.source[other] | draft.linked[other]
        if other != seat or ruleset.bomb == "everything":
            cells |= draft.shield[other]
        if ruleset.bomb == "everything":
            cells |= draft.cut[other]
    return cells
