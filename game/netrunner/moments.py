"""Events of the game: each marks the abilities it triggers, which resolve after the next checkpoint."""

from __future__ import annotations

from game.netrunner.queries import holds
from game.netrunner.state import Card
from game.netrunner.table import Table, entry, is_able
from game.netrunner.vocabulary import Moment

OWN = ("stolen", "emptied")  # these events trigger only the card they happen to


def emit(t: Table, event: Moment, target: int = 0, server: str = "") -> None:
    """Mark every ability that this event triggers. `server` is where it happens, if that matters."""
    for card in t.active():
        mark(t, card, event, target, server)


def emit_own(t: Table, event: Moment, card: Card) -> None:
    """Mark the abilities of one card that are about what happens to itself; a stolen agenda is not active any more."""
    if event == "stolen" or is_able(t, card):
        mark(t, card, event, card.iid, "")


def mark(t: Table, card: Card, event: Moment, target: int, server: str) -> None:
    """Mark the abilities of one card that an event triggers."""
    for i, on in enumerate(entry(card.code).on):
        if on.event == event and holds(t, on.when, {"iid": card.iid, "target": target, "server": server}):
            t.queue.append((card.iid, card.code, i, card.side, target))
