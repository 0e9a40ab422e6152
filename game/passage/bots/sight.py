"""Probabilities from one seat's knowledge: where Passages lie, and who can survive one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from game.passage.cards import WARDENS, Card
from game.passage.state import Frame, Rescue, Return
from game.passage.switches import Switches
from game.passage.table import Table
from game.passage.view import PassageView

BLANK: Final = Card.BLANK  # a global is looked up faster than a member of an enum
WARDEN_LOST: Final = (1.0, 0.45, 0.3, 0.2)  # what meeting a Passage costs, by Wardens in hand; 1.0 is the match


class Stock(dict[Card, int]):
    """The number of each card in a hand; 0 of those it lacks. Faster to make than a Counter."""

    __slots__ = ()

    def __missing__(self, card: Card) -> int:
        return 0


class Sight:
    """What a seat knows, from its view or, in a play-out, from a table; probabilities are 0 to 1."""

    __slots__ = (
        "_risk",
        "_stray",
        "blind",
        "bottom",
        "direction",
        "discard",
        "draws",
        "frame",
        "hand",
        "held",
        "known",
        "living",
        "named",
        "owed",
        "phase",
        "seat",
        "size",
        "sizes",
        "switches",
        "turn",
    )

    def __init__(
        self,
        it: PassageView | Table,
        seat: int,
        known: Mapping[int, Card],
        held: Sequence[Sequence[Card]],
        switches: Switches,
    ) -> None:
        self.seat = seat
        self.switches = switches
        self.named: list[Card] = [] if seat in it.blind else list(it.hands[seat])  # as printed
        self.hand: list[Card] = self.named  # as what they count as
        if BLANK in self.named:
            self.hand = [switches.acts_as(card) for card in self.named]
        self.sizes: list[int] = list(map(len, it.hands))
        self.size: int = len(it.pile)
        self.known = known
        self.held = held
        self.discard: Sequence[Card] = it.discard
        self.living: Sequence[int] = it.living()
        self.turn: int = it.turn
        self.direction: int = it.direction
        self.phase: str = it.phase
        self.draws: int = it.draws
        self.bottom: int = it.bottom
        self.owed: Sequence[int] = it.owed
        self.frame: Frame | None = it.stack[-1] if it.stack else None
        self.blind: Sequence[int] = it.blind
        self._risk: float | None = None
        self._stray: float | None = None

    @property
    def hidden_risk(self) -> float:
        """Return the probability of a Passage at an unknown position."""
        if self._risk is None:
            n, is_held = len(self.sizes), isinstance(self.frame, Return | Rescue)
            fallen = 0 if self.switches.passage_returns else self.discard.count(Card.PASSAGE)
            seen = list(self.known.values()).count(Card.PASSAGE)
            unknown = self.size - len(self.known)
            self._risk = min(1.0, max(0, n - 1 - fallen - is_held - seen) / unknown) if unknown else 0.0
        return self._risk

    @property
    def stray(self) -> float:
        """Return the probability that an unknown card of another hand is a Warden."""
        if self._stray is None:
            n = len(self.sizes)
            wardens = n if self.switches.no_spare_wardens else WARDENS
            certain = sum(cards.count(Card.WARDEN) for cards in self.held)
            unseen = wardens - self.discard.count(Card.WARDEN) - certain - self.hand.count(Card.WARDEN)
            others = sum(self.sizes[seat] - len(self.held[seat]) for seat in self.living if seat != self.seat)
            self._stray = min(1.0, max(0, unseen) / max(1, self.size + others))
        return self._stray

    def risk_at(self, index: int) -> float:
        """Return the probability of a Passage at a position."""
        card = self.known.get(index)
        if card is None:
            return self.hidden_risk
        return 1.0 if card is Card.PASSAGE else 0.0

    def risk(self, draws: int, bottom: int, skip: int = 0) -> float:
        """Return the probability that so many draws meet a Passage, after `skip` top cards are gone."""
        if self.switches.bottom_rule == "whole_phase" and bottom:
            bottom = draws
        bottom = min(bottom, draws)
        safe = 1.0
        for nth in range(min(draws, self.size)):
            index = self.size - 1 - nth if nth < bottom else nth - bottom + skip
            safe *= 1.0 - self.risk_at(index)
        return 1.0 - safe

    def coming(self) -> tuple[int, int]:
        """Return how many cards this seat still draws in this turn: from the top, and from the bottom."""
        if self.turn != self.seat:
            return 0, 0
        bottom = self.bottom + (self.owed[self.seat] if self.phase == "play" else 0)
        if self.switches.bottom_rule == "whole_phase" and bottom:
            bottom = self.draws
        bottom = min(bottom, self.draws)
        return self.draws - bottom, bottom

    def stock(self) -> Stock:
        """Return how many of each card this seat has in hand."""
        counts = Stock()
        for card in self.hand:
            counts[card] = counts[card] + 1
        return counts

    def wardens(self) -> int:
        """Return how many Wardens this seat can use."""
        return self.hand.count(Card.WARDEN)

    def price(self) -> float:
        """Return what drawing a Passage would cost this seat, as a share of the match."""
        return WARDEN_LOST[min(self.wardens(), 3)]

    def shield(self, seat: int) -> float:
        """Return the probability that another seat has a Warden."""
        certain = self.held[seat].count(Card.WARDEN)
        if certain:
            return 0.95
        rest = self.sizes[seat] - len(self.held[seat])
        return 1.0 - (1.0 - self.stray) ** max(0, rest)

    def harm(self, seat: int) -> float:
        """Return the gain for this seat, as a share of the match, when another one draws a Passage."""
        shield = self.shield(seat)
        worth = shield * WARDEN_LOST[1] + (1.0 - shield)
        return worth / (len(self.living) - 1)

    def after(self, seat: int, direction: int) -> int:
        """Return the next living seat from `seat` in a direction."""
        n = len(self.sizes)
        for step in range(1, n + 1):
            if (seat + step * direction) % n in self.living:
                return (seat + step * direction) % n
        return seat

    def others(self) -> list[int]:
        """Return the other living seats."""
        return [seat for seat in self.living if seat != self.seat]


def in_words_of_the_hand(s: Sight, words: Sequence[str]) -> tuple[str, ...]:
    """Return an action's words, with Blank in place of the card it counts as where the hand has no such card left."""
    if BLANK not in s.named:
        return tuple(map(str, words))
    left, said = list(map(str, s.named)), [str(words[0])]
    meaning = s.switches.acts_as(Card.BLANK).value
    for word in map(str, words[1:]):
        found = Card.BLANK.value if word == meaning and word not in left else word
        if found in left:
            left.remove(found)
        said.append(found)
    return tuple(said)


def from_view(view: PassageView, seat: int) -> Sight:
    """Return what a view tells its seat."""
    return Sight(view, seat, dict(view.known), view.held, view.switches)


def from_table(t: Table, seat: int) -> Sight:
    """Return what one of a table's seats knows."""
    return Sight(t, seat, t.known[seat], t.held[seat], t.switches)
