"""Relati's board: the grid, the players' pieces, and the keys that play. It holds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action
from game.relati.view import View
from server.matches.model import SeenEvent
from server.tui import keymap, refusing
from server.tui.board import Board, Room
from server.tui.games.relati import draw, labels, selection
from server.tui.games.relati.selection import Selection, Shown
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look

CONTEXT, LINE_CONTEXT, SURE_CONTEXT = "relati", "relati.line", "relati.sure"
CONTEXTS = {selection.FREE: CONTEXT, selection.LINE: LINE_CONTEXT, selection.SURE: SURE_CONTEXT}
VERBS = {"escape": "E", "defend": "D", "bomb": "B"}


class RelatiBoard(Board[View, Selection]):
    """The board; holds nothing."""

    game = "relati"
    weights = labels.WEIGHTS
    counts_moves = True
    hides = False

    def room(self, snapshot: Shown, cols: int, rows: int) -> Room:
        size = snapshot.view.board.size
        whole = draw.board_cols(size, draw.cell_size(size, cols, rows, draw.SIDE_COLS))
        least = min(draw.board_cols(draw.LEAST_CELLS), cols)
        return Room(min(whole, max(least, cols - draw.SIDE_COLS)), rows)

    def start(self, snapshot: Shown, seed: bytes) -> Selection:
        return selection.begin(snapshot)

    def follow(self, snapshot: Shown, chosen: Selection) -> Selection:
        return selection.follow(snapshot, chosen)

    def render(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        return draw.draw(snapshot, chosen, look, cols, rows, events)

    def seats(self, snapshot: Shown, look: Look, cols: int, now: datetime) -> list[Line]:
        return labels.seats(snapshot, look, cols, now)

    def status(self, snapshot: Shown, chosen: Selection, look: Look) -> Line:
        return labels.status(snapshot, chosen, look)

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        if selection.own_seat(snapshot) is None:
            return ()
        if snapshot.pending is None:
            return keymap.hints(CONTEXT, ("move", "home"))
        if chosen.mode == selection.LINE:
            return keymap.hints(LINE_CONTEXT, ("go", "drop", *(("way", "nth") if len(chosen.texts) > 1 else ())))
        if chosen.mode == selection.SURE:
            return keymap.hints(SURE_CONTEXT)
        if chosen.flees:
            return keymap.hints(CONTEXT, ("go", "drop", "move", "escape", "home"))
        found = selection.offers(snapshot)
        able = [name for name, verb in VERBS.items() if found.cells(verb)]
        return keymap.hints(CONTEXT, ("move", "go", *(["attack"] if found.attacks else []), *able, "home"))

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        seat = selection.own_seat(snapshot)
        name = keymap.command(CONTEXTS[chosen.mode], key)
        if seat is None or name is None:
            return None
        match name:
            case "move" | "way":
                return selection.moved(snapshot, chosen, key)
            case "nth":
                return selection.nth(chosen, int(key))
            case "home":
                return Selection(selection.home(snapshot, seat))
            case "drop":
                return None if self.is_resting(chosen) else selection.drop(chosen)
        if snapshot.pending is None:
            return None
        if name == "go":
            return selection.go(snapshot, chosen)
        if name == "attack":
            return selection.next_target(snapshot, chosen)
        return selection.use(snapshot, chosen, VERBS[name])

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        cell = draw.cell_at(snapshot, chosen, cols, rows, col, row)
        if selection.own_seat(snapshot) is None:
            return None
        if cell is None:
            return draw.scrolled(snapshot, chosen, cols, rows, col, row)
        if chosen.anchor == selection.NOBODY and not draw.is_whole(snapshot, cols, rows):
            chosen = replace(chosen, anchor=chosen.cursor)  # what is under the pointer stays there
        if chosen.mode != selection.FREE:
            on_it = cell == chosen.cursor
            return selection.go(snapshot, chosen) if on_it else selection.drop(replace(chosen, cursor=cell))
        # The first click shows why, a second one on the same cell does it.
        if cell == chosen.cursor and snapshot.pending is not None:
            return selection.go(snapshot, chosen)
        return Selection(cell, anchor=chosen.anchor)

    def why_not(self, snapshot: Shown, chosen: Selection, look: Look, key: str) -> str:
        name = keymap.command(CONTEXTS[chosen.mode], key)
        if chosen.mode != selection.FREE or name in (None, "move", "home", "attack"):
            return ""
        place = selection.grid_of(snapshot).names[chosen.cursor]
        if name == "go" and not snapshot.view.board.empty >> chosen.cursor & 1:
            why = labels.no_attack(snapshot, chosen.cursor, look)
        else:
            why = refusing.reason(snapshot, VERBS.get(name or "", "R") + place, look)
        return look.t("board.why", place=place, why=why) if why else ""

    def is_resting(self, chosen: Selection) -> bool:
        return chosen.mode == selection.FREE and not chosen.flees

    def marks(self, look: Look) -> tuple[tuple[str, str], ...]:
        return labels.marks(look)

    def say(self, snapshot: Shown, look: Look, event: SeenEvent) -> str:
        return labels.say(snapshot, look, event)


BOARD = RelatiBoard()
