"""RaiNet's board: the grid, the players' cards, and the keys that move them. Functions of (snapshot, pick, look)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action, Watcher
from game.rainet.board import START_SQUARES
from server.matches.model import SeenEvent, Snapshot
from server.tui import keymap
from server.tui.boards import Board, Room
from server.tui.boards.rainet import draw, pick, words
from server.tui.boards.rainet.pick import Pick
from server.tui.keymap import Hint
from server.tui.lines import Line
from server.tui.look import Look

MODES = {"boost": pick.BOOST, "check": pick.CHECK, "wall": pick.WALL, "404": pick.FIRST}
FILINGS = {"reveal": "+", "link": "l", "virus": "v"}


class RaiNetBoard:
    """The board; holds nothing."""

    def room(self, snapshot: Snapshot, cols: int, rows: int) -> Room:
        width, _ = draw.cell_size(cols, rows, draw.SIDE_COLS)
        return Room(draw.board_cols(width), rows)

    def start(self, snapshot: Snapshot, luck: bytes) -> Pick:
        return pick.begin(snapshot, luck)

    def follow(self, snapshot: Snapshot, chosen: Pick) -> Pick:
        return pick.follow(snapshot, chosen)

    def render(
        self, snapshot: Snapshot, chosen: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        return draw.draw(snapshot, chosen, look, cols, rows, events)

    def seats(self, snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
        return words.seats(snapshot, look, cols, now)

    def status(self, snapshot: Snapshot, chosen: Pick, look: Look) -> Line:
        return words.status(snapshot, chosen, look)

    def contexts(self) -> tuple[str, ...]:
        return ("rainet", "rainet.setup", "rainet.enter", "rainet.404")

    def keys(self, snapshot: Snapshot, chosen: Pick) -> tuple[Hint, ...]:
        context = _context(chosen)
        if isinstance(snapshot.viewer, Watcher):
            return ()
        if snapshot.pending is None:
            return keymap.hints("rainet", ("move",))
        if context != "rainet":
            return keymap.hints(context)
        found = pick.offers(snapshot)
        able = {"boost": found.boost, "check": found.check, "wall": found.wall, "404": found.hide}
        cards = [name for name, places in able.items() if places]
        if chosen.mode == pick.FREE:
            return keymap.hints("rainet", ("move", "go", *cards))
        return keymap.hints("rainet", ("go", "drop", "move", *cards))

    def press(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | Action | None:
        context = _context(chosen)
        name = keymap.command(context, key)
        if snapshot.pending is None:
            name = name if context == "rainet" and name == "move" else None
        if name is None or isinstance(snapshot.viewer, Watcher):
            return None
        match context, name:
            case "rainet" | "rainet.setup", "move":
                return pick.moved(snapshot, chosen, key)
            case "rainet", "go":
                return pick.go(snapshot, chosen)
            case "rainet.setup", _:
                return _set_up(snapshot, chosen, name)
            case _, "drop":
                return pick.drop(chosen) if chosen.mode != pick.FREE else None
            case "rainet.enter", _:
                return pick.enter_with(snapshot, chosen, FILINGS[name])
            case "rainet.404", _:
                return pick.hide_two(chosen, swap=name == "swap")
        return pick.use(snapshot, chosen, MODES[name])

    def browse(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | None:
        return None

    def browse_keys(self, chosen: Pick) -> tuple[Hint, ...]:
        return ()

    def click(
        self, snapshot: Snapshot, chosen: Pick, look: Look, col: int, row: int, cols: int, rows: int
    ) -> Pick | Action | None:
        square = draw.square_at(snapshot, col, row, cols, rows)
        if square is None or isinstance(snapshot.viewer, Watcher) or chosen.mode in (pick.ENTER, pick.SWAP):
            return None
        if chosen.mode == pick.SETUP and square not in START_SQUARES[pick.side(snapshot)]:
            return None
        pointed = replace(chosen, cursor=square)
        return pick.go(snapshot, pointed) if snapshot.pending is not None else pointed

    def is_resting(self, chosen: Pick) -> bool:
        return chosen.mode in (pick.FREE, pick.SETUP) and not chosen.chosen

    def say(self, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
        return words.say(event, snapshot, look)


def _context(chosen: Pick) -> str:
    """Return the key table's context of what is being done."""
    return {pick.SETUP: "rainet.setup", pick.ENTER: "rainet.enter", pick.SWAP: "rainet.404"}.get(chosen.mode, "rainet")


def _set_up(snapshot: Snapshot, chosen: Pick, name: str) -> Pick | Action:
    match name:
        case "pick":
            return pick.go(snapshot, chosen)
        case "shuffle":
            return pick.shuffled(chosen)
    return Action(f"setup {chosen.placed}")


BOARD: Board = RaiNetBoard()
