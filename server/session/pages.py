"""The pages of a session: a stack, the last one shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import structlog

from server.session.appearance import Appearance
from server.session.display import Display
from server.session.heldkeys import HeldKeys
from server.session.otherturns import OtherTurns, WaitingMatch
from server.session.page import Page
from server.session.prompts import Prompts

log = structlog.get_logger(__name__)


class Pages:
    """The stack of pages. Iterating goes from the first page to the one on top."""

    def __init__(
        self,
        display: Display,
        prompts: Prompts,
        held: HeldKeys,
        appearance: Appearance,
        turns: OtherTurns,
        server_name: str,
    ) -> None:
        """`server_name`: the window's title where a page has none of its own."""
        self._display, self._prompts, self._held, self._appearance = display, prompts, held, appearance
        self._turns, self._server_name = turns, server_name
        self._stack: list[Page] = []
        self._marked = ""  # what the window's title says of a match that waits elsewhere
        self.surprises = 0  # how often another page came by itself

    def __iter__(self) -> Iterator[Page]:
        return iter(tuple(self._stack))

    @property
    def first(self) -> Page | None:
        """Return the page at the bottom of the stack."""
        return self._stack[0] if self._stack else None

    @property
    def top(self) -> Page | None:
        """Return the page that shows."""
        return self._stack[-1] if self._stack else None

    def push(self, page: Page, by_itself: bool = False) -> None:
        """Go to a page; esc comes back. `by_itself`: no key asked for it, see `surprise`."""
        self._stack.append(page)
        page.start()
        self.surprise(self._entered) if by_itself else self._entered()

    def surprise(self, show: Callable[[], None]) -> None:
        """Show another page without being asked: a line being typed goes on, other keys are held back for a moment."""
        typing = self._prompts.typing
        self.surprises += 1
        show()
        self._prompts.go_on_typing(typing)
        self._held.begin()

    def pop(self) -> None:
        """Leave the page on top; the first one stays."""
        if len(self._stack) > 1:
            self._stop(self._stack.pop())
            self._stack[-1].resume()
            self._entered()

    def pop_to(self, page: Page) -> None:
        """Leave every page above this one. It alone is resumed, and may leave then; one that is not open: nothing."""
        if page in self._stack and page is not self.top:
            while self.top is not page:
                self._stop(self._stack.pop())
            page.resume()
            self._entered()

    def leave(self, page: Page) -> None:
        """Leave a page and every one above it; the first one stays."""
        if page in self._stack[1:]:
            self.pop_to(self._stack[self._stack.index(page) - 1])

    def remove(self, page: Page) -> None:
        """Leave a page that is not on top; those above it stay."""
        if page in self._stack[1:-1]:
            self._stack.remove(page)
            self._stop(page)

    def bring(self, page: Page, by_itself: bool = False) -> None:
        """Put a page that is open already on top; esc goes to the one that was there."""
        self._stack.remove(page)
        self._stack.append(page)
        page.resume()
        self.surprise(self._entered) if by_itself else self._entered()

    def replace(self, page: Page, by_itself: bool = False) -> None:
        """Put a page in the place of the one on top."""
        if self._stack:
            self._stop(self._stack.pop())
        self.push(page, by_itself)

    def home(self, page: Page) -> None:
        """Leave all pages and begin at this one."""
        while self._stack:
            self._stop(self._stack.pop())
        self.push(page)

    def close(self) -> None:
        """Leave all pages: the session ends."""
        for page in reversed(self._stack):
            self._stop(page)
        self._stack.clear()

    def _entered(self) -> None:
        self._prompts.drop()
        self.retitle()
        self._display.dirty()

    @property
    def match_shown(self) -> str:
        """Return the id of the match that shows on top, or under an overlay; empty: none does."""
        for page in reversed(self._stack):
            if not page.is_overlay:
                return page.match_shown
        return ""

    def waiting_elsewhere(self) -> WaitingMatch | None:
        """Return a match that waits for the person, and that the page on top neither shows nor lists."""
        page = self.top
        return None if page is None or page.lists_own_turns else self._turns.elsewhere(self.match_shown)

    def _call(self) -> str:
        """Say that a match waits elsewhere; '' where none does."""
        waiting = self.waiting_elsewhere()
        return "" if waiting is None else waiting.call(self._display.look)

    def mark_turn(self) -> None:
        """Show that the person's turn has come or gone in a match that the page on top does not show."""
        if self._call() != self._marked:
            self.retitle()
            self._display.dirty()

    def retitle(self) -> None:
        """Say in the window's title what the page on top is about, and before it that a match waits elsewhere."""
        if self.top is not None:
            self._marked = self._call()
            said = (self._marked, self.top.window_title() or self._server_name)
            self._appearance.retitle(" · ".join(part for part in said if part))

    def _stop(self, page: Page) -> None:
        try:
            page.stop()
        except Exception as error:  # the guard of one session: the others of its pages are still closed
            log.exception("page.stop", page=type(page).__name__, error=str(error))
