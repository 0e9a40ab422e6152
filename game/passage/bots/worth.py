"""Evaluation: each seat's probability of winning, fitted to self-play of the normal bot."""

from __future__ import annotations

from math import exp
from typing import Final

from game.passage.cards import ATTACKS, Card
from game.passage.table import Table

WAYS_OUT: Final = (Card.SLIP, Card.REVERSAL, *ATTACKS)
# Weights of a conditional logit over the living seats (mean log-likelihood -0.99, against -1.13 for equal shares).
WARDEN: Final = 0.81  # of having one; more of them made hardly any difference
WAY_OUT: Final = 0.09
WAY_OUT_IN_DANGER: Final = 0.62  # times the share of Passages in the pile
JUDGE: Final = 0.17
ANY_CARD: Final = 0.24
RISK: Final = (-0.82, -0.56)  # times the probability that the draws owed now meet a Passage, without and with a Warden


def share(t: Table, seat: int) -> float:
    """Return the probability that this seat, still in the match, wins."""
    danger = t.pile.count(Card.PASSAGE) / max(1, len(t.pile))
    weights = {other: exp(strength(t, other, danger)) for other in t.living()}
    return weights[seat] / sum(weights.values())


def strength(t: Table, seat: int, danger: float) -> float:
    """Return a seat's strength: its cards, less the risk of its next draws."""
    hand = t.hands[seat] + t.sealed[seat]
    has_warden = Card.WARDEN in hand
    out = sum(hand.count(card) for card in WAYS_OUT)
    value = WARDEN * has_warden + (WAY_OUT + WAY_OUT_IN_DANGER * danger) * out
    value += JUDGE * hand.count(Card.JUDGE) + ANY_CARD * len(hand)
    if seat == t.turn and t.phase != "discard":
        value += RISK[has_warden] * (1.0 - (1.0 - danger) ** t.draws)
    return value
