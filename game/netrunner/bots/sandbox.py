"""Play-outs of a full state, both sides by the planner, on one mutable table and without events."""

from __future__ import annotations

from game.choices import tokens
from game.contract import OneOf
from game.netrunner.bots.planner import best, weigh
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.frames import Vars
from game.netrunner.ops import CHOICES, reply, settle
from game.netrunner.table import Table

MOST_STEPS = 400


def asked(t: Table) -> Question:
    """Return the decision that is owed."""
    ask: Vars = t.frames[-1]
    return Question(int(ask["seat"]), str(ask["prompt"]), CHOICES[ask["kind"]](t, ask), ask)


def answer(t: Table, text: str) -> None:
    """Give an answer and continue to the next decision."""
    reply(t, tokens(text))
    settle(t)
    t.events.clear()


def plan(t: Table, q: Question) -> str:
    """Return the planner's answer for whoever is asked, from what that seat knows."""
    if isinstance(q.choice, OneOf) and len(q.choice.actions) == 1:
        return q.choice.actions[0].text
    return best(weigh(Sight(t, q.seat), q))


def play_until(t: Table, steps: tuple[str, ...]) -> int:
    """Play on until the turn comes to one of these steps, or the match is over; return the number of decisions."""
    for n in range(MOST_STEPS):
        if t.is_over() or (t.run is None and t.step in steps):
            return n
        answer(t, plan(t, asked(t)))
    return MOST_STEPS
