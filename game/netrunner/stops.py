"""Reasons to stop in a window, from public facts only: never a facedown card or its cost."""

from __future__ import annotations

from typing import Final

from game.netrunner.costs import available
from game.netrunner.facts import CORP, FACTS
from game.netrunner.queries import statics
from game.netrunner.state import Card
from game.netrunner.table import Table
from game.netrunner.timing import TABLE

LEAST_REQUIREMENT: Final = min(facts.advancement for facts in FACTS.values() if facts.type == "agenda")
LEAST_REZ_COST: Final = min(facts.cost for facts in FACTS.values() if facts.type == "ice")
FOR_THIS_TURN: Final = " turn"  # ends a setting that is suspended: its windows go by until the turn ends
LAST_REZ: Final = "run.5.3"  # the last window before the cards of a server are accessed


def lasting_mode(mode: str) -> str:
    """Return a setting as it is from the next turn on."""
    return mode.removesuffix(FOR_THIS_TURN)


def urgent(t: Table, seat: int) -> tuple[Card, ...]:
    """Return the facedown cards for which a seat stops in the window of this step, whatever they are.

    That is ice that is approached, a card with enough advancements for the cheapest agenda in a window in which one may
    score, and a card in the root of a server that is about to be accessed.
    """
    if seat != CORP:
        return ()
    step = t.run.step if t.run is not None else t.step
    letters = TABLE[step].window
    found: list[Card] = []
    for card in t.cards.values():
        if card.rezzed:
            continue
        if "I" in letters and t.run is not None and card.iid == t.run.ice and can_pay_least(t):
            found.append(card)
        if not card.place.startswith("root:"):
            continue
        if "S" in letters and t.turn == CORP and card.advancement >= least_requirement(t):
            found.append(card)
        if step == LAST_REZ and t.run is not None and card.place == f"root:{t.run.server}":
            found.append(card)
    return tuple(found)


def can_pay_least(t: Table) -> bool:
    """Tell whether the Corp could pay for some piece of ice."""
    return available(t, CORP, "rez") >= LEAST_REZ_COST


def least_requirement(t: Table) -> int:
    """Return the least number of advancements with which some agenda could be scored now."""
    less = sum(int(static.n) for _, static in statics(t) if static.kind == "requirement" and isinstance(static.n, int))
    return max(0, LEAST_REQUIREMENT + min(0, less))
