"""What a Relati action would do: which pieces break, are cut off or linked, who falls, who wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from game.contract import Action, Seat
from game.relati.actions import can_act
from game.relati.attacks import targets_hit
from game.relati.ruleset import Ruleset
from game.relati.state import Board, State
from game.relati.turns import play


@dataclass(frozen=True, slots=True)
class Foresight:
    """The consequences of an action. Pieces are sets of bits; `lost` are the own ones that it breaks or spends."""

    broken: int = 0  # others' pieces
    cut: int = 0  # others' pieces that are linked no more
    lost: int = 0
    own_cut: int = 0
    freed: int = 0  # own pieces that are linked again
    exposed: int = 0  # own pieces that can be hit, and could not before
    saved: int = 0  # the own source, if it could be hit before and can't be afterwards
    source_lost: bool = False  # the own one breaks or is spent, and none is left
    sources: tuple[Seat, ...] = ()  # the others whose source breaks
    felled: tuple[Seat, ...] = ()  # the others who can't act any more when their turn comes
    wins: bool = False
    loses: bool = False  # who acts can't act any more afterwards


@lru_cache(maxsize=1024)
def foresee(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset, text: str) -> Foresight:
    """Return what a legal action would do, by playing it: nothing is hidden in Relati.

    What could be hit afterwards counts whoever's turn it is then.
    """
    state = State(ruleset, board, seat, tuple([(other,) for other in sorted(out)]))
    then_state = play(state, seat, Action(text)).state
    after = then_state.board
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
        source_lost=bool(mine.source) and not then.source,
        sources=tuple(
            [Seat(other) for other in range(len(board.sides)) if other != seat and _lost(board, after, other)]
        ),
        felled=tuple([other for tier in then_state.fallen for other in tier if other not in out and other != seat]),
        wins=then_state.over and then_state.turn == seat,
        loses=seat in then_state.out or not (then_state.over or can_act(after, seat, ruleset)),
    )


def _lost(board: Board, after: Board, seat: int) -> bool:
    """Tell whether a seat had a source and has none any more."""
    return bool(board.sides[seat].source) and not after.sides[seat].source


def cost(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset, text: str) -> tuple[int, ...]:
    """Return what an action costs the seat that takes it, as a tuple to compare: the least is the best.

    In this order: whether it wins, loses, loses the own source, exposes it; own pieces lost, cut off, exposed; then the
    harm to others, negative.
    """
    seen = foresee(board, seat, out, ruleset, text)
    source = board.sides[seat].source
    own = (seen.lost, seen.own_cut, seen.exposed)
    gains = (len(seen.felled), len(seen.sources), (seen.broken | seen.cut).bit_count())
    return (
        not seen.wins,
        seen.loses,
        seen.source_lost,
        bool(seen.exposed & source),
        *(cells.bit_count() for cells in own),
        *(-gain for gain in gains),
    )


@lru_cache(maxsize=512)
def hits(board: Board, seat: Seat, out: frozenset[Seat], ruleset: Ruleset) -> int:
    """Return the live pieces of a seat that somebody who is not out could hit.

    Only a source is worth another source: pieces that could only be hit by spending one are left out.
    """
    side, frugal, found = board.sides[seat], replace(ruleset, spend_source=False), 0
    for other in range(len(board.sides)):
        if other != seat and other not in out:
            found |= targets_hit(board, other, frugal) | targets_hit(board, other, ruleset) & side.source
    return found & side.live
