"""Decks of one's own: the list of them, and where new ones come from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from game import registry
from game.options import DECK_CHARS
from server.accounts.decks import NAME_CHARS, StoredDeck
from server.boards import keymap
from server.boards.decks import OwnDeck, PastedDeck, PoolCard, deckbook
from server.sanitize import clean
from server.screens import bringing
from server.screens.columns import Column
from server.screens.deckdrawing import costs_line, costs_of, costs_words, curve_lines, kinds_words
from server.screens.gametable import with_emblems
from server.screens.listpage import ListPage
from server.screens.playnow import deck_games
from server.session import places
from server.session.page import Body
from server.session.session import Session
from server.terminal.hint import Hint
from server.terminal.itemlines import said_lines
from server.terminal.items import Empty, Item, Said
from server.terminal.lines import Line, inset
from server.terminal.look import Look
from server.terminal.memo import PerObjectCache

NAME_COLS = 22
MOST_BELOW, STARTERS_AROUND = 12, 5  # rows besides those of the decks
BAR_ROWS, BARS_FROM, TALL_FROM = 6, 25, 32  # rows of the bars of costs, those of a page, of a terminal that has them
OWN = ("edit", "new", "paste", "export", "rename", "delete", "library")  # commands where one has decks
OF_NONE = ("new", "paste", "library")  # commands where one has none
KNOWN_DECKS = 16  # whose cards are kept


class DecksPage(ListPage[OwnDeck]):
    """A person's decks: open one, paste one, begin one with a deck of the game's own."""

    context: ClassVar[str] = "decks"
    opens_with: ClassVar[str] = "edit"

    def __init__(self, session: Session, game: str) -> None:
        super().__init__(session)
        self.game = game or deck_games()[0]
        self._known = PerObjectCache[list[PoolCard]](KNOWN_DECKS)

    def start(self) -> None:
        self.session.spawn(self.session.decks.load())

    def landing(self) -> str:
        return f"decks {self.game}"

    def title(self) -> str:
        return self.session.t("decks.title")

    def listed(self) -> list[OwnDeck]:
        return [deck for deck in self.session.decks.all if deck.game == self.game]

    def lines_needed(self) -> int:
        bars = BAR_ROWS if self.session.display.size[1] >= TALL_FROM else 0
        return self.count() + MOST_BELOW + bars + len(self.offer_lines(self.most_cols))

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each deck, and below them why the chosen one is not legal, and what it is made of."""
        if not self.count():
            return Body(with_emblems([(), *said_lines(self.below(), cols)], self.session.look, cols, rows))
        self.chooser = self.chooser.clamp(self.count())
        told = [(), *said_lines(self.below(), cols)]
        lines = [*self.list_lines(0, max(1, min(self.count(), rows - len(told)))), *told]
        shape = self._shape(cols, has_bars=rows >= BARS_FROM)
        lines += [(), *shape] if len(lines) + len(shape) < rows else []
        return Body(self.with_offers(lines, cols, rows))

    def offered(self) -> tuple[Hint, ...]:
        return self._own_hints()

    def _held(self) -> list[PoolCard]:
        """Return the cards of the chosen deck."""
        chosen, book, look = self.chosen(), deckbook(self.game), self.session.look
        if chosen is None or book is None:
            return []
        pool = partial(book.pool, chosen.list, chosen.seat, look)
        return self._known.get(chosen.stored, look, lambda: [card for card in pool() if card.count])

    def _shape(self, cols: int, has_bars: bool) -> list[Line]:
        """Draw how many cards of each kind the chosen deck has, and what they cost: as bars where there is room."""
        if not (held := self._held()):
            return []
        look, costs = self.session.look, costs_of(held)
        drawn = [(), *curve_lines(costs, look, BAR_ROWS)] if has_bars else [costs_line(costs, look)]
        return [*said_lines([Said(kinds_words(held, look), "dim")], cols), *inset(drawn, 2)]

    def items(self) -> list[Item]:
        """Tell the decks, and what the chosen one is and is made of."""
        look, told, held = self.session.look, list(super().items()), self._held()
        if held:
            told += [Said(kinds_words(held, look)), Said(costs_words(costs_of(held), look))]
        return told

    def below(self) -> list[Said | Empty]:
        """Say what the chosen deck is, and why it is not legal; where there is none, how to have one."""
        t, chosen = self.session.t, self.chosen()
        if self.session.identity.account_id is None:
            return [Said(t("decks.guest"), "dim")]
        if chosen is None:
            return [Empty(t("decks.empty"), tuple(self.offers(self._own_hints())))]
        told: list[Said | Empty] = [Said(chosen.summary, "title")]
        if chosen.problems:
            return [*told, *(Said(problem, "bad") for problem in chosen.problems)]
        others = other_formats(chosen, self.session.look)
        return [*told, Said(t("decks.legal"), "good"), *(Said(other, "dim") for other in others)]

    def columns(self) -> tuple[Column[OwnDeck], ...]:
        """Return whether a deck is legal, its name and its side."""
        glyphs = self.session.look.glyphs
        return (
            Column("", 1, lambda deck: glyphs.yes if deck.is_legal else "!", _mark_style, gap=1, said=lambda deck: ""),
            Column("", NAME_COLS, lambda deck: deck.name, gap=1, said=self._said),
            Column("", 10, self._side, gap=1),
        )

    def _said(self, deck: OwnDeck) -> str:
        t = self.session.t
        return deck.name if deck.is_legal else t("list.comma").join((deck.name, t("decks.is-not-legal")))

    def _side(self, deck: OwnDeck) -> str:
        names = bringing.side_names(deck.game)
        return self.session.look.side(deck.game, names[deck.seat], deck.seat) if deck.seat < len(names) else ""

    def hints(self) -> tuple[Hint, ...]:
        return (*self._own_hints(), *keymap.hints("everywhere", ("back",)))

    def _own_hints(self) -> tuple[Hint, ...]:
        if self.session.identity.account_id is None:
            return ()
        return keymap.hints("decks", OWN if self.listed() else OF_NONE)

    # Commands

    def do_edit(self) -> None:
        """Change the chosen deck."""
        if (deck := self.chosen()) is not None:
            self.session.go(places.DeckPlace(deck.stored))

    def do_new(self) -> None:
        """Choose a deck of the game's own to begin with."""
        if self.session.identity.account_id is not None:
            self.session.pages.push(StartersPage(self.session, self.game))

    def do_paste(self) -> None:
        """Take a list."""
        if self.session.identity.account_id is not None:
            more = DECK_CHARS + 1  # the reader then tells of what is too much
            self.session.prompts.type("decks.ask-list", self._pasted, limit=more, keeps_lines=True)

    def _pasted(self, text: str) -> None:
        self.session.spawn(self._read(text))

    async def _read(self, text: str) -> None:
        if (book := deckbook(self.game)) is None:
            return
        found = await self.session.decks.in_steps(book.reading(text))
        seat = book.seat_of(found.list)
        if seat is None:
            lines = book.problems(found.list, 0, self.session.look)[:1] if found.list else []
            self.session.prompts.say(" ".join((self.session.t("decks.not-a-list"), *lines)), "bad")
        else:
            self._open(seat, found)

    def _open(self, seat: int, pasted: PastedDeck) -> None:
        """Put a pasted deck together, under its name; one that another deck has is asked for when it is saved."""
        name = clean(pasted.name, NAME_CHARS).strip()
        name = "" if name in (deck.name for deck in self.listed()) else name
        fresh = StoredDeck(0, self.game, seat, name, pasted.list, self.session.services.clock.now())
        self.session.go(places.DeckPlace(fresh))

    def do_rename(self) -> None:
        """Give the chosen deck another name."""
        if (deck := self.chosen()) is not None:
            stored = deck.stored
            self.session.have_typed(
                "decks.ask-rename",
                lambda name: self.session.decks.save(replace(stored, name=name)),
                start=deck.name,
                limit=NAME_CHARS,
                name=deck.name,
            )

    def do_export(self) -> None:
        """Show the chosen deck as text, to copy it."""
        if (deck := self.chosen()) is not None:
            self.session.go(places.DeckTextPlace(deck.stored))

    def do_library(self) -> None:
        """Look up the game's cards."""
        self.session.go(places.CardsPlace(self.game))

    def do_delete(self) -> None:
        """Ask, then take the chosen deck away."""
        if (deck := self.chosen()) is not None:
            remove = partial(self.session.decks.remove, deck.stored.id)
            self.session.have_confirmed("decks.ask-delete", remove, name=deck.name)


def _mark_style(deck: OwnDeck) -> str:
    return "good" if deck.is_legal else "bad"


def other_formats(deck: OwnDeck, look: Look) -> list[str]:
    """Say of each format but the usual one why a deck is not legal in it, or that it is."""
    book = deckbook(deck.game)
    found = []
    for form in () if book is None else book.formats[1:]:
        assert book is not None
        problems = book.problems(deck.list, deck.seat, look, form)
        more = f" {look.t('deckedit.more', n=len(problems) - 1)}" if len(problems) > 1 else ""
        said = f"{problems[0]}{more}" if problems else look.t("decks.legal")
        found.append(look.t("decks.in-format", format=book.format_word(form, look), said=said))
    return found


class StartersPage(ListPage[tuple[int, str]]):
    """The game's own decks, to begin one's own with."""

    context: ClassVar[str] = "starters"

    def __init__(self, session: Session, game: str) -> None:
        super().__init__(session)
        self.game = game
        option = bringing.deck_option(game)
        names = registry.get(game).seat_names(2)
        self.rows = [
            (seat, value) for seat in range(len(names)) for value in (option.values_of(seat) if option else ())
        ]

    def title(self) -> str:
        return self.session.t("decks.begin-with")

    def lines_needed(self) -> int:
        return self.count() + STARTERS_AROUND

    def body(self, cols: int, rows: int) -> Body:
        foot = [(), *said_lines(self.below(), cols)]
        return Body([*self.list_lines(0, max(1, rows - len(foot))), *foot])

    def columns(self) -> tuple[Column[tuple[int, str]], ...]:
        """Return a deck's side and its name."""
        look, names = self.session.look, bringing.side_names(self.game)
        return (
            Column("", 12, lambda row: look.side(self.game, names[row[0]], row[0]), gap=1),
            Column("", 0, lambda row: bringing.word(look, self.game, *row)),
        )

    def below(self) -> list[Said]:
        """Say what the chosen deck is."""
        seat, value = self.rows[self.chooser.index]
        return [Said(bringing.summary(self.session, self.game, seat, value), "title")]

    def hints(self) -> tuple[Hint, ...]:
        """Return the key that begins a deck, and those of a list."""
        moves = keymap.hints("list", ("move",))
        return (*keymap.hints("starters", ("open",)), *moves, *keymap.hints("everywhere", ("back",)))

    def listed(self) -> list[tuple[int, str]]:
        """Return the decks: the seat, and the value of its option."""
        return self.rows

    def do_open(self) -> None:
        """Begin with the chosen deck."""
        seat, value = self.rows[self.chooser.index]
        book = deckbook(self.game)
        text = book.starter(value, seat) if book is not None else ""
        fresh = StoredDeck(0, self.game, seat, "", text, self.session.services.clock.now())
        self.session.go(places.DeckPlace(fresh), instead=True)
