"""RaiNet's board: the grid, the players' cards, and the keys that move them. It keeps no state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from game.contract import Action, Watcher
from game.rainet.board import SQUARES, START_SQUARES
from game.rainet.view import View
from server.boards import keymap
from server.boards.board import PREPARE, Board, BoardArea, Unasked
from server.boards.games.rainet import draw, halfdone, labels, selection, spoken, whynot
from server.boards.games.rainet.selection import Mode, Selection, Shown
from server.terminal.hint import Hint
from server.terminal.look import Look

MODES: Final[Mapping[str, Mode]] = {
    "boost": selection.BOOST,
    "check": selection.CHECK,
    "wall": selection.WALL,
    "404": selection.FIRST,
}
FILINGS = {"reveal": "+", "link": "l", "virus": "v"}
LOG_DASHES = "-–"  # between the squares of a move, as the log writes it
AGAIN = "as last time"  # the order to place the cards as in the last match
CONTEXTS = {selection.SETUP: "rainet.setup", selection.ENTER: "rainet.enter", selection.SWAP: "rainet.404"}


class RaiNetBoard(Board[View, Selection]):
    """The board. It keeps no state."""

    game = "rainet"
    weights = labels.WEIGHTS
    headings = frozenset(("begin",))
    counts_moves = True
    has_sides = True
    types_moves = True
    turn_prompt = "move"
    warns = True
    terms = ("terminal",)
    least_rows = draw.board_rows(1) - 1  # without the file letters' own line

    start = staticmethod(selection.begin)
    follow = staticmethod(selection.follow)
    resume = staticmethod(selection.resumed)
    render = staticmethod(draw.draw)
    players = staticmethod(labels.players)
    status = staticmethod(labels.status)
    marks = staticmethod(labels.marks)
    say = staticmethod(labels.say)
    spoken_hand = staticmethod(spoken.hand)
    spoken_of = staticmethod(spoken.of)
    spoken_moves = staticmethod(spoken.moves)
    spoken_prompt = staticmethod(spoken.prompt)
    spoken = staticmethod(spoken.position)
    after_typing = staticmethod(selection.after_typing)
    half_done = staticmethod(halfdone.to_words)
    taken_up = staticmethod(halfdone.from_words)

    def area(self, snapshot: Shown, cols: int, rows: int) -> BoardArea:
        size = draw.cell_size(cols, rows, draw.PANEL_COLS)
        taken, needed = draw.board_cols(size.width), draw.board_rows(size.height, size.gap) + draw.LEGEND_ROWS
        is_below = cols - taken < draw.BESIDE_COLS and rows - needed >= draw.BELOW_ROWS
        return BoardArea(taken, needed if is_below else rows)

    def placement(self, snapshot: Shown, text: str) -> str:
        verb, _, placed = text.partition(" ")
        return selection.seen_from(selection.side(snapshot), placed) if verb == selection.SETUP else ""

    def recalled(self, snapshot: Shown, chosen: Selection, placement: str) -> Selection:
        return selection.recalled(snapshot, chosen, placement)

    def orders(self, snapshot: Shown, chosen: Selection, look: Look) -> tuple[tuple[str, str], ...]:
        if not selection.may_repeat(snapshot, chosen):
            return ()
        return ((AGAIN, spoken.again(snapshot, chosen, look)),)

    def ordered(self, snapshot: Shown, chosen: Selection, text: str) -> Selection | None:
        if text != AGAIN or not selection.may_repeat(snapshot, chosen):
            return None
        return replace(selection.again(chosen), is_ordered=True)

    def unasked(self, snapshot: Shown, chosen: Selection) -> Unasked[Selection] | None:
        if not (chosen.is_ordered and selection.places_cards(snapshot)):
            return None
        return Unasked(Action(f"setup {chosen.placed}"), replace(chosen, is_ordered=False))

    def ahead(self, snapshot: Shown) -> tuple[str, ...]:
        return selection.ahead(snapshot)

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        context = self.context(chosen)
        if isinstance(snapshot.viewer, Watcher):
            return ()
        if snapshot.pending is None:
            return keymap.hints("rainet", ("move",))
        if chosen.mode == selection.SETUP:
            is_half_done = bool(chosen.squares)
            return keymap.hints(
                context,
                ("pick", "drop", "move")
                if is_half_done
                else ("ready", "pick", "move", "shuffle", *(("again",) if chosen.last else ())),
            )
        if context != "rainet":
            return keymap.hints(context)
        found = selection.offers(snapshot)
        able = {"boost": found.boost, "check": found.check, "wall": found.wall, "404": found.hide}
        cards = [name for name, places in able.items() if places]
        if chosen.mode == selection.FREE:
            go, *more = keymap.hints("rainet", ("go", "move", "able", *cards))
            return (self.choosing(go, snapshot), *more)
        go, *more = keymap.hints("rainet", ("go", "drop", "move", "able", *cards))
        done = labels.done_here(snapshot, chosen) or "choose"
        return (go.named(f"rainet.enter.{done}", PREPARE), *more)

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        context = self.context(chosen)
        name = keymap.command(context, key)
        if snapshot.pending is None:
            name = name if context == "rainet" and name == "move" else None
        if name is None or isinstance(snapshot.viewer, Watcher):
            return None
        match context, name:
            case "rainet" | "rainet.setup", "move":
                return selection.moved(snapshot, chosen, key)
            case "rainet", "able":
                return selection.next_able(snapshot, chosen)
            case "rainet", "go":
                return selection.go(snapshot, chosen)
            case _, "drop":
                return None if self.is_resting(chosen) else selection.drop(chosen)
            case "rainet.setup", _:
                return _set_up(snapshot, chosen, name)
            case "rainet.enter", _:
                return selection.enter_with(snapshot, chosen, FILINGS[name])
            case "rainet.404", _:
                return selection.hide_two(chosen, swap=name == "swap")
        return selection.use(snapshot, chosen, MODES[name])

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        square = draw.square_at(snapshot, cols, rows, col, row)
        if square is None or isinstance(snapshot.viewer, Watcher) or chosen.mode in (selection.ENTER, selection.SWAP):
            return None
        if chosen.mode == selection.SETUP and square not in START_SQUARES[selection.side(snapshot)]:
            return None
        pointed = replace(chosen, cursor=square)
        return selection.go(snapshot, pointed) if snapshot.pending is not None else pointed

    def spelled(self, snapshot: Shown, typed: str) -> tuple[str, ...]:
        return () if snapshot.view.is_setup and not typed else super().spelled(snapshot, typed)  # none is an example

    def spellings(self, text: str) -> tuple[str, ...]:
        first, between, last = text[:2], text[2:4], text[4:]
        if first not in SQUARES or between not in SQUARES or last not in ("", *SQUARES):
            return (text.casefold(),)
        plain = (text, first + last) if last else (text,)  # past whichever square, it comes to the same
        return (*plain, *(f"{first}{dash}{last or between}" for dash in LOG_DASHES))

    def why_not(self, snapshot: Shown, chosen: Selection, look: Look, key: str) -> str:
        name = keymap.command(self.context(chosen), key)
        return whynot.why(snapshot, chosen, MODES.get(name or "", chosen.mode), look) if name != "move" else ""

    def disarmed(self, snapshot: Shown, chosen: Selection) -> Selection:
        return selection.drop(chosen)

    def context(self, chosen: Selection) -> str:
        return CONTEXTS.get(chosen.mode, self.game)

    def cursors(self, snapshot: Shown, chosen: Selection) -> Sequence[int]:
        own = START_SQUARES[selection.side(snapshot)]
        return own if chosen.mode == selection.SETUP else tuple(SQUARES.values())

    def is_resting(self, chosen: Selection) -> bool:
        return chosen.mode in (selection.FREE, selection.SETUP) and not chosen.squares


def _set_up(snapshot: Shown, chosen: Selection, name: str) -> Selection | Action:
    match name:
        case "pick":
            return selection.go(snapshot, chosen)
        case "shuffle":
            return selection.shuffled(chosen)
        case "again":
            return selection.again(chosen)
    return Action(f"setup {chosen.placed}")


BOARD = RaiNetBoard()
