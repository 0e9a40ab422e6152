"""Exhaustive search between two seats: which actions win by force, and which lose by force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from game.bots.budget import OutOfBudget
from game.choices import expand
from game.contract import Game, Pending, Seat
from game.rng import Rng


@dataclass(frozen=True, slots=True)
class ProvedActions:
    """The actions of a decision, as texts, that win or lose by force; of the others nothing was proved."""

    wins: frozenset[str]
    loses: frozenset[str]


@dataclass(slots=True)
class Solver:
    """An exhaustive search of `game` between two seats; `budget` is in positions, for all calls of one solver together.

    Both seats are taken to see everything, so a proof is about one state. Where several decisions are owed, the first
    one is taken.
    """

    game: Game[Any, Any]
    budget: int
    spent: int = 0
    proved: dict[tuple[Any, Seat], int] = field(default_factory=dict)  # decisions within which the seat wins by force
    refuted: dict[tuple[Any, Seat], int] = field(default_factory=dict)  # decisions within which it does not

    def verdict(self, state: Any, pending: Pending, decisions: int) -> ProvedActions:
        """Tell which answers win and which lose within so many decisions of both seats, this one counted.

        Raises OutOfBudget.
        """
        wins, loses = set(), set()
        for action in expand(pending.choice):
            after = self.game.apply(state, pending.seat, action).state
            if self.forces(after, pending.seat, decisions - 1):
                wins.add(action.text)
            elif self.forces(after, Seat(1 - pending.seat), decisions - 1):
                loses.add(action.text)
        return ProvedActions(frozenset(wins), frozenset(loses))

    def forces(self, state: Any, seat: Seat, decisions: int) -> bool:
        """Tell whether a seat wins within so many decisions, whatever the other does. Raises OutOfBudget."""
        return any(self._forces(state, seat, depth) for depth in range(decisions + 1))

    def _forces(self, state: Any, seat: Seat, decisions: int) -> bool:
        result = self.game.result(state)
        if result is not None:
            return result.placements[0] == (seat,)
        if decisions == 0:
            return False
        key = (state, seat)
        if self.proved.get(key, decisions + 1) <= decisions:
            return True
        if self.refuted.get(key, -1) >= decisions:
            return False
        self.spent += 1
        if self.spent > self.budget:
            raise OutOfBudget
        owed = self.game.pending(state)[0]
        after = (self._forces(one, seat, decisions - 1) for one in self._after(state, owed))
        found = any(after) if owed.seat == seat else all(after)
        (self.proved if found else self.refuted)[key] = decisions
        return found

    def _after(self, state: Any, owed: Pending) -> Iterator[Any]:
        for action in expand(owed.choice):
            yield self.game.apply(state, owed.seat, action).state


def judge(game: Game[Any, Any], view: Any, pending: Pending, decisions: int, worlds: int, budget: int) -> ProvedActions:
    """Tell which answers win, and which lose, in all of some states that are consistent with a view.

    `worlds` states are drawn, equal ones are looked at once; `budget` is in positions, for each state. Raises
    OutOfBudget.
    """
    wins = loses = None
    rng, seen = Rng(bytes(32)), set()
    for _ in range(worlds):
        stream, rng = rng.split()
        state = game.determinize(view, stream)
        if state in seen:
            continue
        seen.add(state)
        owed = next(one for one in game.pending(state) if one.seat == pending.seat)
        found = Solver(game, budget).verdict(state, owed, decisions)
        wins = found.wins if wins is None else wins & found.wins
        loses = found.loses if loses is None else loses & found.loses
        if not wins and not loses:
            break
    return ProvedActions(wins or frozenset(), loses or frozenset())
