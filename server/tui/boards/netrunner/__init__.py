"""Netrunner's board: servers, rig, run, and the choices as rows. Functions of (snapshot, pick, look)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action
from server.matches.model import SeenEvent, Snapshot
from server.tui import keymap, panel
from server.tui.boards import Board, Room
from server.tui.boards.netrunner import choices, details, draw, pick, say, seats
from server.tui.boards.netrunner.pick import Pick
from server.tui.boards.netrunner.scene import own_seat
from server.tui.keymap import Hint
from server.tui.lines import Line, block, plain
from server.tui.look import Look

CONTEXTS = {
    pick.FREE: "netrunner",
    pick.LIST: "netrunner.list",
    pick.NUMBER: "netrunner.number",
    pick.SEVERAL: "netrunner.several",
    pick.TRASH: "netrunner.trash",
    pick.LOOK: "netrunner.look",
    pick.LOG: "netrunner.log",
    pick.AUTO: "netrunner.auto",
}
PANEL_ROWS = 4  # below the board: clocks, a rule, the end of the log
PANEL_COLS = 38  # beside it, on a wide screen
LEAST_COLS = 78


class NetrunnerBoard:
    """The board; holds nothing."""

    def room(self, snapshot: Snapshot, cols: int, rows: int) -> Room:
        if cols >= LEAST_COLS + PANEL_COLS + 2:
            return Room(cols - PANEL_COLS - 2, rows)
        return Room(cols, rows - PANEL_ROWS if rows >= 4 * PANEL_ROWS else rows)

    def start(self, snapshot: Snapshot, luck: bytes) -> Pick:
        return pick.begin(snapshot)

    def follow(self, snapshot: Snapshot, chosen: Pick) -> Pick:
        return pick.follow(chosen, snapshot)

    def render(
        self, snapshot: Snapshot, chosen: Pick, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        if chosen.mode == pick.LOG:
            return block(panel.log_lines(self, snapshot, events, look, cols, rows, chosen.cursor), cols, rows)
        return draw.draw(snapshot, chosen, look, cols, rows)

    def seats(self, snapshot: Snapshot, look: Look, cols: int, now: datetime) -> list[Line]:
        return seats.draw(snapshot, look, cols, now)

    def status(self, snapshot: Snapshot, chosen: Pick, look: Look) -> Line:
        said = choices.refusal(snapshot, chosen, look)
        return plain(
            f" {said or draw.clipped(snapshot, chosen, look) or choices.prompt(snapshot, chosen, look)}", "warn"
        )

    def contexts(self) -> tuple[str, ...]:
        return tuple(CONTEXTS.values())

    def keys(self, snapshot: Snapshot, chosen: Pick) -> tuple[Hint, ...]:
        if chosen.mode in (*pick.ASIDE, pick.LIST, pick.TRASH):
            return keymap.hints(CONTEXTS[chosen.mode])
        auto = ("auto",) if snapshot.settings else ()
        if pick.goes_by(snapshot):
            return keymap.hints("netrunner", ("pass", "look", "log", *auto))
        if snapshot.pending is None:
            return keymap.hints("netrunner", ("look", "log", *auto))
        match chosen.mode:
            case pick.NUMBER:
                return keymap.hints("netrunner.number", ("digit", "amount", "send", "look", "log"))
            case pick.SEVERAL if pick.is_single(snapshot):
                return keymap.hints("netrunner", ("digit", "move", "choose", "look", *auto))
            case pick.SEVERAL:
                return keymap.hints("netrunner.several", ("digit", "tick", "send", "look", "log"))
        passes = ("pass",) if pick.passing(snapshot) is not None else ()
        never = ("never",) if auto and pick.never(snapshot) is not None else ()
        return keymap.hints("netrunner", ("digit", *passes, *never, "move", "choose", "look", "log", *auto))

    def press(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | Action | None:
        if (found := self.browse(snapshot, chosen, key)) is not None or chosen.mode in (pick.LOOK, pick.LOG):
            return found
        command = keymap.command(CONTEXTS[chosen.mode], key)
        if own_seat(snapshot) is None or command is None:
            return None
        if command == "auto":
            return pick.opened(chosen, pick.AUTO, details.start_at(snapshot)) if snapshot.settings else None
        if command == "never":
            return pick.never(snapshot) if snapshot.settings else None
        if chosen.mode == pick.AUTO:
            return self._set(snapshot, chosen, command, key)
        return self._do(snapshot, chosen, command, key) if snapshot.pending is not None else None

    def _subject(self, snapshot: Snapshot, chosen: Pick) -> int:
        aim = draw.aim_of(snapshot, chosen)
        card = next((one for one in snapshot.view.scene.cards if one.iid == aim.iid), None) if aim.iid else None
        return details.first_of(snapshot, draw.spoken_of(snapshot, chosen), card)

    def browse(self, snapshot: Snapshot, chosen: Pick, key: str) -> Pick | None:
        command = keymap.command(CONTEXTS[chosen.mode], key)
        match chosen.mode, command:
            case _, "look":
                return pick.opened(chosen, pick.LOOK, self._subject(snapshot, chosen))
            case _, "log":
                return pick.opened(chosen, pick.LOG, 0)
            case ((pick.LOOK | pick.LOG), "drop"):
                return pick.drop(snapshot, chosen)
            case pick.LOOK, ("move" | "page"):
                return pick.turned(chosen, key, len(details.items(snapshot)))
            case pick.LOG, ("move" | "page"):
                return pick.scrolled(chosen, key, snapshot.seq)
        return None

    def browse_keys(self, chosen: Pick) -> tuple[Hint, ...]:
        if chosen.mode in (pick.LOOK, pick.LOG):
            return keymap.hints(CONTEXTS[chosen.mode])
        return keymap.hints("netrunner", ("look", "log"))

    def _set(self, snapshot: Snapshot, chosen: Pick, command: str, key: str) -> Pick | Action | None:
        steps = details.windows(snapshot)
        match command:
            case "move":
                return replace(chosen, cursor=pick.stepped(chosen.cursor, pick.STEPS[key], len(steps)))
            case "change":
                return details.changed(snapshot, chosen.cursor, -1 if key == "left" else 1)
        return pick.drop(snapshot, chosen)

    def _do(self, snapshot: Snapshot, chosen: Pick, command: str, key: str) -> Pick | Action | None:
        if pick.goes_by(snapshot) and command in ("digit", "move", "choose"):
            return chosen  # there are no rows to choose from
        match command:
            case "move" | "amount":
                return pick.moved(snapshot, chosen, key)
            case "digit":
                return pick.digit(snapshot, chosen, key)
            case "choose" | "send":
                return pick.go(snapshot, chosen)
            case "tick":
                return pick.tick(chosen) if pick.ticks(snapshot, chosen) else pick.go(snapshot, chosen)
            case "pass":
                return pick.passing(snapshot)
        return pick.drop(snapshot, chosen)

    def click(
        self, snapshot: Snapshot, chosen: Pick, look: Look, col: int, row: int, cols: int, rows: int
    ) -> Pick | Action | None:
        if snapshot.pending is None or chosen.mode not in (pick.FREE, pick.LIST, pick.SEVERAL, pick.TRASH):
            return None
        at = draw.row_at(snapshot, chosen, look, col, row, cols, rows)
        if at is None:
            return None
        if pick.ticks(snapshot, chosen):
            return pick.tick(replace(chosen, cursor=at))
        # The first click selects, a second one on the same row does it.
        return pick.go(snapshot, chosen) if at == chosen.cursor else replace(chosen, cursor=at)

    def is_resting(self, chosen: Pick) -> bool:
        return chosen.mode not in (pick.LIST, pick.TRASH, *pick.ASIDE) and not chosen.ticked

    def say(self, event: SeenEvent, snapshot: Snapshot, look: Look) -> str:
        return say.say(event, snapshot, look)


BOARD: Board = NetrunnerBoard()
