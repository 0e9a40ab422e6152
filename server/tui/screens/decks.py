"""Decks of one's own: the list of them, and where new ones come from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from game import registry
from server.accounts.decks import StoredDeck
from server.tui import keymap
from server.tui.decks import OwnDeck, deckbook
from server.tui.keymap import Hint
from server.tui.lines import Line, pad, plain, wrapped
from server.tui.screens import bringing
from server.tui.screens.chooser import Chooser
from server.tui.screens.page import Body, Page
from server.tui.screens.wishes import playable

if TYPE_CHECKING:
    from server.tui.app import Session

NAME_COLS = 22
PASTED_CHARS = 4000


def deck_games() -> tuple[str, ...]:
    """Return the games that are played with decks of one's own."""
    return tuple(game for game in playable() if deckbook(game) is not None)


class DecksPage(Page):
    """A person's decks: open one, paste one, begin one with a deck of the game's own."""

    context: ClassVar[str] = "decks"

    def __init__(self, session: Session, game: str = "") -> None:
        super().__init__(session)
        self.game = game or deck_games()[0]
        self.chooser = Chooser()

    def start(self) -> None:
        """Read what is mine."""
        self.session.spawn(self.session.load_decks())

    def title(self) -> str:
        """Say whose decks these are."""
        return self.session.t("decks.title")

    def contexts(self) -> tuple[str, ...]:
        """Return its own keys, and a list's."""
        return ("decks", "list")

    def decks(self) -> list[OwnDeck]:
        """Return the decks that show."""
        return [deck for deck in self.session.decks if deck.game == self.game]

    def chosen(self) -> OwnDeck | None:
        """Return the chosen deck."""
        found = self.decks()
        return found[self.chooser.clamp(len(found)).index] if found else None

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each deck, and below them why the chosen one is not legal."""
        t, found = self.session.t, self.decks()
        if self.session.identity.account_id is None:
            return Body([(), *_indented(t("decks.guest"), cols, "dim")])
        if not found:
            return Body([(), *_indented(t("decks.empty"), cols)])
        lines: list[Line] = [()]
        self.chooser = self.chooser.clamp(len(found))
        for at in self.chooser.window(len(found), max(1, rows - 8)):
            lines.append(self._line(found[at], at == self.chooser.index, cols))
        chosen = self.chosen()
        if chosen is not None:
            lines += [(), *_indented(chosen.summary, cols, "title")]
            for problem in chosen.problems or (t("decks.legal"),):
                lines += _indented(problem, cols, "bad" if chosen.problems else "good")
        return Body(lines)

    def _line(self, deck: OwnDeck, is_chosen: bool, cols: int) -> Line:
        look = self.session.look
        names = bringing.side_names(deck.game)
        side = look.side(deck.game, names[deck.seat], deck.seat) if deck.seat < len(names) else ""
        mark = look.glyphs.yes if deck.is_legal else "!"
        pointer = look.glyphs.pointer if is_chosen else " "
        text = f" {pointer} {mark} {pad(deck.name, NAME_COLS)} {pad(side, 10)} "
        return plain(text, "row" if is_chosen else "")

    def hints(self) -> tuple[Hint, ...]:
        """Return what can be done."""
        back = keymap.hints("everywhere", ("back",))
        if self.session.identity.account_id is None:
            return back
        own = ("edit", "new", "paste", "rename", "delete") if self.decks() else ("new", "paste")
        return (*keymap.hints("decks", own), *back)

    def press(self, key: str) -> bool:
        """Choose in the list, or do a command."""
        moved = self.chooser.press(key, len(self.decks())) if key != "enter" else None
        if moved is not None:
            self.chooser = moved
            return True
        return super().press(key)

    def click(self, col: int, row: int) -> bool:
        """Choose a deck; the chosen one opens."""
        if not 0 <= row - 1 < len(self.decks()):
            return False
        if row - 1 == self.chooser.index:
            self.do_edit()
        self.chooser = Chooser(row - 1)
        return True

    # Commands

    def do_edit(self) -> None:
        """Change the chosen deck."""
        from server.tui.screens.deckedit import DeckEditPage

        if (deck := self.chosen()) is not None:
            self.session.push(DeckEditPage(self.session, deck.stored))

    def do_new(self) -> None:
        """Choose a deck of the game's own to begin with."""
        if self.session.identity.account_id is not None:
            self.session.push(StartersPage(self.session, self.game))

    def do_paste(self) -> None:
        """Take a list."""
        if self.session.identity.account_id is not None:
            self.session.type("decks.ask-list", self._pasted, limit=PASTED_CHARS)

    def _pasted(self, text: str) -> None:
        book = deckbook(self.game)
        seat = book.seat_of(text) if book is not None else None
        if book is None or seat is None:
            self.session.notice("decks.not-a-list", "bad")
            return
        self._open(seat, book.read(text))

    def _open(self, seat: int, text: str) -> None:
        from server.tui.screens.deckedit import DeckEditPage

        fresh = StoredDeck(0, self.game, seat, "", text, self.session.services.clock.now())
        self.session.push(DeckEditPage(self.session, fresh))

    def do_rename(self) -> None:
        """Give the chosen deck another name."""
        if (deck := self.chosen()) is not None:
            self.session.type("decks.ask-name", lambda name: self._rename(deck, name), deck.name, limit=40)

    def _rename(self, deck: OwnDeck, name: str) -> None:
        self.session.spawn(self.session.save_deck(replace(deck.stored, name=name)))

    def do_delete(self) -> None:
        """Ask, then take the chosen deck away."""
        if (deck := self.chosen()) is not None:
            gone = deck.stored.id
            self.session.ask(
                "decks.ask-delete", lambda: self.session.spawn(self.session.remove_deck(gone)), name=deck.name
            )


def _indented(text: str, cols: int, style: str = "") -> list[Line]:
    return [(("", "  "), *line) for line in wrapped(text, min(cols - 4, 76), style)]


class StartersPage(Page):
    """The game's own decks, to begin one's own with."""

    context: ClassVar[str] = "list"

    def __init__(self, session: Session, game: str) -> None:
        super().__init__(session)
        self.game = game
        self.chooser = Chooser()
        option = bringing.deck_option(game)
        names = registry.get(game).seat_names(2)
        self.rows = [
            (seat, value) for seat in range(len(names)) for value in (option.values_of(seat) if option else ())
        ]

    def title(self) -> str:
        """Say what is chosen here."""
        return self.session.t("decks.begin-with")

    def body(self, cols: int, rows: int) -> Body:
        """Draw a line for each deck."""
        look, lines = self.session.look, list[Line]([()])
        names = bringing.side_names(self.game)
        for at, (seat, value) in enumerate(self.rows):
            pointer = look.glyphs.pointer if at == self.chooser.index else " "
            side = pad(look.side(self.game, names[seat], seat), 12)
            text = f" {pointer} {side} {bringing.word(look, self.game, value)}"
            lines.append(plain(text, "row" if at == self.chooser.index else ""))
        return Body(lines)

    def hints(self) -> tuple[Hint, ...]:
        """Return a list's keys."""
        return (*keymap.hints("list", ("open", "move")), *keymap.hints("everywhere", ("back",)))

    def press(self, key: str) -> bool:
        """Choose."""
        moved = self.chooser.press(key, len(self.rows)) if key != "enter" else None
        if moved is not None:
            self.chooser = moved
            return True
        return super().press(key)

    def do_open(self) -> None:
        """Begin with the chosen deck."""
        from server.tui.screens.deckedit import DeckEditPage

        seat, value = self.rows[self.chooser.index]
        book = deckbook(self.game)
        text = book.starter(value, seat) if book is not None else ""
        fresh = StoredDeck(0, self.game, seat, "", text, self.session.services.clock.now())
        self.session.replace(DeckEditPage(self.session, fresh))
