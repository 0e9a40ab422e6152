"""Why an action is not legal now: of what the Corp does in windows, when it may do it (Netrunner §1.3)."""

from __future__ import annotations

from typing import Final

from game.netrunner.facts import CORP
from game.netrunner.places import find
from game.netrunner.queries import requirement
from game.netrunner.state import Card
from game.netrunner.table import Table, facts
from game.netrunner.windows import can_pay_rez

NOT_NOW: Final = "netrunner.error.not-now"


def why_not(t: Table, seat: int, words: list[str]) -> str:
    """Return the message key of why an action that can be read is not among what a seat is offered."""
    card = find(t, words[1], seat) if len(words) == 2 and seat == CORP else None
    if card is None or not card.place.startswith(("ice:", "root:")):
        return NOT_NOW
    match words[0]:
        case "rez":
            return _why_not_rezzed(t, card)
        case "score" if facts(card).type == "agenda":
            is_ready = card.advancement >= requirement(t, card)
            return "netrunner.error.score-when" if is_ready else "netrunner.error.score-counters"
        case _:
            return NOT_NOW


def _why_not_rezzed(t: Table, card: Card) -> str:
    """Return why a card of the Corp's is not rezzed: it can't be, or when it is."""
    kind = facts(card).type
    if card.rezzed:
        return "netrunner.error.rezzed"
    if kind == "agenda":
        return "netrunner.error.rez-agenda"
    is_met = kind == "ice" and t.run is not None and t.run.ice == card.iid
    letters = t.frames[-1].get("letters", "")
    if ("I" in letters and is_met) or ("R" in letters and kind != "ice"):
        return NOT_NOW if can_pay_rez(t, card) else "netrunner.error.rez-cost"
    return "netrunner.error.rez-ice" if kind == "ice" else "netrunner.error.rez-when"
