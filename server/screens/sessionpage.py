"""What all pages have in common: they know their session."""

from __future__ import annotations

from server.errors import Refused
from server.session.page import Page
from server.session.session import Session


class SessionPage(Page):
    """A page of a session. It holds what the person has chosen there and asks services for everything else."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    @property
    def size(self) -> tuple[int, int]:
        """Return the columns and rows that the page has, with title and keys."""
        return self.measure.size_on(*self.session.display.size)

    async def turn_away(self, refusal: Refused) -> None:
        """Leave the page and those above it, and say why it may no longer be looked at."""
        if self in self.session.pages:
            self.session.pages.leave(self)
            self.session.prompts.refused(refusal)

    def who(self) -> str:
        """Say who one is, with the rating."""
        return self.session.person.shown_name()
