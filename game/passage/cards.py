"""The cards of Passage: keys, numbers, targets and vetoes (Passage §1.1)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from game.contract import Json


class Card(StrEnum):
    """A card by its key in notation; the order is the one in which choices list cards."""

    WARDEN = "warden"
    PASSAGE = "passage"
    SEAL = "seal"
    DUEL = "duel"
    TITHE = "tithe"
    ATTACK = "attack"
    ATTACK1 = "attack1"
    ATTACK2 = "attack2"
    BOTTOM = "bottom"
    GREED = "greed"
    REVERSAL = "reversal"
    TRADE = "trade"
    RECONNECT = "reconnect"
    SLIP = "slip"
    FORESIGHT = "foresight"
    KOTODAMA = "kotodama"
    JUDGE = "judge"
    NIGHTMARE = "nightmare"
    BEG = "beg"
    BLANK = "blank"
    HIDDEN = "?"  # in views only: a card this viewer does not know


WARDENS: Final = 6
HAND_LIMIT: Final = 6
DEALT: Final = 4  # functions dealt to each player, besides one Warden (Passage §1.2)
REBORN_HAND: Final = 3

# Functions of the 55-card deck: every card but Warden and Passage (Passage §1.1).
FUNCTIONS: Final[dict[Card, int]] = {
    Card.SEAL: 2,
    Card.DUEL: 1,
    Card.TITHE: 4,
    Card.ATTACK: 4,
    Card.ATTACK1: 3,
    Card.ATTACK2: 1,
    Card.BOTTOM: 3,
    Card.GREED: 3,
    Card.REVERSAL: 3,
    Card.TRADE: 2,
    Card.RECONNECT: 2,
    Card.SLIP: 8,
    Card.FORESIGHT: 3,
    Card.KOTODAMA: 2,
    Card.JUDGE: 4,
}

REAL: Final[tuple[Card, ...]] = tuple(card for card in Card if card is not Card.HIDDEN)
ORDER: Final[dict[Card, int]] = {card: place for place, card in enumerate(Card)}
ATTACKS: Final[dict[Card, int]] = {Card.ATTACK: 0, Card.ATTACK1: 1, Card.ATTACK2: 2}  # what each adds to N
AIMED: Final = frozenset((Card.SEAL, Card.DUEL, Card.TITHE, Card.TRADE, Card.NIGHTMARE, *ATTACKS))
UNPLAYABLE: Final = frozenset((Card.WARDEN, Card.PASSAGE, Card.JUDGE, Card.BLANK))  # never of one's own accord (A28)
UNVETOED: Final = frozenset((Card.SLIP, Card.FORESIGHT))  # change neither the pile nor anybody else (Passage §1.5)


def listed(cards: Iterable[Card]) -> list[Json]:
    """Return the keys of cards in the order of the rules, so that it reveals nothing about their order in a hand."""
    return [card.value for card in sorted(cards, key=ORDER.__getitem__)]


def by_kind(cards: tuple[Card, ...] | list[Card]) -> list[Card]:
    """Return the different cards among these, in the order of the rules."""
    return sorted(set(cards), key=ORDER.__getitem__)
