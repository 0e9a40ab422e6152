"""Passage's board: piles, counters, what one knows, and the choices as rows. It keeps no state."""

from __future__ import annotations

from dataclasses import replace

from game.contract import Action, Pending, Subset
from game.passage.view import PassageView
from server.boards import keymap
from server.boards.board import Board, BoardArea, Unasked
from server.boards.games.passage import draw, halfdone, labels, selection, spoken
from server.boards.games.passage.selection import Selection, Shown
from server.boards.seats import is_ahead, own_seat
from server.terminal.cursor import NOWHERE
from server.terminal.hint import Hint
from server.terminal.look import Look

CONTEXTS = {
    selection.FREE: "passage",
    selection.WINDOW: "passage.window",
    selection.TARGET: "passage.target",
    selection.NUMBER: "passage.number",
    selection.SEVERAL: "passage.several",
}


class PassageBoard(Board[PassageView, Selection]):
    """The board. It keeps no state."""

    game = "passage"
    weights = labels.WEIGHTS
    headings = frozenset(("turn",))
    tells_entries = True
    types_moves = True
    turn_prompt = "play"
    terms = ("hand",)
    startling = frozenset(("rescue",))
    fateful = frozenset(("drew-passage",))

    follow = staticmethod(selection.follow)
    render = staticmethod(draw.draw)
    players = staticmethod(labels.players)
    status = staticmethod(labels.status)
    marks = staticmethod(labels.marks)
    say = staticmethod(labels.say)
    led_to = staticmethod(labels.led_to)
    spoken_hand = staticmethod(spoken.hand)
    spoken_of = staticmethod(spoken.of)
    spoken_moves = staticmethod(spoken.moves)
    spoken_prompt = staticmethod(spoken.prompt)
    spoken_question = staticmethod(spoken.question)
    said_as = staticmethod(spoken.said_as)
    spoken = staticmethod(spoken.position)
    spellings = staticmethod(selection.spellings)
    half_done = staticmethod(halfdone.to_words)
    taken_up = staticmethod(halfdone.from_words)

    def area(self, snapshot: Shown, cols: int, rows: int) -> BoardArea:
        taken = draw.board_cols(cols)
        is_below = taken == cols and rows - draw.NEEDED_ROWS >= draw.BELOW_ROWS
        return BoardArea(taken, draw.NEEDED_ROWS if is_below else rows)

    def start(self, snapshot: Shown, seed: bytes) -> Selection:
        return selection.begin(snapshot)

    def ahead(self, snapshot: Shown) -> tuple[str, ...]:
        return selection.ahead(snapshot)

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        if own_seat(snapshot) is None:
            return ()
        auto = ("auto",) if selection.next_auto(snapshot) is not None else ()
        if snapshot.pending is None:
            return keymap.hints("passage", auto)
        if is_ahead(snapshot) and not chosen.plans:
            return self._first(snapshot, "passage", "go", "move", *auto)
        go = ("go",) if chosen.cursor != NOWHERE else ()  # nothing is chosen before the cursor stands on it
        match chosen.mode:
            case selection.WINDOW:
                veto = ("judge",) if selection.judging(snapshot) is not None else ()
                names = (*go, *veto, "pass", "move", *auto)
                return self._first(snapshot, "passage.window", *names) if go else keymap.hints("passage.window", names)
            case selection.FREE:
                if selection.passing(snapshot) is None:
                    return self._first(snapshot, "passage", "go", "move", *auto)[not go :]
                *choosing, end = self._first(snapshot, "passage", "go", "move", "end")[not go :]
                return (*choosing, replace(end, instead=keymap.in_context("passage")["auto"].label))
            case selection.SEVERAL:
                return self._first(snapshot, "passage.several", "send", "move", "tick")
            case selection.TARGET:
                return self._first(snapshot, "passage.target", "go", "move", "drop")
            case selection.NUMBER:
                ends = ("digit", "ends") if len(selection.rows(snapshot)) == 1 else ("digit", "ends", "drop")
                return self._first(snapshot, "passage.number", "go", "move", *ends)

    def _first(self, snapshot: Shown, context: str, *commands: str) -> tuple[Hint, ...]:
        """Return the hints of some commands; the first takes as many columns whatever it does, so the others stay."""
        first, *others = keymap.hints(context, commands)
        return (self.choosing(first, snapshot), *others)

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        if own_seat(snapshot) is None:
            return None
        command = keymap.command(CONTEXTS[chosen.mode], key)
        if command == "auto":
            return selection.next_auto(snapshot)
        if command is None or snapshot.pending is None:
            return None
        if is_ahead(snapshot) and not chosen.plans:
            return replace(selection.begin(snapshot), plans=True) if command in ("go", "move") else None
        return self._do_command(snapshot, chosen, command, key)

    def _do_command(self, snapshot: Shown, chosen: Selection, command: str, key: str) -> Selection | Action | None:
        match command:
            case "move":
                return selection.moved(snapshot, chosen, key)
            case "ends":
                return selection.to_end(snapshot, chosen, key)
            case "digit":
                return selection.digit(snapshot, chosen, key)
            case "go":
                return selection.go(snapshot, chosen)
            case "drop":
                return selection.drop(snapshot, chosen)
            case "tick":
                return selection.tick(snapshot, chosen)
            case "send":
                return selection.send(snapshot, chosen)
            case "judge":
                return selection.judging(snapshot)
        return selection.passing(snapshot)

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        at = draw.item_at(snapshot, chosen, look, cols, rows, col, row)
        if at is None or snapshot.pending is None or own_seat(snapshot) is None:
            return None
        if is_ahead(snapshot) and not chosen.plans:
            return None
        if chosen.mode in (selection.TARGET, selection.NUMBER):
            return selection.go(snapshot, chosen) if at == chosen.at else replace(chosen, at=at)
        if at >= len(selection.rows(snapshot)):
            return None
        if chosen.mode == selection.SEVERAL:
            return selection.tick(snapshot, replace(chosen, cursor=at))
        # The first click selects, a second one on the same row does it.
        if at == chosen.cursor:
            return selection.go(snapshot, chosen)
        return replace(chosen, cursor=at, is_ending=selection.rows(snapshot)[at].head in selection.PASSING)

    def unasked(self, snapshot: Shown, chosen: Selection) -> Unasked[Selection] | None:
        only = selection.only_answer(snapshot)
        return Unasked(only, chosen) if only is not None else None

    def why_not(self, snapshot: Shown, chosen: Selection, look: Look, key: str) -> str:
        command = keymap.command(CONTEXTS[chosen.mode], key)
        choice = snapshot.pending.choice if snapshot.pending is not None else None
        if command == "send" and isinstance(choice, Subset):
            return look.t("passage.why.count", n=choice.min, chosen=len(chosen.ticked))
        if command == "tick" and chosen.cursor != NOWHERE:
            return look.t("passage.why.full")
        return look.t("passage.why.no-row") if command in ("go", "tick") else ""

    def disarmed(self, snapshot: Shown, chosen: Selection) -> Selection:
        if chosen.plans:
            return Selection()
        return selection.drop(snapshot, chosen) or chosen if chosen.mode == selection.TARGET else chosen

    def takes_prepared(self, pending: Pending) -> bool:
        return pending.prompt == self.turn_prompt

    def after_typing(self, snapshot: Shown, chosen: Selection, text: str) -> Selection:
        return selection.begin(snapshot) if chosen.plans else chosen

    def context(self, chosen: Selection) -> str:
        return CONTEXTS[chosen.mode]

    def cursors(self, snapshot: Shown, chosen: Selection) -> range:
        return range(len(selection.rows(snapshot)))

    def is_resting(self, chosen: Selection) -> bool:
        return chosen.mode != selection.TARGET and not chosen.ticked and not chosen.plans


BOARD = PassageBoard()
