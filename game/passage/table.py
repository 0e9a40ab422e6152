"""The mutable copy of a state during one action: zones, and viewers' knowledge of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from game.contract import Event, Json, Seat
from game.passage import changes
from game.passage.cards import ORDER, Card
from game.passage.state import Auto, Cards, Frame, Known, Phase, State, next_living
from game.passage.switches import Switches
from game.rng import Rng

Private = Mapping[int, Mapping[str, Json]]


class Table:
    """A state being changed; `freeze` returns the new one. Every move of a card updates what all viewers know.

    `known[v]` and `held[v][s]` are as in State, as dicts and lists; the last viewer is the public. What a viewer can no
    longer be sure of is dropped: of a hand that gives away `j` unseen cards, `j` fewer of each kind are certain.
    """

    __slots__ = (
        "auto",
        "blind",
        "bottom",
        "direction",
        "discard",
        "draws",
        "eliminated",
        "events",
        "forfeited",
        "hands",
        "held",
        "known",
        "owed",
        "phase",
        "pile",
        "receiver",
        "removed",
        "rng",
        "sealed",
        "silent",
        "stack",
        "switches",
        "turn",
        "version",
    )

    def __init__(self, state: State) -> None:
        self.version: int = state.version
        self.switches: Switches = state.switches
        self.rng: Rng = state.rng
        self.turn: int = state.turn
        self.direction: int = state.direction
        self.phase: Phase = state.phase
        self.draws: int = state.draws
        self.bottom: int = state.bottom
        self.hands: list[list[Card]] = [list(hand) for hand in state.hands]
        self.pile: list[Card] = list(state.pile)
        self.discard: list[Card] = list(state.discard)
        self.removed: list[Card] = list(state.removed)
        self.sealed: list[list[Card]] = [list(cards) for cards in state.sealed]
        self.blind: list[int] = list(state.blind)
        self.eliminated: list[int] = list(state.eliminated)
        self.forfeited: list[int] = list(state.forfeited)
        self.owed: list[int] = list(state.owed)
        self.receiver: int | None = state.receiver
        self.stack: list[Frame] = list(state.stack)
        self.known: list[dict[int, Card]] = [dict(known) for known in state.known]
        self.held: list[list[list[Card]]] = [[list(cards) for cards in held] for held in state.held]
        self.auto: list[Auto] = list(state.auto)
        self.events: list[Event] = []
        self.silent = False  # no events: a play-out

    def freeze(self) -> State:
        """Return the state as it stands now."""
        return State(
            version=self.version,
            switches=self.switches,
            rng=self.rng,
            turn=self.turn,
            direction=self.direction,
            phase=self.phase,
            draws=self.draws,
            bottom=self.bottom,
            hands=tuple(map(tuple, self.hands)),
            pile=tuple(self.pile),
            discard=tuple(self.discard),
            removed=tuple(self.removed),
            sealed=tuple(map(tuple, self.sealed)),
            blind=tuple(sorted(self.blind)),
            eliminated=tuple(self.eliminated),
            forfeited=tuple(self.forfeited),
            owed=tuple(self.owed),
            receiver=self.receiver,
            stack=tuple(self.stack),
            known=tuple(map(in_order, self.known)),
            held=tuple(tuple(map(by_card, held)) for held in self.held),
            auto=tuple(self.auto),
        )

    # Seats.

    def living(self) -> list[int]:
        """Return the seats still in the match, in seat order."""
        seats = range(len(self.hands))
        return [seat for seat in seats if seat not in self.eliminated] if self.eliminated else list(seats)

    def after(self, seat: int, direction: int) -> int:
        """Return the next living seat from `seat` in a direction (itself when nobody else lives)."""
        return next_living(len(self.hands), self.eliminated, seat, direction)

    # Events.

    def tell(self, kind: str, public: Mapping[str, Json] | None, private: Private | None = None) -> None:
        """Add an event: its public parameters, and further ones for some seats."""
        if self.silent:
            return
        shown = {Seat(seat): {**(public or {}), **more} for seat, more in (private or {}).items()}
        self.events.append(Event(kind, public, shown or None))

    # The draw pile.

    def take(self, index: int) -> tuple[Card, list[int]]:
        """Take the card at a position off the pile; return it and the viewers who knew what it was."""
        card = self.pile.pop(index)
        knew = []
        for viewer, known in enumerate(self.known):
            if known.pop(index, None) is not None:
                knew.append(viewer)
            if known:
                self.known[viewer] = {at - (at > index): what for at, what in known.items()}
        return card, knew

    def put(self, index: int, card: Card, seers: Iterable[int]) -> None:
        """Put a card into the pile; viewers who did not see where lose their known positions."""
        self.pile.insert(index, card)
        seeing = set(seers)
        for viewer, known in enumerate(self.known):
            if viewer in seeing:
                self.known[viewer] = {at + (at >= index): what for at, what in known.items()} | {index: card}
            else:
                known.clear()

    def shuffle(self) -> None:
        """Shuffle the pile: all knowledge of it is lost (Passage §1.9)."""
        shuffled, self.rng = self.rng.shuffle(self.pile)
        self.pile = list(shuffled)
        for known in self.known:
            known.clear()

    # Hands.

    def everybody(self) -> range:
        """Return all viewers, the public last."""
        return range(len(self.known))

    def spend(self, seat: int, card: Card) -> None:
        """Put a card from a hand face up on the discard pile."""
        self.hands[seat].remove(card)
        self._discard_open(seat, [card])

    def spend_at(self, seat: int, *places: int) -> list[Card]:
        """Put the cards at these places of a hand face up on the discard pile, and return them."""
        cards = self._moved([self.hands[seat].pop(place) for place in sorted(places, reverse=True)])
        self._discard_open(seat, cards)
        return cards

    def _discard_open(self, seat: int, cards: list[Card]) -> None:
        """Put cards that have left a hand on the discard pile; nobody counts them as held any more."""
        self.discard += cards
        for card in cards:
            for held in self.held:
                if card in held[seat]:
                    held[seat].remove(card)

    def gain(self, seat: int, card: Card, knew: Iterable[int]) -> None:
        """Add a card to a hand; `knew` are the viewers who know which."""
        self.hands[seat].append(card)
        for viewer in knew:
            if viewer != seat:
                self.held[viewer][seat].append(card)

    def pass_over(self, giver: int, taker: int, indices: Iterable[int]) -> list[Card]:
        """Move cards unseen from one hand to another, and return them: only these two, unless blind, know which."""
        places = sorted(indices, reverse=True)
        cards = self._moved([self.hands[giver].pop(place) for place in places])
        seeing = [seat for seat in (giver, taker) if seat not in self.blind]
        for viewer, held in enumerate(self.held):
            if viewer != giver:
                held[giver] = without(held[giver], cards) if viewer in seeing else fewer(held[giver], len(cards))
        for card in cards:
            self.gain(taker, card, seeing)
        return cards

    def empty(self, seat: int) -> list[Card]:
        """Put a whole hand and its sealed cards on the discard pile, and return them."""
        cards = self._moved(self.hands[seat] + self.sealed[seat])
        self.discard += cards
        self.hands[seat], self.sealed[seat] = [], []
        for held in self.held:
            held[seat].clear()
        return cards

    def _moved(self, cards: list[Card]) -> list[Card]:
        """Return cards that leave a hand together in the order of the rules; before version 2 in that of the hand."""
        return [*by_card(cards)] if changes.cards_that_move_together_are_sorted(self.version) else cards


def in_order(known: Mapping[int, Card]) -> Known:
    """Return known positions in order."""
    return tuple(sorted(known.items()))


def by_card(cards: Iterable[Card]) -> Cards:
    """Return cards in the order of the rules."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def without(known: list[Card], gone: Iterable[Card]) -> list[Card]:
    """Return what is still known of a hand when these cards are seen to leave it."""
    left = list(known)
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def fewer(known: list[Card], count: int) -> list[Card]:
    """Return what is still certain of a hand when `count` unseen cards leave it: so many fewer of each kind."""
    return [card for card in set(known) for _ in range(max(0, known.count(card) - count))]
