"""A deck as text, to copy it."""

from __future__ import annotations

from shlex import quote
from typing import ClassVar

from server.accounts.decks import StoredDeck
from server.boards import keymap
from server.boards.decks import deckbook
from server.screens.columns import Column
from server.screens.listpage import ListPage
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import with_position
from server.terminal.items import Said
from server.terminal.lines import Line, plain
from server.terminal.stage import READING


class DeckTextPage(ListPage[str]):
    """The list of one deck, in the form in which it can be pasted again."""

    measure = READING
    context: ClassVar[str] = "list"

    def __init__(self, session: Session, deck: StoredDeck) -> None:
        super().__init__(session)
        self._name = deck.name
        book = deckbook(deck.game)
        self.lines = book.exported(deck.list, deck.name).splitlines() if book is not None else []

    def title(self) -> str:
        return self.session.t("decks.as-text")

    def lines_needed(self) -> int:
        return len(self.lines) + 1

    def body(self, cols: int, rows: int) -> Body:
        """Draw the lines as they are; a long list has a mark at the far edge of how far down one is."""
        drawn = [plain(self.lines[at]) for at in self.window(0, rows)]
        return Body(with_position(drawn, self._window, len(self.lines), self.session.look, cols - 1))

    def message(self) -> Line:
        """Say which command prints the deck whole, however long it is."""
        line = self.session.reached_at.line(f"decks {quote(self._name)}", "-T")
        return plain(f" {self.session.t('decks.print', line=line)}", "dim") if self._name else ()

    def hints(self) -> tuple[Hint, ...]:
        """Return the keys that scroll, and the way back."""
        return (*keymap.hints("help", ("scroll",)), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Scroll by a line at once: no line is chosen here."""
        if keymap.command("list", key) == "move":
            edge = self._window.start if key in ("up", "k") else self._window.stop - 1
            self.chooser = self.chooser.at(edge, self.count())
        return super().press(key)

    def listed(self) -> list[str]:
        return self.lines

    def columns(self) -> tuple[Column[str], ...]:
        return (Column("", 0, str),)

    def items(self) -> list[Said]:
        """Tell the list as it is: it is there to be copied, and no line to be chosen."""
        return [Said(line, is_whole=True) for line in self.lines]

    def choose(self, number: int) -> bool:
        return False
