"""Building a deck: the cards there are, how many of each, and what is not legal yet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from server.accounts.decks import StoredDeck
from server.tui import frame, keymap
from server.tui.decks import PoolCard, deckbook
from server.tui.keymap import Hint
from server.tui.lines import Line, block, pad, pad_left, plain
from server.tui.screens.chooser import Chooser
from server.tui.screens.page import Body, Page

if TYPE_CHECKING:
    from server.tui.app import Session

TITLE_COLS = 26
LIST_COLS = 46


class DeckEditPage(Page):
    """One deck being put together. Nothing is kept before it is saved."""

    context: ClassVar[str] = "deckedit"

    def __init__(self, session: Session, deck: StoredDeck) -> None:
        super().__init__(session)
        book = deckbook(deck.game)
        if book is None:
            raise LookupError(deck.game)
        self.book, self.deck = book, deck
        self.text = self.kept = deck.list if deck.id else ""
        self.text = deck.list
        self.only_mine = bool(deck.list)
        self.filter = ""
        self.chooser = Chooser()
        self._shown_rows = 10

    def title(self) -> str:
        """Name the deck."""
        return f"{self.session.t('deckedit.title')} · {self.deck.name or self.session.t('deckedit.unnamed')}"

    def contexts(self) -> tuple[str, ...]:
        """Return its own keys, and a list's."""
        return ("deckedit", "list")

    def cards(self) -> list[PoolCard]:
        """Return the cards that show: those of the deck, or all that fit the filter."""
        pool = self.book.pool(self.text, self.deck.seat, self.session.look)
        wanted = self.filter.casefold()
        shown = [card for card in pool if wanted in f"{card.title} {card.kind}".casefold()]
        return [card for card in shown if card.count] if self.only_mine else shown

    def chosen(self) -> PoolCard | None:
        """Return the card under the cursor."""
        found = self.cards()
        return found[self.chooser.clamp(len(found)).index] if found else None

    def body(self, cols: int, rows: int) -> Body:
        """Draw the deck's numbers and what is wrong, then the cards beside the chosen one's text."""
        look = self.session.look
        found = self.cards()
        self.chooser = self.chooser.clamp(len(found))
        head: list[Line] = [plain(f" {self.book.summary(self.text, look)}", "title"), self._verdict()]
        head.append(frame.rule(look, cols))
        left_cols = min(LIST_COLS, cols)
        room = self._shown_rows = max(1, rows - len(head))
        left = [self._line(found[at], at == self.chooser.index) for at in self.chooser.window(len(found), room)]
        if not found:
            left = [plain(f" {look.t('deckedit.none')}", "dim")]
        card = self.chosen()
        right_cols = cols - left_cols - 3
        right = self.book.card_lines(card.title, look, right_cols) if card is not None and right_cols > 10 else []
        bar = (("rule", f" {look.glyphs.vertical} "),)
        sides = zip(block(left, left_cols, room), block(right, max(0, right_cols), room), strict=True)
        return Body([*head, *((*a, *bar, *b) if right_cols > 10 else a for a, b in sides)])

    def _verdict(self) -> Line:
        problems = self.book.problems(self.text, self.deck.seat, self.session.look)
        t = self.session.t
        if not problems:
            return plain(f" {t('decks.legal')}", "good")
        more = f" {t('deckedit.more', n=len(problems) - 1)}" if len(problems) > 1 else ""
        return plain(f" {problems[0]}{more}", "bad")

    def _line(self, card: PoolCard, is_chosen: bool) -> Line:
        look = self.session.look
        pointer = look.glyphs.pointer if is_chosen else " "
        count = str(card.count) if card.count else look.glyphs.no
        cost = look.glyphs.on * card.influence if card.influence else ""
        text = f"{pointer}{pad_left(count, 2)}  {pad(card.title, TITLE_COLS)} {pad(card.kind, 9)}"
        return (("row" if is_chosen else "" if card.count else "dim", text), ("warn", f" {cost}"))

    def message(self) -> Line:
        """Say what is shown."""
        key = "deckedit.mine" if self.only_mine else "deckedit.all"
        more = f" {self.session.t('deckedit.filter', filter=self.filter)}" if self.filter else ""
        changed = f" {self.session.t('deckedit.changed')}" if self.is_changed else ""
        return plain(f" {self.session.t(key)}{more}{changed}", "warn")

    @property
    def is_changed(self) -> bool:
        """Tell whether there is something to save."""
        return self.text != self.kept

    def hints(self) -> tuple[Hint, ...]:
        """Return what can be done."""
        own = ("count", "save", "which", "identity", "filter")
        return (
            *keymap.hints("deckedit", own),
            *keymap.hints("list", ("move",)),
            *keymap.hints("everywhere", ("back",)),
        )

    def press(self, key: str) -> bool:
        """Choose a card, or do a command."""
        moved = (
            self.chooser.press(key, len(self.cards()), self._shown_rows) if len(key) > 1 and key != "enter" else None
        )
        if moved is not None:
            self.chooser = moved
            return True
        return super().press(key)

    def back(self) -> bool:
        """Clear the filter; ask before dropping changes."""
        if self.filter:
            self._set_filter("")
            return True
        if self.is_changed:
            self.session.ask("deckedit.ask-drop", self.session.pop)
            return True
        return False

    # Commands

    def do_count(self) -> None:
        """Take one more or one less of the chosen card."""
        if (card := self.chosen()) is not None:
            by = -1 if self.key in ("left", "-") else 1
            at = self.chooser
            self.text = self.book.changed(self.text, card.title, by)
            self.chooser = at.clamp(len(self.cards()))

    def do_which(self) -> None:
        """Show the deck alone, or every card there is."""
        card = self.chosen()
        self.only_mine = not self.only_mine
        titles = [one.title for one in self.cards()]
        self.chooser = Chooser(titles.index(card.title) if card is not None and card.title in titles else 0)

    def do_identity(self) -> None:
        """Take the next identity."""
        self.text = self.book.next_identity(self.text, self.deck.seat, 1)

    def do_filter(self) -> None:
        """Filter while typing."""
        self.only_mine = False
        self.session.type("deckedit.ask-filter", self._set_filter, self.filter, self._set_filter, limit=40)

    def _set_filter(self, text: str) -> None:
        self.filter, self.chooser = text, Chooser()
        self.session.dirty()

    def do_save(self) -> None:
        """Keep the deck, under a name."""
        if self.deck.name:
            self._save(self.deck.name)
        else:
            self.session.type("decks.ask-name", self._save, limit=40)

    def _save(self, name: str) -> None:
        self.session.spawn(self._keep(replace(self.deck, name=name, list=self.text)))

    async def _keep(self, deck: StoredDeck) -> None:
        self.deck = await self.session.save_deck(deck)
        self.kept = self.text
        self.session.notice("deckedit.saved", "good", name=self.deck.name)
