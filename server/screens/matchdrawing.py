"""Drawing a match: board, players with clocks, log and chat. What has not changed is not drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from server.accounts.identity import is_hidden
from server.boards import eventlog, panel
from server.boards.board import BoardArea
from server.boards.eventlog import Told
from server.boards.seats import Reading, advanced_lines, reading
from server.matches.model import AnyViewerState
from server.screens import matchpanel
from server.screens.matchpanel import MOST_NAMED, MatchPanel, PagedLog, PanelArea, arranged, has_panel, panel_area
from server.screens.matchtext import own_offer, tells_time
from server.screens.unread import Unread
from server.screens.viewpoint import Viewpoint
from server.session.page import ChangedRows
from server.session.session import Session
from server.terminal.lines import Line, blank_at_end, filled, fit, gapped, restyled
from server.terminal.look import Look
from server.terminal.memo import OneValueCache
from server.terminal.stage import BOARD

OnBoard = Literal["", "summary", "log"]
FRESH = {"last": "fresh", "cell.last": "cell.fresh"}  # where something has just been done
SUMMARY_ROWS = 3  # that a board leaves empty, from which on a summary is written into them


class MatchDrawing:
    """Draws one match for one session: all of it, or what a tick of the clocks changes."""

    def __init__(self, session: Session, seen: Viewpoint, unread: Unread) -> None:
        self._session, self._seen, self._unread = session, seen, unread
        self.log = PagedLog()
        self.is_fresh = False  # what was done last stands out
        self._last_board, self._last_panel, self._last_below = (
            OneValueCache[list[Line]](),
            OneValueCache[list[Line]](),
            OneValueCache[list[Line]](),
        )
        self._areas, self._has_panel = OneValueCache[BoardArea](), OneValueCache[bool]()
        self._panel: tuple[list[Line], PanelArea] | None = None  # the board, and where the clocks beside it were drawn
        self._panel_lines: list[Line] = []
        self._reading: Reading = ()  # what its clocks showed
        self._could_claim = False  # when it was drawn last
        self._on_board: OnBoard = ""  # what stands on the board, not in the panel
        self._summed: frozenset[int] | range = panel.NONE_TOLD  # the entries that are told on the board
        self._log_on_board = OneValueCache[list[Line]]()

    def highlight(self, is_on: bool) -> None:
        """Let what was done last stand out, or be marked as it stays."""
        self.is_fresh = is_on

    @property
    def has_panel(self) -> bool:
        """Tell whether a panel with all clocks has room on the screen."""
        return self._has_panel.get(self._seen.snapshot, self._session.display.size, self._finds_panel)

    def marks(self) -> tuple[str, ...]:
        """Return the signs of the seats on the board."""
        seen, look = self._seen, self._session.look
        cards = seen.board.players(seen.snapshot, look, self._size[0], self._session.services.clock.now()).cards
        return tuple(card.mark for card in sorted(cards, key=lambda card: card.seat))

    @property
    def _look(self) -> Look:
        """Return how this person sees the match: from their seat, if they have one."""
        return self._session.look.seated(self._seen.seat)

    @property
    def _size(self) -> tuple[int, int]:
        return BOARD.size_on(*self._session.display.size)

    def _finds_panel(self) -> bool:
        cols, rows = self._size
        rows = self._session.display.body_rows(rows)
        return has_panel(self._area(cols, rows), cols, rows, len(self._seen.snapshot.seats))

    def _area(self, cols: int, rows: int) -> BoardArea:
        """Return what the board takes of a body."""
        shot = self._seen.snapshot
        return self._areas.get(shot, (cols, rows), lambda: self._seen.board.area(shot, cols, rows))

    def match_panel(self) -> MatchPanel:
        """Return what the side panel is drawn from."""
        since = [] if self._on_board else self._since()
        seen, look, back = self._seen, self._look, self._session.prompts.back
        is_asked = seen.snapshot.pending is not None  # else the line above the keys says what one offers
        offer = own_offer(seen, look) if is_asked else ""
        has_log = self._on_board != "log"
        told = seen.board, self.unblocked(), seen.events, look
        return MatchPanel(*told, self.log.skip, back, since, offer, has_log, self._summed, self._session.prompts.chats)

    def keep_log_in_place(self, known: int) -> None:
        """Keep the log's lines in place while it is paged back: events were added after the first `known` ones."""
        if self.log.skip:
            self.log.stay(self.match_panel(), known)

    def body(self, selection: Any, cols: int, rows: int, covered_rows: int, card: Sequence[Line] = ()) -> list[Line]:
        """Draw the board and its panel, `rows` lines of `cols` columns; the last ones may be covered.

        `card`: how the match ended, in the panel, in the place of its players. The board is drawn again only when the
        match, selection or look has changed: a clock changes nothing on it.
        """
        seen, now = self._seen, self._session.services.clock.now()
        area = self._area(cols, rows)
        board = self._drawn_board(selection, area)
        if seen.board.shows_log(selection):
            drawn, self._on_board, self._summed = board, "log", panel.NONE_TOLD
        else:
            drawn = self._filled(board, area, cols, rows)
        area = BoardArea(area.cols, len(drawn))

        def in_sight(where: PanelArea) -> list[Line]:  # its end, the newest event, is not covered
            return self._below_card(where, card) if card else self._drawn_panel(where)

        where = panel_area(area, cols, rows, covered_rows)
        if where is not None and where.is_beside:
            drawn = filled(drawn, area.cols, rows)
        lines = arranged(drawn, area, in_sight, cols, rows, covered_rows)
        self._panel = (drawn, where) if where is not None and seen.is_live and self.has_panel else None
        self._could_claim = seen.may_claim(now)
        return lines

    def panel_alone(self, cols: int, rows: int) -> list[Line]:
        """Draw players, clocks and log without the board, `rows` lines of `cols` columns."""
        self._on_board, self._summed, self._panel = "", panel.NONE_TOLD, None
        return self._drawn_panel(PanelArea(cols, rows, is_beside=False))

    def _drawn_board(self, selection: Any, area: BoardArea) -> list[Line]:
        seen, look = self._seen, self._look
        shot = seen.snapshot if seen.board.is_resting(selection) else seen.planned

        def drawn() -> list[Line]:
            done = eventlog.standing(seen.events)
            lines = seen.board.render(shot, selection, look, area.cols, area.rows, done)
            return restyled(lines, FRESH) if self.is_fresh else lines

        return self._last_board.get(seen.snapshot, (selection, look, area, self.is_fresh), drawn)

    def ticked(self) -> ChangedRows | None:
        """Return the panel's lines whose clocks have gone on, and whether the message tells time.

        None where the whole is to be drawn anew: the match has changed, or a claim has become possible.
        """
        seen, shot, now = self._seen, self._seen.snapshot, self._session.services.clock.now()
        if self._panel is None or seen.newest() is not shot or self._could_claim != seen.may_claim(now):
            return None
        read, tells = reading(shot, now), tells_time(shot)
        if read == self._reading:
            return ChangedRows({}, tells)
        board, where = self._panel
        rows, changed = dict[int, Line](), self._advanced_lines(self._panel_lines, read, tells)
        if changed is None:
            changed = matchpanel.players(self.match_panel(), now, where).rows(len(self._panel_lines))
        self._reading = read
        for y, seat_line in changed.items():
            line = fit(seat_line, where.cols)
            if line != self._panel_lines[y]:
                self._panel_lines[y] = line
                if where.is_beside:
                    (rows[y],) = gapped([board[y]], [line], where.end_cols)
                else:
                    rows[len(board) + y] = line
        return ChangedRows(rows, tells)

    def _advanced_lines(self, lines: Sequence[Line], read: Reading, tells: bool) -> dict[int, Line] | None:
        """Return the panel's lines whose clocks show something else now; None: other words there tell time, too."""
        return None if tells else advanced_lines(lines, self._reading, read, self._session.look)

    def _since(self) -> list[Told]:
        """Return the summary of what was not read; the log takes its place while it is paged back."""
        return [] if self.log.skip else self._unread.summary(self._session.look)

    def unblocked(self) -> AnyViewerState:
        """Return the state without what those say, and that those look on, whom this person has blocked.

        Machines bear their mark there, too.
        """
        shot, hidden, names = self._seen.snapshot, self._session.person.blocked, self._session.person.hidden_names
        lines = [line for line in shot.chat if not is_hidden(line.account_id, line.name, hidden)]
        chat = tuple(replace(line, name=self._session.marked(line.name)) for line in lines)
        here = [name for name in shot.watchers if name not in names]
        watchers = (*map(self._session.marked, here[:MOST_NAMED]), *here[MOST_NAMED:])
        return shot if (chat, watchers) == (shot.chat, shot.watchers) else replace(shot, chat=chat, watchers=watchers)

    def _filled(self, drawn: list[Line], area: BoardArea, cols: int, rows: int) -> list[Line]:
        """Write the log into the rows that the board leaves empty above its panel; too few rows go to the panel.

        Where this person is asked something, it is only the summary: the rows are there for choices.
        """
        seen, since, self._on_board, self._summed = self._seen, self._since(), "", panel.NONE_TOLD
        waits = (seen.snapshot.pending is None or seen.board.passes_by(seen.snapshot)) and not self.log.skip
        if not (since or waits) or area.cols < cols:
            return drawn
        empty = blank_at_end(drawn)
        if empty < SUMMARY_ROWS:
            return drawn[: len(drawn) - empty] if since and area.rows < rows else drawn
        shown, look = self.match_panel(), self._look
        log = self._log_on_board.get(
            seen.snapshot,
            (look, area.cols, empty, waits, self._unread.version),
            lambda: matchpanel.log_on_board(shown, area.cols, empty) if waits else [],
        )
        told = log or panel.since_lines(since, look, area.cols, empty)
        self._on_board = "log" if log else "summary" if told else ""
        self._summed = panel.NONE_TOLD if log else panel.told_since(since, look, area.cols, empty, seen.snapshot.seq)
        return [*drawn[: len(drawn) - len(told)], *told]

    def _drawn_panel(self, where: PanelArea) -> list[Line]:
        """Draw the side panel: the clocks when they show something else, what is below them when the match has."""
        session, shot, now = self._session, self._seen.snapshot, self._session.services.clock.now()
        skipped = self.log.skip, session.prompts.back, session.prompts.chats
        read, key = reading(shot, now), (session.look, skipped, where, session.person.blocked, self._told())
        lines = self._last_panel.get(shot, key, list)
        if lines and read != self._reading:
            changed = self._advanced_lines(lines, read, tells_time(shot))
            for y, line in (changed or {}).items():
                lines[y] = fit(line, where.cols)
            if changed is None:
                lines.clear()
        if not lines:
            lines += matchpanel.draw(self.match_panel(), now, where, self._drawn_below)
        self._reading, self._panel_lines = read, lines
        return lines

    def _below_card(self, where: PanelArea, card: Sequence[Line]) -> list[Line]:
        """Draw the panel with the card of the end."""
        now = self._session.services.clock.now()
        return matchpanel.draw_below_card(self.match_panel(), now, where, card, self._drawn_below)

    def _drawn_below(self, drawn: MatchPanel, cols: int, left: int) -> list[Line]:
        key = (drawn.look, drawn.log_skip, drawn.chat_skip, drawn.is_chatting, cols, left, self._told())
        return self._last_below.get(drawn.snapshot, key, lambda: self.log.below(drawn, cols, left))

    def _told(self) -> object:
        """Return what the panel's summary depends on besides the match."""
        return self._unread.version, self._on_board, self._summed
