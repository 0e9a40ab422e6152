"""The searching player: it tries its best ideas by play-outs of determinized states, and takes the best."""

from __future__ import annotations

from dataclasses import dataclass

from game.choices import tokens
from game.contract import Action, Pending
from game.netrunner.bots.evaluation import value
from game.netrunner.bots.planner import Ideas, weigh
from game.netrunner.bots.players import drawn, question
from game.netrunner.bots.runner import RUNS, RunnerPlans, code_of
from game.netrunner.bots.sandbox import answer, play_until
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.bots.tables import RUN_CARDS, WIN
from game.netrunner.determinize import determinize
from game.netrunner.facts import RUNNER
from game.netrunner.state import State
from game.netrunner.table import Table
from game.netrunner.view import NetrunnerView
from game.rng import Rng

DECISIVE = 10.0  # how much better an idea must do, in credits, of which the planner thinks little
THIN = 4.0  # what the planner takes off a run, in credits, with so few cards in hand that damage may flatline
DEADLY = 50.0  # how much better such a run must do: few of the states tried hold an ambush that is there once in ten
KEPT = {1: 4, 2: 2}  # after so many determinized states so many ideas are left
CLEAR = 10.0  # a lead in credits that further states hardly turn
SEARCHED = ("action", "window", "jack-out", "accessed", "may", "choose", "mulligan", "rez-or-trash", "either")
LATER = 0.002  # what each decision of a play-out costs, in credits: of equal results the sooner is better
HORIZON = ("corp.1.1",)  # where play-outs end: the Corp's turn begins


@dataclass(slots=True)
class Trial:
    """An idea that is tried: the planner's `worth` of it, and the `total` of its play-outs in so many `worlds`.

    A world is a determinized state. `owed` is by how much the idea has to be ahead, in credits, before it is taken, and
    `risk` by how much more because the Runner may be flatlined; a lead of such an idea does not end the search early.
    """

    text: str
    worth: float
    owed: float = 0.0
    risk: float = 0.0
    total: float = 0.0
    worlds: int = 0

    def mean(self, trust: float) -> float:
        """Return what it is worth on average, in credits, with the planner's opinion weighed by `trust`."""
        return self.total / max(1, self.worlds) + trust * max(-10.0, min(20.0, self.worth)) - self.owed - self.risk


@dataclass(frozen=True, slots=True)
class Searcher:
    """How far the player looks: up to `budget` positions a decision, in up to `worlds` determinized states.

    Ideas that the planner likes less than its best by up to `margin` are tried, `width` of them; others by up to
    `reach` as well, `most` in all, but they must turn the match to be taken. `trust` weighs the planner's opinion.
    """

    budget: int = 900
    width: int = 4
    most: int = 8
    worlds: int = 6
    margin: float = 4.0
    reach: float = 12.0
    trust: float = 0.3

    def decide(self, view: NetrunnerView, pending: Pending, rng: Rng) -> Action:
        """Answer with the idea that came out best."""
        q = question(pending)
        s = Sight(Table(view.scene), q.seat)
        ideas = weigh(s, q)
        tried = self.worth_trying(s, q, ideas)
        if len(tried) < 2 or (q.prompt == "jack-out" and not RunnerPlans(s).has_cause()):
            return drawn(ideas, rng)
        return Action(self.select(view, q, tried, rng))

    def worth_trying(self, s: Sight, q: Question, ideas: Ideas) -> list[Trial]:
        """Return the ideas that may be tried, best first; a run with a thin hand must promise more to be taken."""
        ranked = sorted(ideas, key=lambda idea: (-idea[0], idea[1]))
        top = ranked[0][0]
        if q.prompt not in SEARCHED or top >= WIN / 2:
            return []
        near = [Trial(text, worth) for worth, text in ranked[: self.width] if worth >= top - self.margin]
        far = [Trial(text, worth, DECISIVE) for worth, text in ranked[len(near) :] if worth >= top - self.reach]
        trials = near + far[: max(0, self.most - len(near))]
        if q.seat == RUNNER and q.prompt == "action" and RunnerPlans(s).thin_hand() >= THIN:
            for trial in trials:
                trial.risk = DEADLY * begins_run(trial.text)
        return trials

    def select(self, view: NetrunnerView, q: Question, trials: list[Trial], rng: Rng) -> str:
        """Return the idea that does best; fewer of them are tried in each further state, at last two (`KEPT`)."""
        spent = 0
        for world in range(1, self.worlds + 1):
            stream, rng = rng.split()
            state = determinize(view, stream)
            for trial in trials:
                spent += self.run(state, q.seat, trial)
            trials.sort(key=lambda trial: -trial.mean(self.trust))
            trials = trials[: KEPT.get(world, len(trials))]
            is_clear = world > 1 and not trials[0].risk and self.lead(trials) > CLEAR
            if spent >= self.budget or is_clear:
                break
        return trials[0].text

    def lead(self, trials: list[Trial]) -> float:
        """Return by how many credits the best idea is ahead."""
        return trials[0].mean(self.trust) - trials[1].mean(self.trust)

    def run(self, state: State, seat: int, trial: Trial) -> int:
        """Play an idea on in one determinized state; return the number of positions."""
        t = Table(state)
        answer(t, trial.text)
        steps = play_until(t, HORIZON)
        worth = value(t)
        trial.total += (worth if seat == RUNNER else -worth) - LATER * steps
        trial.worlds += 1
        return steps + 1


def begins_run(text: str) -> bool:
    """Tell whether an action begins a run."""
    words = tokens(text)
    return words[0] == "run" or (words[0] == "play" and code_of(words[1]) in {*RUN_CARDS, *RUNS})
