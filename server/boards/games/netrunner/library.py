"""Netrunner's cards as people look them up."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from game.comparing import comparable
from game.netrunner.cards import ENTRIES
from game.netrunner.decklist import TYPES
from game.netrunner.facts import CODES, FACTS, plain_title
from server.boards.games.netrunner import details
from server.boards.games.netrunner.cardtext import kind_words, text_lines
from server.boards.games.netrunner.decks import BOOK, PACKS, SETS, understood
from server.boards.library import Library, LibraryCard
from server.terminal.lines import Line
from server.terminal.look import Look


class NetrunnerLibrary:
    """What the screens ask; keeps no state."""

    sets = SETS
    types = ("identity", *TYPES)

    @cached_property
    def cards(self) -> Mapping[str, LibraryCard]:
        facts = sorted(
            (FACTS[code] for code in ENTRIES), key=lambda one: (one.side, self.types.index(one.type), one.title)
        )
        return {one.title: LibraryCard(one.title, one.side, PACKS.get(one.pack, SETS[-1]), one.type) for one in facts}

    def set_word(self, name: str, look: Look) -> str:
        return BOOK.set_word(name, look)

    def type_word(self, name: str, look: Look) -> str:
        return look.t(f"netrunner.card.type.{name}")

    def searched(self, card: LibraryCard, look: Look) -> str:
        return written_out(card.title, look)

    def lines(self, card: LibraryCard, look: Look, cols: int) -> list[Line]:
        return details.card_lines(code_of(card), look, cols)

    def copies(self, deck: str) -> Mapping[str, int]:
        read = understood(deck)
        held = {FACTS[code].title: n for code, n in read.cards}
        return {FACTS[read.identity].title: 1, **held} if read.identity else held


def code_of(card: LibraryCard) -> str:
    """Return a card's code."""
    return CODES[plain_title(card.title)]


@lru_cache(maxsize=1024)
def written_out(title: str, look: Look) -> str:
    """Return what is written on a card, for comparison."""
    code = CODES[plain_title(title)]
    return comparable("\n".join((title, kind_words(code, look), *text_lines(code, look))))


LIBRARY: Library = NetrunnerLibrary()
