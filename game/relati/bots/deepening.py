"""The search of `master` between two: alpha-beta by iterative deepening, over the few best choices of each position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from game.bots.budget import OutOfBudget
from game.relati.attacks import hits_of
from game.relati.bots.endings import settled
from game.relati.bots.search import WON, Child, Node, Search
from game.relati.geometry import king
from game.relati.notation import Spoken
from game.relati.state import Board

FAR = 1e9  # beyond every value
DECIDED = WON / 2  # beyond every value of a position in which all sources stand
KILLERS = 4  # refutations that are remembered for each ply (killer heuristic)
REFUTED = 120.0  # while all choices so far lose so much, further ones are tried
ALL = 10_000  # a width that leaves no choice out
USUAL = 24  # so many of the best choices of a ply's first position are tried in its later positions too

EXACT, AT_LEAST, AT_MOST = range(3)


@dataclass(frozen=True, slots=True)
class TableEntry:
    """What a position was found to be worth at some depth; `bound` says whether the value is exact."""

    depth: int
    value: float
    bound: int
    best: str

    def settles(self, depth: int, alpha: float, beta: float) -> bool:
        """Tell whether it answers a search to this depth within these bounds."""
        if self.depth < depth:
            return False
        return (
            self.bound == EXACT
            or (self.bound == AT_LEAST and self.value >= beta)
            or (self.bound == AT_MOST and self.value <= alpha)
        )


@dataclass(slots=True)
class Deepening:
    """The search of one decision; all values are the seat's.

    `widths`: how many choices are followed at each ply, best first; its length is the greatest depth in plies. The
    search ends with the position that brings `search.spent` to `budget`. `table`: the transposition table. `killers`
    and `usual`: by ply, the texts of refutations and of good choices.
    """

    search: Search
    seat: int
    budget: int
    widths: Sequence[int]
    table: dict[tuple[Board, int], TableEntry] = field(default_factory=dict)
    weighed: dict[tuple[Board, int], list[Child]] = field(default_factory=dict)  # choices in order, best first
    killers: dict[int, list[str]] = field(default_factory=dict)
    usual: dict[int, frozenset[str]] = field(default_factory=dict)

    def ranked(self, ideas: list[Child]) -> list[Child]:
        """Return the evaluated choices `ideas`, given best first, in the order that the search finds.

        It looks as deep as the budget allows. Choices that were not searched when it ended may be left out.
        """
        ranked = ideas
        for depth in range(1, len(self.widths) + 1):
            if abs(ranked[0].value) >= DECIDED or len(ranked) == 1:
                break
            ranked, is_whole = self.look(ranked, depth)
            if not is_whole:
                break
        return ranked

    def look(self, ranked: list[Child], depth: int) -> tuple[list[Child], bool]:
        """Search the first choices `depth` plies ahead; return them in the new order, and whether the budget lasted."""
        alpha, scored = -FAR, list[Child]()
        for idea in ranked:
            if len(scored) >= self.widths[0] and alpha > ranked[0].value - REFUTED:
                break
            try:
                value = self.worth(idea, depth, alpha, FAR, 1)
            except OutOfBudget:
                return (sorted(scored, key=_value, reverse=True) or ranked), False
            scored.append(Child(idea.spoken, idea.node, value))
            alpha = max(alpha, value)
        return sorted(scored, key=_value, reverse=True) + ranked[len(scored) :], True

    def worth(self, child: Child, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return the value of the position after a choice, `depth` plies ahead; `child.value` is its static value.

        Raises OutOfBudget.
        """
        node = child.node
        if node.over or node.out >> self.seat & 1 or abs(child.value) >= DECIDED:
            return child.value - ply if child.value > 0 else child.value + ply  # sooner is better, later less bad
        if depth == 0:
            return child.value
        key = (node.board, node.turn)
        entry = self.table.get(key)
        if entry is not None and entry.settles(depth, alpha, beta):
            return entry.value
        is_own = node.turn == self.seat
        value, best = -FAR if is_own else FAR, ""
        low, high = alpha, beta
        width = self.widths[min(ply, len(self.widths) - 1)] if depth > 1 else ALL
        for tried, following in enumerate(self.choices(child, depth, ply, entry.best if entry else "")):
            loss = child.value - value if is_own else value - child.value
            if tried >= width and loss < REFUTED:
                break
            found = self.worth(following, depth - 1, low, high, ply + 1)
            if not (found > value if is_own else found < value):
                continue
            value, best = found, following.spoken.text
            low, high = (max(low, value), high) if is_own else (low, min(high, value))
            if low >= high:
                self._remember(ply, best)
                break
        bound = AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT
        self.table[key] = TableEntry(depth, value, bound, best)
        return value

    def choices(self, parent: Child, depth: int, ply: int, first: str) -> Iterator[Child]:
        """Yield the choices to follow, evaluated: `first`, the killers of this ply, then the others, best first.

        A position that was ranked before keeps its order. At depth 1, where some choices are left out, the others come
        unranked. Raises OutOfBudget.
        """
        node = parent.node
        ranked = self.weighed.get((node.board, node.turn))
        if ranked is not None:
            yield from ranked
            return
        offered = {spoken.text: spoken for spoken in self.search.choices(node)}
        tried: dict[str, Child] = {}
        for text in (first, *self.killers.get(ply, ())):
            if text in offered and text not in tried:
                tried[text] = self._child(node, offered[text])
                yield tried[text]
        likely = self._likely(parent, offered, ply)
        if depth == 1 and len(likely) < len(offered):
            for text, spoken in likely.items():
                if text not in tried:
                    yield self._child(node, spoken)
            return
        ranked = [tried.get(text) or self._child(node, spoken) for text, spoken in likely.items()]
        ranked.sort(key=_value, reverse=node.turn == self.seat)
        self.weighed[node.board, node.turn] = ranked
        if len(likely) == len(offered):
            self.usual.setdefault(ply, frozenset(child.spoken.text for child in ranked[:USUAL]))
        yield from (child for child in ranked if child.spoken.text not in tried)

    def _likely(self, parent: Child, offered: dict[str, Spoken], ply: int) -> dict[str, Spoken]:
        """Return the choices to evaluate: all, where none were ranked at this ply yet or the source is in danger.

        Else attacks and bombs, what lies near the last choice, shields beside another's source, and what was good in
        the ply's first position.
        """
        usual, stride = self.usual.get(ply), parent.node.board.size + 1
        if usual is None or self._is_in_danger(parent.node):
            return offered
        near = king(king(1 << parent.spoken.cell, stride), stride)
        beside = 0
        for seat in parent.node.alive:
            if seat != parent.node.turn:
                beside |= king(parent.node.board.sides[seat].source, stride)
        return {
            text: spoken
            for text, spoken in offered.items()
            if spoken.verb in "NFB"
            or text in usual
            or (near >> spoken.cell & 1 and spoken.verb != "E")
            or (beside >> spoken.cell & 1 and spoken.verb == "D")
        }

    def _is_in_danger(self, node: Node) -> bool:
        """Tell whether the mover's source could be hit, or has another seat's shield beside it."""
        source = node.board.sides[node.turn].source
        beside = king(source, node.board.size + 1)
        others = [seat for seat in node.alive if seat != node.turn]
        if any(node.board.sides[seat].shield & beside for seat in others):
            return True
        return any(hit & source for hit in hits_of(node.board, others, self.search.ruleset))

    def _child(self, node: Node, spoken: Spoken) -> Child:
        """Return the position after an action, evaluated for the seat. Raises OutOfBudget."""
        if self.search.spent >= self.budget:
            raise OutOfBudget
        after = self.search.after(node, spoken)
        value = settled(after, self.seat, self.search.ruleset)
        if value is None:
            return Child(spoken, after, self.search.value(after, self.seat))
        self.search.spent += 1
        return Child(spoken, after, value)

    def _remember(self, ply: int, text: str) -> None:
        """Note a refutation; other positions of this ply are tried with it first."""
        known = [other for other in self.killers.get(ply, ()) if other != text]
        self.killers[ply] = [text, *known][:KILLERS]


def _value(child: Child) -> float:
    return child.value
