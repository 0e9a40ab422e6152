"""The level `master`: information-set Monte Carlo tree search over what a seat does in the rest of its turn.

An idea is worth what its best continuation is worth: a credit taken now is good where two more follow, though the
planner would draw next. So the seat's own actions up to the end of its turn form a tree, and every play-out begins in
another determinized state (Cowling, Powley and Whitehouse 2012). In the tree a child is selected by its mean and the
planner's opinion of it (PUCT, Rosin 2011); what follows, and all that the opponent does, is played by the planner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from game.contract import OneOf
from game.netrunner.bots.evaluation import PLAIN, EvaluationWeights, value
from game.netrunner.bots.planner import Ideas, weigh
from game.netrunner.bots.sandbox import MOST_STEPS, answer, asked, plan
from game.netrunner.bots.search import HORIZON, LATER, Searcher, Trial
from game.netrunner.bots.sight import Question, Sight
from game.netrunner.bots.tables import WIN
from game.netrunner.determinize import determinize
from game.netrunner.facts import RUNNER
from game.netrunner.state import State
from game.netrunner.table import Table
from game.netrunner.view import NetrunnerView
from game.rng import Rng

ACTIONS = 3  # of the seat's own, after the first, that the tree holds
BRANCHES, NEAR = 5, 5.0  # so many children a node has at most, none worth less than the best by so many credits
CURIOSITY = 12.0  # how much the planner's opinion counts against the mean, in credits
TEMPERATURE = 2.0  # of the soft-max over the planner's worths, in credits
FLOOR = 0.05  # added to the soft-max of the best, so that no child is never tried
TRUST = 0.1  # what the planner's worth of an idea counts beside the mean of its play-outs
WEIGHTS = (EvaluationWeights(central=1.4, first=0.3), PLAIN)  # how the Corp and the Runner judge where play-outs end


@dataclass(slots=True)
class ActionNode:
    """An action after those that lead to it: what the planner thinks of it, and its play-outs.

    `worth`, `total` and `owed` are in credits; `owed` is by how much an idea must be ahead before it is taken.
    """

    worth: float = 0.0
    owed: float = 0.0
    visits: int = 0
    total: float = 0.0
    children: dict[str, ActionNode] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Return what its play-outs were worth on average."""
        return self.total / max(1, self.visits)


@dataclass(frozen=True, slots=True)
class TreeSearcher(Searcher):
    """Searches its actions in a tree of up to `positions` positions; what is asked in between it answers like hard."""

    positions: int = 8000

    def within(self, positions: int) -> TreeSearcher:
        """Return the same player, who looks at no more than about so many positions for an action."""
        return replace(self, positions=positions, budget=min(self.budget, positions))

    def select(self, view: NetrunnerView, q: Question, trials: list[Trial], rng: Rng) -> str:
        """Return the idea that does best by sequential halving: all ideas left are tried in the same states."""
        if q.prompt != "action":
            return Searcher.select(self, view, q, trials, rng)
        root = {trial.text: ActionNode(trial.worth, trial.owed + trial.risk) for trial in trials}
        rounds = math.ceil(math.log2(len(root)))
        spent = 0
        for n in range(1, rounds + 1):
            while spent < self.positions * n / rounds:
                stream, rng = rng.split()
                state = determinize(view, stream)
                spent += sum(playout(state, q.seat, node, text) for text, node in root.items())
            best = sorted(root, key=lambda text: -final(root[text]))
            root = {text: root[text] for text in best[: (len(best) + 1) // 2]}
        return next(iter(root))


def final(node: ActionNode) -> float:
    """Return what an idea is worth when one is taken."""
    return node.mean + TRUST * max(-10.0, min(20.0, node.worth)) - node.owed


def selected(node: ActionNode, texts: list[str]) -> str:
    """Return the child to be tried next, of those that are offered."""
    children = {text: node.children[text] for text in texts}
    top = max(child.worth for child in children.values())
    priors = {text: math.exp((child.worth - top) / TEMPERATURE) + FLOOR for text, child in children.items()}
    tried = [child.mean for child in children.values() if child.visits]
    unknown = sum(tried) / max(1, len(tried))
    scale = CURIOSITY * math.sqrt(1 + sum(child.visits for child in children.values())) / sum(priors.values())

    def bound(text: str) -> float:
        child = children[text]
        known = child.mean if child.visits else unknown
        return known + scale * priors[text] / (1 + child.visits)

    return max(texts, key=bound)


def playout(state: State, seat: int, node: ActionNode, first: str) -> int:
    """Play an idea on in one determinized state, through the tree and then by the planner; return its positions."""
    t = Table(state)
    answer(t, first)
    path = [node]
    steps, in_tree = 0, True
    while steps < MOST_STEPS and not (t.is_over() or (t.run is None and t.step in HORIZON)):
        q = asked(t)
        steps += 1
        if not (in_tree and is_own_action(t, q, seat)):
            answer(t, plan(t, q))
            continue
        ideas = likely(t, q)
        if len(ideas) < 2:
            answer(t, ideas[0][1])
            continue
        in_tree = node.visits > 0 and len(path) <= ACTIONS
        text = grown(node, ideas) if in_tree else ideas[0][1]
        if in_tree:
            node = node.children[text]
            path.append(node)
        answer(t, text)
    worth = value(t, WEIGHTS[seat])
    for one in path:
        one.visits += 1
        one.total += (worth if seat == RUNNER else -worth) - LATER * steps
    return steps + 1


def is_own_action(t: Table, q: Question, seat: int) -> bool:
    """Tell whether an action of the seat's own turn is asked for."""
    return q.seat == seat == t.turn and q.prompt == "action" and isinstance(q.choice, OneOf)


def likely(t: Table, q: Question) -> Ideas:
    """Return the actions that the tree may hold, best first; what wins is alone."""
    ideas = sorted(weigh(Sight(t, q.seat), q), key=lambda idea: (-idea[0], idea[1]))[:BRANCHES]
    top = ideas[0][0]
    return ideas[:1] if top >= WIN / 2 else [idea for idea in ideas if idea[0] >= top - NEAR]


def grown(node: ActionNode, ideas: Ideas) -> str:
    """Return the child to be tried next after giving the node a child for each of these ideas."""
    for worth, text in ideas:
        node.children.setdefault(text, ActionNode()).worth = worth
    return selected(node, [text for _, text in ideas])
