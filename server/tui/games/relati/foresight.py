"""What a Relati action would do, before it is done: pieces that break, are cut off or linked, and can be hit then."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from game.contract import Seat
from game.relati.attacks import targets_hit
from game.relati.effects import perform
from game.relati.notation import read_action
from game.relati.ruleset import Ruleset
from game.relati.state import Board


@dataclass(frozen=True, slots=True)
class Foresight:
    """The consequences of an action, as sets of bits; the own pieces that it breaks or spends are `lost`."""

    broken: int = 0  # others' pieces
    cut: int = 0  # others' pieces that are linked no more
    lost: int = 0
    own_cut: int = 0
    freed: int = 0  # own pieces that are linked again
    exposed: int = 0  # own pieces that can be hit, and could not before
    saved: int = 0  # the own source, which could be hit before


@lru_cache(maxsize=1024)
def foresee(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset, text: str) -> Foresight:
    """Return what a legal action would do. Whose turn it is then does not matter: it says who could hit what."""
    after = perform(board, seat, read_action(text, board.size), ruleset).board
    broken = cut = 0
    for other, (old, new) in enumerate(zip(board.sides, after.sides, strict=True)):
        if other != seat:
            broken |= old.live & ~new.live
            cut |= new.cut & old.linked
    mine, then = board.sides[seat], after.sides[seat]
    before, later = hits(board, seat, out, ruleset), hits(after, seat, out, ruleset)
    return Foresight(
        broken=broken,
        cut=cut,
        lost=mine.live & ~then.live,
        own_cut=then.cut & mine.linked,
        freed=mine.cut & then.linked,
        exposed=later & ~before,
        saved=mine.source & then.source & before & ~later,
    )


@lru_cache(maxsize=512)
def hits(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset) -> int:
    """Return the live pieces of a seat that somebody who is not out could hit."""
    found = 0
    for other in range(len(board.sides)):
        if other != seat and other not in out:
            found |= targets_hit(board, other, ruleset)
    return found & board.sides[seat].live
