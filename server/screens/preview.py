"""The most interesting match, live, beside the lobby's lists: its public view, shared like the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import Final
from weakref import WeakMethod, WeakValueDictionary

from game.contract import Viewer, Watcher
from game.options import has_open_hands
from server.boards import eventlog
from server.boards.board import board, has_board
from server.boards.gamestyle import game_style
from server.boards.seats import name_at, short_name_at
from server.bus.bus import Subscription
from server.callbacks import call_back
from server.errors import Refused
from server.matches.exhibition import Exhibition
from server.matches.match import Match
from server.matches.model import AnyViewerState, MatchSummary, SeenEvent
from server.screens.lobbyrows import versus
from server.session.session import Session
from server.terminal.lines import Line, Span, block, fit, plain, width_cols
from server.terminal.memo import OneValueCache

WIDE_COLS: Final = 120  # of a screen on which there is room for a board
LISTS_COLS: Final = 80  # that the lists keep beside it: names and times are whole there
SHARE: Final = 0.35  # of a wide screen's columns
NARROWEST, WIDEST = 40, 84
SHORT: Final = 12  # rows: with fewer, what happened last stands behind the names
TALK_COLS, TALK_FROM = 32, 180  # of who is here and the chat, and the columns of a screen on which they are beside it
AGAIN_S: Final = 1.0  # it is drawn again not sooner than this after a move
NO_SEED = bytes(32)  # a watcher places no cards


def preview_cols(cols: int) -> int:
    """Return how many of a screen's columns the preview has; 0: there is no room for a board."""
    return max(NARROWEST, min(WIDEST, int(cols * SHARE), cols - LISTS_COLS)) if cols >= WIDE_COLS else 0


def talk_cols(cols: int) -> int:
    """Return how many of a screen's columns are for who is here and the chat; 0: they stand below the preview."""
    return TALK_COLS if cols >= TALK_FROM else 0


class PreviewedMatch:
    """One match, or the exhibition, as all lobbies of a process preview it: one subscription, one timer.

    Whoever looks at it may listen; who rests, because another one draws for all, only finds here what is newest.
    """

    def __init__(self, match: Match | None, viewer: Viewer | None, exhibition: Exhibition | None = None) -> None:
        """A match with the viewer whose view is shown, or the `exhibition`."""
        self.match, self.viewer, self.exhibition = match, viewer, exhibition
        self._listeners: dict[Preview, None] = {}
        self._subscription: Subscription | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.shown = self._newest()

    def listen(self, preview: Preview) -> None:
        """Tell a preview of each change, until it forgets this match."""
        self._listeners[preview] = None
        if self._subscription is None:
            if self.exhibition is not None:
                self._subscription = self.exhibition.subscribe(self._heard)
            elif self.match is not None and self.viewer is not None:
                self._subscription = self.match.subscribe(self.viewer, self._heard)
            self.shown = self._newest()

    def forget(self, preview: Preview) -> None:
        """Tell a preview no more; after the last one, hear of nothing."""
        self._listeners.pop(preview, None)
        if self._listeners or self._subscription is None:
            return
        self._subscription.close()
        if self._timer is not None:
            self._timer.cancel()
        self._subscription = self._timer = None

    def _newest(self) -> AnyViewerState | None:
        if self.exhibition is not None:
            return self.exhibition.snapshot()
        return self.match.snapshot(self.viewer) if self.match is not None and self.viewer is not None else None

    def _heard(self) -> None:
        """Hear of a move: it is shown after a moment, with those that come meanwhile."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self.refresh)

    def refresh(self) -> None:
        """Show what is newest, and tell all who listen."""
        self._timer = None
        self.shown = self._newest()
        for preview in tuple(self._listeners):
            call_back(preview.notify)

    def events(self, shot: AnyViewerState) -> list[SeenEvent]:
        """Return what has happened in the match that is shown."""
        if self.exhibition is not None:
            return self.exhibition.events() if self.exhibition.id == shot.match else []  # another one has begun
        return [] if self.match is None or self.viewer is None else self.match.events(self.viewer)


PreviewedMatches = WeakValueDictionary[tuple[str, Viewer | None], PreviewedMatch]  # of a process, by match and viewer


class Preview:
    """One match that a page shows beside its own content. Nobody who sees it counts as a watcher."""

    def __init__(self, session: Session, matches: PreviewedMatches, changed: Callable[[], None]) -> None:
        """`changed`, a method of the page, is called when there is something new; the page is known weakly."""
        self._session, self._matches, self._page_changed = session, matches, WeakMethod(changed)
        self._wanted = ""
        self._looks_alike = True
        self.previewed: PreviewedMatch | None = None
        self._is_resting = False
        self._drawn = OneValueCache[list[Line]]()

    def want(self, wanted: MatchSummary | None, or_exhibition: bool) -> None:
        """Show this match from now on; None: the exhibition, or none."""
        match_id = wanted.id if wanted is not None else ""
        if match_id == self._wanted and or_exhibition == self.is_exhibition:
            return
        self.close()
        self._wanted = match_id
        self._looks_alike = wanted is None or not has_open_hands(wanted.agreement.options)
        if or_exhibition:
            self._follow(self._matches.get(("", None)) or PreviewedMatch(None, None, self._session.services.exhibition))
            if not self._is_resting:
                self._notify_page()
        elif match_id and self._looks_alike and (found := self._matches.get((match_id, Watcher.PUBLIC))) is not None:
            self._follow(found)
        elif self._is_resting and self._looks_alike:
            self._wanted = ""  # who draws for this one opens it; it is looked for again when it is needed
        elif match_id:
            self._session.spawn(self._open(match_id))

    async def _open(self, match_id: str) -> None:
        try:
            match = await self._session.services.matches.find(match_id, self._session.identity)
            viewer = match.sight(self._session.identity)
        except Refused:
            return  # it is over, or closed by now: the next list knows
        if self._wanted == match_id and self.previewed is None and has_board(match.game):
            self._follow(self._matches.get((match_id, viewer)) or PreviewedMatch(match, viewer))
            self._notify_page()

    def _follow(self, previewed: PreviewedMatch) -> None:
        self.previewed = previewed
        self._matches[previewed.match.id if previewed.match is not None else "", previewed.viewer] = previewed
        if not self._is_resting:
            previewed.listen(self)

    def rest(self, rests: bool) -> None:
        """Hear of no changes, because another session draws for this one too; or hear of them again."""
        self._is_resting = rests
        if self.previewed is not None:
            self.previewed.forget(self) if rests else self.previewed.listen(self)

    def notify(self) -> None:
        """Hear of a change."""
        if (loop := self._session.display.loop) is not None:
            loop.guarded(self._notify_page)

    def close(self) -> None:
        """Show nothing any more."""
        if self.previewed is not None:
            self.previewed.forget(self)
        self.previewed, self._wanted, self._drawn = None, "", OneValueCache()

    def _notify_page(self) -> None:
        if (changed := self._page_changed()) is not None:
            changed()

    @property
    def _shown(self) -> AnyViewerState | None:
        return self.previewed.shown if self.previewed is not None else None

    @property
    def match_id(self) -> str:
        """Return which match is shown; empty: none (yet)."""
        return self._shown.match if self._shown is not None else ""

    @property
    def is_exhibition(self) -> bool:
        """Tell whether it is the exhibition that is looked at, though it may not have begun."""
        return self.previewed is not None and self.previewed.exhibition is not None

    @property
    def has_exhibition(self) -> bool:
        """Tell whether there is an exhibition to look at: it has begun."""
        return self.is_exhibition and self._shown is not None

    @property
    def opens(self) -> str:
        """Return the match that may be opened; empty: none, or an exhibition."""
        return "" if self.is_exhibition else self.match_id

    @property
    def looks_alike(self) -> bool:
        """Tell whether everybody sees the same of the match that is wanted; with open hands some see less."""
        return self._looks_alike

    def share_key(self) -> Hashable:
        """Return what tells two previews apart that are beside the same lists."""
        return None if self._looks_alike or self.previewed is None else (self.match_id, self.previewed.viewer)

    def state(self) -> object:
        """Return what is drawn."""
        return self._shown, self.is_exhibition

    def lines(self, cols: int, rows: int) -> list[Line]:
        """Draw who plays, the board, and what happened last: exactly `rows` lines of `cols` columns."""
        shot = self._shown
        if shot is None or rows < 1:
            return block([], cols, rows)
        key = (self._session.look, cols, rows)
        return self._drawn.get(shot, key, lambda: self._draw(shot, cols, rows))

    def _draw(self, shot: AnyViewerState, cols: int, rows: int) -> list[Line]:
        look = self._session.look
        drawn, is_short = board(shot.game), rows < SHORT
        board_rows = rows - 1 if is_short else max(1, rows - 2)
        drawn_board = drawn.render(shot, drawn.start(shot, NO_SEED), look, cols, board_rows)
        if is_short:
            return block([self.one_line(cols), *drawn_board], cols, rows)
        while drawn_board and not "".join(text for _, text in drawn_board[-1]).strip():
            drawn_board.pop()
        return block([self._who(shot, cols), *drawn_board, plain(self._last(shot), "dim")], cols, rows)

    def one_line(self, cols: int) -> Line:
        """Say in one line who plays and what happened last."""
        shot = self._shown
        if shot is None:
            return ()
        head: Line = (("", " "), *self._who(shot, cols - 1))
        whole: Line = (*head, ("", "  "), ("dim", self._last(shot)))
        return fit(whole if width_cols(whole) <= cols else head, cols)

    def words(self) -> str:
        """Say who plays and what happened last; '' where nothing is shown."""
        if (shot := self._shown) is None:
            return ""
        look = self._session.look
        names = versus([name_at(shot, info.seat, look) for info in shot.seats], look)
        return look.t("list.comma").join(filter(None, (self._title(shot), names, self._last(shot))))

    def _title(self, shot: AnyViewerState) -> str:
        look, key = self._session.look, "lobby.exhibition" if self.is_exhibition else "lobby.preview"
        return look.t(key, game=look.game(shot.game))

    def _who(self, shot: AnyViewerState, cols: int) -> Line:
        """Say which game, and name the players, each in their colour: as many as fit, and how many more there are."""
        look, n = self._session.look, len(shot.seats)
        title: Line = ((game_style(shot.game), self._title(shot)), ("", "  "))
        joint: Span = ("dim", f" {look.glyphs.dash} " if n == 2 else "  ")

        def named(names: Sequence[str]) -> Line:
            spans = [(joint, (f"seat{look.hue(seat)}", name)) for seat, name in enumerate(names)]
            more: Line = (("dim", f" +{n - len(names)}"),) if len(names) < n else ()
            return (*title, *list(chain.from_iterable(spans))[1:], *more)

        whole = [name_at(shot, info.seat, look) for info in shot.seats]
        short = [short_name_at(shot, info.seat, look) for info in shot.seats]
        wordings = (named(whole), named(short), *(named(short[:left]) for left in range(n - 1, 0, -1)))
        return next((one for one in wordings if width_cols(one) <= cols), wordings[-1])

    def _last(self, shot: AnyViewerState) -> str:
        happened = self.previewed.events(shot) if self.previewed is not None else []
        events = [event for event in happened if event.seq <= shot.seq]
        found = eventlog.told(board(shot.game), shot, events, self._session.look)
        return next((one.text for one in found if not one.is_heading), "")
