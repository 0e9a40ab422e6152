"""Determinization: full states consistent with a view, for bots' search and for leak tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from game.passage.cards import Card
from game.passage.state import (
    MASKED,
    REFUSED,
    Alms,
    Auto,
    Cards,
    Frame,
    Held,
    Known,
    Rescue,
    Return,
    State,
    Swap,
    Window,
)
from game.passage.view import PassageView
from game.rng import Rng


def unseen(view: PassageView) -> Counter[Card]:
    """Return the cards of the deck that this viewer can't see: those in others' hands and the pile."""
    seen: Counter[Card] = Counter(view.pile)
    for zone in (view.discard, view.removed, *view.hands, *view.sealed):
        seen.update(zone)
    seen[Card.PASSAGE] += sum(isinstance(frame, Return | Rescue) for frame in view.stack)
    return Counter(view.switches.deck(view.n_seats)) - seen


def determinize(view: PassageView, rng: Rng) -> State:
    """Return a full state that fits the view: known cards where they are known, the rest dealt at random.

    A written position may hold fewer or other cards than the deck: surplus cards are left out, and missing ones are
    replaced by Slip By, so that the view always fits.
    """
    hands, sealed, pile, rng = deal(view, rng)
    stack = []
    for frame in view.stack:
        fitting, rng = unmask(frame, hands, len(pile), rng)
        stack.append(fitting)
    seed, rng = new_seed(rng)
    return State(
        version=view.version,
        switches=view.switches,
        rng=Rng(seed),
        turn=view.turn,
        direction=view.direction,
        phase=view.phase,
        draws=view.draws,
        bottom=view.bottom,
        hands=hands,
        pile=pile,
        discard=view.discard,
        removed=view.removed,
        sealed=sealed,
        blind=view.blind,
        eliminated=view.eliminated,
        forfeited=view.forfeited,
        owed=view.owed,
        receiver=view.receiver,
        stack=tuple(stack),
        known=piles_known(view),
        held=hands_known(view),
        auto=autos(view),
    )


def piles_known(view: PassageView) -> tuple[Known, ...]:
    """Return what each viewer knows of the pile: the view's own viewer what it knows, the others what is public."""
    seats = range(view.n_seats)
    return (*(view.known if seat == view.viewer else view.known_public for seat in seats), view.known_public)


def hands_known(view: PassageView) -> tuple[Held, ...]:
    """Return what each viewer knows of others' hands, as `piles_known` does for the pile."""
    public = view.held_public
    noted = [view.held if viewer == view.viewer else public for viewer in range(view.n_seats)]
    return (
        *(
            tuple(() if seat == viewer else cards for seat, cards in enumerate(held))
            for viewer, held in enumerate(noted)
        ),
        public,
    )


def autos(view: PassageView) -> tuple[Auto, ...]:
    """Return all seats' settings: the viewer's own, and defaults for the others."""
    return tuple(view.auto if seat == view.viewer else "off" for seat in range(view.n_seats))


def new_seed(rng: Rng) -> tuple[bytes, Rng]:
    """Draw a seed for the random stream from here on."""
    words = []
    for _ in range(4):
        word, rng = rng.below(1 << 62)
        words.append(word.to_bytes(8, "big"))
    return b"".join(words), rng


# Dealing what is not known.


def deal(view: PassageView, rng: Rng) -> tuple[tuple[Cards, ...], tuple[Cards, ...], Cards, Rng]:
    """Return hands, sealed cards and pile that fit the view."""
    pool = unseen(view)
    sides = [HiddenCards(view, seat) for seat in range(view.n_seats)]
    for side in sides:
        pool -= Counter(side.certain)
    pile, rng = lay_hazards(view, pool, rng)
    gaps = pile.count(Card.HIDDEN) + sum(side.gaps for side in sides)
    rest, rng = rng.shuffle(list(pool.elements()))
    cards = [*rest[:gaps], *[Card.SLIP] * (gaps - len(rest))]
    pile = [cards.pop() if card is Card.HIDDEN else card for card in pile]
    hands, sealed = [], []
    for side in sides:
        hand, face_down, rng = side.fill([cards.pop() for _ in range(side.gaps)], rng)
        hands.append(hand)
        sealed.append(face_down)
    return tuple(hands), tuple(sealed), tuple(pile), rng


class HiddenCards:
    """One seat's hidden cards: `certain` are those known to be among them, `gaps` the number of the others."""

    def __init__(self, view: PassageView, seat: int) -> None:
        self.hand = view.hands[seat]
        self.sealed = view.sealed[seat]
        hidden = (self.hand + self.sealed).count(Card.HIDDEN)
        self.certain = (view.held_public if seat == view.viewer else view.held)[seat][:hidden]
        self.gaps = hidden - len(self.certain)

    def fill(self, cards: Sequence[Card], rng: Rng) -> tuple[Cards, Cards, Rng]:
        """Return hand and sealed cards with the certain ones and `cards` at random places of those not seen."""
        mixed, rng = rng.shuffle([*self.certain, *cards])
        left = list(mixed)
        hand = tuple(left.pop() if card is Card.HIDDEN else card for card in self.hand)
        sealed = tuple(left.pop() if card is Card.HIDDEN else card for card in self.sealed)
        return hand, sealed, rng


def lay_hazards(view: PassageView, pool: Counter[Card], rng: Rng) -> tuple[list[Card], Rng]:
    """Return the pile with the unseen Passages and Blank at random unknown places, which leave the pool.

    Neither is ever in a hand: a Passage is met when it is drawn, a Blank for rebirth acts.
    """
    pile = list(view.pile)
    hazards = [Card.PASSAGE] * pool.pop(Card.PASSAGE, 0)
    if view.switches.blank_is_rebirth:
        hazards += [Card.BLANK] * pool.pop(Card.BLANK, 0)
    free, rng = rng.sample([at for at, card in enumerate(pile) if card is Card.HIDDEN], len(hazards))
    for at, card in zip(free, hazards, strict=False):
        pile[at] = card
    return pile, rng


def unmask(frame: Frame, hands: Sequence[Cards], pile_size: int, rng: Rng) -> tuple[Frame, Rng]:
    """Return a half-resolved effect with the hidden choices of others drawn at random."""
    match frame:
        case Window(origin=int(origin), place=None):
            places = [at for at in range(pile_size) if at != origin] or [origin]
            place, rng = rng.choose(places)
            return replace(frame, place=place), rng
        case Swap(actor, target, (mine, theirs)):
            mine, rng = draw_pick(mine, len(hands[actor]), rng)
            theirs, rng = draw_pick(theirs, len(hands[target]), rng)
            return Swap(actor, target, (mine, theirs)), rng
        case Alms(actor, waiting, answers):
            given, rng = draw_alms(answers, hands, rng)
            return Alms(actor, waiting, given), rng
    return frame, rng


def draw_pick(picked: tuple[int, ...] | None, size: int, rng: Rng) -> tuple[tuple[int, ...] | None, Rng]:
    """Return a choice of two hand places: a hidden one (`()`) is drawn at random, others stay as they are."""
    if picked != ():
        return picked, rng
    return rng.sample(range(size), 2)


def draw_alms(
    answers: Iterable[tuple[int, int]], hands: Sequence[Cards], rng: Rng
) -> tuple[tuple[tuple[int, int], ...], Rng]:
    """Return answers to a beggar, with hidden ones drawn at random: refused, or any card of that hand."""
    given = []
    for seat, at in answers:
        if at == MASKED:
            at, rng = rng.choose((REFUSED, *range(len(hands[seat]))))
        given.append((seat, at))
    return tuple(given), rng
