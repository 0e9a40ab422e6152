"""The page of a dialogue as it was said, and what of it is new since then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.session.display import Display
from server.session.page import Page, Speech, Written
from server.terminal import itemwords
from server.terminal.items import Item, Said
from server.terminal.lines import text_of

CHANGED_ROWS: Final = 12  # rows that a line has changed are said again, if they are no more


class SpokenPage:
    """What was said of the page that was said last: its title, items, message and chat."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._speech: Speech | None = None
        self._title = ""
        self.message = ""  # what the page says above its keys
        self._items: list[str] = []
        self.rows: tuple[str, ...] = ()  # as they were said: each number means the row it was said with
        self._chat: tuple[Written, ...] = ()
        self._has_greeted = False

    def is_said(self, page: Page) -> bool:
        """Tell whether this is the page that was said last."""
        return self._speech is not None and self._speech.page is page

    def speech(self, page: Page) -> Speech:
        """Return what a page says and takes: what was said of it is known while it is the one that was said last."""
        return self._speech if self._speech is not None and self._speech.page is page else page.speech()

    def enter(self, page: Page, items: Sequence[Item] | None = None) -> list[str]:
        """Return what a page is and what stands there, or these of its items."""
        self._speech, self._chat, self._title = page.speech(), tuple(page.chat()), page.title()
        self._speech.news()  # it stands there already
        look = self._display.look
        self._record(page)
        self.message = self._message_of(page)
        greeting = () if self._has_greeted else (self._display.t("lines.greeting"),)
        self._has_greeted = True
        said = itemwords.in_words(self._speech.entered() if items is None else items, look)
        return [page.title(), *said, self.message, *greeting]

    def changed(self, page: Page) -> list[str]:
        """Return the items that a line has changed, and what the page says now."""
        if "board" in self.speech(page).tells():  # what has happened is its news
            return []
        if page.title() != self._title:  # it has turned to something else
            return self.enter(page)
        was = self._items
        self._record(page)
        said = [one for one in self._items if one not in was]
        if len(said) > CHANGED_ROWS:
            said = [said[0], self._display.t("lines.many-changed", n=len(said) - 1)]
        before, self.message = self.message, self._message_of(page)
        return [*said, *((self.message,) if self.message != before else ())]

    def refusal(self, page: Page) -> str:
        """Return why what was typed was not done, as it stands on the page; empty: nothing was refused."""
        refused = [one for one in page.items() if isinstance(one, Said) and one.tone == "bad"]
        return " ".join(itemwords.in_words(refused, self._display.look))

    def _record(self, page: Page) -> None:
        """Record the items and rows as said."""
        items = page.items()
        self._items, self.rows = itemwords.in_words(items, self._display.look), itemwords.rows_of(items)

    def _message_of(self, page: Page) -> str:
        """Return what a page says above its keys; a board says it otherwise."""
        return "" if "board" in self.speech(page).tells() else text_of(page.message()).strip()

    def new_chat(self, page: Page) -> list[str]:
        """Return what others, and one oneself, wrote since it was looked at last."""
        before, now = self._chat, tuple(page.chat())
        self._chat = now
        first = next(i for i in range(len(before) + 1) if now[: len(before) - i] == before[i:])
        new = now[len(before) - first :]
        return [self._display.t("lines.wrote", name=line.name, text=line.text) for line in new]
