"""What a whole run costs: the ice on the way, seen and unseen, and how likely one gets through."""

from __future__ import annotations

from dataclasses import dataclass

from game.netrunner.bots.crossing import TOKEN, Crossing, can_rez, cheapest, cost_to_rez, crossings, harm, subs_of
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS
from game.netrunner.costs import available
from game.netrunner.facts import CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.state import Card

KINDS = (("barrier", 0.4, 1.0), ("code gate", 0.3, 1.0), ("sentry", 0.3, 0.35))  # share of ice, how often it ends runs
UNSEEN_PRICE = 3.5  # what breaking ice that the Runner hasn't seen costs on average, in credits


@dataclass(frozen=True, slots=True)
class Route:
    """A run as it is expected: `chance` to get in, what it costs the Runner, and the Corp (`tax`, in credits)."""

    chance: float
    credits: float = 0.0
    clicks: float = 0.0
    harm: float = 0.0
    tax: float = 0.0

    @property
    def price(self) -> float:
        """Return what it costs the Runner, in credits, besides the click to begin it."""
        return self.credits + 1.5 * self.clicks + self.harm - self.tax


def purse(s: Sight) -> int:
    """Return the credits that the Runner could break ice with in a run."""
    if "purse" not in s.noted:
        s.noted["purse"] = available(s.t, RUNNER, "icebreaker") + (s.t.bad_publicity if s.t.run is None else 0)
    return s.noted["purse"]


def route(s: Sight, server: str, *, ahead: list[Card] | None = None, free: int = 0, more: int = 0) -> Route:
    """Return what a run on a server costs the Runner.

    `ahead` is the ice still to pass, innermost first, where it is not all of it. The first `free` pieces encountered
    are bypassed; `more` credits come on top of the Runner's own.
    """
    budget, clicks = purse(s) + more, s.t.clicks[RUNNER] - (s.t.run is None)
    if s.t.turn == CORP:
        budget, clicks = budget + 2, 3  # in the Runner's turn to come: two credits taken first, three clicks left
    corp = s.t.credits[CORP]
    found = Route(1.0)
    for ice in reversed(s.ice(server) if ahead is None else ahead):
        if s.code(ice) == HIDDEN:
            found, corp = unseen(s, found, budget, corp)
            continue
        if not ice.rezzed:
            if not can_rez(s, ice, corp):
                continue
            corp -= cost_to_rez(s, ice)
        if free:
            free -= 1
            continue
        way = cheapest(ways_past(s, ice), budget - int(found.credits), clicks - int(found.clicks))
        if way is None:
            return Route(0.0, found.credits, found.clicks, found.harm + pain(s, ice), found.tax)
        found = past(found, way, 0.0 if ice.rezzed else 0.5 * cost_to_rez(s, ice))
    return found


def ways_past(s: Sight, ice: Card) -> list[Crossing]:
    """Return the ways past a piece of ice that is not encountered yet, cached in the sight."""
    key = (ice.iid, ice.code, ice.place)
    if key not in s.ways:
        s.ways[key] = crossings(s, ice)
    found: list[Crossing] = s.ways[key]
    return found


def past(found: Route, way: Crossing, tax: float) -> Route:
    """Return a route that goes on past a piece of ice."""
    harm = way.harm + TOKEN * way.tokens
    return Route(
        found.chance, found.credits + way.credits, found.clicks + way.clicks, found.harm + harm, found.tax + tax
    )


def pain(s: Sight, ice: Card) -> float:
    """Return what the harm of ice that can't be passed costs a Runner who runs into it, in credits."""
    total = 0.0
    for sub in subs_of(s, ice):
        total += harm(s, sub)
        if sub.ends:
            break
    return total


def covered(s: Sight) -> set[str]:
    """Return the kinds of ice that the rig can break."""
    kinds = {BREAKERS[card.code].subtype for card in s.breakers if card.code in BREAKERS}
    return {"barrier", "code gate", "sentry"} if "any" in kinds else kinds


def unseen(s: Sight, found: Route, budget: int, corp: int) -> tuple[Route, int]:
    """Return the route past ice that the Runner hasn't seen, and the credits that the Corp keeps on average."""
    rezzed = min(0.85, corp / 5)
    kinds = covered(s)
    short = budget - found.credits < UNSEEN_PRICE
    blocked = sum(often * ends for kind, often, ends in KINDS if kind not in kinds or short)
    hurt = sum(often * (1 - ends) for kind, often, ends in KINDS if kind not in kinds or short)
    open_ = 1 - blocked - hurt
    fragile = 12.0 if len(s.t.grip) < 3 and FACTS[s.t.identities[CORP]].faction == "jinteki" else 0.0
    after = Route(
        found.chance * (1 - rezzed * blocked),
        found.credits + rezzed * open_ * UNSEEN_PRICE,
        found.clicks,
        found.harm + found.chance * rezzed * (hurt * 5.0 + fragile * 0.3),
        found.tax + rezzed * 1.6,
    )
    return after, corp - round(rezzed * 3)
