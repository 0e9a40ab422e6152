"""Shortcuts of play-outs: ordinary decisions of the policy, carried out directly instead of through action texts.

Most decisions of a play-out are of two kinds: nothing is played and a harmless card drawn, or one card too many is
discarded. These are done here just as the policy and the rules would do them, only faster; all others are left alone.
"""

from __future__ import annotations

from typing import Final

from game.passage.bots.policy import GAINS, PLAINLY, Style, Styles
from game.passage.cards import HAND_LIMIT, Card
from game.passage.flow import end_draws, next_turn, settle
from game.passage.table import Table

PASSAGE, WARDEN, BLANK = Card.PASSAGE, Card.WARDEN, Card.BLANK
SPECIAL: Final = GAINS | {BLANK}


def go_on(t: Table, styles: Styles = PLAINLY) -> bool:
    """Make the next decision if it is an ordinary one; tell whether it was."""
    if t.stack or t.blind:
        return False
    if t.phase == "play":
        return end_quietly(t, styles[len(t.hands) - len(t.eliminated) > 2])
    return t.phase == "discard" and drop_one(t, styles[len(t.hands) - len(t.eliminated) > 2])


def end_quietly(t: Table, style: Style) -> bool:
    """End the play phase and draw, if no card in hand gains by itself and the risk is accepted; tell whether it did."""
    seat, draws = t.turn, t.draws
    hand = t.hands[seat]
    if t.bottom or t.owed[seat] or not SPECIAL.isdisjoint(hand):
        return False
    if risk(t, seat, draws) > style.afraid[WARDEN in hand]:
        return False
    t.phase = "draw"
    while t.draws > 0 and t.pile:
        if t.pile[0] is PASSAGE or t.pile[0] is BLANK:
            settle(t)
            return True
        t.draws -= 1
        card, knew = t.take(0)
        hand.append(card)
        for viewer in knew:
            if viewer != seat:
                t.held[viewer][seat].append(card)
    end_draws(t)
    if t.switches.no_hand_limit or len(hand) <= HAND_LIMIT:
        next_turn(t)
    return True


def risk(t: Table, seat: int, draws: int) -> float:
    """Return the probability that so many draws from the top meet a Passage, by what this seat knows (`Sight.risk`)."""
    known, size = t.known[seat], len(t.pile)
    fallen = 0 if t.switches.passage_returns else t.discard.count(PASSAGE)
    unknown = size - len(known)
    left = len(t.hands) - 1 - fallen
    if not known:
        hidden = min(1.0, max(0, left) / unknown) if unknown else 0.0
        if draws == 1:
            return hidden if size else 0.0
        return float(1.0 - (1.0 - hidden) ** min(draws, size))
    seen = list(known.values()).count(PASSAGE)
    hidden = min(1.0, max(0, left - seen) / unknown) if unknown else 0.0
    safe = 1.0
    for index in range(min(draws, size)):
        card = known.get(index)
        safe *= 1.0 - hidden if card is None else 0.0 if card is PASSAGE else 1.0
    return 1.0 - safe


def drop_one(t: Table, style: Style) -> bool:
    """Discard the card of least worth, if exactly one is too many; tell whether it did."""
    seat = t.turn
    hand = t.hands[seat]
    if len(hand) != HAND_LIMIT + 1 or BLANK in hand:
        return False
    least, place = 99.0, 0
    key: str = ""
    for at, card in enumerate(hand):
        worth = style.worth[card]
        if card is not WARDEN:
            first = hand.index(card)
            if first < at:
                worth -= style.again * hand[:at].count(card)
                at = first
        if worth < least or (worth == least and card < key):
            least, place, key = worth, at, card
    t.spend_at(seat, place)
    next_turn(t)
    return True
