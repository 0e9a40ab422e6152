"""A board that one plays alone, in a lesson or a tried line: what both have in common, on a screen and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from game.contract import Action
from server.boards import keymap
from server.boards.board import board
from server.boards.gamestyle import game_style
from server.matches.model import AnyViewerState
from server.screens import linemoves
from server.screens.boardwords import board_words
from server.screens.movetyping import MoveTyping
from server.screens.sessionpage import SessionPage
from server.screens.toldmoves import ToldMoves
from server.screens.whynot import say_why_not
from server.session.page import Speech, Tells
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.stage import BOARD

BESIDE: Final = ("type", "undo")  # commands of such a page that mean something while one plays


class PlayedAlone(SessionPage):
    """A board whose actions go nowhere but here."""

    measure = BOARD
    selection: Any  # the game's own

    def __init__(self, session: Session, game: str, snapshot: AnyViewerState) -> None:
        super().__init__(session)
        self.game, self.board = game, board(game)
        self.snapshot = snapshot
        self.select_nothing()

    def select_nothing(self) -> None:
        """Begin to select anew. Nobody else sees the board, so its first placement need not be secret."""
        self.selection = self.board.start(self.snapshot, b"")

    def play(self, action: Action) -> bool:
        """Play an action; return whether one goes on from what came of it. What the rules refuse is said."""
        raise NotImplementedError

    @property
    def takes_actions(self) -> bool:
        """Tell whether anything may be played now."""
        return True

    @property
    def plays(self) -> bool:
        """Tell whether a move can be typed now, as far as the page goes."""
        return self.takes_actions

    @property
    def typing(self) -> MoveTyping:
        """Return what has a move typed here. The page does not hold it: that would be a reference cycle."""
        return MoveTyping(self.session, self, self)

    def typed_hint(self) -> tuple[Hint, ...]:
        """Return the key that has a move typed, where one can be."""
        return keymap.hints(self.context, ("type",)) if self.typing.is_possible else ()

    def title_style(self) -> str:
        return game_style(self.game)

    def help_topic(self) -> str:
        return self.game

    def press_board(self, key: str) -> bool:
        """Do what a key does on the board, or beside it; where it does nothing, say why."""
        answer = self.board.press(self.snapshot, self.selection, key)
        says = say_why_not(self.session, self.board, self.snapshot, self.selection, answer, key)
        return self.take(answer) or says or (keymap.command(self.context, key) in BESIDE and super().press(key))

    def do_type(self) -> None:
        """Type a move."""
        if self.typing.is_possible:
            self.typing.begin()
        else:
            self.session.prompts.notice("match.nothing-to-type")

    def send_typed(self, action: Action) -> None:
        """Take a move that was typed."""
        chosen = self.board.after_typing(self.snapshot, self.selection, action.text)
        self.take(self.board.typed(self.snapshot, chosen, action.text))

    def prepare(self, text: str) -> None:
        """Keep a move for one's next turn: there is none to wait for here."""

    def take(self, answer: object) -> bool:
        """Take what the board has made of a key or a click, and what it does for its player then."""
        if answer is None:
            return False
        goes_on = True
        if isinstance(answer, Action):
            goes_on = self.play(answer)
        else:
            self.selection = answer
        while goes_on and (found := self.board.unasked(self.snapshot, self.selection)) is not None:
            goes_on = self.play(found.action)
        return True

    def back(self) -> bool:
        """Drop a selection first; then leave."""
        if self.board.is_resting(self.selection):
            return False
        self.select_nothing()
        return True


class PlayedAloneSpeech(Speech):
    """Such a board in words: what it tells, and the actions that are typed."""

    def __init__(self, page: PlayedAlone) -> None:
        super().__init__(page)
        self._played = page
        self._moves = ToldMoves()

    def tells(self) -> Tells:
        shown = self._played
        return board_words(shown.board, shown.snapshot, shown.session.look, self._moves, self._orders)

    def _orders(self) -> linemoves.Orders:
        shown = self._played
        if not shown.takes_actions:
            return ()
        return shown.board.orders(shown.snapshot, shown.selection, shown.session.look)

    def completes(self, typed: str) -> Sequence[str]:
        shown = self._played
        if not shown.takes_actions:
            return ()
        meant = self._moves.meant(shown.snapshot, typed) or typed
        return linemoves.found_actions(shown.board, shown.snapshot, meant, shown.session.look)

    def answer(self, typed: str) -> Sequence[str] | None:
        """Play an action, change a setting, or leave something to the board."""
        shown = self._played
        if not shown.takes_actions:
            return None
        typed = self._moves.meant(shown.snapshot, typed) or typed
        setting = linemoves.found_setting(shown.snapshot, typed)
        found = self.completes(typed) if setting is None else [setting.text]
        orders = () if found else linemoves.found_orders(self._orders(), typed)
        if len(orders) == 1:
            shown.take(shown.board.ordered(shown.snapshot, shown.selection, orders[0]))
            return ()
        if len(found) != 1:
            look = shown.session.look
            return linemoves.not_found(shown.board, shown.snapshot, typed, found, look, self._moves)
        shown.take(Action(found[0]))
        return ()
