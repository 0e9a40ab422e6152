"""A Relati player with one idea: a piece beside the rival's source becomes a shield, and the shield a bomb."""

from __future__ import annotations

from dataclasses import dataclass

from game.contract import Action, Pending
from game.relati.bots.levels import PLAIN
from game.relati.bots.search import Child, Node, Search, node_of
from game.relati.geometry import bits
from game.relati.view import View, known
from game.rng import Rng


def around(cells: int, board_size: int) -> int:
    """Return the cells beside `cells`; not cut down to the board."""
    stride = board_size + 1
    row = cells | cells << 1 | cells >> 1
    return (row | row << stride | row >> stride) & ~cells


@dataclass(frozen=True, slots=True)
class ShieldBomb:
    """Wins at once where it can; else bombs, shields, connects beside a source or comes nearer, unless that loses.

    What it has no plan for it leaves to the evaluation of the level `normal`, without looking ahead.
    """

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Choose an action for the seat to move."""
        node = node_of(known(view))
        search = Search(view.ruleset, PLAIN)
        ideas = list(search.children(node))
        if not node.board.sides[node.turn].mark:
            ideas = self._first_sources(node, ideas)
        drawn, _ = rng.sample(ideas, len(ideas))
        ranked = sorted(drawn, key=lambda child: self._worth(node, child), reverse=True)
        safe = (child for child in ranked if not _is_hit(search, child.node, node.turn))
        return Action(next(safe, max(drawn, key=lambda child: child.value)).spoken.text)

    def _first_sources(self, node: Node, ideas: list[Child]) -> list[Child]:
        """Return the cells four to six away from a rival's source; all, where nobody has one."""
        grid = node.board.grid
        rivals = [grid.xy(cell) for side in node.board.sides for cell in bits(side.source)]

        def distance(child: Child) -> int:
            x, y = grid.xy(child.spoken.cell)
            return min((max(abs(x - a), abs(y - b)) for a, b in rivals), default=5)

        return [child for child in ideas if 4 <= distance(child) <= 6] or ideas

    def _worth(self, node: Node, child: Child) -> tuple[int, float]:
        """Return how far the plan has come with this action, then the ordinary judgement."""
        seat, after = node.turn, child.node
        if after.over and not after.out >> seat & 1:
            return 9, child.value
        own, before = after.board.sides[seat], node.board.sides[seat]
        rivals = [side.source for other, side in enumerate(node.board.sides) if other != seat and side.source]
        lost = sum(side.source == 0 for side in after.board.sides) - sum(side.source == 0 for side in node.board.sides)
        if lost > 0 and own.source:
            return 8, child.value
        beside = 0
        for source in rivals:
            beside |= around(source, node.board.size)
        if (own.shield & ~before.shield) & beside:
            return 7, child.value
        if own.linked & beside and not before.linked & beside:
            return 6, child.value
        if child.spoken.verb == "R" and rivals and not before.linked & beside:
            return 5, -self._distance(node, child, rivals)
        return 4, child.value

    def _distance(self, node: Node, child: Child, rivals: list[int]) -> float:
        grid = node.board.grid
        x, y = grid.xy(child.spoken.cell)
        cells = [grid.xy(cell) for source in rivals for cell in bits(source)]
        return min(max(abs(x - a), abs(y - b)) + min(abs(x - a), abs(y - b)) / 100 for a, b in cells)


def _is_hit(search: Search, node: Node, seat: int) -> bool:
    """Tell whether somebody who moves now could take this seat's source."""
    source = node.board.sides[seat].source
    if node.over or not source or node.turn == seat:
        return False
    answers = (search.after(node, spoken) for spoken in search.choices(node))
    return any(after.out >> seat & 1 or not after.board.sides[seat].source for after in answers)
