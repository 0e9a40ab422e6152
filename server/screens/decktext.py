"""A deck as text, to copy it."""

from __future__ import annotations

from typing import ClassVar

from server.accounts.decks import StoredDeck
from server.boards.decks import deckbook
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.items import Said
from server.terminal.lines import plain
from server.terminal.stage import READING


class DeckTextPage(ListPage[str]):
    """The list of one deck, in the form in which it can be pasted again."""

    measure = READING
    context: ClassVar[str] = "list"

    def __init__(self, session: Session, deck: StoredDeck) -> None:
        super().__init__(session)
        book = deckbook(deck.game)
        self.lines = book.exported(deck.list, deck.name).splitlines() if book is not None else []

    def title(self) -> str:
        return self.session.t("decks.as-text")

    def body(self, cols: int, rows: int) -> Body:
        """Draw the lines as they are, and nothing beside them."""
        return Body([plain(self.lines[at]) for at in self.window(0, rows)])

    def listed(self) -> list[str]:
        return self.lines

    def columns(self) -> tuple[Column[str], ...]:
        return (Column("", 0, str),)

    def items(self) -> list[Said]:
        """Tell the list as it is: it is there to be copied, and no line to be chosen."""
        return [Said(line, is_whole=True) for line in self.lines]

    def choose(self, number: int) -> bool:
        return False
