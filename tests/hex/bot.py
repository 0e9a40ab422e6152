"""Built-in players of Hex: whoever has fewer stones left to place on the way from edge to edge stands better."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from game.choices import expand
from game.contract import Action, Bot, Pending, Seat
from game.rng import Rng
from tests.hex.rules import GAME
from tests.hex.state import EMPTY, STONES, State, edges, neighbours
from tests.hex.view import View


@dataclass(frozen=True, slots=True)
class Measurer:
    """Takes the cell after which its own way is shortest beside the other's; `wild` of 10 answers are drawn.

    `looks_on`: how many of the best cells are judged by the best answer to them.
    """

    wild: int
    looks_on: int = 0

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        offered = tuple(expand(pending.choice))
        roll, rng = rng.below(10)
        if roll < self.wild:
            return rng.choose(offered)[0]
        shuffled, _ = rng.shuffle(offered)
        ranked = sorted(shuffled, key=lambda action: -worth(view.state, pending.seat, action))
        best = ranked[: self.looks_on] or ranked[:1]
        return max(best, key=lambda action: answered(view.state, pending.seat, action))


def worth(state: State, seat: Seat, action: Action) -> int:
    """Return how much shorter a seat's way is than the other's after an action."""
    after = GAME.apply(state, seat, action).state
    return way(after, 1 - seat) - way(after, seat)


def answered(state: State, seat: Seat, action: Action) -> int:
    """Return what an action is worth after the best answer to it."""
    after = GAME.apply(state, seat, action).state
    replies = [one for owed in GAME.pending(after) for one in expand(owed.choice)]
    other = Seat(1 - seat)
    return min((-worth(after, other, reply) for reply in replies), default=state.size**2)


def way(state: State, seat: int) -> int:
    """Return how many stones a seat still needs to join its edges; more than there are cells where it can't."""
    stone, (start, goal) = STONES[seat], edges(state.size, seat)
    best: dict[int, int] = {}
    front = deque((cell, 0) for cell in start)
    while front:
        cell, before = front.popleft()
        if state.cells[cell] not in (stone, EMPTY):
            continue
        steps = before + (state.cells[cell] == EMPTY)
        if steps >= best.get(cell, state.size**2 + 1):
            continue
        best[cell] = steps
        front.extend((one, steps) for one in neighbours(state.size, cell))
    return min((best[cell] for cell in goal if cell in best), default=state.size**2 + 1)


BOTS: dict[str, Bot[View]] = {"easy": Measurer(5), "normal": Measurer(1), "hard": Measurer(0, looks_on=4)}
