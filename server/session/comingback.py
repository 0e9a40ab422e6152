"""Coming back: puts back what a page in a browser had when its connection was lost, once the page shows it again."""

from __future__ import annotations

from dataclasses import replace

from server.boards import keymap
from server.session.page import Page
from server.session.pages import Pages
from server.session.places import LostPage
from server.session.prompts import Prompts
from server.terminal.itemwords import rows_of


class ComingBack:
    """What is still to be put back: cursor, chosen row, a line being typed. A key that is pressed ends it."""

    def __init__(self, left: LostPage | None, pages: Pages, prompts: Prompts) -> None:
        """`left`: what the page had; None: it shows for the first time."""
        self._left, self._pages, self._prompts = left, pages, prompts
        self.is_under_way = left is not None  # the place where one was is not reached yet

    def reach(self) -> None:
        """Put back what can be put back at once: one is where one was, or as near as one may come."""
        self.is_under_way = False
        left, page = self._left, self._pages.top
        if left is None or page is None:
            return
        if page.landing() != left.place:
            self.give_up()
            return
        page.point(left.cursor)
        if left.command:
            self._type(page, left)
        self.choose()

    def choose(self) -> None:
        """Choose the row that was chosen, as soon as there are rows: lists are read after they show."""
        page, row = self._pages.top, self._left.row if self._left is not None else ""
        if not row or page is None or self.is_under_way:
            return
        if rows := rows_of(page.items()):
            self.give_up()
            if row in rows:
                page.choose(rows.index(row) + 1)

    def give_up(self) -> None:
        """Put nothing back any more."""
        self._left = None

    def _type(self, page: Page, left: LostPage) -> None:
        """Ask for the line again, by the command that asked for it, and go on with what was typed."""
        for context in page.contexts():
            binding = keymap.in_context(context).get(left.command)
            if binding is not None and page.run(left.command, binding.keys[0]):
                break
        typing = self._prompts.typing
        if typing is not None and typing.prompt == left.label:
            self._prompts.insert(replace(typing, field=typing.field.emptied()), left.text)
