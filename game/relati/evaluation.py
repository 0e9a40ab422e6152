"""How good a position looks for each seat: pieces, room to grow, and who is about to lose a source."""

from __future__ import annotations

from dataclasses import dataclass

from game.relati.attacks import directions_onto, targets_hit
from game.relati.links import neighbourhood
from game.relati.ruleset import Ruleset
from game.relati.state import Board


@dataclass(frozen=True, slots=True)
class Weights:
    """What a piece or a danger is worth, in tenths of a linked piece."""

    source: float = 400.0  # holding a source
    linked: float = 10.0
    cut: float = 1.0
    shield: float = 8.0
    reach: float = 2.0  # each cell that could be connected
    hits: float = 3.0  # each piece of others that could be attacked
    doomed: float = 340.0  # the player to move can hit the source
    doomed_soon: float = 200.0  # somebody else can who moves before its owner
    threatened: float = 60.0  # somebody can, but the owner moves first
    forked: float = 0.0  # the owner moves first, but it can be hit from more than one direction
    exposed: float = 2.0  # each own linked piece that can be attacked
    rival: float = 200.0  # with several others: each player with a source, against a seat; its own, for it


def scores(board: Board, turn: int, out: int, ruleset: Ruleset, weights: Weights) -> list[float]:
    """Return each seat's score when `turn` is to move; `out` is the set of seats that have fallen, as bits."""
    stride = board.size + 1
    occupied = 0
    for side in board.sides:
        occupied |= side.mark
    empty = board.grid.full & ~occupied
    passable = empty | board.dead
    found: list[float] = []
    hits: list[int] = []
    for seat, side in enumerate(board.sides):
        if out >> seat & 1:
            found.append(0.0)
            hits.append(0)
            continue
        hit = targets_hit(board, seat, ruleset)
        reach = neighbourhood(side.source | side.linked, passable | side.shield, stride) & empty
        score = weights.linked * side.linked.bit_count() + weights.cut * side.cut.bit_count()
        score += weights.shield * side.shield.bit_count() + weights.reach * reach.bit_count()
        score += weights.hits * hit.bit_count()
        if side.source or not side.mark:
            score += weights.source
        found.append(score)
        hits.append(hit)
    for seat, side in enumerate(board.sides):
        if out >> seat & 1:
            continue
        danger = 0
        for other, hit in enumerate(hits):
            if other != seat:
                danger |= hit
                if hit & side.source:
                    found[seat] -= _danger(seat, other, turn, len(hits), weights)
                    if seat == turn and weights.forked and directions_onto(board, other, side.source, ruleset) > 1:
                        found[seat] -= weights.forked
        found[seat] -= weights.exposed * (danger & side.linked).bit_count()
    return found


def _danger(seat: int, attacker: int, turn: int, n_seats: int, weights: Weights) -> float:
    """Return what it costs a seat that its source can be hit, by when the attacker moves."""
    if attacker == turn:
        return weights.doomed
    is_first = (attacker - turn) % n_seats < (seat - turn) % n_seats
    return weights.doomed_soon if is_first else weights.threatened
