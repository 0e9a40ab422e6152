"""Relati's board: the grid, the players' pieces, and the keys that play. Functions of (snapshot, pick, look)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action
from server.matches.model import SeenEvent, Snapshot
from server.tui import keymap
from server.tui.boards import Board, Room
from server.tui.boards.relati import draw, pick, words
from server.tui.boards.relati.pick import Pick
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look

CONTEXT, LINE_CONTEXT, SURE_CONTEXT = "relati", "relati.line", "relati.sure"
CONTEXTS = {pick.FREE: CONTEXT, pick.LINE: LINE_CONTEXT, pick.SURE: SURE_CONTEXT}
VERBS = {"escape": "E", "defend": "D", "bomb": "B"}


class RelatiBoard:
    """The board; holds nothing."""

    def room(self, snapshot: Snapshot, cols: int, rows: int) -> Room:
        whole = draw.board_cols(pick.view_of(snapshot).board.size)
        least = min(draw.board_cols(draw.LEAST_CELLS), cols)
        return Room(min(whole, max(least, cols - draw.SIDE_COLS)), rows)

    def start(self, snapshot: Snapshot, luck: bytes) -> Pick:
        return pick.begin(snapshot)

    def follow(self, snapshot: Snapshot, chosen: Pick) -> Pick:
        return pick.follow(snapshot, chosen)

    def render(
        self, snapshot: Snapshot, chosen: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        return draw.draw(snapshot, chosen, look, cols, rows)

    def seats(self, snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
        return words.seats(snapshot, look, cols, now)

    def status(self, snapshot: Snapshot, chosen: Pick, look: Look) -> Line:
        return words.status(snapshot, chosen, look)

    def contexts(self) -> tuple[str, ...]:
        return (CONTEXT, LINE_CONTEXT, SURE_CONTEXT)

    def keys(self, snapshot: Snapshot, chosen: Pick) -> tuple[Hint, ...]:
        if pick.own_seat(snapshot) is None:
            return ()
        if snapshot.pending is None:
            return keymap.hints(CONTEXT, ("move", "home"))
        if chosen.mode != pick.FREE:
            return keymap.hints(CONTEXTS[chosen.mode])
        found = pick.offers(snapshot)
        able = [name for name, verb in VERBS.items() if found.cells(verb)]
        return keymap.hints(CONTEXT, ("move", "go", *(["attack"] if found.attacks else []), *able, "home"))

    def press(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | Action | None:
        seat = pick.own_seat(snapshot)
        name = keymap.command(CONTEXTS[chosen.mode], key)
        if seat is None or name is None:
            return None
        match name:
            case "move" | "way":
                return pick.moved(snapshot, chosen, key)
            case "home":
                return Pick(pick.home(snapshot, seat))
            case "drop":
                return pick.drop(chosen) if chosen.mode != pick.FREE else None
        if snapshot.pending is None:
            return None
        if name == "go":
            return pick.go(snapshot, chosen)
        return pick.next_target(snapshot, chosen) if name == "attack" else pick.use(snapshot, chosen, VERBS[name])

    def browse(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | None:
        return None

    def browse_keys(self, chosen: Pick) -> tuple[Hint, ...]:
        return ()

    def click(
        self, snapshot: Snapshot, chosen: Pick, look: Look, col: int, row: int, cols: int, rows: int
    ) -> Pick | Action | None:
        cell = draw.cell_at(snapshot, chosen, col, row, cols, rows)
        if cell is None or pick.own_seat(snapshot) is None:
            return None
        if chosen.mode != pick.FREE:
            return pick.go(snapshot, chosen) if cell == chosen.cursor else pick.drop(replace(chosen, cursor=cell))
        # The first click shows why, a second one on the same cell does it.
        return pick.go(snapshot, chosen) if cell == chosen.cursor and snapshot.pending is not None else Pick(cell)

    def is_resting(self, chosen: Pick) -> bool:
        return chosen.mode == pick.FREE

    def say(self, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
        return words.say(event, snapshot, look)


BOARD: Board = RelatiBoard()
