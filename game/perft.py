"""Perft: counts the leaves of the game tree, to check move generation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from game.choices import expand
from game.contract import Action, Game, Seat, View

S = TypeVar("S")
V = TypeVar("V", bound=View)


def perft(game: Game[S, V], state: S, depth: int, *, moves_only: bool = False) -> Iterator[int]:
    """Yield the number of leaves at depth 1, 2, … `depth`; a match that ended earlier has none.

    Where several seats owe a decision, each of their answers is a way to play on. `moves_only` counts, and follows,
    only what `Game.is_move` says is a move.
    """
    return (_leaves(game, state, at, moves_only) for at in range(1, depth + 1))


def _leaves(game: Game[S, V], state: S, depth: int, moves_only: bool) -> int:
    ways = _ways(game, state, moves_only)
    if depth == 1:
        return sum(1 for _ in ways)
    return sum(_leaves(game, game.apply(state, seat, action).state, depth - 1, moves_only) for seat, action in ways)


def _ways(game: Game[S, V], state: S, moves_only: bool) -> Iterator[tuple[Seat, Action]]:
    """Yield every decision that may come next, with its seat."""
    for pending in game.pending(state):
        for action in expand(pending.choice):
            if not moves_only or game.is_move(action):
                yield pending.seat, action
