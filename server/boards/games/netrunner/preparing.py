"""Actions that are typed, and those that can be prepared while the other side acts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from game.choices import expand
from game.folding import folded
from game.netrunner.actions import action_choice
from game.netrunner.table import Table
from game.netrunner.timing import CLICKS
from server.boards.games.netrunner.scene import Shown, scene_of
from server.boards.seats import own_seat
from server.terminal.memo import by_identity


@by_identity()
def ahead(snapshot: Shown) -> tuple[str, ...]:
    """Return the actions that the viewer could take if they had one to take now: from what they know themselves."""
    seat, scene = own_seat(snapshot), scene_of(snapshot)
    if seat is None or scene.outcome is not None:
        return ()
    is_own = scene.turn == seat and scene.clicks[seat] > 0
    clicks = (scene.clicks[0], CLICKS[1]) if seat else (CLICKS[0], scene.clicks[1])
    last = scene.last_turn if scene.turn == seat else scene.this_turn
    begun = replace(scene, turn=seat, clicks=clicks, this_turn=(), last_turn=last)
    t = Table(replace(scene if is_own else begun, run=None, frames=()))
    return tuple(action.text for action in expand(action_choice(t, {"seat": seat})))


@lru_cache(maxsize=2048)
def spellings(text: str) -> tuple[str, ...]:
    """Return how an action may be typed: without quotes and accents.

    >>> spellings('play "Déjà Vu"')
    ('play deja vu', 'play déjà vu', 'play "déjà vu"')
    """
    said = text.casefold()
    bare = said.replace('"', "")
    return tuple(dict.fromkeys((folded(bare), bare, said)))
