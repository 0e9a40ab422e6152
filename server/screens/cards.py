"""Looking up a game's cards: by words, side, type, set, those a match spoke of, and which own decks hold them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import ClassVar

from game.comparing import comparable
from server.boards import keymap
from server.boards.library import Library, LibraryCard, library
from server.screens import bringing
from server.screens.chooser import Chooser
from server.screens.columns import Column
from server.screens.form import cycle
from server.screens.listpage import ListPage
from server.session.page import Body, Speech
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import POINTER_COLS, said_lines
from server.terminal.items import Item, ListRow, Said
from server.terminal.lines import Line, Span, beside, block, ends, inset, plain, text_of, width_cols, wrapped
from server.terminal.memo import OneValueCache
from server.terminal.stage import WORKBENCH

TITLE_COLS, TYPE_COLS = 26, 9
LIST_COLS = POINTER_COLS + TITLE_COLS + 1 + TYPE_COLS
LONG_TITLE_COLS, WIDE = 46, 110  # of a title on a page of so many columns
GAP_COLS = 4  # between list and card, the list's position mark among them
LEAST_TEXT = 24  # columns beside the list: with fewer the chosen card is opened instead
TOLD_COLS = 10**4  # of a text that is told, not drawn: its lines are sentences
MOST_HEARD = 20  # cards that are told at once
ANY = ""  # of a side, type or set
SPOKEN, ALL, MINE = "spoken", "all", "mine"  # of which cards are shown


class CardsPage(ListPage[LibraryCard]):
    """The cards of a game. `spoken`: titles that a match's log has named, the newest first; then these show first."""

    measure = WORKBENCH
    context: ClassVar[str] = "cards"

    def __init__(self, session: Session, game: str, spoken: tuple[str, ...] = ()) -> None:
        super().__init__(session)
        found = library(game)
        if found is None:
            raise LookupError(game)
        self.game, self.library, self.spoken = game, found, spoken
        self.which = SPOKEN if spoken else ALL
        self.words, self.side, self.type, self.set = "", ANY, ANY, ANY
        self.is_open = False  # the chosen card takes the whole page
        self._found, self._held = OneValueCache[list[LibraryCard]](), OneValueCache[dict[str, list[str]]]()

    def start(self) -> None:
        """Read which decks are mine, and make the cards' texts ready to be searched."""
        self.session.spawn(self.session.decks.load())
        self.session.spawn(self.session.decks.in_steps(written_out(self.library, self.session)))

    def landing(self) -> str:
        return f"cards {self.game}"

    def title(self) -> str:
        return f"{self.session.t('cards.title')} · {self.session.look.game(self.game)}"

    # The cards

    def listed(self) -> list[LibraryCard]:
        decks, look = self.session.decks.all, self.session.look
        key = (self.which, self.words, self.side, self.type, self.set, look)
        return self._found.get(decks, key, lambda: [card for card in self._from() if self._fits(card)])

    def _from(self) -> list[LibraryCard]:
        found = self.library.cards
        if self.which == SPOKEN:
            return [found[title] for title in self.spoken if title in found]
        return [card for card in found.values() if self.which == ALL or self._holders(card)]

    def _fits(self, card: LibraryCard) -> bool:
        if (
            self.side not in (ANY, str(card.seat))
            or self.type not in (ANY, card.type)
            or self.set not in (ANY, card.set)
        ):
            return False
        words = comparable(self.words).split()
        said = self.library.searched(card, self.session.look) if words else ""
        return all(word in said for word in words)

    def _holders(self, card: LibraryCard) -> list[str]:
        """Return which of the person's decks hold a card, with how many."""
        return self._held.get(self.session.decks.all, (), self._all_held).get(card.title, [])

    def _all_held(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for deck in self.session.decks.all:
            for title, n in self.library.copies(deck.list).items() if deck.game == self.game else ():
                found.setdefault(title, []).append(self.session.t("cards.held", deck=deck.name, n=n))
        return found

    def above(self) -> list[Said]:
        """Say which cards show."""
        return [Said(self._shown(self.count()), "title")]

    def below(self) -> list[Said]:
        """Write out the chosen card, or say that none shows."""
        if (card := self.chosen()) is None:
            return [Said(self.session.t("cards.none"), "dim")]
        return [Said(said) for line in self._text(card, TOLD_COLS) if (said := text_of(line).strip())]

    # Drawing

    def body(self, cols: int, rows: int) -> Body:
        """Draw what is shown, then the cards beside the text of the chosen one; or that one alone."""
        found, card = self.listed(), self.chosen()
        self.chooser = self.chooser.clamp(len(found))
        if self.is_open and card is not None:
            return Body(inset(self._text(card, cols - 2))[:rows])
        head = [*said_lines(self.above(), cols)[:2], ()]
        room = max(1, rows - len(head))
        if not found:
            return Body([*head, *wrapped(self.session.t("cards.none"), cols - 2, "dim", 1)])
        list_cols = self._list_cols(cols)
        if not list_cols:
            return Body([*head, *self.list_lines(len(head), room)])
        text_cols = cols - list_cols - GAP_COLS
        left = block(self.list_lines(len(head), room, list_cols), list_cols + GAP_COLS, room)
        right = self.library.lines(card, self.session.look, text_cols) if card is not None else []
        return Body([*head, *beside(left, block(right, text_cols, room), list_cols + GAP_COLS, text_cols)])

    def _list_cols(self, cols: int) -> int:
        """Return how wide the list is beside the chosen card; 0: that has no room."""
        if cols - LIST_COLS - GAP_COLS < LEAST_TEXT:
            return 0
        return LIST_COLS + (LONG_TITLE_COLS - TITLE_COLS if cols >= WIDE else 0)

    def columns(self) -> tuple[Column[LibraryCard], ...]:
        """Return a card's title and its type."""
        look = self.session.look
        cols = self.size[0]
        list_cols = self._list_cols(cols) or cols - 1  # but for the mark of its position
        title_cols = min(LONG_TITLE_COLS, max(TITLE_COLS, list_cols - LIST_COLS + TITLE_COLS))
        return (
            Column("", title_cols, lambda card: card.title, gap=1),
            Column("", 0, lambda card: self.library.type_word(card.type, look), "dim"),
        )

    def _shown(self, n: int) -> str:
        """Say which cards show."""
        t, look = self.session.t, self.session.look
        names = bringing.side_names(self.game)
        chosen = [t(f"cards.which.{self.which}", n=n)]
        chosen += [look.side(self.game, names[int(self.side)], int(self.side))] if self.side != ANY else []
        chosen += [self.library.type_word(self.type, look)] if self.type != ANY else []
        chosen += [self.library.set_word(self.set, look)] if self.set != ANY else []
        chosen += [t("cards.words", words=self.words)] if self.words else []
        return " · ".join(chosen)

    def _text(self, card: LibraryCard, cols: int) -> list[Line]:
        """Write a card out, with its set and which own decks hold it below it."""
        found = [line for style, text in self._facts(card) for line in wrapped(text, cols, style)]
        return [*self.library.lines(card, self.session.look, cols), (), *found]

    def _facts(self, card: LibraryCard) -> list[Span]:
        """Say which own decks hold a card, and which set it is of: that changes more often, so it stands last."""
        t, own = self.session.t, list[Span]()
        if self.session.identity.account_id is not None:
            held = self._holders(card)
            said = t("cards.in-decks", decks=t("list.comma").join(held)) if held else t("cards.in-none")
            own = [("good" if held else "dim", said)]
        return [*own, ("dim", self.library.set_word(card.set, self.session.look))]

    def message(self) -> Line:
        """Say what stands below an open card, and where in the list one is: at the foot it stays in its place."""
        found, card = self.count(), self.chosen()
        if card is None:
            return ()
        place = plain(f"{self.session.t('cards.place', n=self.chooser.index + 1, of=found)} ", "dim")
        line: Line = (("", " "),)
        for fact in () if self.is_open else self._facts(card):
            longer = (*line, *((("dim", " · "),) if len(line) > 1 else ()), fact)
            if width_cols(longer) + width_cols(place) >= self.size[0]:
                break
            line = longer
        return ends(line, place, self.size[0] - 1)

    def hints(self) -> tuple[Hint, ...]:
        back = keymap.hints("everywhere", ("back",))
        if self.is_open:
            return (*keymap.hints("list", ("move",)), *back)
        own = keymap.hints("cards", ("words", "side", "type", "set", "which"))
        return (*keymap.hints("list", ("open",)), *own, *back)

    def speech(self) -> Speech:
        return CardsSpeech(self)

    # Commands

    def do_open(self) -> None:
        """Read the chosen card alone; again: the list."""
        self.is_open = not self.is_open and self.chosen() is not None

    def do_words(self) -> None:
        """Search while typing."""
        self.session.prompts.type("cards.ask-words", self._search, self.words, self._search, limit=40)

    def _search(self, words: str) -> None:
        self.words = words
        self._again()
        self.session.dirty()

    def do_side(self) -> None:
        """Show the cards of the next side; after the last one, of all."""
        self.side = cycle((ANY, *map(str, range(len(bringing.side_names(self.game))))), self.side, 1)
        self._again()

    def do_type(self) -> None:
        """Show the cards of the next type that there are; after the last one, of all."""
        self.type, was = ANY, self.type
        there = {card.type for card in self.listed()}
        self.type = cycle((ANY, *(one for one in self.library.types if one in there or one == was)), was, 1)
        self._again()

    def do_set(self) -> None:
        """Show the cards of the next set; after the last one, of all."""
        self.set = cycle((ANY, *self.library.sets), self.set, 1)
        self._again()

    def do_which(self) -> None:
        """Show the cards that the log names, all of them, or those of one's own decks."""
        self.which = cycle((*((SPOKEN,) if self.spoken else ()), ALL, MINE), self.which, 1)
        self._again()

    def _again(self) -> None:
        """Begin at the first card of a list that has changed."""
        self.chooser, self.is_open = Chooser(), False

    def back(self) -> bool:
        """Close the card, else clear what was searched for."""
        if self.is_open:
            self.is_open = False
            return True
        if any((self.words, self.side, self.type, self.set)):
            self.words, self.side, self.type, self.set = "", ANY, ANY, ANY
            self._again()
            return True
        return False


class CardsSpeech(Speech):
    """The cards in words: the first ones, and the one that is asked for by its number."""

    def __init__(self, page: CardsPage) -> None:
        super().__init__(page)
        self._cards, self._said, self._is_asked_again = page, page.chosen(), False

    def entered(self) -> Sequence[Item]:
        """Tell which cards show and the first of them."""
        rows = [one for one in self._cards.items() if isinstance(one, ListRow)]
        left = max(0, len(rows) - MOST_HEARD)
        more = [Said(self._cards.session.t("cards.more", n=left))] if left else []
        return [*self._cards.above(), *rows[:MOST_HEARD], *more]

    def stands(self) -> Sequence[Item]:
        """Tell all cards, and the chosen one's text."""
        return self._cards.items()

    def open_chosen(self) -> None:
        """Read the chosen card: one that was said already is no change, and said again."""
        before, self._said = self._said, self._cards.chosen()
        self._is_asked_again = before == self._said

    def news(self) -> Sequence[str]:
        """Return the card that was asked for again."""
        asked, self._is_asked_again = self._is_asked_again, False
        return [one.text for one in self._cards.below()] if asked else ()


def written_out(cards: Library, session: Session) -> Generator[None, None, None]:
    """Write every card out in the words of a session's look, one a step: they are kept for who searches."""
    for card in cards.cards.values():
        cards.searched(card, session.look)
        yield
