"""What the networks of the master weigh: features of a situation, and of each choice in it.

All come from what the seat knows. A feature is a name of the tables (`network`) with a value, mostly 0 to 1; those that
are 0 are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from game.contract import Pending
from game.passage.bots import policy
from game.passage.bots.search import candidates
from game.passage.bots.sight import Sight, in_words_of_the_hand
from game.passage.bots.suspicion import discarded_wardens
from game.passage.cards import AIMED, ATTACKS, FUNCTIONS, HAND_LIMIT, WARDENS, Card
from game.passage.state import Aim, Alms, Bout, Frame, Gift, Peek, Rescue, Return, Seizure, Swap, Window
from game.passage.view import PassageView

Feature = tuple[str, float]
Words = policy.Words

WARDEN, PASSAGE = Card.WARDEN, Card.PASSAGE
WAYS_OUT: Final = (Card.SLIP, Card.REVERSAL, *ATTACKS)
FREQUENT: Final = (Card.SLIP, Card.REVERSAL, Card.ATTACK, Card.ATTACK1)  # ways out known in another hand
DECK: Final[dict[Card, int]] = {WARDEN: WARDENS, PASSAGE: 3, **FUNCTIONS, Card.BEG: 1}
PILE: Final = 34.0  # cards at the beginning, with four seats and no supplement
MOST_DRAWS, SEATS_AWAY, NEAR = 5, 4, 5
RISKS: Final = tuple(0.05 + 0.1 * step for step in range(8))
PROMPTS: Final[dict[type[Frame], str]] = {
    Window: "veto",
    Peek: "place",
    Return: "return",
    Gift: "give",
    Swap: "trade",
    Alms: "beg",
    Seizure: "take",
    Bout: "duel",
    Aim: "aim",
    Rescue: "rescue",
}


def situation(s: Sight, view: PassageView) -> Iterator[Feature]:
    """Yield the features that all choices share."""
    hand = s.stock()
    ways = sum(hand[card] for card in WAYS_OUT)
    for card, count in DECK.items():
        yield f"{card} in hand", hand[card] / 2
        yield f"some {card} in hand", float(card in hand)
        yield f"{card} discarded", s.discard.count(card) / count
    yield "always", 1.0
    yield "ways out", ways / 4
    yield "hand", len(s.hand) / HAND_LIMIT
    yield f"{len(s.living)} left", 1.0
    yield "spare warden", float(hand[WARDEN] > 1)
    yield "sealed", len(view.sealed[s.seat]) / 2
    yield "on turn", float(s.turn == s.seat)
    yield "full hand", float(len(s.hand) >= HAND_LIMIT)
    yield "small hand", float(len(s.hand) <= HAND_LIMIT // 2)
    yield from dangers(s, float(WARDEN in hand), ways)
    put_back = discarded_wardens(view)
    yield "put back", min(put_back, 4) / 2
    yield "any put back", float(put_back > 0)
    for seat in s.others():
        if (away := distance(s, seat)) < SEATS_AWAY:
            yield from neighbour(s, view, seat, away)
    yield PROMPTS[type(s.frame)] if s.frame else s.phase, 1.0
    if isinstance(s.frame, Window):
        yield f"{s.frame.card} announced", 1.0
        yield "threat", policy.threat(s, s.frame) * 3
        yield "aimed here", float(s.frame.target == s.seat)


def dangers(s: Sight, has_warden: float, ways: int) -> Iterator[Feature]:
    """Yield the features of the pile and of the draws that are owed."""
    bottom = s.bottom + s.owed[s.seat]
    risk = s.risk(s.draws, bottom)
    yield f"{min(s.draws, MOST_DRAWS)} draws", 1.0
    yield "bottom draws", float(bottom > 0)
    yield "risk", risk
    yield "hidden risk", s.hidden_risk * 3
    yield "risk of the first", s.risk_at(0)
    yield "risk of the second", s.risk_at(1)
    yield "risk of the last", s.risk_at(s.size - 1)
    first = s.known.get(0)
    yield "first is a passage", float(first is PASSAGE)
    yield "first is harmless", float(first is not None and first is not PASSAGE)
    yield "pile", s.size / PILE
    yield "low pile", float(s.size < 10)
    yield "tiny pile", float(s.size < 5)
    for risky in RISKS:
        yield f"risk above {risky:.2f}", float(risk > risky)
    passages = [at for at, card in s.known.items() if card is PASSAGE]
    if passages:
        yield "knows a passage", 1.0
        yield f"knows a passage at {min(*passages, 4)}", 1.0
    yield "risk, warden", risk * has_warden
    yield "risk, no way out", risk * (ways == 0)
    yield "risk, ways out", risk * ways / 2


def distance(s: Sight, seat: int) -> int:
    """Return how many seats away another player sits in the direction of play; between two who are left, 1."""
    return 1 if len(s.living) == 2 else (seat - s.seat) * s.direction % len(s.sizes)


def neighbour(s: Sight, view: PassageView, seat: int, away: int) -> Iterator[Feature]:
    """Yield the features of another player who is still in the match."""
    held = s.held[seat]
    yield f"at {away}", 1.0
    yield f"hand at {away}", s.sizes[seat] / HAND_LIMIT
    yield f"shield at {away}", s.shield(seat)
    yield f"warden at {away}", float(WARDEN in held)
    yield f"known at {away}", len(held) / 4
    yield f"way out at {away}", float(any(card in held for card in FREQUENT))
    yield f"turn at {away}", float(s.turn == seat)
    yield f"sealed at {away}", float(bool(view.sealed[seat]))
    yield f"small hand at {away}", float(s.sizes[seat] <= HAND_LIMIT // 2)


def choices(s: Sight, owed: Pending, favourite: Words) -> list[Words]:
    """Return the choices that are weighed: every single card that can be given or discarded, else as in the search."""
    single = owed.prompt == "discard" and s.sizes[s.seat] == HAND_LIMIT + 1
    if single or isinstance(s.frame, Gift | Alms):
        verb = "discard" if single else "give"
        found = [in_words_of_the_hand(s, (verb, card)) for card in dict.fromkeys(sorted(s.hand))]
        return [*found, policy.REFUSE] if isinstance(s.frame, Alms) else found
    return [option.words for option in candidates(s, owed, favourite)]


def choice(s: Sight, words: Words, favourites: tuple[Words, Words]) -> Iterator[Feature]:
    """Yield the features of a choice; `favourites` are those of the tuned and of the plain policy."""
    verb, *rest = map(str, words)
    yield verb, 1.0
    cards = [s.switches.acts_as(Card(word)) for word in rest if not word.isdigit()]
    number = next((int(word) for word in rest if word.isdigit()), None)
    card = cards[0] if len(cards) == 1 else None
    if card:
        yield f"{verb if verb in ('play', 'discard') else 'give'} {card}", 1.0
        copies = s.hand.count(card)
        yield "one of two", float(copies == 2)
        yield "one of three", float(copies > 2)
    yield "tuned choice", float(words == favourites[0])
    yield "plain choice", float(words == favourites[1])
    if number is None:
        return
    if verb == "take" or card in AIMED:
        yield from aimed(s, card, number)
    elif verb == "put":
        yield from placed(s, number)
    elif card is Card.KOTODAMA and number < 2:
        yield f"look at {number}", 1.0


def aimed(s: Sight, card: Card | None, seat: int) -> Iterator[Feature]:
    """Yield the features of a card that is aimed at a seat, or of a seat to take one from."""
    held, shield = s.held[seat], s.shield(seat)
    yield f"target at {distance(s, seat)}", 1.0
    yield "target's hand", s.sizes[seat] / HAND_LIMIT
    yield "target's shield", shield
    yield "target has a warden", float(WARDEN in held)
    yield "target's hand is tiny", float(s.sizes[seat] <= 2)
    yield "target has a way out", float(any(one in held for one in FREQUENT))
    yield "target has a judge", float(Card.JUDGE in held)
    yield "target is next", float(seat == s.after(s.seat, s.direction))
    yield "attack without a shield", float(card in ATTACKS and shield < 0.5)
    yield "tithe", float(card is Card.TITHE)


def placed(s: Sight, place: int) -> Iterator[Feature]:
    """Yield the features of a place where a card goes back: who meets it, and whether it is a Passage."""
    top, bottom = s.coming()
    last = s.size if isinstance(s.frame, Return) else s.size - 1
    ahead = place - top  # so many cards are drawn by others first
    yield "own draw", float(ahead < 0)
    if 0 <= ahead < NEAR:
        yield f"after {ahead}", 1.0
    yield "last", float(place == last)
    yield "last but one", float(place == last - 1)
    yield "deep", float(ahead >= NEAR and place < last - 1)
    yield "own bottom draw", float(last - place < bottom)
    shield = s.shield(s.after(s.seat, s.direction))
    yield "next without a shield", float(ahead == 0 and shield < 0.5)
    yield "next with a shield", float(ahead == 0 and shield > 0.9)
    if isinstance(s.frame, Peek):
        is_passage = s.known.get(s.frame.origin) is PASSAGE
        yield "moves a passage", float(is_passage)
        yield "leaves it", float(not is_passage and place == s.frame.origin)
        yield "passage to the next", float(is_passage and ahead == 0)
        yield "passage further on", float(is_passage and ahead > 0)
