"""The cards of a game as people look them up: their sides, sets and types, what they say, which decks hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from game import registry
from game.contract import Json
from server.boards import games
from server.matches.model import SeenEvent
from server.terminal.lines import Line
from server.terminal.look import Look


@dataclass(frozen=True, slots=True)
class LibraryCard:
    """A card. `seat` is that of its side; `set` and `type` are names as the library has them."""

    title: str
    seat: int
    set: str
    type: str


class Library(Protocol):
    """The `LIBRARY` in the `library.py` of a game's folder."""

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the names of the sets that cards are from."""
        ...

    @property
    def types(self) -> tuple[str, ...]:
        """Return the names of the types of cards."""
        ...

    @property
    def cards(self) -> Mapping[str, LibraryCard]:
        """Return every card by its title, in the order in which they are listed."""
        ...

    def set_word(self, name: str, look: Look) -> str:
        """Return a set's name for people."""
        ...

    def type_word(self, name: str, look: Look) -> str:
        """Return a type's name for people."""
        ...

    def searched(self, card: LibraryCard, look: Look) -> str:
        """Return all that is written on a card in the words of a look, as `game/comparing.py` compares texts."""
        ...

    def lines(self, card: LibraryCard, look: Look, cols: int) -> list[Line]:
        """Write a card out."""
        ...

    def copies(self, deck: str) -> Mapping[str, int]:
        """Return how many of each card a deck holds, by title; the deck is a list as text."""
        ...


@cache
def library(game: str) -> Library | None:
    """Return the cards of a game, None where it has none to look up."""
    module = games.part(game, "library")
    found: Library | None = None if module is None else module.LIBRARY
    return found


def library_games() -> tuple[str, ...]:
    """Return the games whose cards can be looked up."""
    return tuple(game for game in registry.KEYS if library(game) is not None)


def mentioned(game: str, events: Sequence[SeenEvent]) -> tuple[str, ...]:
    """Return the titles of the cards that events name, those of the newest event first."""
    found = library(game)
    if found is None:
        return ()
    names = (name for event in reversed(events) for name in _texts(event.params.values()))
    return tuple(dict.fromkeys(name for name in names if name in found.cards))


def _texts(values: Iterable[Json]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, (list, dict)):
            yield from _texts(value)
