"""The ways out of the lobby, each behind a key."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, cast

from server.tui.screens.page import Page

if TYPE_CHECKING:
    from server.tui.app import Session
    from server.tui.screens.lobby import LobbyPage


class Ways(Page):
    """The half of the lobby that leads elsewhere."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._waiting = 0  # reports that this moderator was told of

    def do_bot(self) -> None:
        """Choose a bot."""
        from server.tui.screens.bots import BotPage

        self.session.push(BotPage(self.session))

    def do_games(self) -> None:
        """Tick games."""
        from server.tui.screens.games import GamesPage

        self.session.push(GamesPage(self.session, cast("LobbyPage", self)))

    def do_new(self) -> None:
        """Open a room."""
        from server.tui.screens.newroom import NewRoomPage

        self.session.push(NewRoomPage(self.session))

    def do_join(self) -> None:
        """Ask for an invite code."""
        self.session.type("lobby.ask-code", self._join, limit=12)

    def _join(self, code: str) -> None:
        from server.tui.screens import doors

        self.session.spawn(doors.go_to_room(self.session, code))

    def do_people(self) -> None:
        """See who is here."""
        from server.tui.screens.people import PeoplePage

        self.session.push(PeoplePage(self.session))

    def do_ladders(self) -> None:
        """See the ladders."""
        from server.tui.screens import doors

        doors.go_to_ladders(self.session)

    def do_me(self) -> None:
        """See one's own settings."""
        from server.tui.screens.me import MePage

        self.session.push(MePage(self.session))

    def do_tutorial(self) -> None:
        """Learn a game."""
        from server.tui.screens import doors

        doors.go_to_tutorial(self.session)

    def do_desk(self) -> None:
        """See the reports that wait, as a moderator."""
        from server.tui.screens.desk import DeskPage

        self.session.push(DeskPage(self.session))

    def on_report(self) -> Coroutine[Any, Any, None]:
        """Count what waits."""
        return self.count_reports()

    async def count_reports(self) -> None:
        """Tell a moderator that reports wait, when there are more than before."""
        known, self._waiting = (
            self._waiting,
            await self.session.services.moderate(self.session.identity).count_reports(),
        )
        if self._waiting > known and self.session.page in (self, None):
            self.session.notice("desk.waiting", n=self._waiting)
