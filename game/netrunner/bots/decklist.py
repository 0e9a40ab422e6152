"""What one's own deck still holds: a player knows the list that they brought, and what of it lies elsewhere."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from game.netrunner.facts import CORP, FACTS
from game.netrunner.table import Table


@lru_cache(maxsize=64)
def points_of(deck: tuple[str, ...]) -> int:
    """Return the agenda points of a list."""
    return sum(FACTS[code].points for code in deck)


def elsewhere(t: Table, side: int) -> list[str]:
    """Return the cards of a side that have left its deck, as that side knows them; its deck itself is not read."""
    found = [card.code for card in t.cards.values() if card.side == side]
    found += [code for code in t.removed if code in FACTS and FACTS[code].side == side]
    if side == CORP:
        return [*found, *t.hq, *(code for code, _ in t.archives)]
    return [*found, *t.grip, *t.heap]


def left_in_deck(t: Table, side: int) -> Counter[str] | None:
    """Return how often each card is still in a side's own deck, None where its list is not known."""
    deck = t.decks[side]
    return Counter(deck) - Counter(elsewhere(t, side)) if deck else None


def density_of_rd(t: Table, seen: list[str]) -> float | None:
    """Return the points of a card of R&D that its owner hasn't seen, on average; None where the list is not known.

    `seen` are the cards of R&D that the Corp has seen there.
    """
    deck = t.decks[CORP]
    if not deck:
        return None
    left = points_of(deck) - sum(FACTS[code].points for code in elsewhere(t, CORP))
    left -= sum(FACTS[code].points for code in seen)
    return max(0, left) / max(1, len(t.rd) - len(seen))
