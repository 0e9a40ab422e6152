"""The commands of the lobby that lead elsewhere."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from server.session import places
from server.session.page import Page
from server.session.session import Session


class LobbyCommands(Page):
    """The commands of the lobby that lead elsewhere."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._waiting = 0  # reports that this moderator was told of

    def do_play(self) -> None:
        """Look for players."""
        raise NotImplementedError

    def do_bot(self) -> None:
        """Choose a bot."""
        self.session.go(places.BotsPlace())

    def do_games(self) -> None:
        """Tick games."""
        self.session.go(places.GamesPlace(self))

    def do_new(self) -> None:
        """Open a room."""
        self.session.go(places.NewRoomPlace())

    def do_join(self) -> None:
        """Ask for an invite code."""
        asked = "lobby.ask-code-casual" if self.session.identity.is_guest else "lobby.ask-code"
        self.session.prompts.type(asked, self._join, limit=12)

    def _join(self, code: str) -> None:
        self.session.go(places.RoomPlace(code))

    def do_people(self) -> None:
        """See who is here."""
        self.session.go(places.PeoplePlace())

    def do_ladders(self) -> None:
        """See the ladders."""
        self.session.go(places.LaddersPlace())

    def do_me(self) -> None:
        """See one's own settings."""
        self.session.go(places.MePlace())

    def do_tutorial(self) -> None:
        """Learn a game."""
        self.session.go(places.TutorialsPlace())

    def do_reports(self) -> None:
        """See the reports that wait, as a moderator."""
        self.session.go(places.ReportsPlace())

    def on_report(self) -> Coroutine[Any, Any, None]:
        """Count what waits."""
        return self.count_reports()

    async def count_reports(self) -> None:
        """Tell a moderator that reports wait, when there are more than before."""
        known, self._waiting = (
            self._waiting,
            await self.session.services.moderate(self.session.identity).count_reports(),
        )
        if self._waiting > known and self.session.pages.top in (self, None):
            self.session.prompts.notice("reports.waiting", n=self._waiting)
