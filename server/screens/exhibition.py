"""The exhibition on the whole screen: two built-in players, seen as the public sees them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from server.boards import keymap
from server.boards.board import board
from server.screens import boardwords, matchpanel, matchtext
from server.screens.matchpanel import MatchPanel, PagedLog, PanelArea
from server.screens.preview import NO_SEED
from server.screens.sessionpage import SessionPage
from server.session.page import Body, Speech, Tells
from server.session.places import NamedPlace
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.items import Item, Said
from server.terminal.lines import Line
from server.terminal.stage import BOARD


class ExhibitionPage(SessionPage):
    """Watching the exhibition, and the next one after it."""

    measure = BOARD
    context: ClassVar[str] = "exhibition"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._exhibition = session.services.exhibition
        self._log = PagedLog()
        self._shown_id = ""

    def start(self) -> None:
        """Keep the exhibition going, and subscribe to its moves."""
        self.subscriptions.append(self._exhibition.subscribe(self._heard))

    def _heard(self) -> None:
        if self._shown_id != self._exhibition.id:
            self._shown_id, self._log.skip = self._exhibition.id, 0
        if self.session.pages.top is self:
            self.session.sharing.changed(may_differ=True)

    # What it shows

    def landing(self) -> str:
        return NamedPlace.EXHIBITION.value

    def title(self) -> str:
        shot, look = self._exhibition.snapshot(), self.session.look
        return look.t("lobby.exhibition", game=look.game(shot.game)) if shot is not None else self.session.server_name

    def who(self) -> str:
        shot, look = self._exhibition.snapshot(), self.session.look
        return matchtext.names(shot, look) if shot is not None else ""

    def share_key(self) -> Hashable | None:
        """Share the frame with all who look at the newest move."""
        return ("exhibition",) if not self._log.skip else None

    def body(self, cols: int, rows: int) -> Body:
        """Draw the board as large as it fits, and players and log beside it."""
        if (drawn := self.panel()) is None:
            return Body([])
        shot, look, game = drawn.snapshot, self.session.look, drawn.board
        area = game.area(shot, cols, rows)
        drawn_board = game.render(shot, game.start(shot, NO_SEED), look, area.cols, area.rows, drawn.events)
        now = self.session.services.clock.now()

        def beside(where: PanelArea) -> list[Line]:
            return matchpanel.draw(drawn, now, where, self._log.below)

        return Body(matchpanel.arranged(drawn_board, area, beside, cols, rows), is_fitted=True)

    def items(self) -> list[Item]:
        """Tell the players, what happened last, and the position."""
        if (drawn := self.panel()) is None:
            return [Said(self.session.t("page.loading"))]
        position = drawn.board.spoken(drawn.snapshot, drawn.look)
        return [*matchpanel.told(drawn, self.session.services.clock.now()), *map(Said, position)]

    def panel(self) -> MatchPanel | None:
        shot = self._exhibition.snapshot()
        if shot is None:
            return None
        events = [event for event in self._exhibition.events() if event.seq <= shot.seq]
        return MatchPanel(board(shot.game), shot, events, self.session.look, self._log.skip)

    def hints(self) -> tuple[Hint, ...]:
        return (*keymap.hints("exhibition", ("log", "rules")), *keymap.hints("everywhere", ("back",)))

    def help_topic(self) -> str:
        shot = self._exhibition.snapshot()
        return shot.game if shot is not None else ""

    def speech(self) -> Speech:
        """Say in words what happens in the match that is shown."""
        return ExhibitionSpeech(self)

    # Keys

    def do_log(self) -> None:
        """Page through the log."""
        if (drawn := self.panel()) is not None:
            self._log.page(drawn, is_back=self.key == "page up")

    def do_rules(self) -> None:
        """Read the rules of what is played."""
        self.session.help(rules=True)


class ExhibitionSpeech(Speech):
    """The exhibition in words: what happens in the match that is shown, and in the next one."""

    def __init__(self, page: ExhibitionPage) -> None:
        super().__init__(page)
        self._shown, self._session, self._exhibition = page, page.session, page.session.services.exhibition
        self._told = ("", 0)  # what was said last, and up to which entry

    def prompt(self) -> str:
        """Say that one looks on."""
        return self._session.t("lines.prompt.watching")

    def news(self) -> Sequence[str]:
        """Return what has happened in what is shown."""
        drawn, before = self._shown.panel(), self._told
        if drawn is None:
            return ()
        self._told = self._exhibition.id, drawn.snapshot.seq
        first = before[1] if before[0] == self._exhibition.id else 0
        events = [event for event in drawn.events if event.seq > first]
        return boardwords.told(drawn.board, drawn.snapshot, events, self._session.look)

    @property
    def waits(self) -> bool:
        """Tell that nothing is asked: one looks on."""
        return True

    def tells(self) -> Tells:
        shot = self._exhibition.snapshot()
        return {} if shot is None else boardwords.board_words(board(shot.game), shot, self._session.look)

    def hints(self) -> tuple[Hint, ...]:
        """Return the way to the rules."""
        return keymap.hints("exhibition", ("rules",))
