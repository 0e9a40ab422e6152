"""The built-in players of Passage: easy, normal, hard and master."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from game.choices import contains, expand
from game.contract import MASTER, Action, Bot, Pending
from game.passage.bots import easy, fitted, network, policy, search
from game.passage.bots.policy import Words
from game.passage.bots.race import Race
from game.passage.bots.sight import from_view, in_words_of_the_hand
from game.passage.bots.toss import Toss
from game.passage.view import PassageView
from game.rng import Rng

Thought = Callable[[PassageView, Pending, Rng], Words]


class PassageBot:
    """A built-in player: a policy, with a check that its answer is legal."""

    def __init__(self, think: Thought) -> None:
        self.think = think

    def decide(self, view: PassageView, pending: Pending, rng: Rng) -> Action:
        """Answer the viewer's own decision from what the view holds."""
        action = Action(" ".join(map(str, self.think(view, pending, rng))))
        return action if contains(pending.choice, action) else next(iter(expand(pending.choice)))


# Positions for a decision. Between two more of them win less: the play-outs judge worse than the network, only surer.
BETWEEN_TWO: Final = 6_000
AMONG_MORE: Final = 15_000


class Master(PassageBot):
    """The player that searches by `Race`; the budget can be set, between two up to BETWEEN_TWO.

    A network makes the first choice, and the search changes it only where it is sure. Among more than two its play-outs
    are longer, and against the plain policy.
    """

    def __init__(self, budget: int) -> None:
        super().__init__(self.choose)
        self.last = Race(
            styles=fitted.STYLES,
            weights=fitted.WEIGHTS,
            budget=min(budget, BETWEEN_TWO),
            margin=4.0,
            network=network.load("two"),
        )
        self.crowd = Race(
            styles=fitted.STYLES,
            weights=fitted.WEIGHTS,
            budget=budget,
            horizon=100,
            margin=3.0,
            rivals=policy.PLAINLY,
            network=network.load("more"),
        )

    def choose(self, view: PassageView, owed: Pending, rng: Rng) -> Words:
        """Return the choice of the search that fits the number of players left."""
        are_two = view.n_seats - len(view.eliminated) == 2
        return (self.last if are_two else self.crowd).choose(view, owed, rng)

    def within(self, positions: int) -> Master:
        """Return the same player with another budget of positions."""
        return Master(positions)


def think_easy(view: PassageView, pending: Pending, rng: Rng) -> Words:
    """Return the choice of the easy policy."""
    sight = from_view(view, int(pending.seat))
    return in_words_of_the_hand(sight, easy.decide(sight, tosser(rng)))


def think_normal(view: PassageView, pending: Pending, rng: Rng) -> Words:
    """Return the choice of the policy."""
    sight = from_view(view, int(pending.seat))
    return in_words_of_the_hand(sight, policy.decide(sight, tosser(rng)))


def tosser(rng: Rng) -> policy.Chance:
    """Return a fast stream of random numbers for the policy, seeded from `rng`."""
    seed, _ = rng.below(1 << 62)
    return Toss(seed)


BOTS: Final[dict[str, Bot[PassageView]]] = {
    "easy": PassageBot(think_easy),
    "normal": PassageBot(think_normal),
    "hard": PassageBot(search.Search().choose),
    MASTER: Master(AMONG_MORE),
}
