"""What all pages have in common: they know their session."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from server.errors import Refused
from server.session import sshonly
from server.session.page import Page
from server.session.session import Session
from server.terminal.frame import Layout, has_room, key_name
from server.terminal.hint import Hint
from server.terminal.items import Offer
from server.terminal.stage import TALL_FROM, PageLimit


class SessionPage(Page):
    """A page of a session. It holds what the person has chosen there and asks services for everything else."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._limit: PageLimit | None = None  # None: not known yet

    @property
    def size(self) -> tuple[int, int]:
        """Return the columns and rows that the page has, with title and keys."""
        return self.limit().size_on(*self.session.display.size)

    @property
    def most_cols(self) -> int:
        """Return how many columns the page has, however tall it is."""
        return self.measure.size_on(*self.session.display.size)[0]

    def limit(self) -> PageLimit:
        """Return how large it is at most: no taller than it needs, where a window has more rows than a page must."""
        if self._limit is None:
            cols, rows = self.measure.size_on(*self.session.display.size)
            needed = self.lines_needed() if self.session.display.size[1] >= TALL_FROM else None
            frame_rows = rows - Layout(cols, rows).body_rows
            self._limit = self.measure if needed is None else self.measure.snug(needed + frame_rows)
        return self._limit

    def refresh(self) -> None:
        """Forget how tall it was; pages that always are as tall as they may be need not do so."""
        self._limit = None

    def lines_needed(self) -> int | None:
        """Return how many lines the body has to show, at `most_cols`; None: as many as there is room for."""
        return None

    def action(self, command: str) -> Callable[[], None] | None:
        """Return what does a command here: in a browser, of what ssh alone may do, a sentence that says so."""
        if self.session.in_browser and sshonly.is_command(self.contexts(), command):
            return self.session.refuse_browser
        return super().action(command)

    def run(self, command: str, key: str) -> bool:
        self.session.prompts.record(command)
        return super().run(command, key)

    def offers(self, hints: Iterable[Hint]) -> list[Offer]:
        """Say of keys what each is for: help's words, for a page with few others."""
        look = self.session.look
        return [
            Offer(key_name(one.shown, look), look.t(one.label), look.t(f"{one.label}.help"))
            for one in hints
            if look.has(f"{one.label}.help")
        ]

    async def turn_away(self, refusal: Refused) -> None:
        """Leave the page and those above it, and say why it may no longer be looked at."""
        if self in self.session.pages:
            self.session.pages.leave(self)
            self.session.prompts.refused(refusal)

    @property
    def title_cols(self) -> int:
        """Return how many columns the title line has for the page's own words."""
        return self.size[0] - self.marked_cols

    def who(self) -> str:
        """Say who one is, with the rating where the title line has room for it."""
        whole = self.session.person.shown_name()
        return whole if has_room(self.title(), whole, self.title_cols) else self.session.identity.name
