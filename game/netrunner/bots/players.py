"""The players themselves: they turn a view and a pending decision into an answer."""

from __future__ import annotations

from game.choices import tokens
from game.contract import Action, OneOf, Pending
from game.netrunner.bots.greedy import greedy_corp, greedy_runner
from game.netrunner.bots.planner import MOST, Ideas, weigh
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.facts import CORP
from game.netrunner.table import Table
from game.netrunner.view import NetrunnerView
from game.rng import Rng

CLOSE = 0.05  # worths that differ by no more are equal, in credits


def question(pending: Pending) -> Question:
    """Return what is asked."""
    return Question(int(pending.seat), pending.prompt, pending.choice, dict(pending.params))


def drawn(ideas: Ideas, rng: Rng) -> Action:
    """Return the answer of most worth; chance decides among equals."""
    top = max(worth for worth, _ in ideas)
    text, _ = rng.choose([text for worth, text in ideas if worth >= top - CLOSE])
    return Action(text)


class Planner:
    """Weighs every offered answer by what it leads to: what runs cost, what servers hold, when to score and rez."""

    def decide(self, view: NetrunnerView, pending: Pending, rng: Rng) -> Action:
        """Answer with what is worth most."""
        q = question(pending)
        return drawn(weigh(Sight(Table(view.scene), q.seat), q), rng)


class Greedy:
    """Takes the action that looks best by itself; once something has begun it goes through with it like a planner."""

    def decide(self, view: NetrunnerView, pending: Pending, rng: Rng) -> Action:
        """Answer with what looks best."""
        q, s = question(pending), Sight(Table(view.scene), int(pending.seat))
        if q.prompt != "action" or not isinstance(q.choice, OneOf):
            return drawn(weigh(s, q), rng)
        worth = greedy_corp if q.seat == CORP else greedy_runner
        return drawn([(worth(s, tokens(action.text)), action.text) for action in q.choice.actions[:MOST]], rng)
