"""A RaiNet player without beliefs: it searches worlds dealt at random as if both sides saw every card."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.bots.budget import OutOfBudget
from game.contract import Action, OneOf, Pending
from game.rainet.board import NAMES
from game.rainet.bots.scene import Scene, board_of, scene_of
from game.rainet.bots.search import ATTACH, DETACH, ENTER, GONE, STEP, UNWALL, WALL, Move, SearchPosition
from game.rainet.view import SETUPS, View, determinize
from game.rng import Rng

LETTERS = {ATTACH: "+", DETACH: "-", WALL: "#", UNWALL: "~"}
WINDOW = 6.0  # what is so much worse than the best of a world is only bounded


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """Takes what is best on average over `worlds` dealt evenly, each searched with at most `positions`."""

    worlds: int = 8
    depth: int = 5
    positions: int = 1500

    def decide(self, view: View, pending: Pending, rng: Rng) -> Action:
        """Choose an action for the seat to move."""
        assert isinstance(pending.choice, OneOf)
        if view.is_setup:
            return Action(f"setup {rng.choose(SETUPS)[0]}")
        seat = int(pending.seat)
        totals: dict[str, float] = {}
        for _ in range(self.worlds):
            stream, rng = rng.split()
            for text, value in self._searched(_dealt(view, seat, stream), seat).items():
                totals[text] = totals.get(text, 0.0) + value
        offered = [action for action in pending.choice.actions if action.text in totals]
        return max(offered, key=lambda action: totals[action.text], default=pending.choice.actions[0])

    def _searched(self, scene: Scene, seat: int) -> dict[str, float]:
        """Return each action's value in one world, looking as deep as the positions last."""
        board = board_of(scene, 0.0)
        board.budget = self.positions
        scored = [(0.0, move) for move in board.moves(0, True)]
        for depth in range(self.depth):
            try:
                scored = _one_look(board, [move for _, move in scored], depth)
            except OutOfBudget:
                break
        board = board_of(scene, 0.0)
        return {_text(board, scene, move, 56 if seat else 0): value for value, move in scored}


def _dealt(view: View, seat: int, rng: Rng) -> Scene:
    """Return the scene of one deal of the hidden cards, with nothing hidden from anybody."""
    state = determinize(view, rng)
    shown = replace(view, board=state.board, stacks=state.stacks)
    scene = scene_of(shown, seat, infers=False)
    return replace(scene, pieces=tuple(replace(piece, seen_virus=piece.virus) for piece in scene.pieces))


def _one_look(board: SearchPosition, moves: list[Move], depth: int) -> list[tuple[float, Move]]:
    best, scored = -1e9, []
    for move in moves:
        value = board.after(0, move, depth + 1, best - WINDOW, 1e9, 1)
        best = max(best, value)
        scored.append((value, move))
    return sorted(scored, key=lambda item: -item[0])


def _text(board: SearchPosition, scene: Scene, move: Move, flip: int) -> str:
    kind, number, target, via = move
    there = NAMES[target ^ flip]
    if kind in LETTERS:
        return LETTERS[kind] + there
    start = board.place[number]
    path = NAMES[start ^ flip] + (NAMES[via ^ flip] if via != GONE else "")
    if kind == STEP:
        return path + there
    assert kind == ENTER
    shown = any(piece.face_up for piece in scene.pieces if piece.square == start)
    return f"{path}>{'' if shown else '+'}"
