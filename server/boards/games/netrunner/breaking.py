"""Matching and breaking all: what it takes a breaker, and the single actions that do it, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from game.contract import Action, OneOf, Subset
from game.netrunner.conditions import Broke
from game.netrunner.costs import available
from game.netrunner.facts import RUNNER
from game.netrunner.places import ref
from game.netrunner.queries import holds, strength, subroutines, subtypes
from game.netrunner.state import Card
from game.netrunner.table import Table, entry, is_able
from game.netrunner.vocabulary import Ability, Break, Cost, If, Last, Trash
from game.netrunner.windows import purpose_of
from server.boards.games.netrunner.scene import Shown, table_of
from server.boards.seats import own_seat

VERB = "break-all"  # begins the part of a row that breaks everything


@dataclass(frozen=True, slots=True)
class Breaking:
    """What one has decided to do: `cost` is the most that it may still take."""

    breaker: int
    ice: int
    cost: int


@dataclass(frozen=True, slots=True)
class Way:
    """How a breaker breaks all that is unbroken: so many pumps, then so many breaks, each an ability with its price."""

    breaker: Card
    pumps: int
    pump_ability: int
    pump_cost: int
    breaks: int
    break_ability: int
    break_cost: int

    @property
    def cost(self) -> int:
        """Return the credits it takes."""
        return self.pumps * self.pump_cost + self.breaks * self.break_cost


def breakable_ice(t: Table) -> Card | None:
    """Return the ice whose subroutines may be broken just now."""
    run = t.run
    if run is None or run.step != "run.3.1" or not run.encountering or run.ice not in t.cards:
        return None
    return t.cards[run.ice]


def unbroken(t: Table, ice: Card) -> list[int]:
    """Return the subroutines that are left, by their place."""
    broken = t.run.broken if t.run is not None else ()
    return [at for at in range(len(subroutines(t, ice))) if at not in broken]


def ways(snapshot: Shown) -> list[Way]:
    """Return for each of the viewer's breakers the cheapest way to break all: the cheapest first, what is lost last."""
    pending = snapshot.pending
    if pending is None or pending.prompt != "window" or own_seat(snapshot) != RUNNER:
        return []
    t = table_of(snapshot)
    found = [way for card in t.active() if card.side == RUNNER and (way := way_of(t, card)) is not None]
    return sorted(found, key=lambda way: (is_lost(t, way.breaker), way.cost, way.pumps + way.breaks))


def is_lost(t: Table, card: Card) -> bool:
    """Tell whether breaking anything now trashes the breaker as the encounter ends."""
    ends = (on for on in entry(card.code).on if on.event == "encounter-ends" and on.when == Broke())
    effects = [effect for on in ends for effect in on.do]
    return any(
        isinstance(one, If) and Trash("self") in one.or_else and not holds(t, one.condition, {"iid": card.iid})
        for one in effects
    )


def way_of(t: Table, card: Card) -> Way | None:
    """Return the cheapest way in which this card breaks all of what is met; None where it can't, or has nothing to."""
    ice = breakable_ice(t)
    if ice is None or not unbroken(t, ice) or not is_able(t, card):
        return None
    lacking, left = strength(t, ice) - strength(t, card), len(unbroken(t, ice))
    found = [
        Way(card, pumps, pump, pump_cost, 1 if most is None else -(-left // most), at, cost)
        for pumps, pump, pump_cost in _matches(t, card, max(0, lacking))
        for at, cost, most in _breaks(t, card, ice)
    ]
    affordable = [way for way in found if way.cost <= available(t, RUNNER, purpose_of(card))]
    return min(affordable, key=lambda way: (way.cost, way.pumps + way.breaks), default=None)


def _is_plain(cost: Cost) -> bool:
    """Tell whether a cost is nothing but credits."""
    return cost == Cost(credits=cost.credits)


def _usable(t: Table, card: Card) -> Iterator[tuple[int, Ability]]:
    for at, ability in enumerate(entry(card.code).abilities):
        if _is_plain(ability.cost) and len(ability.do) == 1 and holds(t, ability.only_if, {"iid": card.iid}):
            yield at, ability


def _matches(t: Table, card: Card, lacking: int) -> Iterator[tuple[int, int, int]]:
    """Yield the ways to be strong enough: how often which ability is used, and what it costs each time."""
    if lacking == 0:
        yield 0, 0, 0
        return
    for at, ability in _usable(t, card):
        match ability.do[0]:
            case Last("strength", int(n), "self", _) if n > 0 and ability.when in ("encounter", "run", "paid"):
                yield -(-lacking // n), at, ability.cost.credits


def _breaks(t: Table, card: Card, ice: Card) -> Iterator[tuple[int, int, int | None]]:
    """Yield the abilities that break this ice: which, what it costs, how many subroutines at most (None: all)."""
    for at, ability in _usable(t, card):
        match ability.do[0]:
            case Break(subtype, most) if ability.when == "break" and (subtype == "any" or subtype in subtypes(t, ice)):
                yield at, ability.cost.credits, most


def goes_on(snapshot: Shown, plan: Breaking) -> bool:
    """Tell whether nothing has come between: the same ice, what was decided is asked, it costs no more than it did."""
    t, pending = table_of(snapshot), snapshot.pending
    ice = breakable_ice(t)
    if pending is None or ice is None or ice.iid != plan.ice or plan.breaker not in t.cards:
        return False
    if pending.prompt in ("pay", "break"):
        return True
    way = way_of(t, t.cards[plan.breaker])
    return pending.prompt == "window" and way is not None and way.cost <= plan.cost


def first(t: Table, way: Way) -> Action:
    """Return the first single action of a way."""
    return Action(f"use {ref(t, way.breaker, RUNNER)} {way.pump_ability if way.pumps else way.break_ability}")


def step(snapshot: Shown, plan: Breaking) -> tuple[Action, Breaking] | None:
    """Return the next single action and what is left to do after it; None where it is not offered."""
    t, pending = table_of(snapshot), snapshot.pending
    ice = breakable_ice(t)
    if pending is None or ice is None or not goes_on(snapshot, plan):
        return None
    match pending.choice:
        case Subset(verb, items, _, most) if pending.prompt == "break":
            wanted = [item for item in items if int(item) in unbroken(t, ice)]
            return Action(" ".join((verb, *wanted[:most]))), plan
        case OneOf(actions) if pending.prompt == "window":
            way = way_of(t, t.cards[plan.breaker])
            if way is None:
                return None
            action, cost = first(t, way), way.pump_cost if way.pumps else way.break_cost
            left = Breaking(plan.breaker, plan.ice, way.cost - cost)
            return (action, left) if action in actions else None
    return None
