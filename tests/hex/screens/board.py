"""Hex's board: a rhombus of cells, each row a column further to the right. It keeps no state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from game.contract import Action, OneOf, Watcher
from server.boards import keymap
from server.boards.board import Board, BoardArea, MoveGroup, Players
from server.boards.saying import is_named, sentence
from server.boards.seats import name_at, player_card, waiting_words
from server.matches.model import SeenEvent, ViewerState
from server.terminal.cursor import GRID_STEPS
from server.terminal.edges import CURSOR, LAST, NONE, PLAIN, Edge, edge_between
from server.terminal.hint import Hint
from server.terminal.lines import Line, Span, block, plain
from server.terminal.look import Look
from tests.hex.notation import write_cell
from tests.hex.state import EMPTY, STONES
from tests.hex.view import View

LABEL_COLS, CELL_COLS = 3, 3  # row numbers; an edge, the stone, a gap
NOBODY = -1  # who only looks on has no cursor
MARKS = ("R", "B")


@dataclass(frozen=True, slots=True)
class Selection:
    """The cell under the cursor."""

    cursor: int


Shown: TypeAlias = ViewerState[View]


class HexBoard(Board[View, Selection]):
    """The board. It keeps no state."""

    game = "hex"

    def area(self, snapshot: Shown, cols: int, rows: int) -> BoardArea:
        size = snapshot.view.state.size
        return BoardArea(min(cols, LABEL_COLS + CELL_COLS * size + size), rows)

    def start(self, snapshot: Shown, seed: bytes) -> Selection:
        size = snapshot.view.state.size
        return Selection(NOBODY if isinstance(snapshot.viewer, Watcher) else size * size // 2)

    def follow(self, snapshot: Shown, chosen: Selection) -> Selection:
        return chosen

    def render(
        self,
        snapshot: Shown,
        chosen: Selection,
        look: Look,
        cols: int,
        rows: int,
        events: Sequence[SeenEvent] = (),
    ) -> list[Line]:
        size = snapshot.view.state.size
        last = {str(event.params["cell"]) for event in events[-1:] if event.kind == "placed"}
        letters = "".join(f" {write_cell(column, size)[0]} " for column in range(size))
        lines: list[Line] = [plain(" " * LABEL_COLS + letters, "dim")]
        lines += [_row(snapshot, chosen, look, row, last) for row in range(size)]
        return block(lines, cols, rows)

    def players(self, snapshot: Shown, look: Look, cols: int, now: datetime) -> Players:
        edges = [(look.t(f"hex.edges.{mark.lower()}"),) for mark in MARKS]
        cards = [player_card(snapshot, seat, mark, look, now, aside=edges[seat]) for seat, mark in enumerate(MARKS)]
        return Players(tuple(cards))

    def status(self, snapshot: Shown, chosen: Selection, look: Look) -> Line:
        said = _asked(snapshot, look)
        if chosen.cursor == NOBODY:
            return plain(f" {said}", "warn")
        return (("warn", f" {said}"), ("dim", f"  {write_cell(chosen.cursor, snapshot.view.state.size)}"))

    def spoken(self, snapshot: Shown, look: Look) -> tuple[str, ...]:
        return tuple(_stones(snapshot, look, seat) for seat in range(len(MARKS)))

    def spoken_of(self, snapshot: Shown, look: Look, what: str) -> tuple[str, ...]:
        state = snapshot.view.state
        stones = {write_cell(cell, state.size): stone for cell, stone in enumerate(state.cells)}
        name = what.strip().casefold()
        seats = [seat for seat in range(len(MARKS)) if is_named(what, (name_at(snapshot, seat, look), MARKS[seat]))]
        if name not in stones:
            return tuple(_stones(snapshot, look, seat) for seat in seats)
        stone = stones[name]
        said = look.t("hex.say.empty") if stone == EMPTY else name_at(snapshot, STONES.index(stone), look)
        return (sentence(look.t("list.pair", what=name, value=said), look),)

    def spoken_moves(self, snapshot: Shown, look: Look) -> tuple[MoveGroup, ...]:
        if snapshot.pending is None or not isinstance(snapshot.pending.choice, OneOf):
            return ()
        texts = [action.text for action in snapshot.pending.choice.actions]
        return (
            MoveGroup(look.t("hex.prompt.place"), tuple((text, look.t("hex.say.on", cell=text)) for text in texts)),
        )

    def spoken_prompt(self, snapshot: Shown, look: Look) -> str:
        return _asked(snapshot, look)

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        if isinstance(snapshot.viewer, Watcher):
            return ()
        return keymap.hints("hex", ("move", "place") if snapshot.pending is not None else ("move",))

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        command = keymap.command("hex", key)
        if command is None or chosen.cursor == NOBODY:
            return None
        if command == "move":
            return _moved(snapshot, chosen, key)
        return _place(snapshot, chosen) if snapshot.pending is not None else None

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        size = snapshot.view.state.size
        down, right = row - 1, (col - LABEL_COLS - (row - 1)) // CELL_COLS
        if chosen.cursor == NOBODY or not (0 <= down < size and 0 <= right < size):
            return None
        pointed = Selection(down * size + right)
        # The first click points, a second one on the same cell places a stone.
        return _place(snapshot, chosen) if pointed == chosen and snapshot.pending is not None else pointed

    def cursors(self, snapshot: Shown, chosen: Selection) -> range:
        return range(snapshot.view.state.size**2)

    def is_resting(self, chosen: Selection) -> bool:
        return True

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        seat = event.params.get("seat")
        name = name_at(snapshot, seat, look) if isinstance(seat, int) else ""
        return look.t(f"hex.event.{event.kind}", name=name, cell=event.params.get("cell"))


def _asked(snapshot: Shown, look: Look) -> str:
    """Say what is asked, or who is waited for."""
    if snapshot.pending is not None:
        return look.t("hex.prompt.place")
    return waiting_words(snapshot, (seat for seat, _ in snapshot.deciding), look)


def _stones(snapshot: Shown, look: Look, seat: int) -> str:
    """Say where a player's stones are."""
    state = snapshot.view.state
    cells = [write_cell(cell, state.size) for cell, stone in enumerate(state.cells) if stone == STONES[seat]]
    where = look.t("list.comma").join(cells) or look.t("hex.say.none")
    return sentence(look.t("list.pair", what=name_at(snapshot, seat, look), value=where), look)


def _row(snapshot: Shown, chosen: Selection, look: Look, row: int, last: set[str]) -> Line:
    """Draw one row, a column further to the right than the one above it."""
    state = snapshot.view.state
    spans: list[Span] = [("dim", f"{row + 1:>2}" + " " * (row + 1))]
    for cell in range(row * state.size, (row + 1) * state.size):
        stone = state.cells[cell]
        style = f"seat{look.hue(STONES.index(stone))}" if stone != EMPTY else "dim"
        text = MARKS[STONES.index(stone)] if stone != EMPTY else "."
        is_last = write_cell(cell, state.size) in last
        edge = Edge(CURSOR if cell == chosen.cursor else LAST if is_last else NONE, "last" if is_last else "")
        left = edge_between(PLAIN, edge, look.glyphs, ("", " "), ("", " "))
        right = edge_between(edge, PLAIN, look.glyphs, ("", " "), ("", " "))
        spans += [left, (style, text), right]
    return tuple(spans)


def _moved(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Return the cursor a cell further; it stays on the board."""
    size, (right, down) = snapshot.view.state.size, GRID_STEPS[key]
    row, column = divmod(chosen.cursor, size)
    return Selection(max(0, min(size - 1, row + down)) * size + max(0, min(size - 1, column + right)))


def _place(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Return the action of placing a stone; a cell that is taken stays what it is."""
    state = snapshot.view.state
    return chosen if state.cells[chosen.cursor] != EMPTY else Action(write_cell(chosen.cursor, state.size))


BOARD = HexBoard()
