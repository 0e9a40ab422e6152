"""Decks of one's own as screens need them: what a game's folder knows of lists, and a person's decks read."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

from game.contract import Json
from server.accounts.decks import StoredDeck
from server.boards import games
from server.terminal.lines import Line
from server.terminal.look import Look


@dataclass(frozen=True, slots=True)
class PoolCard:
    """A card that may go into a deck: its title, how often it is in, what kind it is, what it costs the deck."""

    title: str
    count: int
    most: int
    kind: str
    influence: int  # per copy, in this deck
    set: str = ""  # the set that it is from, as `DeckBook.sets` names it
    is_allowed: bool = True  # in the format that was asked for
    problem: str = ""  # what is not legal about it in this deck, in words
    cost: int = 0  # to play, install, rez or advance it
    points: int = 0  # that it is worth
    is_unread: bool = False  # a line that was not read; its count is 0 where that is not clear


@dataclass(frozen=True, slots=True)
class PastedDeck:
    """A text that was read as a list, and what it calls the deck ("": nothing)."""

    list: str
    name: str


@dataclass(frozen=True, slots=True)
class DeckMeasure:
    """A number of a deck that has to be in bounds: how much there is, and how much there has to be or may be."""

    name: str
    have: int
    least: int = 0
    most: int | None = None  # None: as many as one likes

    @property
    def is_over(self) -> bool:
        """Tell whether there is too much."""
        return self.most is not None and self.have > self.most

    @property
    def is_met(self) -> bool:
        """Tell whether the number is in its bounds."""
        return self.have >= self.least and not self.is_over

    @property
    def full(self) -> int:
        """Return the number at which a meter is full."""
        return self.least if self.most is None else self.most

    @property
    def wanted(self) -> str:
        """Return the bounds as one writes them."""
        if self.most is None:
            return f"{self.least}+"
        return f"{self.least}-{self.most}" if self.least else str(self.most)


Options = Mapping[str, Json]  # a room's


class DeckBook(Protocol):
    """The `BOOK` in the `decks.py` of a game's folder. A deck is a list as text: an identity, and '3 TITLE' a line.

    A format says which cards decks may hold. They are named, the usual one is first, and '' means that one.
    """

    @property
    def formats(self) -> tuple[str, ...]:
        """Return the names of the formats there are."""
        ...

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the names of the sets that cards are from."""
        ...

    def format_of(self, options: Options) -> str:
        """Return the format that a room with these options plays."""
        ...

    def format_word(self, form: str, look: Look) -> str:
        """Return a format's name for people."""
        ...

    def set_word(self, name: str, look: Look) -> str:
        """Return a set's name for people."""
        ...

    def reading(self, text: str) -> Generator[None, None, PastedDeck]:
        """Return a pasted text as a list, in short steps; lines that are not read are kept in it, to be told of."""
        ...

    def exported(self, text: str, name: str) -> str:
        """Return a list with its name, in the form that every reader of lists takes."""
        ...

    def kept(self, text: str) -> str:
        """Return a list as it is kept once a person has seen it: without totals that disagreed with its cards."""
        ...

    def seat_of(self, text: str) -> int | None:
        """Return the side a list is for, None when it does not say."""
        ...

    def problems(self, text: str, seat: int, look: Look, form: str = "") -> list[str]:
        """Return what is not legal about a list in a format, in words; none: it is legal."""
        ...

    def summary(self, text: str, look: Look) -> str:
        """Return a list in one line: identity, size, what there is a limit of."""
        ...

    def measures(self, text: str, look: Look) -> Sequence[DeckMeasure]:
        """Return the numbers of a list that have to be in bounds; none while they are not known."""
        ...

    def starter(self, value: str, seat: int) -> str:
        """Return one of the game's own decks as a list; '' is the side's usual one."""
        ...

    def allows(self, value: str, seat: int, form: str) -> bool:
        """Tell whether one of the game's own decks is legal in a format."""
        ...

    def pool(self, text: str, seat: int, look: Look, form: str = "") -> Sequence[PoolCard]:
        """Return the cards of this side, with those of the deck and what the format says of them.

        What the deck holds of the other side's, and lines that name no card, come last: with what is wrong.
        """
        ...

    def changed(self, text: str, title: str, by: int) -> str:
        """Return a list with more or fewer of a card; a line that was not read is taken away, or put back."""
        ...

    def next_identity(self, text: str, seat: int, step: int) -> str:
        """Return a list under the next identity of its side."""
        ...

    def identity(self, text: str) -> str:
        """Return the title of a list's identity; '' where it has none."""
        ...

    def card_lines(self, title: str, look: Look, cols: int) -> list[Line]:
        """Write a card out."""
        ...


@cache
def deckbook(game: str) -> DeckBook | None:
    """Return what a game's folder knows of decks, None where the game has none."""
    module = games.part(game, "decks")
    found: DeckBook | None = None if module is None else module.BOOK
    return found


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck of one's own, with what is wrong with it just now: rules change, and lists are kept as they are."""

    stored: StoredDeck
    problems: tuple[str, ...]
    summary: str

    @property
    def game(self) -> str:
        return self.stored.game

    @property
    def seat(self) -> int:
        return self.stored.seat

    @property
    def name(self) -> str:
        return self.stored.name

    @property
    def list(self) -> str:
        return self.stored.list

    @property
    def is_legal(self) -> bool:
        """Tell whether it may be brought to a match."""
        return not self.problems


@lru_cache(maxsize=512)
def judged(stored: StoredDeck, look: Look) -> OwnDeck | None:
    """Return a stored deck with what is wrong with it; None for a game that is not played here."""
    book = deckbook(stored.game)
    if book is None:
        return None
    return OwnDeck(stored, tuple(book.problems(stored.list, stored.seat, look)), book.summary(stored.list, look))
