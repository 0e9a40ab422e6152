"""Building a deck: the cards there are, how many of each, and what is not legal yet."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from game.comparing import comparable
from server.accounts.decks import LIST_CHARS, NAME_CHARS, StoredDeck
from server.boards import keymap
from server.boards.decks import DeckMeasure, PoolCard, deckbook
from server.screens import bringing, deckdrawing
from server.screens.cards import TOLD_COLS
from server.screens.chooser import Chooser
from server.screens.columns import Column, cells, row_words
from server.screens.deckdrawing import card_rows
from server.screens.form import cycle
from server.screens.sessionpage import SessionPage
from server.session.linewords import LESS
from server.session.page import Body, Speech
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import with_position
from server.terminal.items import Heading, Item, ListRow, Said
from server.terminal.lines import Line, beside, block, ends, fit, inset, joined, plain, text_of, width_cols, wrapped
from server.terminal.stage import WORKBENCH

TITLE_COLS = 26
LIST_COLS = 46
GAP_COLS = 3
WIDE = 110  # columns on which list, card and the deck's shape stand beside each other
SHAPE_COLS = 32
UNCLEAR = "?"  # how many copies a line means
DOTS = 4  # influence that has room as dots
COUNT: Final = "count"  # the command that changes how many copies there are


class DeckEditPage(SessionPage):
    """One deck being put together. Nothing is kept before it is saved."""

    measure = WORKBENCH
    context: ClassVar[str] = "deckedit"

    def __init__(self, session: Session, deck: StoredDeck) -> None:
        super().__init__(session)
        book = deckbook(deck.game)
        if book is None:
            raise LookupError(deck.game)
        self.book, self.deck = book, deck
        self.text, self.kept = deck.list, deck.list if deck.id else ""
        self.only_mine = bool(deck.list)
        self.filter = ""
        self.set = ""  # only cards of this set show; "": of all
        self.form = book.formats[0]
        self.chooser = Chooser()
        self._shown_rows = 10
        self._top = self._first_line = 0  # the first line of the list that shows; the line of the body it stands on
        self._lines: tuple[int | None, ...] = ()  # the lines of the list drawn last, each with its card's place
        self._identity = ""  # the one that was asked about last, as long as its text shows instead of the chosen card's
        self._emptied: PoolCard | None = None  # the chosen card, whose last copy was taken out and has no row by itself

    def title(self) -> str:
        return f"{self.session.t('deckedit.title')} · {self.deck.name or self.session.t('deckedit.unnamed')}"

    def landing(self) -> str:
        """Return which deck is changed; one that was never kept has no name yet."""
        return f"deck {self.deck.id}" if self.deck.id else ""

    def half_done(self) -> tuple[str, ...]:
        """Return the list as it was changed and not kept."""
        return (self.text,) if self.is_changed else ()

    def take_up(self, words: Sequence[str]) -> None:
        """Go on with a list that was not kept: it is judged as any is."""
        if len(words[0]) <= LIST_CHARS:
            self.text = words[0]

    def contexts(self) -> tuple[str, ...]:
        """Return its own keys, and a list's."""
        return ("deckedit", "list")

    def cards(self) -> list[PoolCard]:
        """Return the cards that show: those of the deck, or all of the format; of either what fits the filters.

        One whose last copy was taken out stays until another is chosen: the next key would take out its neighbour.
        """
        pool = self.book.pool(self.text, self.deck.seat, self.session.look, self.form)
        wanted = comparable(self.filter)
        shown = [card for card in pool if wanted in comparable(f"{card.title} {card.kind}")]
        shown = [card for card in shown if self.set in ("", card.set)]
        shown = [card for card in shown if card.count or card.is_unread or (card.is_allowed and not self.only_mine)]
        if self._emptied is not None:
            shown.insert(self.chooser.index, self._emptied)
        return shown

    def chosen(self) -> PoolCard | None:
        """Return the card under the cursor."""
        found = self.cards()
        return found[self.chooser.clamp(len(found)).index] if found else None

    def _looked_at(self) -> str:
        """Return the title of the card whose text shows; '' where there is none."""
        card = self.chosen()
        return self._identity or (card.title if card is not None else "")

    def body(self, cols: int, rows: int) -> Body:
        """Draw the deck's numbers and what is wrong, then the cards by kind beside the chosen one and the curve."""
        look = self.session.look
        is_wide = cols >= WIDE
        right_cols = cols - LIST_COLS - GAP_COLS
        has_right = right_cols >= deckdrawing.SHAPE_COLS
        head = [*self._head(cols, is_wide, has_right), *([()] if has_right else [])]
        room = max(1, rows - len(head))
        left = self._list(LIST_COLS if has_right else cols, room, len(head))
        if not has_right:
            return Body([*head, *left])
        shape_cols = SHAPE_COLS if is_wide else 0
        right = self._beside(right_cols - shape_cols - (GAP_COLS if is_wide else 0), room, is_wide)
        lines = beside(block(left, LIST_COLS + GAP_COLS, room), right, LIST_COLS + GAP_COLS, right_cols - shape_cols)
        if is_wide:
            shape = deckdrawing.shape_lines(self._costs(), self._measures(), self._problems(), look, shape_cols - 1)
            lines = beside(lines, block(shape, shape_cols - 1, room), cols - shape_cols, shape_cols)
        return Body([*head, *lines])

    def _head(self, cols: int, is_wide: bool, has_right: bool) -> list[Line]:
        """Name the deck's identity with its numbers and the format; where nothing else says it, whether it is legal.

        Where the curve of costs has no room, a line of it stands in the place of the format.
        """
        form: Line = (("dim", f"{self.book.format_word(self.form, self.session.look)} "),)
        if is_wide:
            return [ends(plain(f" {self._summary}", "title"), form, cols)]
        summary = wrapped(self._summary, cols - 2, "title")
        return [*inset(summary), self._verdict(form if has_right else self._costs_line(), cols)]

    def _costs_line(self) -> Line:
        return deckdrawing.costs_line(self._costs(), self.session.look) if self._held() else ()

    def _list(self, cols: int, rows: int, first_line: int) -> list[Line]:
        """Draw the cards that have room, by kind; a long list has a mark of how far down one is."""
        found, look = self.cards(), self.session.look
        self.chooser = self.chooser.clamp(len(found))
        self._shown_rows = rows
        if not found:
            return [plain(f" {look.t('deckedit.none')}", "dim")]
        listed, at = card_rows(found, rows), self.chooser.index
        window = listed.window(at, self._top, rows)
        self._top, self._first_line, self._lines = window.start, first_line, listed.cards[window.start : window.stop]
        drawn = [
            listed.heads.get(y, ()) if (i := listed.cards[y]) is None else self._line(found[i], i == at, cols - 1)
            for y in window
        ]
        return with_position(drawn, window, len(listed.cards), look, cols - 1)

    def _beside(self, cols: int, rows: int, is_wide: bool) -> list[Line]:
        """Draw the chosen card; what is missing and the curve of costs below it, where these have no other place."""
        look = self.session.look
        lines = self.book.card_lines(title, look, cols) if (title := self._looked_at()) else []
        if is_wide:
            return block(lines, cols, rows)
        return deckdrawing.beside_list(lines, self._costs(), self._problems(), look, cols, rows)

    def click(self, col: int, row: int) -> bool:
        """Choose the card at a line of the list."""
        at = row - self._first_line
        if col >= LIST_COLS or not 0 <= at < len(self._lines) or (index := self._lines[at]) is None:
            return False
        return self.choose(index + 1)

    @property
    def _summary(self) -> str:
        return self.book.summary(self.text, self.session.look)

    def items(self) -> list[Item]:
        """Tell the deck's numbers and what is wrong, then the cards that show, then the chosen one's text."""
        look, found, t = self.session.look, self.cards(), self.session.t
        problems = self._problems() or [t("decks.legal")]
        told: list[Item] = [Said(self._summary), Said(self.book.format_word(self.form, look)), *map(Said, problems)]
        told += [Said(deckdrawing.costs_words(self._costs(), look))] if self._held() else []
        told += self._rows_told(found)
        if not (title := self._looked_at()):
            return [*told, Said(t("deckedit.none"))]
        lines = map(text_of, self.book.card_lines(title, look, TOLD_COLS))
        return [*told, *(Said(line.strip()) for line in lines if line.strip())]

    def _rows_told(self, found: list[PoolCard]) -> list[Item]:
        """Tell the cards, each kind under its head."""
        columns, chosen, told = self._columns(), self.chosen(), list[Item]()
        for kind, n, group in deckdrawing.by_kind(found):
            told.append(Heading(f"{deckdrawing.capital(kind)} {n}"))
            told += [ListRow(row_words(columns, card, self.session.look), card == chosen) for card in group]
        return told

    def choose(self, number: int) -> bool:
        found = self.cards()
        if not 1 <= number <= len(found):
            return False
        self._choose(found[number - 1].title, self.chooser)
        return True

    def _problems(self) -> list[str]:
        """Return what is not legal yet in the chosen format."""
        return self.book.problems(self.text, self.deck.seat, self.session.look, self.form)

    def _held(self) -> list[PoolCard]:
        pool = self.book.pool(self.text, self.deck.seat, self.session.look, self.form)
        return [card for card in pool if card.count]

    def _costs(self) -> tuple[int, ...]:
        """Return how many cards cost 0, 1 and so on."""
        return deckdrawing.costs_of(self._held())

    def _measures(self) -> Sequence[DeckMeasure]:
        return self.book.measures(self.text, self.session.look)

    def _verdict(self, right: Line, cols: int) -> Line:
        """Say whether the deck is legal in the chosen format, with the first reason, and `right` if that has room."""
        t, problems = self.session.t, self._problems()
        more = t("deckedit.more", n=len(problems) - 1) if len(problems) > 1 else ""
        wrong = joined((problems[0], more)) if problems else ""
        said = plain(f" {wrong}", "bad") if wrong else plain(f" {t('decks.legal')}", "good")
        return ends(said, right, cols) if width_cols(said) + width_cols(right) < cols else said

    def _columns(self) -> tuple[Column[PoolCard], ...]:
        return (
            Column("", 2, self._count, is_number=True, gap=1, said=lambda card: str(card.count)),
            Column("", 1, lambda card: deckdrawing.WRONG if card.problem else " ", gap=0, said=lambda card: ""),
            Column("", TITLE_COLS, lambda card: card.title, gap=1, said=self._said),
            Column("", 2, self._cost, "dim", is_number=True, said=self._cost_words),
            Column("", 0, self._worth, "warn", said=self._influence),
        )

    def _count(self, card: PoolCard) -> str:
        unclear = UNCLEAR if card.is_unread else self.session.look.glyphs.no
        return str(card.count or unclear)

    def _said(self, card: PoolCard) -> str:
        return self.session.t("list.comma").join(filter(None, (card.title, card.problem)))

    def _influence(self, card: PoolCard) -> str:
        return self.session.t("deckedit.influence", n=card.influence) if card.influence else ""

    def _cost(self, card: PoolCard) -> str:
        return "" if card.is_unread else str(card.cost)

    def _cost_words(self, card: PoolCard) -> str:
        return "" if card.is_unread else self.session.t("deckedit.cost", n=card.cost)

    def _worth(self, card: PoolCard) -> str:
        """Draw what a copy costs of the influence, a dot for each, or the points that it is worth."""
        sign = self.session.look.glyphs.on
        if card.points:
            return self.session.t("deckedit.points", n=card.points)
        return sign * card.influence if card.influence <= DOTS else f"{card.influence}{sign}"

    def _line(self, card: PoolCard, is_chosen: bool, cols: int) -> Line:
        style = "row" if is_chosen else "" if card.count else "dim"
        style = style if is_chosen or (card.is_allowed and not card.problem) else "bad"
        pointer = self.session.look.glyphs.pointer if is_chosen else " "
        line: Line = ((style, pointer), *cells(self._columns(), card, style))
        return plain(text_of(fit(line, cols)), style) if is_chosen else line

    def message(self) -> Line:
        """Say what is shown."""
        t = self.session.t
        said = (
            t("deckedit.mine" if self.only_mine else "deckedit.all"),
            t("deckedit.filter", filter=self.filter) if self.filter else "",
            t("deckedit.only-set", set=self.book.set_word(self.set, self.session.look)) if self.set else "",
            t("deckedit.changed") if self.is_changed else "",
        )
        return plain(f" {joined(said)}", "warn")

    @property
    def is_changed(self) -> bool:
        """Tell whether there is something to save."""
        return self.text != self.kept

    def _is_ready_made(self) -> bool:
        """Tell whether it is just one of the game's own decks."""
        option, seat = bringing.deck_option(self.deck.game), self.deck.seat
        values = option.values_of(seat) if option is not None else ()
        return any(self.text == self.book.starter(value, seat) for value in values)

    def hints(self) -> tuple[Hint, ...]:
        own = ("count", "save", "which", "set", "format", "identity", "filter")
        return (
            *keymap.hints("deckedit", own),
            *keymap.hints("list", ("move",)),
            *keymap.hints("everywhere", ("back",)),
        )

    def press(self, key: str) -> bool:
        """Choose a card, or do a command."""
        self._identity = ""
        moved = (
            self.chooser.press(key, len(self.cards()), self._shown_rows) if len(key) > 1 and key != "enter" else None
        )
        if moved is not None:
            title = next((card.title for card in self.cards()[moved.index :]), "")
            self._choose(title, moved)
            return True
        return super().press(key)

    def back(self) -> bool:
        """Clear the filters; ask before dropping changes: a deck of the game's own, as it was, is there again."""
        if self.filter or self.set:
            self.set = ""
            self._set_filter("")
            return True
        if self.is_changed and not self._is_ready_made():
            self.session.prompts.ask("deckedit.ask-drop", self.session.pages.pop, save=self._save_and_leave)
            return True
        return False

    # Commands

    def do_count(self) -> None:
        """Take one more or one less of the chosen card."""
        if (card := self.chosen()) is not None:
            by = -1 if self.key in ("left", "-") else 1
            before, self.text = self.text, self.book.changed(self.text, card.title, by)
            if by > 0 and self.text == before:
                self.session.prompts.notice("deckedit.most", n=card.count, card=card.title)
            self._emptied = None
            if card.title in (one.title for one in self.cards()):
                self._choose(card.title, self.chooser)
            else:
                self._emptied = replace(card, count=0, problem="", is_unread=False)

    def do_which(self) -> None:
        """Show the deck alone, or every card there is."""
        card = self.chosen()
        self.only_mine, self._emptied = not self.only_mine, None
        self.point_at(card)

    def _choose(self, title: str, at: Chooser) -> None:
        """Choose a card that shows, with the rows of `at`."""
        if self._emptied is not None and self._emptied.title != title:
            self._emptied = None
        titles = [one.title for one in self.cards()]
        self.chooser = at.at(titles.index(title), len(titles)) if title in titles else at.clamp(len(titles))

    def speech(self) -> DeckSpeech:
        return DeckSpeech(self)

    def named(self, words: str) -> PoolCard | None:
        """Return the card that shows and is named so, or the only one whose name begins so; None: there is none."""
        wanted, found = comparable(words), self.cards()
        whole = [one for one in found if comparable(one.title) == wanted]
        begun = whole or [one for one in found if comparable(one.title).startswith(wanted)]
        return begun[0] if len(begun) == 1 else None

    def point_at(self, card: PoolCard | None) -> None:
        """Choose a card that was chosen before the list changed, the first one where it is not in it any more."""
        titles = [one.title for one in self.cards()]
        self.chooser = Chooser(titles.index(card.title) if card is not None and card.title in titles else 0)

    def do_identity(self) -> None:
        """Take the next identity, once it was shown and confirmed: the same key goes on through them."""
        text = self.book.next_identity(self.text, self.deck.seat, 1)
        self._identity = self.book.identity(text)
        self.session.prompts.ask("deckedit.ask-identity", partial(self._take_list, text), "i", name=self._identity)

    def _take_list(self, text: str) -> None:
        self.text = text
        self.session.display.dirty()

    def do_set(self) -> None:
        """Show only cards of the next set; after the last one, of all."""
        self.set = cycle(("", *self.book.sets), self.set, 1)
        self.chooser, self._emptied = Chooser(), None

    def do_format(self) -> None:
        """Look at the deck in the next format: which cards it may hold, and whether it is legal."""
        card = self.chosen()
        self.form, self._emptied = cycle(self.book.formats, self.form, 1), None
        self.point_at(card)

    def do_filter(self) -> None:
        """Filter while typing."""
        self.only_mine, self._emptied = False, None
        self.session.prompts.type("deckedit.ask-filter", self._set_filter, self.filter, self._set_filter, limit=40)

    def _set_filter(self, text: str) -> None:
        self.filter, self.chooser, self._emptied = text, Chooser(), None
        self.session.dirty()

    def do_save(self) -> None:
        """Keep the deck, under a name."""
        self._named(self._save)

    def _save_and_leave(self) -> None:
        self._named(self._saved_to_leave)

    def _named(self, save: Callable[[str], Coroutine[Any, Any, None]]) -> None:
        """Save under the deck's name, or under one that is typed."""
        if self.deck.name:
            self.session.spawn(save(self.deck.name))
        else:
            self.session.have_typed("decks.ask-name", save, limit=NAME_CHARS)

    async def _saved_to_leave(self, name: str) -> None:
        await self._save(name)
        if self.session.pages.top is self and not self.is_changed:
            self.session.pages.pop()

    async def _save(self, name: str) -> None:
        self.text = self.book.kept(self.text)
        deck = replace(self.deck, name=name, list=self.text)
        self.deck = await self.session.decks.save(deck)
        self.kept = deck.list  # the text may have changed since
        self.session.prompts.notice("deckedit.saved", "good", name=self.deck.name)


class DeckSpeech(Speech):
    """A deck in words: the card that becomes more or fewer may be named behind the word."""

    def __init__(self, page: DeckEditPage) -> None:
        super().__init__(page)
        self._deck = page

    def do_with(self, command: str, words: str) -> Sequence[str] | None:
        """Choose the card of a row's number or of a name, and take one more or one less of it."""
        deck = self._deck
        if command not in (COUNT, COUNT + LESS):
            return None
        if words.isdecimal():
            is_there = deck.choose(int(words[:9]))
        elif is_there := (card := deck.named(words)) is not None:
            deck.point_at(card)
        if not is_there:
            return (deck.session.t("lines.nothing-named", name=words[:40]),)
        deck.press("right" if command == COUNT else "left")
        return ()
