"""Being asked, while one waits for a table of many, whether to begin with those who are there."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, cast

from server.lobby.model import Asked
from server.services import Services
from server.tui.look import Look
from server.tui.screens.page import Page

if TYPE_CHECKING:
    from server.tui.app import Session
    from server.tui.screens.lobby import LobbyPage


def consent_words(asked: Asked, look: Look) -> str:
    """Say what is asked, or that the others have yet to agree."""
    key = "lobby.consent.wait" if asked.is_answered else "lobby.consent"
    return look.t(key, game=look.game(asked.game), size=asked.size, wished=asked.wished, agreed=asked.agreed)


class Consent:
    """The part of a session that is asked, wherever it is; the search itself belongs to the lobby's page."""

    services: Services
    look: Look
    pages: list[Page]
    is_asked: bool = False  # an answer is owed

    @property
    def page(self) -> Page | None:
        """Return the page on top."""
        raise NotImplementedError

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something that waits."""
        raise NotImplementedError

    def dirty(self) -> None:
        """Draw at the end of this tick."""
        raise NotImplementedError

    def _searching(self) -> LobbyPage | None:
        """Return the lobby's page, if something is asked of who searches there."""
        from server.tui.screens.lobby import LobbyPage

        return next((page for page in self.pages if isinstance(page, LobbyPage) and page.asked is not None), None)

    def hear_question(self) -> None:
        """Call the person when something is asked; away from the lobby it is said in the line above the keys."""
        lobby, me = self._searching(), cast("Session", self)
        asked = lobby.asked if lobby is not None else None
        self.is_asked = asked is not None and not asked.is_answered
        if asked is not None and self.is_asked:
            said: dict[str, Any] = {"game": self.look.game(asked.game), "size": asked.size, "wished": asked.wished}
            me.call(self.look.t("lobby.consent.call", **said))
            if self.page is not lobby:
                me.notice("lobby.consent.elsewhere", **said)
        self.dirty()

    def answer_question(self, *, agrees: bool) -> None:
        """Begin with those who are there, or wait on."""
        lobby = self._searching()
        if lobby is not None and lobby.ticket is not None:
            self.spawn(self.services.lobby.answer(lobby.ticket, agrees))
