"""One's own conditional moves in a match: a list of lines, each typed in one line above the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from game.contract import Seat
from server.boards import eventlog, keymap
from server.boards.board import board
from server.boards.seats import name_at
from server.bus.bus import Subscription
from server.errors import Refused
from server.matches.conditional_lines import MOST_LINES
from server.matches.match import Match
from server.matches.model import AnyViewerState, ConditionalLine, texts_of
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.screens.movetyping import SPARE_COLS, alike, offered, say_no_such
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS
from server.terminal.items import Said, Toast
from server.terminal.lines import GAP_COLS, Line, clip, columns, inset, plain, side_by_side, wrapped
from server.terminal.stage import BOARD

LONGEST = 200  # characters of a line
LEAST_COLS = 20  # of the list beside the board
Texts = tuple[str, ...]


class ConditionalMovesPage(ListPage[ConditionalLine]):
    """What is played by itself where the others play what a line says."""

    measure = BOARD
    context: ClassVar[str] = "conditions"
    opens_with: ClassVar[str] = "edit"

    def __init__(self, session: Session, match: Match, seat: Seat) -> None:
        super().__init__(session)
        self.match, self.seat = match, seat
        self.board = board(match.game)
        self._listening: Subscription | None = None
        self._stored: tuple[Toast | None, tuple[ConditionalLine, ...]] = None, ()  # what was said of which lines

    @property
    def snapshot(self) -> AnyViewerState:
        """Return the match as it is now."""
        return self.match.snapshot(self.seat)

    @property
    def lines(self) -> tuple[ConditionalLine, ...]:
        """Return the lines that stand."""
        return self.snapshot.conditions

    def start(self) -> None:
        """Hear of what happens in the match."""
        self._listening = self.match.subscribe(self.seat, self._changed)

    def _changed(self) -> None:
        """Say no more that lines are stored, once they were played or dropped."""
        (said, lines), prompts = self._stored, self.session.prompts
        if said is not None and prompts.said == said and self.lines != lines:
            prompts.hush()
        self.session.dirty()

    def stop(self) -> None:
        if self._listening is not None:
            self._listening.close()
        super().stop()

    # What it shows

    def landing(self) -> str:
        return "conditions"

    def title(self) -> str:
        return f"{self.session.t('conditions.title')} · {self.session.look.game(self.match.game)}"

    def help_topic(self) -> str:
        return self.match.game

    def body(self, cols: int, rows: int) -> Body:
        """List the lines and say what they do; beside the board, where there is room."""
        area = self.board.area(self.snapshot, cols, rows)
        side_cols = cols - area.cols - GAP_COLS
        if side_cols < LEAST_COLS:
            return Body(self._listed(cols, rows))
        chosen = self.board.start(self.snapshot, bytes(16))
        events = eventlog.standing(self.match.events(self.seat))
        drawn = self.board.render(self.snapshot, chosen, self.session.look, area.cols, area.rows, events)
        return Body(side_by_side(drawn, self._listed(side_cols, rows), area.cols, cols, rows))

    def _listed(self, cols: int, rows: int) -> list[Line]:
        said = (self._about, self._none_yet, self._change)
        about, none_yet, change = (inset(wrapped(one.text, cols - 2)) for one in said)
        if not self.lines:
            return [*none_yet, (), *about][:rows]
        self.chooser = self.chooser.clamp(self.count())
        shown = self.window(0, MOST_LINES)
        chosen = self._said(self.lines[self.chooser.index])
        whole = [(), *inset(wrapped(chosen, cols - 2))] if columns(chosen) > cols - POINTER_COLS else []
        listed = [self.marked(index, clip(self._said(self.lines[index]), cols - POINTER_COLS), cols) for index in shown]
        told = [*listed, *whole, (), *change, (), *about]
        return told if len(told) <= rows else [*listed, *whole, (), *change][:rows]  # half a sentence tells nothing

    def _said(self, line: ConditionalLine) -> str:
        """Say a line: what the others play, and what one plays then, as it is typed."""
        t, written = self.session.t, self.board.written
        comma = t("list.comma")
        steps = (("conditions.step" if one.awaits else "conditions.now", one) for one in line)
        return comma.join(
            t(key, theirs=comma.join(map(written, one.awaits)), mine=written(one.reply)) for key, one in steps
        )

    @property
    def _about(self) -> Said:
        return Said(self.session.t("conditions.about"))

    @property
    def _change(self) -> Said:
        return Said(self.session.t("conditions.change"))

    @property
    def _none_yet(self) -> Said:
        return Said(self.session.t("conditions.none-yet"))

    def listed(self) -> tuple[ConditionalLine, ...]:
        return self.lines

    def columns(self) -> tuple[Column[ConditionalLine], ...]:
        return (Column("", 0, self._said),)

    def below(self) -> list[Said]:
        """Say what lines do, and how they are taken back, or that there is none yet."""
        return [self._about, self._change] if self.lines else [self._none_yet, self._about]

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that do something now."""
        may_make = self.match.may_make_conditions(self.seat)
        add = ("add",) if may_make and len(self.lines) < MOST_LINES else ()
        change = (*(("edit",) if may_make else ()), "delete") if self.lines else ()
        return (*keymap.hints("conditions", (*add, *change)), *keymap.hints("everywhere", ("back",)))

    # What it does

    def do_add(self) -> None:
        """Type another line."""
        if not self.match.may_make_conditions(self.seat):
            self.session.prompts.notice("match.error.conditions-turn")
        elif len(self.lines) >= MOST_LINES:
            self.session.prompts.notice("match.error.conditions-many", most=MOST_LINES)
        else:
            self._type("", tuple(map(texts_of, self.lines)))

    def do_edit(self) -> None:
        """Type the chosen line anew."""
        if not self.lines:
            self.do_add()
        elif self.match.may_make_conditions(self.seat):
            chosen = self.lines[self.chooser.index]
            self._type(" ".join(map(self.board.written, texts_of(chosen))), self._without_chosen())
        else:
            self.session.prompts.notice("match.error.conditions-turn")

    def do_delete(self) -> None:
        """Drop the chosen line."""
        if self.lines:
            self.session.spawn(self._store(self._without_chosen(), self.snapshot.seq))

    def _without_chosen(self) -> tuple[Texts, ...]:
        return tuple(texts_of(line) for index, line in enumerate(self.lines) if index != self.chooser.index)

    async def _store(self, lines: Sequence[Texts], at_seq: int) -> None:
        await self.match.set_conditions(self.seat, lines, at_seq)
        self.chooser = self.chooser.clamp(self.count())
        self.session.prompts.notice("conditions.stored" if lines else "conditions.dropped", "good")
        self._stored = self.session.prompts.said, self.lines

    # Typing a line

    def _type(self, start: str, others: Sequence[Texts]) -> None:
        at_seq = self.snapshot.seq

        def take(typed: str) -> None:
            self.session.prompts.quieten()
            path, wrong = self._read(typed.split())
            if wrong:
                self._type(typed, others)
            elif path:
                self.session.spawn(self._take(typed, (*others, path), others, at_seq))

        ask, offer = self.session.prompts.type, self._offer
        ask("conditions.ask", take, start, offer, limit=LONGEST, complete=self._completed)
        self._offer(start)

    async def _take(self, typed: str, lines: Sequence[Texts], others: Sequence[Texts], at_seq: int) -> None:
        try:
            await self._store(lines, at_seq)
        except Refused as error:  # it can be mended
            self._type(typed, others)
            self.session.prompts.refused(error)

    def _read(self, words: Sequence[str]) -> tuple[Texts, str]:
        """Return the actions that were typed, and the first word that is none there (empty: all are)."""
        path: Texts = ()
        for word in words:
            found = self._found(path, word)
            if len(found) != 1:
                return path, word
            path += found
        return path, ""

    def _found(self, path: Texts, word: str) -> Texts:
        """Return what may be played after some actions, and begins as was typed."""
        asked = self.match.conditional_choice(self.seat, path)
        return () if asked is None else self.board.spelled(replace(self.snapshot, pending=asked), word)

    def _split(self, typed: str) -> tuple[Texts, str]:
        """Return the actions before the word that is being typed, and that word; or the first that is none."""
        words = typed.split()
        last = "" if typed.endswith(" ") or not words else words.pop()
        path, wrong = self._read(words)
        return path, wrong or last

    def _completed(self, typed: str) -> str:
        """Return what was typed, as far as all that its last word may become goes on alike."""
        path, word = self._split(typed)
        found = self._found(path, word)
        if not found or not typed.endswith(word):
            return typed
        return typed.removesuffix(word) + alike(self.board, found, word) + (" " if len(found) == 1 else "")

    def _offer(self, typed: str) -> None:
        """Say who plays next, and what they may."""
        path, word = self._split(typed)
        asked, found = self.match.conditional_choice(self.seat, path), self._found(path, word)
        if asked is None or not found:
            say_no_such(self.session, self.board, word, self._found(path, ""))
            return
        look, is_own = self.session.look, asked.seat == self.seat
        name = name_at(self.snapshot, asked.seat, look)
        said = look.t("conditions.mine") if is_own else look.t("conditions.theirs", name=name)
        if path and not is_own:  # the line may end here
            said = look.t("conditions.theirs.more", name=name)
        self.session.prompts.say(offered(self.board, found, self.size[0] - SPARE_COLS, said), "dim")


def standing(shot: AnyViewerState, session: Session) -> Line:
    """Say in the match that conditional moves stand, or that one is about to be played; nothing where none do."""
    if not shot.conditions:
        return ()
    key = "conditions.stand" if shot.due_condition is None else "conditions.due"
    move = "" if shot.due_condition is None else board(shot.game).written(shot.due_condition)
    return plain(f" {session.t(key, move=move, n=len(shot.conditions))}", "accent")
