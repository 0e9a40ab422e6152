"""Matches between two in which a source is gone: who outlasts the other.

A seat without a source can only detonate shields, one a turn, and falls when none is left. Where both are without, that
is a small game of its own, solved to its end.
"""

from __future__ import annotations

from functools import lru_cache

from game.relati.bots.search import WON, Node
from game.relati.geometry import bits, king
from game.relati.ruleset import Ruleset
from game.relati.state import Side

SETTLED = WON * 0.9  # the value of a match that only shields decide
OUTLASTING = WON * 0.3  # the value of a source that the other seat, without one, can't reach
MOST_BESIDE = 10  # with more shields beside shields of the other seat, a match is left unsettled


def settled(node: Node, seat: int, ruleset: Ruleset) -> float | None:
    """Return what a position between two is worth to a seat where a source is gone; None where that is open.

    `ruleset` tells whether pieces without a source stay linked; then nothing is settled.
    """
    if node.over or ruleset.forbid == "local":
        return None
    mover, other = node.board.sides[node.turn], node.board.sides[_other(node)]
    value = _settled(mover, other, node.board.size + 1)
    return value if value is None or seat == node.turn else -value


def _settled(mover: Side, other: Side, stride: int) -> float | None:
    """Return what a position is worth to the player to move."""
    if not (mover.mark and other.mark) or (mover.source and other.source):
        return None
    if not mover.source and not other.source:
        is_won = outlasts(mover.shield, other.shield, stride)
        return None if is_won is None else SETTLED if is_won else -SETTLED
    if mover.source:
        return None if other.shield & king(mover.source, stride) else OUTLASTING
    for cell in bits(mover.shield & king(other.source, stride)):
        bomb = 1 << cell
        if outlasts(other.shield & ~king(bomb, stride), mover.shield & ~bomb, stride) is False:
            return SETTLED
    return -OUTLASTING


@lru_cache(maxsize=65536)
def outlasts(own: int, others: int, stride: int) -> bool | None:
    """Tell whether the player to move outlasts the other when both only have shields; None where there are too many.

    A bomb breaks the other's shields beside it. A shield that has none of them beside it is nothing but a turn.
    """
    fighting, fought = own & king(others, stride), others & king(own, stride)
    if not fighting:
        return own.bit_count() > others.bit_count()
    if fighting.bit_count() + fought.bit_count() > MOST_BESIDE:
        return None
    calm = own & ~fighting
    for cell in bits(fighting | calm & -calm):
        bomb = 1 << cell
        if outlasts(others & ~king(bomb, stride), own & ~bomb, stride) is False:
            return True
    return False


def _other(node: Node) -> int:
    (other,) = (seat for seat in node.alive if seat != node.turn)
    return other
