"""Relati's board: the grid, the players' pieces, and the keys that play. It keeps no state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from game.contract import Action, Json
from game.relati.geometry import bits
from game.relati.view import View
from server.boards import keymap, whynot
from server.boards.board import Board, BoardArea
from server.boards.games.relati import draw, halfdone, labels, selection, spoken, viewport
from server.boards.games.relati.selection import Selection, Shown
from server.boards.seats import own_seat
from server.matches.model import SeenEvent
from server.terminal.hint import Hint
from server.terminal.look import Look

CONTEXT, LINE_CONTEXT, SURE_CONTEXT = "relati", "relati.line", "relati.sure"
CONTEXTS = {selection.FREE: CONTEXT, selection.LINE: LINE_CONTEXT, selection.SURE: SURE_CONTEXT}
VERBS = {"escape": "E", "defend": "D", "bomb": "B"}


class RelatiBoard(Board[View, Selection]):
    """The board. It keeps no state."""

    game = "relati"
    weights = labels.WEIGHTS
    counts_moves = True
    hides = False
    types_moves = True
    turn_prompt = "act"
    warns = True
    terms = (
        *("locate", "located", "connect", "linked", "blank", "valid", "defend", "attack", "medium", "shot", "spent"),
        *("bomb", "escape", "captured", "cut", "source-lost"),
    )
    echoes = frozenset(("out-left", "out-late"))

    follow = staticmethod(selection.follow)
    render = staticmethod(draw.draw)
    players = staticmethod(labels.players)
    status = staticmethod(labels.status)
    marks = staticmethod(labels.marks)
    say = staticmethod(labels.say)
    spoken_hand = staticmethod(spoken.hand)
    spoken_of = staticmethod(spoken.of)
    spoken_moves = staticmethod(spoken.moves)
    spoken_prompt = staticmethod(spoken.prompt)
    spoken_ask = staticmethod(spoken.ask)
    spoken = staticmethod(spoken.position)
    after_typing = staticmethod(selection.after_typing)
    spellings = staticmethod(selection.spellings)
    half_done = staticmethod(halfdone.to_words)
    taken_up = staticmethod(halfdone.from_words)

    def area(self, snapshot: Shown, cols: int, rows: int) -> BoardArea:
        size = snapshot.view.board.size
        taken = viewport.area_cols(size, cols, rows)
        return BoardArea(taken, viewport.area_rows(size, cols, rows) if taken == cols else rows)

    def start(self, snapshot: Shown, seed: bytes) -> Selection:
        return selection.begin(snapshot)

    def proposed(self, n_players: int) -> Mapping[str, Json]:
        return {"board": 2 * n_players + 11}  # A27: for two it is what the rules say

    def cause(self, events: Sequence[SeenEvent], seq: int) -> int:
        stuck = {event.params.get("seat") for event in events if event.seq == seq and event.kind == "out-stuck"}
        lost = (one.seq for one in events if one.kind == "source-lost" and one.params.get("seat") in stuck)
        return max((at for at in lost if at <= seq), default=seq)

    def ahead(self, snapshot: Shown) -> tuple[str, ...]:
        return selection.ahead(snapshot)

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        if own_seat(snapshot) is None:
            return ()
        if snapshot.pending is None:
            return keymap.hints(CONTEXT, ("move", *_home(snapshot, chosen), *_able(snapshot)))
        if chosen.mode == selection.LINE:
            return keymap.hints(LINE_CONTEXT, ("go", "drop", *(("way", "nth") if len(chosen.texts) > 1 else ())))
        if chosen.mode == selection.SURE:
            return keymap.hints(SURE_CONTEXT)
        if chosen.flees:
            go, *more = keymap.hints(CONTEXT, ("go", "drop", "move", "escape", *_home(snapshot, chosen)))
            return (self.choosing(go, snapshot), *more)
        found = selection.offers(snapshot)
        able = [name for name, verb in VERBS.items() if found.cells(verb)]
        attack = ("attack",) if found.attacks else ()
        go, *more = keymap.hints(CONTEXT, ("go", "move", *attack, *able, *_home(snapshot, chosen), *_able(snapshot)))
        return (self.choosing(go, snapshot), *more)

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        seat = own_seat(snapshot)
        name = keymap.command(CONTEXTS[chosen.mode], key)
        if seat is None or name is None:
            return None
        match name:
            case "move" | "way":
                return selection.moved(snapshot, chosen, key)
            case "able":
                return selection.next_able(snapshot, chosen)
            case "nth":
                return selection.nth(chosen, int(key))
            case "home":
                return Selection(selection.home(snapshot, seat)) if _has_home(snapshot, seat) else chosen
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
        cell = viewport.cell_at(snapshot, chosen, cols, rows, col, row)
        if own_seat(snapshot) is None:
            return None
        if cell is None:
            return viewport.scrolled(snapshot, chosen, cols, rows, col, row)
        if chosen.anchor == selection.NOBODY and not viewport.is_whole(snapshot, cols, rows):
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
        if chosen.mode != selection.FREE or name in (None, "move", "home", "able"):
            return ""
        if name == "attack":
            has_one = bool(selection.offers(snapshot).attacks)
            return look.t("relati.why.no-other-target" if has_one else "relati.why.no-target")
        place = selection.grid_of(snapshot).names[chosen.cursor]
        if name == "go" and not snapshot.view.board.empty >> chosen.cursor & 1:
            is_placing = bool(selection.offers(snapshot).cells("L"))
            why = look.t("relati.error.occupied") if is_placing else labels.no_attack(snapshot, chosen.cursor, look)
        else:
            why = whynot.reason(snapshot, VERBS.get(name or "", "R") + place, look)
        return look.t("board.why", place=place, why=why) if why else ""

    def disarmed(self, snapshot: Shown, chosen: Selection) -> Selection:
        return selection.drop(chosen)

    def context(self, chosen: Selection) -> str:
        return CONTEXTS[chosen.mode]

    def cursors(self, snapshot: Shown, chosen: Selection) -> Sequence[int]:
        return tuple(bits(selection.grid_of(snapshot).full))

    def is_resting(self, chosen: Selection) -> bool:
        return chosen.mode == selection.FREE and not chosen.flees


def _has_home(snapshot: Shown, seat: int) -> bool:
    """Tell whether there is a way home: to a source, or where one is to be placed, to a good place for it."""
    return bool(snapshot.view.board.sides[seat].source or selection.offers(snapshot).cells("L"))


def _home(snapshot: Shown, chosen: Selection) -> tuple[str, ...]:
    """Return the command that goes home, where the cursor is not there already."""
    seat = own_seat(snapshot)
    is_away = seat is not None and _has_home(snapshot, seat) and chosen.cursor != selection.home(snapshot, seat)
    return ("home",) if is_away else ()


def _able(snapshot: Shown) -> tuple[str, ...]:
    """Return the command that goes to one's next piece: there is none with one piece, to which `home` goes."""
    return ("able",) if len(selection.able(snapshot)) > 1 else ()


BOARD = RelatiBoard()
