"""Getting past one piece of ice: what it costs with this rig, and what it does to somebody who doesn't break it."""

from __future__ import annotations

from dataclasses import dataclass

from game.netrunner import changes
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BRAIN, BREAKERS, CLICK, GAINED, NET, PROGRAM, SUBS, TAG, WIN, Breaker, Sub
from game.netrunner.facts import CODES, FACTS, RUNNER
from game.netrunner.measures import Named
from game.netrunner.queries import amount, applies, server_of
from game.netrunner.state import Card
from game.netrunner.table import entry

CLICKED = -1  # broken by spending clicks on a bioroid
TOLLBOOTH, RAVEN, SUCKER = CODES["Tollbooth"], CODES["Data Raven"], CODES["Datasucker"]
AKITARO = CODES["Akitaro Watanabe"]
NAMED = 3  # of so many cards in a grip, one is of the type that is named
GIVEN = 0.5  # what a credit that the Corp gains costs the Runner, in credits
TOKEN = 0.6  # what a virus counter of Datasucker is worth, in credits


@dataclass(frozen=True, slots=True)
class Crossing:
    """A way past a piece of ice. `subs` are broken with `breaker` (0: none); `harm` is what the others do, in credits.

    `tokens` virus counters weaken it first.
    """

    credits: int
    harm: float
    breaker: int = 0
    subs: tuple[int, ...] = ()
    clicks: int = 0
    tokens: int = 0

    @property
    def price(self) -> float:
        """Return credits, clicks, virus counters and harm together, in credits."""
        return self.credits + CLICK * self.clicks + TOKEN * self.tokens + self.harm


def harm(s: Sight, sub: Sub) -> float:
    """Return what an unbroken subroutine that doesn't end the run costs the Runner, in credits."""
    t = s.t
    hurt = sub.net + sub.brain
    worth = sub.net * NET + sub.brain * BRAIN + sub.tags * TAG + sub.gain * 1.2
    if hurt > len(t.grip):
        worth += WIN / 4
    elif hurt == len(t.grip) and hurt:
        worth += 2.0
    if sub.programs:
        worth += PROGRAM * sub.programs * s.has_programs
    if sub.clicks and t.clicks[RUNNER]:
        worth += CLICK
    chance = sub.chance
    if chance < 1.0:
        chance = max(0.1, chance - 0.15 * s.link)
    return worth * chance


def ice_strength(s: Sight, ice: Card) -> int:
    """Return the strength that a piece of ice has, or will have once it is rezzed and encountered."""
    found = FACTS[ice.code].strength + own_strength(s, ice)
    found += sum(last.n for last in s.t.lasting if last.kind == "strength" and last.target == ice.iid)
    if any(static.kind == "strength-per-advancement" for static in entry(ice.code).static):
        found += ice.advancement
    for source, n, what in s.modifiers:
        here = what == "here ice" and server_of(source) == server_of(ice)
        if here or what == "encountered" or (what == "host" and source.host == ice.iid):
            found += n
    return found


def breaker_strength(s: Sight, breaker: Card) -> int:
    """Return the strength of an icebreaker now."""
    found = FACTS[breaker.code].strength
    found += sum(last.n for last in s.t.lasting if last.kind == "strength" and last.target == breaker.iid)
    found += own_strength(s, breaker)
    return found + sum(n for source, n, what in s.modifiers if what == "host" and source.host == breaker.iid)


def own_strength(s: Sight, card: Card) -> int:
    """Return what a card adds to its own strength; ice that is still to be rezzed as if it were rezzed just now."""
    found = 0
    for static in entry(card.code).static:
        if static.kind == "strength" and static.what == "self":
            known = s.t.cards.get(card.iid)
            if known is None or not known.rezzed or applies(s.t, known, static):
                found += amount(s.t, {"iid": card.iid}, static.n)
    return found


def subs_of(s: Sight, ice: Card) -> tuple[Sub, ...]:
    """Return the subroutines that ice has, with those it has gained or will gain when it is encountered."""
    own, gained = SUBS[ice.code], entry(ice.code).gained
    if gained is None:
        return own
    here = s.t.run is not None and s.t.run.encountering and s.t.run.ice == ice.iid
    n = (
        -(-len(s.t.grip) // NAMED)
        if isinstance(gained.each, Named) and not here
        else amount(s.t, {"iid": ice.iid}, gained.each)
    )
    more = (GAINED[ice.code],) * n
    return (*more, *own) if gained.first else (*own, *more)


def subtypes(s: Sight, ice: Card) -> frozenset[str]:
    """Return the subtypes of ice, with those that it has for a while."""
    printed = FACTS[ice.code].subtypes
    if any(last.kind == "subtypes" and last.target == ice.iid for last in s.t.lasting):
        return printed | {"barrier", "code gate", "sentry"}
    return printed


def tokens(s: Sight) -> int:
    """Return how many virus counters could weaken ice."""
    return sum(card.virus for card in s.rig if card.code == SUCKER)


def crossings(s: Sight, ice: Card, broken: tuple[int, ...] = (), *, met: bool = False) -> list[Crossing]:
    """Return the ways past a known piece of ice, affordable or not; none where it can't be passed.

    `met`: it is being encountered, and what happens at the encounter has happened.
    """
    subs = subs_of(s, ice)
    left = tuple(i for i in range(len(subs)) if i not in broken)
    toll, annoyance = (0, 0.0) if met else (3 * (ice.code == TOLLBOOTH), TAG * (ice.code == RAVEN))
    hurt = {i: harm(s, subs[i]) for i in left}
    ends = any(subs[i].ends for i in left)
    found = [] if ends else [Crossing(toll, annoyance + sum(hurt.values()))]
    for card in s.breakers:
        found += with_breaker(s, card, ice, left, hurt, toll, annoyance)
        if ice.iid in card.note and not met:
            found.append(Crossing(toll + len(subs), annoyance))
    if entry(ice.code).bioroid:
        need = [i for i in left if subs[i].ends or hurt[i] > CLICK]
        rest = sum(hurt[i] for i in left if i not in need)
        found.append(Crossing(toll, rest, CLICKED, tuple(need), clicks=len(need)))
    return found


def with_breaker(
    s: Sight, card: Card, ice: Card, left: tuple[int, ...], hurt: dict[int, float], toll: int, annoyance: float
) -> list[Crossing]:
    """Return the ways past with one icebreaker: all is broken, or what ends the run and hurts, or only what ends it."""
    how = BREAKERS[card.code]
    if how.subtype != "any" and how.subtype not in subtypes(s, ice):
        return []
    lift, used, extra = lifted(s, card, how, ice)
    if lift < 0:
        return []
    subs = subs_of(s, ice)
    if how.moves is not None and card.host != ice.iid:
        lift += how.moves
    extra += GIVEN * how.pays
    each = max(0.5, how.price / how.most)
    need = tuple(i for i in left if subs[i].ends or hurt[i] > each)
    least = tuple(i for i in left if subs[i].ends)
    found = []
    for chosen in dict.fromkeys((need, left, least)):
        rest = sum(hurt[i] for i in left if i not in chosen)
        if not chosen or (chosen == least != need and rest >= WIN / 4):
            continue
        price = lift + how.price * -(-len(chosen) // how.most)
        found.append(Crossing(toll + price, annoyance + rest + extra, card.iid, chosen, tokens=used))
    return found


def lifted(s: Sight, card: Card, how: Breaker, ice: Card) -> tuple[int, int, float]:
    """Return the credits it takes to be strong enough (-1: it can't), virus counters used, and what else it costs."""
    strength = ice_strength(s, ice)
    short = strength - breaker_strength(s, card)
    extra = (1.5 if card.virus else 6.0) if how.counts else 0.0
    if how.weakens:
        first = max(0, short) * how.lift if changes.interface_needs_strength(s.t.version) else 0
        return max(0, strength) + first, 0, 0.0
    if short <= 0:
        return 0, 0, extra
    used = min(short, tokens(s))
    rest = short - used
    if not rest:
        return 0, used, extra
    if not how.step:
        return -1, 0, 0.0
    return -(-rest // how.step) * how.lift, used, extra


def cheapest(found: list[Crossing], credits: int, clicks: int) -> Crossing | None:
    """Return the cheapest way that can be paid."""
    able = [one for one in found if one.credits <= credits and one.clicks <= clicks]
    return min(able, key=lambda one: one.price, default=None)


def can_rez(s: Sight, ice: Card, credits: int) -> bool:
    """Tell whether the Corp could rez a known piece of ice with so many credits."""
    entered = entry(ice.code)
    if entered.rez_forfeit and not s.by_place.get("score:corp"):
        return False
    return cost_to_rez(s, ice) <= credits


def cost_to_rez(s: Sight, ice: Card) -> int:
    """Return what it costs to rez a known card, with what helps in its server."""
    server = server_of(ice)
    roots = s.root(server) if server else []
    helped = 2 * sum(1 for one in roots if one.rezzed and one.code == AKITARO)
    return max(0, FACTS[ice.code].cost - (helped if ice.place.startswith("ice:") else 0))
