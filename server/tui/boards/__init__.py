"""The boards: one module a game, pure functions from what a viewer may know to lines of text, and from keys to actions.

A board module exports `BOARD` and is found by the game's key. Boards hold nothing: the selection is a value (`pick`),
so frames can be cached, shared and compared, and a board is tested without a session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from game.contract import Action
from server.matches.model import SeenEvent, Snapshot
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look

Pick = Any  # the game's own frozen dataclass: cursor, selection, mode


@dataclass(frozen=True, slots=True)
class Room:
    """How much of an area a board takes, top left; what is left over belongs to the side panel (log, chat)."""

    cols: int
    rows: int


class Board(Protocol):
    """What draws one game and reads its keys."""

    def room(self, snapshot: Snapshot, cols: int, rows: int) -> Room:
        """Return how much of the area the board wants; the page fills the rest with players, log and chat."""
        ...

    def start(self, snapshot: Snapshot, luck: bytes) -> Pick:
        """Return the selection to begin with; `luck` is secret and random (for a first placement nobody can guess)."""
        ...

    def follow(self, snapshot: Snapshot, pick: Pick) -> Pick:
        """Return the selection after the position changed: the cursor stays, what can't be any more is dropped."""
        ...

    def render(
        self, snapshot: Snapshot, pick: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        """Draw the board: exactly `rows` lines of `cols` columns. `events`: the last ones."""
        ...

    def seats(self, snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
        """Draw the players with their clocks and what they hold, as many lines as it takes."""
        ...

    def status(self, snapshot: Snapshot, pick: Pick, look: Look) -> Line:
        """Say in one line what to do now and what the cursor stands on."""
        ...

    def keys(self, snapshot: Snapshot, pick: Pick) -> tuple[Hint, ...]:
        """Return the keys of the board that work right now, the most useful first."""
        ...

    def contexts(self) -> tuple[str, ...]:
        """Return the key table's contexts of this board, for help."""
        ...

    def press(self, snapshot: Snapshot, pick: Pick, key: str) -> Pick | Action | None:
        """Return the selection after a key, or the action it completes; None: the key is not the board's."""
        ...

    def browse(self, snapshot: Snapshot, pick: Pick, key: str) -> Pick | None:
        """Return the selection after a key that only looks something up: also after the end, and in a replay."""
        ...

    def browse_keys(self, pick: Pick) -> tuple[Hint, ...]:
        """Return the keys that look something up, none where there is nothing to look up."""
        ...

    def click(
        self, snapshot: Snapshot, pick: Pick, look: Look, col: int, row: int, cols: int, rows: int
    ) -> Pick | Action | None:
        """Do the same for a mouse button at a column and row of the board's area."""
        ...

    def is_resting(self, pick: Pick) -> bool:
        """Tell whether nothing is selected (then esc leaves the screen)."""
        ...

    def say(self, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
        """Return a line of the log in the reader's language; empty: nothing worth a line."""
        ...


@cache
def board(game: str) -> Board:
    """Return a game's board. Raises LookupError when it has none (yet)."""
    if not game.isidentifier():
        raise LookupError(game)
    try:
        found: Board = import_module(f"server.tui.boards.{game}").BOARD
    except ModuleNotFoundError as error:
        raise LookupError(game) from error
    return found


def has_board(game: str) -> bool:
    """Tell whether a game can be shown."""
    try:
        board(game)
    except LookupError:
        return False
    return True
