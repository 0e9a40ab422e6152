"""Search: a seat's choices, the positions after them, and the others' replies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from game.relati.actions import can_act, legal
from game.relati.attacks import CONTACT
from game.relati.bots.evaluation import Weights, scores
from game.relati.effects import perform
from game.relati.notation import Spoken, read_action
from game.relati.ruleset import Ruleset
from game.relati.state import Board, State

WON, LOST = 10_000.0, -10_000.0

read_once = lru_cache(maxsize=65536)(read_action)


@dataclass(frozen=True, slots=True)
class Node:
    """A position under consideration; `out` is the set of seats that have fallen, as bits."""

    board: Board
    turn: int
    out: int

    @property
    def over(self) -> bool:
        """Tell whether one seat is left."""
        return self.out.bit_count() == len(self.board.sides) - 1

    @property
    def alive(self) -> list[int]:
        """Return the seats still playing, in seat order."""
        return [seat for seat in range(len(self.board.sides)) if not self.out >> seat & 1]

    def has_source(self, seat: int) -> bool:
        """Tell whether a seat has a source, or may still locate one."""
        side = self.board.sides[seat]
        return bool(side.source) or not side.mark


def node_of(state: State) -> Node:
    """Return the position of a match."""
    return Node(state.board, state.turn, sum(1 << seat for seat in state.out))


@dataclass(slots=True)
class Child:
    """An action, the position after it, and its value for the acting seat."""

    spoken: Spoken
    node: Node
    value: float


@dataclass(slots=True)
class Search:
    """The search of one decision. `spent` counts evaluated positions; the caller stops at its budget."""

    ruleset: Ruleset
    weights: Weights
    spent: int = 0

    def choices(self, node: Node) -> list[Spoken]:
        """Return the legal actions, attacks first, without shots where a contact attack does the same for less."""
        board = node.board
        said = [read_once(action.text, board.size) for action in legal(board, node.turn, self.ruleset)]
        contacts = {(s.cell, s.medium) for s in said if s.verb == CONTACT}
        kept = [s for s in said if s.verb != "F" or (s.cell, s.medium) not in contacts]
        kept.sort(key=lambda s: s.medium is None)
        return kept

    def after(self, node: Node, spoken: Spoken) -> Node:
        """Return the position after an action, the turn passed on to somebody who can act (§1.8)."""
        board = perform(node.board, node.turn, spoken, self.ruleset).board
        n_seats, turn, out = len(board.sides), node.turn, node.out
        while True:
            turn = (turn + 1) % n_seats
            if out >> turn & 1:
                continue
            if out.bit_count() == n_seats - 1 or can_act(board, turn, self.ruleset):
                return Node(board, turn, out)
            out |= 1 << turn

    def value(self, node: Node, seat: int) -> float:
        """Judge a position for one seat: its score against the best and the average of the others still playing."""
        self.spent += 1
        if node.out >> seat & 1:
            return LOST
        if node.over:
            return WON
        found = scores(node.board, node.turn, node.out, self.ruleset, self.weights)
        others = [other for other in node.alive if other != seat]
        if len(others) == 1:
            return found[seat] - found[others[0]]
        best, mean = max(found[other] for other in others), sum(found[other] for other in others) / len(others)
        rivals = sum(map(node.has_source, others)) - node.has_source(seat)
        return found[seat] - (best + mean) / 2 - self.weights.rival * rivals

    def children(self, node: Node) -> Iterator[Child]:
        """Yield every choice with the position after it, evaluated for the acting seat."""
        for spoken in self.choices(node):
            after = self.after(node, spoken)
            yield Child(spoken, after, self.value(after, node.turn))

    def best_reply(self, node: Node, enough: float) -> Child:
        """Return the best child for the player to move, or the first one that is worth `enough`.

        Raises ValueError where the player has no action.
        """
        best: Child | None = None
        for child in self.children(node):
            if best is None or child.value > best.value:
                best = child
                if best.value >= enough:
                    break
        if best is None:
            raise ValueError("nobody can act here")
        return best
