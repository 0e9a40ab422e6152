"""Which credits are spent: those of the fewest uses first, among equals those that vanish first."""

from __future__ import annotations

from game.choices import tokens
from game.contract import Action, OneOf
from game.netrunner.costs import BAD_PUBLICITY, POOL, held_as, sources
from game.netrunner.facts import RUNNER
from game.netrunner.places import find
from game.netrunner.table import Table, entry
from server.boards.games.netrunner.scene import Shown, table_of
from server.boards.seats import own_seat

ANYTHING, EVERYTHING = 99, 100  # uses: whatever one pays for during a run; whatever one pays for
RUN_ENDS, TURN_BEGINS, NEVER = 0, 1, 2  # when credits that are not spent are gone


def rank(t: Table, seat: int, source: str) -> tuple[int, int]:
    """Return how soon a source is spent from: how many uses its credits have, then when they vanish."""
    if source == POOL:
        return EVERYTHING, NEVER
    if source == BAD_PUBLICITY:
        return ANYTHING, RUN_ENDS
    card = find(t, source, seat)
    if card is None:
        return EVERYTHING, NEVER
    pays = entry(card.code).pays
    if pays == "anything":  # only during the run that it was played for
        return ANYTHING, RUN_ENDS
    return len(pays.split()), TURN_BEGINS if held_as(card) == "recurring" else NEVER


def split_of(text: str) -> dict[str, int]:
    """Return how many credits a payment takes from each source.

    >>> split_of('pay rig:"The Toolbox" 2 pool 1')
    {'rig:"The Toolbox"': 2, 'pool': 1}
    """
    _, *words = tokens(text)
    return {source: int(n) for source, n in zip(words[::2], words[1::2], strict=True)}


def best(snapshot: Shown) -> Action | None:
    """Return the payment that keeps what is of most use; None where nothing is to be paid."""
    pending, seat = snapshot.pending, own_seat(snapshot)
    if pending is None or seat is None or pending.prompt != "pay" or not isinstance(pending.choice, OneOf):
        return None
    t = table_of(snapshot)

    def kept(action: Action) -> list[tuple[tuple[int, int], int]]:
        return sorted((rank(t, seat, source), -n) for source, n in split_of(action.text).items())

    return min(pending.choice.actions, key=kept)


def taken(t: Table, seat: int, purpose: str, cost: int) -> dict[str, int]:
    """Return from where so many credits will be taken, in that order."""
    found: dict[str, int] = {}
    for source, held in sorted(sources(t, seat, purpose), key=lambda one: rank(t, seat, one[0])):
        if n := min(held, cost - sum(found.values())):
            found[source] = n
    return found


def has_choice(snapshot: Shown) -> bool:
    """Tell whether the viewer has credits besides the pool, so that something may be paid in several ways."""
    seat, t = own_seat(snapshot), table_of(snapshot)
    if seat is None:
        return False
    held = any(card.side == seat and entry(card.code).pays and getattr(card, held_as(card)) for card in t.active())
    return held or (seat == RUNNER and t.run is not None and t.run.credits > 0)
