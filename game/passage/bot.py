"""The built-in players of Passage: easy, normal and hard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from game.choices import contains, expand
from game.contract import Action, Bot, Pending
from game.passage import easy, policy, search
from game.passage.policy import Words
from game.passage.sight import from_view
from game.passage.view import PassageView
from game.rng import Rng

Thought = Callable[[PassageView, Pending, Rng], Words]


class PassageBot:
    """A built-in player: a way to think, and a guard that whatever it thinks of is allowed."""

    def __init__(self, think: Thought) -> None:
        self.think = think

    def decide(self, view: PassageView, pending: Pending, rng: Rng) -> Action:
        """Answer the viewer's own decision from what the view holds."""
        action = Action(" ".join(map(str, self.think(view, pending, rng))))
        return action if contains(pending.choice, action) else next(iter(expand(pending.choice)))


def think_easy(view: PassageView, pending: Pending, rng: Rng) -> Words:
    """Play simply."""
    return easy.decide(from_view(view, int(pending.seat)), tosser(rng))


def think_normal(view: PassageView, pending: Pending, rng: Rng) -> Words:
    """Play by the policy."""
    return policy.decide(from_view(view, int(pending.seat)), tosser(rng))


def tosser(rng: Rng) -> policy.Chance:
    """Return a source of toss-ups."""
    seed, _ = rng.below(1 << 62)
    return search.Toss(seed)


BOTS: Final[dict[str, Bot[PassageView]]] = {
    "easy": PassageBot(think_easy),
    "normal": PassageBot(think_normal),
    "hard": PassageBot(search.Search().choose),
}
