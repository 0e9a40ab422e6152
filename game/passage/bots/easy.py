"""The easy bot: counts Passages, avoids risky draws, and otherwise plays simply."""

from __future__ import annotations

from collections import Counter

from game.passage.bots.policy import END, PASS, Chance, Words, aim, blind_or, cheapest, discard, place, richest
from game.passage.bots.sight import Sight
from game.passage.cards import ATTACKS, Card
from game.passage.state import Aim, Alms, Bout, Gift, Peek, Rescue, Return, Seizure, Swap, Window

AFRAID = (0.12, 0.35)  # the greatest probability of a Passage that it accepts, without and with a Warden


def decide(s: Sight, chance: Chance) -> Words:
    """Return this seat's action as words."""
    match s.frame:
        case None if s.phase == "discard":
            return discard(s)
        case None:
            return play(s, chance)
        case Window() as window:
            return veto(s, window)
        case Aim(_, card):
            return aim(s, card)
        case Peek(_, origin):
            return place(s, origin)
        case Return():
            return put_back(s, chance)
        case Rescue():
            return ("pick", str(chance(s.sizes[s.seat])))
        case Gift():
            return ("give", blind_or(s, cheapest(s, 1)))
        case Swap():
            return ("trade", "0", "1") if s.seat in s.blind else ("trade", *cheapest(s, 2))
        case Alms():
            return ("refuse",)
        case Seizure():
            return ("take", str(richest(s)))
        case Bout(actor, _, mover, opening):
            return ("stop",) if mover == actor and not opening else ("discard", blind_or(s, cheapest(s, 1)))


def is_afraid(s: Sight, draws: int, bottom: int) -> bool:
    """Tell whether this many draws are too risky."""
    return s.risk(draws, bottom) > AFRAID[min(1, s.wardens())]


def play(s: Sight, chance: Chance) -> Words:
    """Avoid a risky draw if a card can, else sometimes play a harmless card."""
    if s.seat in s.blind:
        return END
    stock = Counter(s.hand)
    if is_afraid(s, s.draws, s.bottom):
        return escape(s, stock, chance)
    if chance(2) and (words := friendly(s, stock)):
        return words
    return END


def escape(s: Sight, stock: Counter[Card], chance: Chance) -> Words:
    """Return the first card in hand that lowers the risk."""
    if stock[Card.FORESIGHT] and 0 not in s.known and s.size:
        return ("play", Card.FORESIGHT)
    if stock[Card.SLIP]:
        return ("play", Card.SLIP)
    for card in ATTACKS:
        if stock[card]:
            others = s.others()
            return ("play", card, str(others[chance(len(others))]))
    if stock[Card.REVERSAL]:
        return ("play", Card.REVERSAL)
    if stock[Card.RECONNECT] and s.known:
        return ("play", Card.RECONNECT)
    if stock[Card.KOTODAMA] and 0 not in s.known and s.size:
        return ("play", Card.KOTODAMA, "0")
    return END


def friendly(s: Sight, stock: Counter[Card]) -> Words | None:
    """Return a card that is harmless to play."""
    rich = [seat for seat in s.others() if s.sizes[seat]]
    if stock[Card.TITHE] and rich:
        return ("play", Card.TITHE, str(rich[0]))
    if stock[Card.BEG] and rich:
        return ("play", Card.BEG)
    return None


def veto(s: Sight, window: Window) -> Words:
    """Veto an Attack or a Reversal that brings a risky draw."""
    if s.seat in s.blind or Card.JUDGE not in s.hand or window.target != s.seat or window.judges:
        return PASS
    draws = s.draws + ATTACKS.get(window.card, 0)
    brings_draws = window.card in ATTACKS or window.card is Card.REVERSAL
    return ("judge",) if brings_draws and is_afraid(s, draws, s.bottom) else PASS


def put_back(s: Sight, chance: Chance) -> Words:
    """Put a Passage at a random place where this seat's own coming draws don't meet it."""
    top, bottom = s.coming()
    low, high = min(s.size, top), max(0, s.size - bottom)
    return ("put", str(low + chance(max(1, high - low + 1))))
