"""The features of each seat at a table: the evaluation of the master is a weighted sum of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.passage.cards import Card
from game.passage.table import Table

Weights = tuple[Sequence[float], Sequence[float]]  # in the order of NAMES; for two who are left, and for more
Row = list[tuple[int, float]]  # pairs of an index of NAMES and a value; values of the same index add up

PASSAGE, WARDEN = Card.PASSAGE, Card.WARDEN
# Cards by their use. Each group has two weights: one alone, and one times the share of Passages in the pile (danger).
GROUPS: Final = (
    (Card.SLIP,),
    (Card.ATTACK,),
    (Card.ATTACK1, Card.ATTACK2),
    (Card.REVERSAL,),
    (Card.JUDGE,),
    (Card.KOTODAMA,),
    (Card.FORESIGHT,),
    (Card.RECONNECT,),
    (Card.TITHE, Card.BEG),
    (Card.SEAL, Card.NIGHTMARE),
    (Card.BOTTOM, Card.GREED, Card.DUEL, Card.TRADE),
)
GROUP_OF: Final[dict[Card, int]] = {card: nth for nth, group in enumerate(GROUPS) for card in group}
N: Final = len(GROUPS)  # from the index of a group in NAMES to that of its danger
NAMES: Final = (
    *(group[0].value for group in GROUPS),
    *(f"{group[0].value}, danger" for group in GROUPS),
    *("a warden", "more wardens", "a warden, danger", "cards", "cards, danger", "sealed"),
    *("on turn", "on turn, danger", "next", "next, danger", "draws, warden", "draws, none"),
    *("meets, warden", "meets, none", "meets and knows", "meets, ways out, none"),
    *("next meets, warden", "next meets, none", "next meets and knows", "next meets, ways out, none"),
    *("later meets, warden", "later meets, none", "knows a passage", "warden alone"),
)
PLACE: Final = {name: nth for nth, name in enumerate(NAMES)}
A_WARDEN, MORE, SHIELD_DANGER = PLACE["a warden"], PLACE["more wardens"], PLACE["a warden, danger"]
CARDS, CARDS_DANGER, SEALED = PLACE["cards"], PLACE["cards, danger"], PLACE["sealed"]
TURN, TURN_DANGER, NEXT, NEXT_DANGER = (PLACE[n] for n in ("on turn", "on turn, danger", "next", "next, danger"))
DRAWS = (PLACE["draws, none"], PLACE["draws, warden"])
MEETS = (PLACE["meets, none"], PLACE["meets, warden"])
MEETS_KNOWN, MEETS_WAYS = PLACE["meets and knows"], PLACE["meets, ways out, none"]
NEXT_MEETS = (PLACE["next meets, none"], PLACE["next meets, warden"])
NEXT_KNOWN, NEXT_WAYS = PLACE["next meets and knows"], PLACE["next meets, ways out, none"]
LATER_MEETS = (PLACE["later meets, none"], PLACE["later meets, warden"])
KNOWS, ALONE = PLACE["knows a passage"], PLACE["warden alone"]
MOST_WAYS: Final = 2.0  # the most cards that count as ways out from one Passage
WAYS_OUT: Final = 4  # the first so many GROUPS: cards that skip or hand on draws


def rows(t: Table) -> list[tuple[int, Row]]:
    """Return each living seat with its features, the seat on turn first; for a play phase with an empty stack."""
    size = len(t.pile)
    hazards = [at for at, card in enumerate(t.pile) if card is PASSAGE]
    danger = len(hazards) / size if size else 0.0
    shields = [seat for seat in t.living() if WARDEN in t.hands[seat]]
    low = min(t.bottom, t.draws)
    top = t.draws - low  # so many cards go before the next seat draws
    found, seat = [], t.turn
    for far in range(len(t.hands) - len(t.eliminated)):
        row = holds(t, seat, danger)
        safe = seat in shields
        if far == 0:
            row += [(TURN, 1.0), (TURN_DANGER, danger), (DRAWS[safe], 1.0 - (1.0 - danger) ** t.draws)]
            if any(at < top or at >= size - low for at in hazards):
                row += meets(t, seat, safe, MEETS, MEETS_KNOWN, MEETS_WAYS, PASSAGE in t.known[seat].values())
        elif far == 1:
            row += [(NEXT, 1.0), (NEXT_DANGER, danger)]
            if top in hazards:
                knows = t.known[seat].get(top) is PASSAGE
                row += meets(t, seat, safe, NEXT_MEETS, NEXT_KNOWN, NEXT_WAYS, knows)
        elif top + far - 1 in hazards:
            row.append((LATER_MEETS[safe], 1.0))
        if safe and len(shields) == 1:
            row.append((ALONE, 1.0))
        found.append((seat, row))
        seat = t.after(seat, t.direction)
    return found


def holds(t: Table, seat: int, danger: float) -> Row:
    """Return the features of what a seat holds and knows."""
    hand = t.hands[seat]
    row: Row = [(CARDS, float(len(hand))), (CARDS_DANGER, len(hand) * danger), (SEALED, float(len(t.sealed[seat])))]
    for card in hand:
        if (group := GROUP_OF.get(card)) is not None:
            row.append((group, 1.0))
            row.append((group + N, danger))
    if wardens := hand.count(WARDEN):
        row += [(A_WARDEN, 1.0), (MORE, wardens - 1.0), (SHIELD_DANGER, danger)]
    if PASSAGE in t.known[seat].values():
        row.append((KNOWS, 1.0))
    return row


def meets(t: Table, seat: int, safe: bool, base: tuple[int, int], known: int, ways: int, knows: bool) -> Row:
    """Return the features of a seat that will draw a Passage unless something is done."""
    row: Row = [(base[safe], 1.0)]
    if knows:
        row.append((known, 1.0))
    if not safe:
        outs = sum(GROUP_OF.get(card, N) < WAYS_OUT for card in t.hands[seat])
        row.append((ways, min(MOST_WAYS, outs)))
    return row


def strength(weights: Sequence[float], row: Row) -> float:
    """Return the weighted sum of a seat's features."""
    return sum([weights[place] * value for place, value in row])
