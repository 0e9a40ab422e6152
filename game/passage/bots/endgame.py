"""Proofs near the end of a match of two: which answers win by force, and which lose, whatever is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace

from game.bots.budget import OutOfBudget
from game.choices import expand
from game.contract import Choice, Pending
from game.passage.answers import answer
from game.passage.bots.policy import Words
from game.passage.decisions import pending
from game.passage.determinize import determinize
from game.passage.flow import settle
from game.passage.state import State
from game.passage.table import Table
from game.passage.view import PassageView
from game.rng import Rng

FEW = 6  # a proof is looked for with at most so many cards in the pile
WORLDS, ALIKE = 12, 2  # determinized states in which an answer must win, or lose; at most ALIKE with the same cards
DEEPEST = 12  # decisions of both seats in a proof


@dataclass(frozen=True, slots=True)
class Proof:
    """The answers that win by force, and those that lose by force, in every state that was looked at."""

    wins: frozenset[Words] = frozenset()
    loses: frozenset[Words] = frozenset()
    spent: int = 0  # positions


def words_of(choice: Choice) -> list[Words]:
    """Return every answer that a choice offers, as words."""
    return [tuple(action.text.split()) for action in expand(choice)]


def prove(view: PassageView, owed: Pending, rng: Rng, budget: int) -> Proof:
    """Return the answers proved to win or to lose, by iterative deepening; `budget` is in positions.

    Both sides are taken to see everything. The search ends at the first depth with a win, so `wins` has the shortest.
    """
    living = [seat for seat in range(view.n_seats) if seat not in view.eliminated]
    shuffled = view.switches.passage_returns or view.switches.blank_is_rebirth
    if budget == 0 or len(living) > 2 or len(view.pile) > FEW or view.blind or shuffled:
        return Proof()
    seat = int(owed.seat)
    foe = next(other for other in living if other != seat)
    worlds = draw_worlds(view, rng)
    undecided = {words: [after(world, seat, words) for world in worlds] for words in words_of(owed.choice)}
    wins: set[Words] = set()
    loses: set[Words] = set()
    prover = Prover(budget)
    try:
        for depth in range(DEEPEST):
            for words, states in list(undecided.items()):
                if all(prover.forces(state, seat, depth) for state in states):
                    wins.add(words)
                elif all(prover.forces(state, foe, depth) for state in states):
                    loses.add(words)
                    del undecided[words]
            if wins or len(undecided) < 2:
                break
    except OutOfBudget:
        pass
    return Proof(frozenset(wins), frozenset(loses), prover.spent)


def draw_worlds(view: PassageView, rng: Rng) -> list[State]:
    """Return determinized states, at most ALIKE of them with the same hidden cards: these differ only in chance."""
    worlds: list[State] = []
    seen: Counter[Hashable] = Counter()
    for _ in range(WORLDS):
        stream, rng = rng.split()
        world = without_knowledge(determinize(view, stream))
        cards = (tuple(tuple(sorted(hand)) for hand in world.hands), world.pile, world.sealed)
        seen[cards] += 1
        if seen[cards] <= ALIKE:
            worlds.append(world)
    return worlds


def without_knowledge(state: State) -> State:
    """Return a state without what viewers know: a search that sees everything does not need it."""
    viewers = range(state.n_seats + 1)
    nothing = tuple(() for _ in range(state.n_seats))
    return replace(state, known=tuple(() for _ in viewers), held=tuple(nothing for _ in viewers))


def after(state: State, seat: int, words: Words) -> State:
    """Return the state after an answer, and after all answers of those who have only one."""
    t = Table(state)
    t.silent = True
    answer(t, seat, list(words))
    settle(t)
    state = t.freeze()
    while owed := pending(state):
        left = words_of(owed[0].choice)
        if len(left) > 1:
            break
        t = Table(state)
        t.silent = True
        answer(t, int(owed[0].seat), list(left[0]))
        settle(t)
        state = t.freeze()
    return state


@dataclass(slots=True)
class Prover:
    """The exhaustive search between the two who are left; `budget` and `spent` are in positions."""

    budget: int
    spent: int = 0
    proved: dict[Hashable, int] = field(default_factory=dict)  # decisions within which the seat wins by force
    refuted: dict[Hashable, int] = field(default_factory=dict)  # decisions within which it does not

    def forces(self, state: State, seat: int, decisions: int) -> bool:
        """Tell whether a seat wins within so many decisions, whatever the other does. Raises OutOfBudget."""
        owed = pending(state)
        if not owed:
            return state.living() == (seat,)
        if decisions == 0:
            return False
        known = (key(state), seat)
        if self.proved.get(known, decisions + 1) <= decisions:
            return True
        if self.refuted.get(known, -1) >= decisions:
            return False
        found = (self.forces(one, seat, decisions - 1) for one in self.following(state, owed[0]))
        is_won = any(found) if owed[0].seat == seat else all(found)
        (self.proved if is_won else self.refuted)[known] = decisions
        return is_won

    def following(self, state: State, owed: Pending) -> Iterator[State]:
        """Yield the states after each answer. Raises OutOfBudget."""
        for words in words_of(owed.choice):
            self.spent += 1
            if self.spent > self.budget:
                raise OutOfBudget
            yield after(state, int(owed.seat), words)


def key(state: State) -> Hashable:
    """Return a key that is equal for equal positions of one match; the discards follow from the rest."""
    hands = tuple(tuple(sorted(hand)) for hand in state.hands)
    counters = (state.turn, state.direction, state.phase, state.draws, state.bottom, state.receiver, state.owed)
    return (hands, state.pile, state.sealed, state.stack, counters, state.rng)
