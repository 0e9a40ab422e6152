"""The most interesting match, live, beside the lobby's lists: its public view, shared like the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

from game.contract import Viewer
from server.errors import Refused
from server.matches.model import AnyViewerState, SeenEvent
from server.protocols import ExhibitionService, MatchHandle
from server.session.session import Session
from server.tui import eventlog
from server.tui.board import board, has_board
from server.tui.lines import Line, Span, block, fit, plain
from server.tui.memo import OneValueCache
from server.tui.seats import name_at

WIDE_COLS: Final = 120  # of a screen on which there is room for a board
LISTS_COLS: Final = 80  # that the lists keep beside it: names and times are whole there
SHARE: Final = 0.35  # of a wide screen's columns
NARROWEST, WIDEST = 40, 84
AGAIN_S: Final = 1.0  # it is drawn again not sooner than this after a move
NO_SEED = bytes(32)  # a watcher places no cards


def preview_cols(cols: int) -> int:
    """Return how many of a screen's columns the preview has; 0: there is no room for a board."""
    return max(NARROWEST, min(WIDEST, int(cols * SHARE), cols - LISTS_COLS)) if cols >= WIDE_COLS else 0


def _nothing() -> None:
    """Do nothing."""


class Preview:
    """One match that a page shows beside its own content. Nobody who sees it counts as a watcher."""

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self._session, self._changed = session, changed
        self._wanted = ""
        self._match: MatchHandle | None = None
        self._exhibition: ExhibitionService | None = None  # shown in place of a match
        self._viewer: Viewer | None = None
        self._subscription: Any = None
        self._stop_waiting: Callable[[], None] | None = None
        self._shown: AnyViewerState | None = None
        self._drawn = OneValueCache[list[Line]]()

    def want(self, match_id: str, or_exhibition: bool = False) -> None:
        """Show this match from now on; empty: the exhibition, or none."""
        if match_id != self._wanted or or_exhibition != (self._exhibition is not None):
            self.close()
            self._wanted = match_id
            if or_exhibition:
                self._open_exhibition(self._session.services.exhibition)
            elif match_id:
                self._session.spawn(self._open(match_id))

    async def _open(self, match_id: str) -> None:
        try:
            match = await self._session.services.matches.open(match_id)
            viewer = match.sight(self._session.identity)
        except Refused:
            return  # it is over, or closed by now: the next list knows
        if self._wanted == match_id and self._match is None and has_board(match.game):
            self._match, self._viewer, self._shown = match, viewer, match.snapshot(viewer)
            self._subscription = match.subscribe(viewer, self._heard)
            self._changed()

    def _open_exhibition(self, exhibition: ExhibitionService) -> None:
        self._exhibition = exhibition
        self._subscription = exhibition.subscribe(self._heard)
        self._shown = exhibition.snapshot()
        self._changed()

    def _heard(self) -> None:
        """Hear of a move: it is shown after a moment, with those that come meanwhile."""
        if self._stop_waiting is None:
            self._stop_waiting = self._session.later(AGAIN_S, self.refresh)

    def refresh(self) -> None:
        """Show the newest state."""
        self._stop_waiting = None
        if self._exhibition is not None:
            self._shown = self._exhibition.snapshot()
            self._changed()
        elif self._match is not None and self._viewer is not None:
            self._shown = self._match.snapshot(self._viewer)
            self._changed()

    def close(self) -> None:
        """Show nothing any more."""
        if self._subscription is not None:
            self._subscription.close()
        if self._stop_waiting is not None:
            self._stop_waiting()
        self._subscription = self._stop_waiting = self._match = self._viewer = self._shown = None
        self._exhibition = None
        self._wanted = ""

    def end(self) -> None:
        """Close, and break the reference cycle with the page."""
        self.close()
        self._changed = _nothing

    @property
    def match_id(self) -> str:
        """Return which match is shown; empty: none (yet)."""
        return self._shown.match if self._shown is not None else ""

    @property
    def has_exhibition(self) -> bool:
        """Tell whether there is an exhibition to look at: it has begun, here or in another process."""
        return self._exhibition is not None and self._shown is not None

    @property
    def opens(self) -> str:
        """Return the match that may be opened; empty: none, or an exhibition."""
        return "" if self._exhibition is not None else self.match_id

    def share_key(self) -> Hashable:
        """Return what tells two previews apart."""
        return (self.match_id, self._viewer)

    def lines(self, cols: int, rows: int) -> list[Line]:
        """Draw who plays, the board, and what happened last: exactly `rows` lines of `cols` columns."""
        shot = self._shown
        if shot is None or rows < 1:
            return block([], cols, rows)
        key = (self._session.look, cols, rows)
        return self._drawn.get(shot, key, lambda: self._draw(shot, cols, rows))

    def _draw(self, shot: AnyViewerState, cols: int, rows: int) -> list[Line]:
        look = self._session.look
        drawn = board(shot.game)
        drawn_board = drawn.render(shot, drawn.start(shot, NO_SEED), look, cols, max(1, rows - 2))
        while drawn_board and not "".join(text for _, text in drawn_board[-1]).strip():
            drawn_board.pop()
        head: Line = (("title", self._title(shot)), ("", "  "))
        return block([(*head, *self._names(shot)), *drawn_board, plain(self._last(shot), "dim")], cols, rows)

    def one_line(self, cols: int) -> Line:
        """Say in one line who plays and what happened last."""
        shot = self._shown
        if shot is None:
            return ()
        head: Line = (("", " "), ("title", self._title(shot)), ("", "  "))
        return fit((*head, *self._names(shot), ("", "  "), ("dim", self._last(shot))), cols)

    def _title(self, shot: AnyViewerState) -> str:
        look, key = self._session.look, "lobby.preview" if self._exhibition is None else "lobby.exhibition"
        return look.t(key, game=look.game(shot.game))

    def _names(self, shot: AnyViewerState) -> list[Span]:
        look, spans = self._session.look, list[Span]()
        for info in shot.seats:
            if spans:
                spans.append(("dim", f" {look.glyphs.dash} " if len(shot.seats) == 2 else "  "))
            spans.append((f"seat{info.seat}", name_at(shot, info.seat, look)))
        return spans

    def _last(self, shot: AnyViewerState) -> str:
        events = [event for event in self._events(shot) if event.seq <= shot.seq]
        found = eventlog.told(board(shot.game), shot, events, self._session.look)
        return next((one.text for one in found if not one.is_heading), "")

    def _events(self, shot: AnyViewerState) -> list[SeenEvent]:
        if self._exhibition is not None:
            return self._exhibition.events() if self._exhibition.id == shot.match else []  # another one has begun
        return [] if self._match is None or self._viewer is None else self._match.events(self._viewer)
