"""Static evaluation for each seat: pieces, reach, and threats to sources."""

from __future__ import annotations

from dataclasses import dataclass

from game.relati.attacks import directions_onto, hits_of
from game.relati.geometry import king
from game.relati.links import neighbourhood
from game.relati.ruleset import Ruleset
from game.relati.state import Board


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the evaluation, in tenths of a linked piece."""

    source: float = 400.0  # holding a source
    linked: float = 10.0
    cut: float = 1.0
    shield: float = 8.0
    reach: float = 2.0  # each cell that could be connected
    hits: float = 3.0  # each piece of others that could be attacked
    doomed: float = 340.0  # the player to move can hit the source
    doomed_soon: float = 200.0  # another player can hit it who moves before its owner
    threatened: float = 60.0  # another player can hit it, but the owner moves first
    forked: float = 0.0  # the owner moves first, but it can be hit from more than one direction
    exposed: float = 2.0  # each own linked piece that can be attacked
    bombed: float = 0.0  # a shield beside the source, though the owner moves first: no attack reaches a shield
    mined: float = 0.0  # a linked piece beside the source that can become such a shield
    mined_hit: float = 0.0  # the same, but the owner moves first and can attack that piece
    crowded: float = 0.0  # each free cell beside the source that somebody else could connect
    open: float = 0.0  # each direction in which a line of attack onto the source has room
    rival: float = 200.0  # with several others: lost for each of them that has a source, won for the own source


def scores(board: Board, turn: int, out: int, ruleset: Ruleset, weights: Weights) -> list[float]:
    """Return each seat's score when `turn` is to move; `out` is the set of seats that have fallen, as bits."""
    stride, lane = board.size + 1, board.grid.lane
    empty = board.empty
    passable = empty | board.dead
    alive = [seat for seat in range(len(board.sides)) if not out >> seat & 1]
    hits, reaches, found = [0] * len(board.sides), [0] * len(board.sides), [0.0] * len(board.sides)
    nodes = blanks = 0  # of all seats at once, each in a lane of its own
    for n, seat in enumerate(alive):
        side = board.sides[seat]
        nodes |= (side.source | side.linked) << n * lane
        blanks |= (passable | side.shield) << n * lane
    linked = neighbourhood(nodes, blanks, stride)
    for n, (seat, hit) in enumerate(zip(alive, hits_of(board, alive, ruleset), strict=True)):
        side = board.sides[seat]
        reach = linked >> n * lane & empty
        score = weights.linked * side.linked.bit_count() + weights.cut * side.cut.bit_count()
        score += weights.shield * side.shield.bit_count() + weights.reach * reach.bit_count()
        score += weights.hits * hit.bit_count()
        if side.source or not side.mark:
            score += weights.source
            if side.source and weights.open:
                score -= weights.open * board.grid.open[side.source.bit_length() - 1]
        found[seat], hits[seat], reaches[seat] = score, hit, reach
    for seat, side in enumerate(board.sides):
        if out >> seat & 1:
            continue
        exposed = 0  # what others could attack
        beside = king(side.source, stride) & ~side.source if side.source else 0
        for other, hit in enumerate(hits):
            if other == seat or out >> other & 1:
                continue
            exposed |= hit
            if hit & side.source:
                found[seat] -= _danger(seat, other, turn, len(hits), weights)
                if seat == turn and weights.forked and directions_onto(board, other, side.source, ruleset) > 1:
                    found[seat] -= weights.forked
            if weights.mined and beside:
                found[seat] -= _mine(board, seat, other, turn, beside, hits[seat], weights)
                found[seat] -= weights.crowded * (reaches[other] & beside).bit_count()
        found[seat] -= weights.exposed * (exposed & side.linked).bit_count()
    return found


def _mine(board: Board, seat: int, other: int, turn: int, beside: int, hit: int, weights: Weights) -> float:
    """Return what another seat's shields beside the source cost this seat, or its pieces that may become shields.

    `beside` are the cells around the source, `hit` what the seat could attack itself.
    """
    rival = board.sides[other]
    if rival.shield & beside:
        is_first = (other - turn) % len(board.sides) < (seat - turn) % len(board.sides)
        return weights.doomed if other == turn else weights.doomed_soon if is_first else weights.bombed
    mines = rival.linked & beside
    if not mines:
        return 0.0
    answered = seat == turn and not mines & (mines - 1) and mines & hit
    return weights.mined_hit if answered else weights.mined


def _danger(seat: int, attacker: int, turn: int, n_seats: int, weights: Weights) -> float:
    """Return what it costs a seat that its source can be hit, by when the attacker moves."""
    if attacker == turn:
        return weights.doomed
    is_first = (attacker - turn) % n_seats < (seat - turn) % n_seats
    return weights.doomed_soon if is_first else weights.threatened
