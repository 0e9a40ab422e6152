"""The bots: easy counts pieces, normal sees threats, hard proves wins and searches replies, master searches deeper."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.contract import Action, Bot, Pending
from game.relati.bots.deepening import Deepening
from game.relati.bots.evaluation import Weights
from game.relati.bots.proof import winning
from game.relati.bots.rounds import Rounds
from game.relati.bots.search import Child, Node, Search, node_of
from game.relati.view import View, known
from game.rng import Rng

# Easy takes a source when it can, and sees no danger to its own.
SHORT_SIGHTED = Weights(reach=1.0, hits=0.0, doomed=0.0, doomed_soon=0.0, threatened=0.0, exposed=0.0)

# Normal sees what hits a source, but not what its other pieces hit or risk.
PLAIN = Weights(reach=1.0, hits=0.0, threatened=40.0, exposed=0.0)
FAR_SIGHTED = Weights(forked=200.0, bombed=240.0, mined=160.0, mined_hit=50.0, crowded=12.0)
# Whoever looks further ahead can wait longer before an escape, which gives all other pieces away.
PATIENT = replace(FAR_SIGHTED, mined=40.0, mined_hit=20.0)
# Among more than two a wide reach is soon attacked from all sides, and a source is safest in a corner.
CAUTIOUS = replace(FAR_SIGHTED, reach=-2.0, threatened=70.0, mined=90.0, open=15.0)
# Once few cells are free, the seat with the most pieces is the last one that can act.
FILLING = replace(CAUTIOUS, linked=40.0, shield=20.0, cut=8.0, reach=0.0)
FEW = 0.4  # of all cells: with fewer free ones a board counts as filling up
REFUTED = 120.0  # an action whose value falls by so much after a reply is refuted


@dataclass(frozen=True, slots=True)
class LevelBot:
    """A bot of one level: weights, noise and depth. Effort is counted in evaluated positions."""

    weights: Weights
    noise: int  # the most that is added to a value at random
    width: int = 0  # so many of its best actions are tested against the others' answers; more, while all are refuted
    budget: int = 0  # positions of two seats after which no further action is tested; fewer, the more seats there are
    openings: int = 40  # cells considered for the first source
    proofs: int = 0  # positions that the search for a win by force may look at, where two seats are left

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Choose an action for the seat to move; the same view and stream give the same one."""
        node = node_of(known(view))
        search = Search(view.ruleset, self._weights(node))
        proves = self.proofs > 0 and len(node.alive) == 2 and all(side.mark for side in node.board.sides)
        if proves and (spoken := winning(search, node, self.proofs)) is not None:
            return Action(spoken.text)
        ideas, rng = self._ideas(search, node, rng)
        ideas.sort(key=lambda child: child.value, reverse=True)
        return Action(self._best(search, node, ideas).spoken.text)

    def _weights(self, node: Node) -> Weights:
        """Return the weights for a position."""
        return self.weights

    def _best(self, search: Search, node: Node, ideas: list[Child]) -> Child:
        """Return the best of the ideas, which are in order."""
        return self._tested(search, node.turn, ideas) if self.width else ideas[0]

    def _ideas(self, search: Search, node: Node, rng: Rng) -> tuple[list[Child], Rng]:
        """Evaluate every choice with noise; a first source goes to one of a few random cells."""
        choices = search.choices(node)
        if not node.board.sides[node.turn].mark:
            drawn, rng = rng.sample(choices, self.openings)
            choices = list(drawn)
        found = []
        for spoken in choices:
            after = search.after(node, spoken)
            off, rng = rng.below(self.noise * 100 + 1)
            found.append(Child(spoken, after, search.value(after, node.turn) + off / 100))
        return found, rng

    def _tested(self, search: Search, seat: int, ideas: list[Child]) -> Child:
        """Return the idea with the best value after the others have answered it."""
        best, best_value = ideas[0], float("-inf")
        n_seats, begun = len(best.node.board.sides), search.spent - len(ideas)
        for tested, idea in enumerate(ideas):
            if tested >= self.width and best_value > ideas[0].value - REFUTED:
                break
            value = self._answered(search, idea, seat, best_value)
            if value > best_value:
                best, best_value = idea, value
            if (search.spent - begun) * n_seats > self.budget * 2:
                break
        return best

    def _answered(self, search: Search, idea: Child, seat: int, floor: float) -> float:
        """Return the value of an idea after the others' best answers; below `floor` it is only a bound."""
        node, value = idea.node, idea.value
        duel = len(node.alive) == 2
        while not node.over and node.turn != seat and not node.out >> seat & 1:
            reply = search.best_reply(node, -floor if duel else float("inf"))
            node = reply.node
            value = search.value(node, seat)
            if node.turn == seat or duel:
                break
        # With several others the answers are uncertain: the value before them counts as much as the one after.
        return value if duel else (value + idea.value) / 2


@dataclass(frozen=True, slots=True)
class Master(LevelBot):
    """The bot that searches deepest. `budget` is the number of positions that it may evaluate for a decision.

    Between two it searches ply by ply (`widths`), among more round by round (`rounds`), by the weights `crowd`, or
    `filling` once few cells are free.
    """

    widths: tuple[int, ...] = (16, 8, 5, 4, 3, 3, 2, 2)
    rounds: tuple[int, ...] = (16, 8, 4)
    crowd: Weights = CAUTIOUS
    filling: Weights = FILLING

    def within(self, positions: int) -> Master:
        """Return the same player with another budget."""
        return replace(self, budget=positions)

    def _weights(self, node: Node) -> Weights:
        if len(node.alive) == 2:
            return self.weights
        is_filling = node.board.empty.bit_count() < FEW * node.board.size**2
        return self.filling if is_filling else self.crowd

    def _best(self, search: Search, node: Node, ideas: list[Child]) -> Child:
        if len(node.alive) > 2:
            return Rounds(search, node.turn, self.budget, self.rounds).best(ideas)
        return self._not_refuted(search, Deepening(search, node.turn, self.budget, self.widths).ranked(ideas))

    def _not_refuted(self, search: Search, ranked: list[Child]) -> Child:
        """Return the first choice after which no win by force is found for the other of two seats.

        Only what the search left of the budget is spent on it.
        """
        for child in ranked:
            if child.node.over or search.spent >= self.budget:
                return child
            if winning(search, child.node, self.budget - search.spent) is None:
                return child
        return ranked[0]


BOTS: dict[str, Bot[View]] = {
    "easy": LevelBot(SHORT_SIGHTED, noise=30),
    "normal": LevelBot(PLAIN, noise=40),
    "hard": LevelBot(FAR_SIGHTED, noise=2, width=12, budget=4000, proofs=700),
    "master": Master(PATIENT, noise=2, budget=13_000),
}
