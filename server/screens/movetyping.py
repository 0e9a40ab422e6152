"""Typing a move on the line above the keys: completed from what is legal, or prepared for one's own next decision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

from game.contract import Action
from game.errors import GameError
from server.boards import whynot
from server.boards.board import AnyBoard
from server.matches.model import AnyViewerState
from server.screens.toldmoves import STOPS
from server.session.session import Session
from server.terminal.lines import ELLIPSIS, clip, columns
from server.terminal.memo import OneValueCache
from server.terminal.stage import BOARD

LONGEST = 80  # characters of a move
MOST_EXPLAINED = 3  # moves that are offered with what each does
SPARE_COLS = 6  # beside the moves that are offered


def alike(board: AnyBoard, found: Sequence[str], typed: str) -> str:
    """Return what was typed, as far as all the moves that it may become go on alike."""
    ways = [next(way for way in board.spellings(text) if way.startswith(typed.casefold())) for text in found]
    first, last = min(ways), max(ways)  # what these two begin with, all between them do
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))


def offered(board: AnyBoard, found: Sequence[str], cols: int, before: str = "") -> str:
    """Name moves as they are typed, behind `before`, as far as one line has room."""
    said = before
    for text in found:
        shown = board.written(text)
        if columns(said) + columns(shown) + 2 > cols:
            return said + f"  {ELLIPSIS}" if said else clip(shown, cols)
        said += f"  {shown}" if said else shown
    return said


def say_no_such(session: Session, board: AnyBoard, typed: str, legal: Sequence[str]) -> None:
    """Say that no move begins as was typed, and how one that may be played is written."""
    if legal:
        example = board.written(legal[0])
        session.prompts.notice("match.no-such-move", "bad", move=typed, example=example)
    else:
        session.prompts.notice("match.no-move", "bad")


class PlayedBoard(Protocol):
    """A board that somebody plays on: a match from one viewpoint, a lesson, a tried line."""

    @property
    def board(self) -> AnyBoard: ...
    @property
    def snapshot(self) -> AnyViewerState: ...
    @property
    def plays(self) -> bool: ...


class TakesMoves(Protocol):
    """Who takes what was typed: an action for this decision, or one to be kept for the next."""

    def send_typed(self, action: Action) -> None: ...
    def prepare(self, text: str) -> None: ...


class MoveTyping:
    """Has a player type a move, and takes it or keeps it for later."""

    def __init__(self, session: Session, seen: PlayedBoard, answering: TakesMoves) -> None:
        self._session, self._seen, self._answering = session, seen, answering
        self._can_type = OneValueCache[bool]()

    @property
    def is_possible(self) -> bool:
        """Tell whether a move can be typed now: for this decision, or for one's next."""
        seen = self._seen
        shot = seen.snapshot
        if not (seen.plays and seen.board.types_moves) or shot.status != "live" or shot.is_in_window:
            return False
        return self._can_type.get(shot, None, lambda: bool(seen.board.spelled(shot, "")))

    def begin(self, start: str = "") -> None:
        """Have a move typed, for this decision or to be kept for one's next."""
        asked = "match.ask.move" if self._seen.snapshot.pending is not None else "match.ask.prepare"
        self._session.prompts.type(asked, self._take, start, self._offer, limit=LONGEST, complete=self._completed)
        self._offer(start)

    def _found(self, typed: str) -> tuple[str, ...]:
        return self._seen.board.spelled(self._seen.snapshot, typed.strip())

    def _completed(self, typed: str) -> str:
        """Return what was typed, as far as all that it may become goes on alike."""
        found = self._found(typed)
        return alike(self._seen.board, found, typed.strip()) if found else typed

    def _offer(self, typed: str) -> None:
        """Say what may be typed."""
        found = self._found(typed)
        if not found:
            self._say_no_such(typed)
            return
        room = BOARD.size_on(*self._session.display.size)[0] - SPARE_COLS
        self._session.prompts.say(self._explained(found) or offered(self._seen.board, found, room), "dim")

    def _explained(self, found: Sequence[str]) -> str:
        """Say what each of a few moves does; '' where they are many, or have no words here."""
        board, look = self._seen.board, self._session.look
        if not 1 < len(found) <= MOST_EXPLAINED:
            return ""
        does = {text: words for group in board.spoken_moves(self._seen.snapshot, look) for text, words in group.moves}
        if not does.keys() >= {*found}:
            return ""
        return look.t("list.then").join(
            look.t("list.pair", what=board.written(text), value=does[text].rstrip(STOPS)) for text in found
        )

    def _take(self, typed: str) -> None:
        """Take what was typed where it names one move; else say why not, and let it be mended."""
        prompts, seen = self._session.prompts, self._seen
        prompts.quieten()
        if not typed:
            return
        found = self._found(typed)
        if len(found) != 1:
            self.begin(typed)
            if not found:
                why = self._why_not(typed)
                prompts.say(why) if why else self._say_no_such(typed)
        elif seen.snapshot.pending is not None:
            self._answering.send_typed(Action(found[0]))
        else:
            self._answering.prepare(found[0])

    def _say_no_such(self, typed: str) -> None:
        say_no_such(self._session, self._seen.board, typed.strip(), self._found(""))

    def _why_not(self, typed: str) -> str:
        """Return why a move that is written as one is not legal now; empty: it is none, or others decide."""
        if self._seen.snapshot.pending is None:
            return ""
        try:
            return whynot.reason(self._seen.snapshot, typed, self._session.look)
        except GameError:
            return ""
