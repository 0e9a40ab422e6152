"""A board as tests drive it: keys pressed one after the other, and what it draws as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from game.contract import Action
from server.boards.board import AnyBoard
from server.matches.model import AnyViewerState
from server.terminal.lines import beside, text_of
from server.terminal.look import Look
from tests.boards.positions import NOON

S = TypeVar("S")  # the board's selection


@dataclass(frozen=True, slots=True)
class DrivenBoard(Generic[S]):
    """A board with the type of its selections. `seed`: what it draws at random from, at its start."""

    board: AnyBoard
    kind: type[S]
    seed: bytes = b""

    def typed(self, shot: AnyViewerState, keys: str, chosen: S | None = None) -> S | Action:
        """Press keys one after the other, as the page would; return the selection, or the action they complete."""
        now: S = self.board.start(shot, self.seed) if chosen is None else chosen
        for key in keys.split():
            answer = self.board.press(shot, now, {"space": " "}.get(key, key))
            if isinstance(answer, Action):
                return answer
            if answer is not None:
                now = answer
        return now

    def picked(self, shot: AnyViewerState, keys: str, chosen: S | None = None) -> S:
        """Press keys that complete no action."""
        now = self.typed(shot, keys, chosen)
        assert isinstance(now, self.kind)
        return now

    def picked_from(self, shot: AnyViewerState, chosen: S, key: str) -> S:
        """Press one key that the board takes, and that completes no action."""
        answer = self.board.press(shot, chosen, key)
        assert isinstance(answer, self.kind)
        return answer

    def screen(self, shot: AnyViewerState, chosen: S, look: Look, cols: int, rows: int) -> str:
        """Return the board with the seats beside it, and the line below."""
        area = self.board.area(shot, cols, rows)
        left = self.board.render(shot, chosen, look, area.cols, rows)
        right = [(("", "  "), *line) for line in self.board.seats(shot, look, cols - area.cols - 2, NOON)]
        lines = [*beside(left, right, area.cols, cols - area.cols), self.board.status(shot, chosen, look)]
        return "\n".join(text_of(line) for line in lines)
