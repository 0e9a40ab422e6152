"""How likely an agenda in a remote server is stolen before the Corp's next turn, as it was counted in many matches."""

from __future__ import annotations

from typing import Final

from game.netrunner.bots.routes import route
from game.netrunner.bots.sight import Sight
from game.netrunner.facts import RUNNER

OPEN, NEAR, FAR, SHUT, TWICE_SHUT = 0.82, 0.47, 0.24, 0.2, 0.05
"""How likely: the Runner gets in as things are, with four credits more, with nine, one piece of ice too strong, two."""
WELL_OFF, WEALTH = 8, 0.12  # credits with which the Runner more likely finds a breaker in time, and how much more
NEXT, LATER = 4, 9  # credits that the Runner may come by in a turn, and with luck
DETERRED: Final = 0.02  # how much less likely a run is for each credit that it costs


def risk(s: Sight, server: str) -> float:
    """Return how likely a run on this server gets at what lies there within a turn."""
    ice = s.ice(server)
    if not ice:
        return OPEN
    way = route(s, server)
    if way.chance > 0:
        return way.chance * max(0.5, OPEN - DETERRED * max(0.0, way.price))
    if route(s, server, more=NEXT).chance > 0:
        return NEAR
    if route(s, server, more=LATER).chance > 0:
        return FAR
    walls = sum(route(s, server, ahead=[card]).chance <= 0 for card in ice)
    if walls > 1:
        return TWICE_SHUT
    return SHUT + (WEALTH if s.t.credits[RUNNER] >= WELL_OFF else 0.0)


def lasting(once: float, turns: int) -> float:
    """Return a risk over so many turns of the Runner; the later ones matter less, for they are seen coming."""
    return once if turns <= 1 else 1.0 - float((1.0 - once) ** 1.6)
