"""Passage's board: piles, counters, what one knows, and the choices as rows. Functions of (snapshot, pick, look)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action
from server.matches.model import SeenEvent, Snapshot
from server.tui import keymap
from server.tui.boards import Board, Room
from server.tui.boards.passage import draw, pick, words
from server.tui.boards.passage.pick import Pick
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look

CONTEXTS = {
    pick.FREE: "passage",
    pick.WINDOW: "passage.window",
    pick.TARGET: "passage.target",
    pick.NUMBER: "passage.number",
    pick.SEVERAL: "passage.several",
}


class PassageBoard:
    """The board; holds nothing."""

    def room(self, snapshot: Snapshot, cols: int, rows: int) -> Room:
        wide = cols - draw.SIDE_COLS if cols >= 2 * draw.SIDE_COLS else cols
        return Room(min(draw.WIDEST, wide), rows)

    def start(self, snapshot: Snapshot, luck: bytes) -> Pick:
        return pick.begin(snapshot)

    def follow(self, snapshot: Snapshot, chosen: Pick) -> Pick:
        return pick.follow(chosen, snapshot)

    def render(
        self, snapshot: Snapshot, chosen: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        return draw.draw(snapshot, chosen, look, cols, rows)

    def seats(self, snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
        return words.seats(snapshot, look, cols, now)

    def status(self, snapshot: Snapshot, chosen: Pick, look: Look) -> Line:
        return words.status(snapshot, chosen, look)

    def contexts(self) -> tuple[str, ...]:
        return tuple(CONTEXTS.values())

    def keys(self, snapshot: Snapshot, chosen: Pick) -> tuple[Hint, ...]:
        if pick.own_seat(snapshot) is None:
            return ()
        auto = ("auto",) if pick.next_auto(snapshot) is not None else ()
        if snapshot.pending is None:
            return keymap.hints("passage", auto)
        match chosen.mode:
            case pick.WINDOW:
                veto = ("judge",) if pick.judging(snapshot) is not None else ()
                return keymap.hints("passage.window", (*veto, "pass", "move", "go", *auto))
            case pick.FREE:
                end = ("end",) if pick.passing(snapshot) is not None else ()
                return keymap.hints("passage", ("move", "go", *end, *auto))
            case pick.NUMBER if len(pick.rows(snapshot)) == 1:
                return keymap.hints("passage.number", ("move", "ends", "go"))
        return keymap.hints(CONTEXTS[chosen.mode])

    def press(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | Action | None:
        if pick.own_seat(snapshot) is None:
            return None
        command = keymap.command(CONTEXTS[chosen.mode], key)
        if command == "auto":
            return pick.next_auto(snapshot)
        if command is None or snapshot.pending is None:
            return None
        return self._do(snapshot, chosen, command, key)

    def _do(self, snapshot: Snapshot, chosen: Pick, command: str, key: str) -> Pick | Action | None:
        match command:
            case "move":
                return pick.moved(snapshot, chosen, key)
            case "ends":
                return pick.to_end(snapshot, chosen)
            case "go":
                return pick.go(snapshot, chosen)
            case "drop":
                return pick.drop(snapshot, chosen)
            case "tick":
                return pick.tick(chosen)
            case "send":
                return pick.send(snapshot, chosen)
            case "judge":
                return pick.judging(snapshot)
        return pick.passing(snapshot)

    def browse(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | None:
        return None

    def browse_keys(self, chosen: Pick) -> tuple[Hint, ...]:
        return ()

    def click(
        self, snapshot: Snapshot, chosen: Pick, look: Look, col: int, row: int, cols: int, rows: int
    ) -> Pick | Action | None:
        at = draw.row_at(snapshot, chosen, look, row, cols, rows)
        if at is None or snapshot.pending is None or pick.own_seat(snapshot) is None:
            return None
        if chosen.mode in (pick.TARGET, pick.NUMBER):
            return pick.go(snapshot, chosen) if at == chosen.at else replace(chosen, at=at)
        if at >= len(pick.rows(snapshot)):
            return None
        if chosen.mode == pick.SEVERAL:
            return pick.tick(replace(chosen, cursor=at))
        # The first click selects, a second one on the same row does it.
        return pick.go(snapshot, chosen) if at == chosen.cursor else replace(chosen, cursor=at)

    def is_resting(self, chosen: Pick) -> bool:
        return chosen.mode != pick.TARGET and not chosen.ticked

    def say(self, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
        return words.say(event, snapshot, look)


BOARD: Board = PassageBoard()
