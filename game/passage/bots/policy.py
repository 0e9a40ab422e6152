"""The policy of the normal bot: its answer to every decision, from its seat's knowledge.

Its plan was found by playing variants against each other. It keeps ways out (cards that skip or hand on draws) while a
Warden is in hand, and uses them when the next draw likely puts the seat out. It returns a Passage to the bottom of the
pile, where only this seat knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from game.passage.bots.sight import Sight, Stock
from game.passage.cards import ATTACKS, HAND_LIMIT, Card
from game.passage.state import Aim, Alms, Bout, Gift, Peek, Rescue, Return, Seizure, Swap, Window

Words = tuple[str, ...]
Chance = Callable[[int], int]  # from n to a random number below n
END: Final = ("end",)
PASS: Final = ("pass",)
REFUSE: Final = ("refuse",)


# The worth of a card in hand; the lowest is given away or discarded first.
WORTH: Final[dict[Card, float]] = {
    Card.WARDEN: 10.0,
    Card.ATTACK2: 4.2,
    Card.SLIP: 4.0,
    Card.ATTACK1: 3.8,
    Card.ATTACK: 3.5,
    Card.REVERSAL: 3.4,
    Card.JUDGE: 3.2,
    Card.KOTODAMA: 3.0,
    Card.FORESIGHT: 2.2,
    Card.RECONNECT: 2.0,
    Card.TITHE: 1.9,
    Card.BEG: 1.6,
    Card.SEAL: 1.5,
    Card.BOTTOM: 1.4,
    Card.NIGHTMARE: 1.2,
    Card.DUEL: 1.1,
    Card.TRADE: 0.8,
    Card.GREED: 0.7,
    Card.BLANK: 0.0,
}
GAINS: Final = frozenset((Card.TITHE, Card.BEG, Card.DUEL, Card.SEAL, Card.NIGHTMARE, Card.TRADE))
WARDEN, SLIP = Card.WARDEN, Card.SLIP
HAND_ON: Final = (*ATTACKS, Card.REVERSAL)


@dataclass(frozen=True, slots=True)
class Style:
    """The numbers of the policy.

    `worth`: of each card in hand. `again`: by how much a further card of the same kind counts less. `afraid`: the
    greatest probability of a Passage that is accepted, without and with a Warden. `veto_from`: the threat, as a share
    of the match, above which a Judge is used. `ways_out`: in the order in which they are used. `skips`: Slip By is used
    for at most so many draws while they can be handed on instead. `after`: the weight of a victim's distance in turns,
    against that of its having a Warden: the more others draw before this seat does, the better.
    """

    worth: Mapping[Card, float]
    again: float = 0.3
    afraid: tuple[float, float] = (0.4, 0.95)
    veto_from: float = 0.1
    ways_out: tuple[Card, ...] = (Card.SLIP, Card.ATTACK, Card.ATTACK1, Card.ATTACK2, Card.REVERSAL)
    skips: int = 99
    after: float = 0.0


PLAIN: Final = Style(WORTH)
Styles = tuple[Style, Style]  # for two who are left, and for more
PLAINLY: Final[Styles] = (PLAIN, PLAIN)


def decide(s: Sight, chance: Chance, styles: Styles = PLAINLY) -> Words:
    """Return this seat's action as words; `chance` breaks ties."""
    style = styles[len(s.living) > 2]
    match s.frame:
        case None if s.phase == "discard":
            return discard(s, style)
        case None:
            return play(s, style)
        case Window() as window:
            return veto(s, window, style)
        case Aim(_, card):
            return aim(s, card)
        case Peek(_, origin):
            return place(s, origin)
        case Return():
            return put_back(s)
        case Rescue():
            return ("pick", str(chance(s.sizes[s.seat])))
        case Gift():
            return ("give", blind_or(s, cheapest(s, 1, style)))
        case Swap():
            return ("trade", "0", "1") if s.seat in s.blind else ("trade", *cheapest(s, 2, style))
        case Alms():
            return alms(s, style)
        case Seizure():
            return ("take", str(richest(s)))
        case Bout() as bout:
            return duel(s, bout, style)


def cheapest(s: Sight, count: int, style: Style = PLAIN) -> list[Card]:
    """Return the `count` least valuable cards of the hand; further cards of a kind count less than the first."""
    worth, before = [], s.hand[:0]
    for card in s.hand:
        again = before.count(card) if card in before and card is not WARDEN else 0
        worth.append((style.worth.get(card, 0.0) - style.again * again, card))
        before.append(card)
    worth.sort()
    return [card for _, card in worth[:count]]


def blind_or(s: Sight, cards: list[Card]) -> str:
    """Return a card by its key, or the first face-down one."""
    return "0" if s.seat in s.blind else cards[0]


def richest(s: Sight) -> int:
    """Return the other seat with the most cards; one with a known Warden comes before all others."""
    return max(
        (seat for seat in s.others() if s.sizes[seat]),
        key=lambda seat: (Card.WARDEN in s.held[seat], s.sizes[seat]),
    )


def discard(s: Sight, style: Style = PLAIN) -> Words:
    """Discard the least valuable cards."""
    count = s.sizes[s.seat] - HAND_LIMIT
    if s.seat in s.blind:
        return ("discard", *map(str, range(count)))
    return ("discard", *cheapest(s, count, style))


# The play phase.


def play(s: Sight, style: Style) -> Words:
    """Play cards that gain without risk first; then draw, or play a way out where a Passage is too likely."""
    if s.seat in s.blind:
        return END
    stock = s.stock()
    return gains(s, stock, style) or (way_out(s, stock, style) if is_afraid(s, style) else END)


def is_afraid(s: Sight, style: Style) -> bool:
    """Tell whether the draws that are owed are too risky."""
    return s.risk(s.draws, s.bottom + s.owed[s.seat]) > style.afraid[min(1, s.wardens())]


def way_out(s: Sight, stock: Stock, style: Style) -> Words:
    """Return a card that lowers the risk: first a look at an unknown top card, then what skips or hands on draws."""
    if s.size and 0 not in s.known:
        if stock[Card.FORESIGHT]:
            return ("play", Card.FORESIGHT)
        if stock[Card.KOTODAMA]:
            return ("play", Card.KOTODAMA, "0")
    if stock[Card.KOTODAMA] and s.risk_at(0) == 1.0:
        return ("play", Card.KOTODAMA, "0")
    if stock[Card.BOTTOM] and s.risk_at(0) > 0.9 and s.risk_at(s.size - 1) < 0.2:
        return ("play", Card.BOTTOM)
    for card in style.ways_out:
        if stock[card] and not (card is SLIP and s.draws > style.skips and hands_on(stock)):
            return ("play", card, str(victim(s, style))) if card in ATTACKS else ("play", card)
    if stock[Card.RECONNECT] and s.known:
        return ("play", Card.RECONNECT)
    return END


def hands_on(stock: Stock) -> bool:
    """Tell whether a card in hand hands draws on."""
    return any(stock[card] for card in HAND_ON)


def victim(s: Sight, style: Style) -> int:
    """Return whom to attack: least likely with a Warden and, by `style.after`, next in turn so that many draw first."""
    others = s.others()
    if not style.after:
        return min(others, key=s.shield)
    n = len(s.sizes)
    return min(others, key=lambda seat: s.shield(seat) + style.after * ((seat - s.seat) * s.direction % n) / n)


def gains(s: Sight, stock: Stock, style: Style) -> Words | None:
    """Return a card to play that gains something whatever the risk, or None."""
    if GAINS.isdisjoint(stock):
        return None
    rich = [seat for seat in s.others() if s.sizes[seat] > 0]
    if not rich:
        return None
    if stock[Card.TITHE]:
        return ("play", Card.TITHE, str(min(rich, key=lambda seat: s.sizes[seat])))
    if stock[Card.BEG]:
        return ("play", Card.BEG)
    if stock[Card.DUEL] and wants_duel(s):
        return ("play", Card.DUEL, str(min(s.others(), key=s.shield)))
    if stock[Card.SEAL] and (target := worth_sealing(s, stock)) is not None:
        return ("play", Card.SEAL, str(target))
    if stock[Card.NIGHTMARE]:
        return ("play", Card.NIGHTMARE, str(max(rich, key=s.shield)))
    if stock[Card.TRADE] and sum(style.worth[card] < 2.0 for card in s.hand) > 2 and max(s.sizes[o] for o in rich) > 1:
        return ("play", Card.TRADE, str(max(rich, key=lambda seat: s.sizes[seat])))
    return None


def wants_duel(s: Sight) -> bool:
    """Tell whether a duel is expected to cost its target more than this seat."""
    if len(s.hand) < 3 or s.size < 2 or s.wardens() == 0:
        return False
    foe = min(s.others(), key=s.shield)
    first, second = s.risk_at(0), s.risk_at(1)
    return second * s.harm(foe) > first * s.price() and s.sizes[foe] > 0


def worth_sealing(s: Sight, stock: Stock) -> int | None:
    """Return whom to seal, or None: a seat with a known Warden and few cards, about to draw a likely Passage."""
    receivers = s.others() if any(stock[card] for card in ATTACKS) else [s.after(s.seat, s.direction)]
    shielded = [seat for seat in receivers if s.sizes[seat] and Card.WARDEN in s.held[seat]]
    if not shielded:
        return None
    target = min(shielded, key=lambda seat: s.sizes[seat])
    return target if s.risk(max(2, s.draws), s.bottom) > 0.3 or s.sizes[target] <= 3 else None


# Answers.


def veto(s: Sight, window: Window, style: Style = PLAIN) -> Words:
    """Veto what costs more than a Judge is worth."""
    if s.seat in s.blind or Card.JUDGE not in s.hand or window.judges:
        return PASS
    return ("judge",) if threat(s, window) > style.veto_from else PASS


def threat(s: Sight, window: Window) -> float:
    """Return what an announced card costs this seat if it is not vetoed, as a share of the match."""
    p = s.hidden_risk
    match window.card:
        case Card.ATTACK | Card.ATTACK1 | Card.ATTACK2:
            return handed(s, s.draws + ATTACKS[window.card], window.actor)
        case Card.REVERSAL if window.target == s.seat:
            return handed(s, s.draws, window.actor)
        case Card.SEAL | Card.NIGHTMARE:
            return s.wardens() * 2.0 / max(2, len(s.hand)) * p * 0.6
        case Card.DUEL:
            return (s.risk_at(1) + p) * s.price() * 0.8
        case Card.RECONNECT | Card.KOTODAMA if s.known.get(0) is Card.PASSAGE and s.draws:
            return s.harm(window.actor)
    return 0.0


def handed(s: Sight, draws: int, giver: int) -> float:
    """Return what it costs to take over `draws` draws, including the gain lost where `giver` need not draw them."""
    skipped = s.hand.count(Card.SLIP)
    return s.risk(max(0, draws - skipped), s.bottom) * s.price() + s.risk(s.draws, s.bottom) * s.harm(giver)


def aim(s: Sight, card: Card) -> Words:
    """Name the target or position of a card revealed blind."""
    if card is Card.KOTODAMA:
        return ("play", card, "0")
    if card is Card.BOTTOM:
        return ("play", card)
    return ("play", card, str(min(s.others(), key=s.shield)))


def place(s: Sight, origin: int) -> Words:
    """Put a Passage that this seat would draw just behind its own draws; leave any other card where it is."""
    if s.known.get(origin) is not Card.PASSAGE or origin >= max(1, s.draws):
        return ("put", str(origin))
    return ("put", str(min(s.draws, s.size - 1)))


def put_back(s: Sight) -> Words:
    """Put a Passage at the bottom, or where the next seat draws it if that seat surely has no Warden.

    Between two the next seat is to draw it too if this one has a Warden left. The places that this seat itself still
    draws from, at the top and at the bottom, are avoided.
    """
    top, bottom = s.coming()
    low = min(s.size, top)
    foe = s.after(s.seat, s.direction)
    if (s.wardens() and len(s.living) == 2) or s.shield(foe) == 0.0:
        return ("put", str(low))
    return ("put", str(max(low, s.size - bottom)))


def alms(s: Sight, style: Style) -> Words:
    """Give a card of little worth, else refuse."""
    if s.seat in s.blind or len(s.hand) < 4:
        return REFUSE
    card = cheapest(s, 1, style)[0]
    return ("give", card) if style.worth.get(card, 0.0) < 1.0 else REFUSE


def duel(s: Sight, bout: Bout, style: Style) -> Words:
    """Continue a duel while the next Passage would cost the other more."""
    if bout.mover == bout.actor and not bout.opening:
        foe = bout.target
        if s.risk_at(0) * s.price() >= s.risk_at(1) * s.harm(foe) or len(s.hand) < 3:
            return ("stop",)
    return ("discard", blind_or(s, cheapest(s, 1, style)))
