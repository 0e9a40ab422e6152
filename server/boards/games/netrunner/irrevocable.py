"""Which acts a digit does not do at once when it stood for something else: what gives something away for good."""

from __future__ import annotations

from game.choices import tokens
from game.contract import Action
from game.netrunner.table import entry
from game.netrunner.timing import ENCOUNTER
from server.boards.games.netrunner.rows import PASSING
from server.boards.games.netrunner.scene import Shown, named, scene_of, step_of
from server.boards.games.netrunner.selection import ACTION
from server.boards.seats import own_seat

HARMLESS = (*PASSING, "access", "jack-out", "keep", "mulligan", "steal")


def needs_enter(snapshot: Shown, act: Action, before: Shown) -> bool:
    """Tell whether an act is done by Enter only; `before`: what was shown when its key meant something else.

    An action of one's turn is, where the same list stood there before with another row; who comes back to that list
    from a window finds it as it was. In an encounter one breaks, and pumps, at once.
    """
    pending, (verb, *rest) = snapshot.pending, tokens(act.text)
    if pending is None or verb in HARMLESS:
        return False
    if pending.prompt == ACTION:
        return before.pending is not None and before.pending.prompt == ACTION
    if verb == "use" and step_of(scene_of(snapshot)) in ENCOUNTER:
        return gives_up(snapshot, rest)
    return True


def gives_up(snapshot: Shown, used: list[str]) -> bool:
    """Tell whether using an own card costs a card, damage or tags, not only credits, clicks and counters."""
    card = named(snapshot, used[0])
    if card is None or card.side != own_seat(snapshot):
        return False
    cost = entry(card.code).abilities[int(used[1])].cost
    return bool(cost.trash_self or cost.trash or cost.forfeit or cost.net or cost.shuffle or cost.tags)
