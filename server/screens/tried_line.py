"""Trying a line: a board on which one plays for all sides, and which nobody else sees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from game.contract import Action
from game.errors import GameError
from server.boards import keymap, outcome
from server.boards.seats import name_at
from server.matches.tried_line import TriedLine
from server.screens import boardwords, matchpanel
from server.screens.matchpanel import MatchPanel, PanelArea, arranged
from server.screens.playedalone import PlayedAlone, PlayedAloneSpeech
from server.session.page import Body, Speech
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.items import Item, Said
from server.terminal.lines import Line, block, plain


class TriedLinePage(PlayedAlone):
    """A branch of a match, with the view of whose turn it is unless all cards are open; the board keeps its side."""

    context = "line"

    def __init__(self, session: Session, line: TriedLine) -> None:
        super().__init__(session, line.game, line.snapshot)
        self.line = line

    def title(self) -> str:
        return f"{self.session.t('line.title')} · {self.session.t(f'game.{self.line.game}')}"

    def who(self) -> str:
        """Say that what is hidden is a guess, where something is."""
        return self.session.t("line.guessed") if self.line.is_guessed else super().who()

    def contexts(self) -> tuple[str, ...]:
        return (*self.board.explained(self.selection), "line")

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board, with the players at its side or below it where there is room."""
        look = self.session.look
        area = self.board.area(self.snapshot, cols, rows)
        drawn = self.board.render(self.snapshot, self.selection, look, area.cols, area.rows, self.line.events)

        def players(where: PanelArea) -> list[Line]:
            shot, now = self.snapshot, self.snapshot.clock_at
            if not where.is_beside:
                return block(self.board.seats(shot, look, where.cols, now), where.cols, where.rows)
            shown = MatchPanel(self.board, shot, (), look)
            return block(matchpanel.players_apart(shown, now, where.cols, where.rows), where.cols, where.rows)

        return Body(arranged(drawn, area, players, cols, rows))

    def items(self) -> list[Item]:
        look, shot = self.session.look, self.snapshot
        shown = MatchPanel(self.board, shot, self.line.events, look)
        return [*matchpanel.told(shown, shot.clock_at), *map(Said, self.board.spoken(shot, look))]

    def message(self) -> Line:
        """Say how the line ended, or whose turn it is and what the board asks."""
        look = self.session.look
        if self.snapshot.pending is None:
            return plain(f" {outcome.sentence(self.snapshot, look)}", "good")
        name = name_at(self.snapshot, self.snapshot.pending.seat, look)
        return (("accent", f" {name} ·"), *self.board.status(self.snapshot, self.selection, look))

    def message_stays(self) -> bool:
        """Keep saying whose turn it is, but beside a move being typed."""
        return not self.session.prompts.tells_moves

    def hints(self) -> tuple[Hint, ...]:
        """Return the board's keys, how a move is typed or taken back, and the way back."""
        own = self.board.keys(self.snapshot, self.selection)
        if not self.board.is_resting(self.selection):
            return own
        undo = keymap.hints("line", ("undo",)) if self.line.is_begun else ()
        return (*own[:1], *self.typed_hint(), *undo, *own[1:], *keymap.hints("everywhere", ("back",)))

    def speech(self) -> Speech:
        return TriedLineSpeech(self)

    # Keys

    def press(self, key: str) -> bool:
        return self.press_board(key)

    def click(self, col: int, row: int) -> bool:
        cols, rows = self.size
        area = self.board.area(self.snapshot, cols, self.session.display.body_rows(rows))
        if col >= area.cols or row >= area.rows:
            return False
        look = self.session.look
        return self.take(self.board.click(self.snapshot, self.selection, look, area.cols, area.rows, col, row))

    def play(self, action: Action) -> bool:
        """Play an action; return whether the rules allow it. The next side's board begins anew."""
        before = self.snapshot.viewer
        try:
            self.line.play(action)
        except GameError as error:
            self.session.prompts.notice(error.key, "bad")
            return False
        self.snapshot = self.line.snapshot
        if self.snapshot.viewer == before:
            self.selection = self.board.follow(self.snapshot, self.selection)
        else:
            self.select_nothing()
        return True

    def do_undo(self) -> None:
        """Go back to the last decision that was not the board's own."""
        if not self.line.is_begun:
            self.session.prompts.notice("line.at-start")
            return
        self._step_back()
        while self.line.is_begun and self.board.unasked(self.snapshot, self.selection) is not None:
            self._step_back()

    def _step_back(self) -> None:
        self.line.step_back()
        self.snapshot = self.line.snapshot
        self.select_nothing()

    def back(self) -> bool:
        """Drop a selection first; then ask whether to leave a line that was begun: it is stored nowhere."""
        if not super().back():
            if not self.line.is_begun:
                return False
            self.session.prompts.ask("line.ask-leave", self.session.pages.pop)
        return True


class TriedLineSpeech(PlayedAloneSpeech):
    """A tried line in words: whose turn it is, what was played, and actions for all sides."""

    def __init__(self, page: TriedLinePage) -> None:
        super().__init__(page)
        self._tried = page
        self._told = len(page.line.events)

    def prompt(self) -> str:
        """Say whose turn it is and what is asked."""
        shot, look = self._tried.snapshot, self._tried.session.look
        if shot.pending is None:
            return look.t("lines.prompt.over")
        asked = self._tried.board.spoken_prompt(shot, look)
        return look.t("list.pair", what=name_at(shot, shot.pending.seat, look), value=asked)

    def asks(self) -> Hashable:
        """Return the decision that is asked for."""
        return self._tried.snapshot.seq, self._tried.snapshot.pending

    def news(self) -> Sequence[str]:
        """Return what was played, and how it ended."""
        shown, shot, look = self._tried, self._tried.snapshot, self._tried.session.look
        events, self._told = shown.line.events[self._told :], len(shown.line.events)
        said = boardwords.told(shown.board, shot, events, look)
        return [*said, outcome.sentence(shot, look)] if events and shot.pending is None else said

    def hints(self) -> tuple[Hint, ...]:
        """Return how an action is taken back; all else is actions."""
        return keymap.hints("line", ("undo",)) if self._tried.line.is_begun else ()
