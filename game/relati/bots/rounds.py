"""The search of the level `master` among more than two: rounds in which each player takes its best-looking action.

After a choice the others answer in turn, each with the best action by their own evaluation; then, where the budget
allows, the seat goes on, and the others answer again. As these answers are uncertain, the value of the position right
after the choice counts for half, and the values after the rounds for the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from game.bots.budget import OutOfBudget
from game.relati.bots.search import Child, Node, Search
from game.relati.geometry import king
from game.relati.notation import Spoken

GUESSED = 1000.0  # the value of an end of the match that depends on uncertain answers
USUAL = 10  # so many of each seat's best answers to the first choice are tried against the other choices too


@dataclass(slots=True)
class Prospect:
    """A choice, and how far it was played on: the position reached and what it was worth after each round."""

    child: Child
    node: Node
    values: list[float] = field(default_factory=list)

    @property
    def worth(self) -> float:
        """Return what the choice is worth; an end of the match after uncertain answers counts for GUESSED only."""
        bounded = [max(-GUESSED, min(GUESSED, value)) for value in self.values]
        return (self.child.value + sum(bounded) / len(bounded)) / 2


@dataclass(slots=True)
class Rounds:
    """The search of one decision; it ends when `search.spent` reaches `budget`.

    `widths`: how many choices are played on in each round, best first.
    """

    search: Search
    seat: int
    budget: int
    widths: Sequence[int]
    usual: dict[int, frozenset[str]] = field(default_factory=dict)

    def best(self, ideas: list[Child]) -> Child:
        """Return the best of the evaluated choices `ideas`, given best first."""
        prospects = [Prospect(idea, idea.node) for idea in ideas]
        for nth, width in enumerate(self.widths):
            played: list[Prospect] = []
            try:
                for prospect in prospects[:width]:
                    played.append(self._played(prospect, goes_on=nth > 0))
            except OutOfBudget:
                if nth > 0 or not played:
                    break
            prospects = sorted(played, key=_worth, reverse=True)
        return prospects[0].child

    def _played(self, prospect: Prospect, goes_on: bool) -> Prospect:
        """Return a prospect that is one round longer. Raises OutOfBudget."""
        node = prospect.node
        if goes_on and self._lasts(node) and node.turn == self.seat:
            node = self._answered(node, prospect.child.spoken)
        for _ in node.board.sides:
            if not self._lasts(node) or node.turn == self.seat:
                break
            node = self._answered(node, prospect.child.spoken)
        return Prospect(prospect.child, node, [*prospect.values, self._value(node, self.seat)])

    def _lasts(self, node: Node) -> bool:
        """Tell whether the match goes on with this seat in it."""
        return not node.over and not node.out >> self.seat & 1

    def _answered(self, node: Node, choice: Spoken) -> Node:
        """Return the position after the best action of the player to move. Raises OutOfBudget."""
        found: list[tuple[float, str, Node]] = []
        for spoken in self._likely(node, choice):
            after = self.search.after(node, spoken)
            found.append((self._value(after, node.turn), spoken.text, after))
        if node.turn not in self.usual:
            best = sorted(found, key=_first, reverse=True)[:USUAL]
            self.usual[node.turn] = frozenset(text for _, text, _ in best)
        return max(found, key=_first)[2]

    def _likely(self, node: Node, choice: Spoken) -> list[Spoken]:
        """Return the actions to evaluate: all of them where the seat answers for the first time.

        Later: attacks, bombs, what lies near the choice, and what was best the first time.
        """
        offered = self.search.choices(node)
        usual = self.usual.get(node.turn)
        if usual is None:
            return offered
        stride = node.board.size + 1
        near = king(king(1 << choice.cell, stride), stride)
        likely = [
            spoken
            for spoken in offered
            if spoken.verb in "NFB" or spoken.text in usual or (near >> spoken.cell & 1 and spoken.verb != "E")
        ]
        return likely or offered

    def _value(self, node: Node, seat: int) -> float:
        """Return the value of a position for a seat. Raises OutOfBudget."""
        if self.search.spent >= self.budget:
            raise OutOfBudget
        return self.search.value(node, seat)


def _worth(prospect: Prospect) -> float:
    return prospect.worth


def _first(found: tuple[float, str, Node]) -> float:
    return found[0]
