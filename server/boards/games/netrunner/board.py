"""Netrunner's board: servers, rig, run, and the choices as rows. It keeps no state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from game.contract import Action, Pending, Subset
from game.netrunner.view import NetrunnerView
from server.boards import keymap, panel
from server.boards.board import Board, BoardArea, Unasked
from server.boards.games.netrunner import (
    choicelist,
    details,
    draw,
    errands,
    events,
    halfdone,
    labels,
    paying,
    prompts,
    retelling,
    rowtext,
    selection,
    settings,
    spoken,
    spokenchoice,
)
from server.boards.games.netrunner.dangers import needs_enter
from server.boards.games.netrunner.scene import ACTION, Shown
from server.boards.games.netrunner.selection import Selection
from server.boards.seats import own_seat
from server.matches.model import SeenEvent
from server.terminal.cursor import NOWHERE, STEPS, stepped
from server.terminal.hint import Hint
from server.terminal.lines import Line, block, joined, plain
from server.terminal.look import Look

BY_HAND = "pay-by-hand"
CONTEXTS = {
    selection.FREE: "netrunner",
    selection.LIST: "netrunner.list",
    selection.NUMBER: "netrunner.number",
    selection.SEVERAL: "netrunner.several",
    selection.TRASH: "netrunner.trash",
    selection.MORE: "netrunner.list",
    selection.SURE: "netrunner.list",
    selection.LOOK: "netrunner.look",
    selection.LOG: "netrunner.log",
    selection.AUTO: "netrunner.auto",
}
PANEL_ROWS = 4  # below the board: clocks, a rule, the end of the log
PANEL_COLS, WIDE_PANEL_COLS = 34, 44  # beside it, on a wide screen and on a very wide one
LEAST_COLS, VERY_WIDE = 78, 160


class NetrunnerBoard(Board[NetrunnerView, Selection]):
    """The board. It keeps no state."""

    game = "netrunner"
    quiet_ends = frozenset(("decked",))
    weights = events.WEIGHTS
    headings = frozenset(("turn",))
    moves = frozenset(("action",))  # no kept hand, nor the card drawn as a turn begins
    echoes = frozenset(("won",))
    types_moves = True

    follow = staticmethod(selection.follow)
    players = staticmethod(labels.players)
    marks = staticmethod(draw.marks)
    say = staticmethod(events.say)
    actor = staticmethod(events.actor)
    retold = staticmethod(retelling.retold)
    spellings = staticmethod(selection.spellings)
    said_as = staticmethod(spokenchoice.said_as)
    spoken_hand = staticmethod(spoken.hand)
    spoken_of = staticmethod(spoken.of)
    spoken_moves = staticmethod(spokenchoice.moves)
    spoken_prompt = staticmethod(spokenchoice.prompt)
    passes_by = staticmethod(spokenchoice.passes_by)
    spoken_question = staticmethod(spoken.news)
    spoken_ask = staticmethod(spokenchoice.ask)
    spoken = staticmethod(spoken.position)
    digits = staticmethod(choicelist.words_by_digit)
    half_done = staticmethod(halfdone.to_words)
    taken_up = staticmethod(halfdone.from_words)

    def seats(self, snapshot: Shown, look: Look, cols: int, now: datetime) -> list[Line]:
        return (
            labels.abreast(snapshot, look, cols, now)
            if cols >= labels.ABREAST
            else super().seats(snapshot, look, cols, now)
        )

    def area(self, snapshot: Shown, cols: int, rows: int) -> BoardArea:
        panel_cols = WIDE_PANEL_COLS if cols >= VERY_WIDE else PANEL_COLS
        if cols >= LEAST_COLS + panel_cols + 2:
            return BoardArea(cols - panel_cols - 2, rows)
        return BoardArea(cols, rows - PANEL_ROWS if rows >= 4 * PANEL_ROWS else rows)

    def start(self, snapshot: Shown, seed: bytes) -> Selection:
        return selection.begin(snapshot, (), errands.followed(snapshot, errands.IDLE))

    def resume(self, snapshot: Shown, chosen: Selection, left: Selection) -> Selection:
        return selection.resumed(snapshot, left)

    def render(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, events: Sequence[SeenEvent] = ()
    ) -> list[Line]:
        if chosen.mode == selection.LOG:
            return block(panel.log_lines(self, snapshot, events, look, cols, rows, chosen.cursor), cols, rows)
        return draw.draw(snapshot, chosen, look, cols, rows)

    def shows_log(self, chosen: Selection) -> bool:
        return chosen.mode == selection.LOG

    def status(self, snapshot: Shown, chosen: Selection, look: Look) -> Line:
        said = rowtext.refusal(snapshot, chosen, look) or draw.clipped(snapshot, chosen, look)
        said = said or draw.pointed_at(snapshot, chosen, look)
        told = prompts.told(snapshot, chosen, look)
        return plain(f" {joined((told, said or prompts.prompt(snapshot, chosen, look)))}", "warn")

    def keys(self, snapshot: Shown, chosen: Selection) -> tuple[Hint, ...]:
        if chosen.mode == selection.LOG:
            return (*keymap.hints(CONTEXTS[chosen.mode]), *keymap.hints("match", ("library",)))
        if chosen.mode in (*selection.ASIDE, *selection.FURTHER):
            return keymap.hints(CONTEXTS[chosen.mode])
        hand = ("by-hand",) if paying.has_choice(snapshot) else ()
        more = ("more",) if selection.more_rows(snapshot, chosen) else ()
        auto = (*more, *hand, *(("auto",) if snapshot.settings else ()))
        if selection.goes_by(snapshot, chosen):
            return keymap.hints("netrunner", ("pass", "look", "log", *auto))
        if snapshot.pending is None:
            return keymap.hints("netrunner", ("look", "log", *auto))
        match chosen.mode:
            case selection.NUMBER:
                return keymap.hints("netrunner.number", ("digit", "amount", "send", "look", "log"))
            case selection.SEVERAL if selection.is_single(snapshot):
                return keymap.hints("netrunner", ("digit", "choose", "move", "look", *auto))
            case selection.SEVERAL:
                return keymap.hints("netrunner.several", ("digit", "tick", "send", "look", "log"))
        passes = ("pass",) if selection.passing(snapshot) is not None else ()
        quiet = ("quiet",) if selection.quieting(snapshot) is not None else ()
        if not any(row.part and not row.is_let for row in selection.rows(snapshot, chosen)):
            return keymap.hints("netrunner", (*passes, *quiet, "look", "log", *auto))
        names = ("digit", *passes, *quiet, "choose", "move", "look", "log", *auto)
        found = tuple(_as_row_says(hint, snapshot) for hint in keymap.hints("netrunner", names))
        return found if chosen.cursor != NOWHERE else tuple([_to_first_row(hint) for hint in found])

    def orders(self, snapshot: Shown, chosen: Selection, look: Look) -> tuple[tuple[str, str], ...]:
        if own_seat(snapshot) is None:
            return ()
        rows = selection.errand_rows(snapshot, chosen)
        found = [(row.part, rowtext.row_words(row, snapshot, chosen, look)) for row in rows]
        if paying.has_choice(snapshot):
            said = "netrunner.say.by-hand.no" if chosen.errands.by_hand else "netrunner.say.by-hand"
            found.append((BY_HAND, look.t(said)))
        return tuple(found)

    def ordered(self, snapshot: Shown, chosen: Selection, text: str) -> Selection | None:
        if text == BY_HAND:
            return selection.by_hand(chosen) if paying.has_choice(snapshot) else None
        row = next((one for one in selection.errand_rows(snapshot, chosen) if one.part == text), None)
        return selection.with_errand(snapshot, selection.without_told(chosen), row) if row is not None else None

    def unasked(self, snapshot: Shown, chosen: Selection) -> Unasked[Selection] | None:
        if own_seat(snapshot) is None:
            return None
        if (found := errands.next_action(snapshot, chosen.errands)) is not None:
            return Unasked(found[0], replace(chosen, errands=replace(found[1], is_news=True)))
        passing = errands.passing(snapshot, chosen.errands)
        return Unasked(passing, chosen, waits=True) if passing is not None else None

    def press(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        return selection.anchored(snapshot, self._pressed(snapshot, chosen, key))

    def _pressed(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | Action | None:
        chosen = selection.without_told(chosen)
        if (found := self.browse(snapshot, chosen, key)) is not None or chosen.mode in (selection.LOOK, selection.LOG):
            return found
        command = keymap.command(CONTEXTS[chosen.mode], key)
        if own_seat(snapshot) is None or command is None:
            return None
        if command == "by-hand":
            return selection.by_hand(chosen)
        if command == "auto":
            return selection.opened(chosen, selection.AUTO, settings.start_at(snapshot)) if snapshot.settings else None
        if command == "quiet":
            return selection.quieting(snapshot)
        if command == "more":
            return selection.opened_more(chosen) if selection.more_rows(snapshot, chosen) else None
        if chosen.mode == selection.AUTO:
            return self._change_setting(snapshot, chosen, command, key)
        if snapshot.pending is None and chosen.mode != selection.MORE:
            return None
        return selection.sure(snapshot, chosen, self._do_command(snapshot, chosen, command, key))

    def pointed(
        self, snapshot: Shown, chosen: Selection, key: str, struck: tuple[Shown, Selection]
    ) -> Selection | None:
        if keymap.command(CONTEXTS[chosen.mode], key) != "digit" or chosen.path or chosen.mode == selection.MORE:
            return None
        answer, (shot, was) = self.press(snapshot, chosen, key), struck
        meant, was = self.press(shot, was, key), selection.without_told(was)
        if not isinstance(answer, Action) or meant in (None, was, answer) or not needs_enter(snapshot, answer, shot):
            return None
        return selection.at_digit(chosen, key)

    def ahead(self, snapshot: Shown) -> tuple[str, ...]:
        return selection.ahead(snapshot)

    def takes_prepared(self, pending: Pending) -> bool:
        return pending.prompt == ACTION

    def typed(self, snapshot: Shown, chosen: Selection, text: str) -> Selection | Action:
        return selection.sure(snapshot, chosen, Action(text)) or Action(text)

    def why_not(self, snapshot: Shown, chosen: Selection, look: Look, key: str) -> str:
        choice = snapshot.pending.choice if snapshot.pending is not None else None
        command = keymap.command(CONTEXTS[chosen.mode], key)
        if command == "pass":
            return look.t("netrunner.why.no-pass")
        if command == "send" and chosen.mode == selection.SEVERAL and isinstance(choice, Subset):
            return look.t("netrunner.why.count", n=choice.min, chosen=len(chosen.ticked))
        if command in ("tick", "digit") and selection.ticks(snapshot, chosen):
            return look.t("netrunner.why.full")
        return ""

    def _first_looked_at(self, snapshot: Shown, chosen: Selection) -> int:
        aim = draw.aim_of(snapshot, chosen)
        card = next((one for one in snapshot.view.scene.cards if one.iid == aim.iid), None) if aim.iid else None
        return details.first_of(snapshot, draw.spoken_of(snapshot, chosen), card)

    def browse(self, snapshot: Shown, chosen: Selection, key: str) -> Selection | None:
        command = keymap.command(CONTEXTS[chosen.mode], key)
        match chosen.mode, command:
            case _, "look":
                return selection.opened(chosen, selection.LOOK, self._first_looked_at(snapshot, chosen))
            case _, "log":
                return selection.opened(chosen, selection.LOG, 0)
            case ((selection.LOOK | selection.LOG), "drop"):
                return selection.drop(snapshot, chosen)
            case selection.LOOK, ("move" | "page"):
                return selection.turned(chosen, key, len(details.items(snapshot)))
            case selection.LOG, ("move" | "page"):
                return selection.scrolled(chosen, key, snapshot.seq)
        return None

    def browse_keys(self, chosen: Selection) -> tuple[Hint, ...]:
        if chosen.mode in (selection.LOOK, selection.LOG):
            return keymap.hints(CONTEXTS[chosen.mode])
        return keymap.hints("netrunner", ("look", "log"))

    def _change_setting(self, snapshot: Shown, chosen: Selection, command: str, key: str) -> Selection | Action | None:
        steps = settings.windows(snapshot)
        match command:
            case "move":
                return replace(chosen, cursor=stepped(chosen.cursor, STEPS[key], len(steps)))
            case "change":
                return settings.changed(snapshot, chosen.cursor, -1 if key == "left" else 1)
        return selection.drop(snapshot, chosen)

    def _do_command(self, snapshot: Shown, chosen: Selection, command: str, key: str) -> Selection | Action | None:
        by_itself = selection.goes_by(snapshot, chosen) and chosen.mode not in (selection.MORE, selection.SURE)
        if by_itself and command in ("digit", "move", "choose"):
            return chosen  # there are no rows to choose from
        match command:
            case "move" | "amount":
                return selection.moved(snapshot, chosen, key)
            case "digit":
                return selection.digit(snapshot, chosen, key)
            case "choose" | "send":
                return selection.go(snapshot, chosen)
            case "tick":
                take = selection.tick if selection.ticks(snapshot, chosen) else selection.go
                return take(snapshot, chosen)
            case "pass":
                return selection.passing(snapshot) or chosen
        return selection.drop(snapshot, chosen)

    def click(
        self, snapshot: Shown, chosen: Selection, look: Look, cols: int, rows: int, col: int, row: int
    ) -> Selection | Action | None:
        if chosen.mode in selection.ASIDE or (snapshot.pending is None and chosen.mode != selection.MORE):
            return None
        if chosen.mode == selection.NUMBER:
            return None
        at = draw.row_at(snapshot, chosen, look, cols, rows, col, row)
        if at is None:
            return None
        if selection.ticks(snapshot, chosen):
            return selection.tick(snapshot, replace(chosen, cursor=at))
        # The first click selects, a second one on the same row does it.
        if at != chosen.cursor:
            return selection.anchored(snapshot, replace(chosen, cursor=at))
        return selection.sure(snapshot, chosen, selection.go(snapshot, chosen))

    def context(self, chosen: Selection) -> str:
        return CONTEXTS[chosen.mode]

    def cursors(self, snapshot: Shown, chosen: Selection) -> range:
        return range(len(selection.rows(snapshot, chosen)))

    def pointed_at(self, snapshot: Shown, chosen: Selection, cursor: int) -> Selection:
        is_there = cursor in self.cursors(snapshot, chosen) and self.is_resting(chosen)
        return replace(chosen, cursor=cursor, on=selection.rows(snapshot, chosen)[cursor].part) if is_there else chosen

    def is_resting(self, chosen: Selection) -> bool:
        return (
            chosen.mode not in (selection.LIST, selection.TRASH, selection.MORE, selection.SURE, *selection.ASIDE)
            and not chosen.ticked
        )


def _as_row_says(hint: Hint, snapshot: Shown) -> Hint:
    """Return a key named as its row is: at an access, what lets things go on leaves a card."""
    leaves = hint.label == "keys.netrunner.pass" and selection.passing(snapshot) == Action("leave")
    return hint.named("netrunner.row.leave") if leaves else hint


def _to_first_row(hint: Hint) -> Hint:
    """Return a key as it is where the cursor stands nowhere: what chooses there goes to the first row."""
    return hint.named("netrunner.first-row") if hint.label == "keys.netrunner.choose" else hint


BOARD = NetrunnerBoard()
