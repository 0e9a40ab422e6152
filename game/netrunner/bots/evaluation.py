"""What the end of a play-out is worth to the Runner, in credits; to the Corp it is worth the opposite."""

from __future__ import annotations

from dataclasses import dataclass

from game.netrunner.bots.corp import TURN, is_agenda
from game.netrunner.bots.crossing import cost_to_rez, subs_of
from game.netrunner.bots.prizes import prize
from game.netrunner.bots.routes import covered, route
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, BURNS, INSTALLED, POINT, SHOTS
from game.netrunner.facts import CORP, FACTS, RUNNER
from game.netrunner.queries import is_tagged, requirement
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, Table

WON = 150.0
SURE, SOON = 0.95, 0.75  # what an agenda counts that can be scored this turn, or later; a scored one counts 1
KIND = 4.0  # what being able to break a kind of ice is worth
# How likely an agenda is stolen, as counted in many matches: the Runner gets in as things are, with four credits more,
# with nine, one piece of ice too strong, two.
OPEN, NEAR, FAR, SHUT, TWICE_SHUT = 0.82, 0.47, 0.24, 0.2, 0.05
WELL_OFF, WEALTH = 8, 0.12  # credits with which the Runner more likely finds a breaker in time, and how much more
NEXT, LATER = 4, 9  # credits that the Runner may come by in a turn, and with luck
DETERRED = 0.02  # how much less likely a run is for each credit that it costs


@dataclass(frozen=True, slots=True)
class EvaluationWeights:
    """What a prize in a central server counts, and how much more each of the Corp's first six credits."""

    central: float = 0.8
    first: float = 0.0


PLAIN = EvaluationWeights()


def value(t: Table, weights: EvaluationWeights = PLAIN) -> float:
    """Return what a position is worth to the Runner."""
    if t.outcome is not None:
        return WON if t.outcome[0] == RUNNER else -WON
    if is_dead(t):
        return -WON
    s = Sight(t, CORP)
    return points_worth(s) + runner_worth(s) - corp_worth(s, weights) + servers_worth(s, weights)


def is_dead(t: Table) -> bool:
    """Tell whether the Corp, whose turn begins, kills a tagged Runner with what it holds and has scored."""
    if not is_tagged(t):
        return False
    clicks, credits, hurt = TURN, t.credits[CORP], 0
    for code in t.hq:
        if code in BURNS and clicks and FACTS[code].cost <= credits:
            clicks, credits, hurt = clicks - 1, credits - FACTS[code].cost, hurt + BURNS[code]
    shot = max((SHOTS.get(card.code, 0) for card in t.cards.values() if card.place == "score:corp"), default=0)
    return hurt + clicks * shot > len(t.grip)


def points_worth(s: Sight) -> float:
    """Return what the agenda points are worth: the nearer to winning, the more."""
    corp, runner = s.scores
    return POINT * (runner - corp) * 1.2 + 0.6 * (runner * runner - corp * corp)


def purse_worth(credits: int) -> float:
    """Return what a pool of credits is worth."""
    return credits if credits <= 8 else 8 + 0.6 * (credits - 8) if credits <= 20 else 15.2 + 0.3 * (credits - 20)


def runner_worth(s: Sight) -> float:
    """Return what the Runner has."""
    t = s.t
    total = purse_worth(t.credits[RUNNER]) + 1.1 * min(len(t.grip), 5) - 2.4 * t.tags - 5.0 * t.brain
    total += KIND * len(covered(s))
    for card in s.rig:
        how = BREAKERS.get(card.code)
        total += 0.35 * FACTS[card.code].cost if how is not None else 0.8 * INSTALLED.get(card.code, 0.5)
        total += 0.35 * card.credit + 0.5 * card.virus
    return total


def corp_worth(s: Sight, weights: EvaluationWeights) -> float:
    """Return what the Corp has on the table and in its pool; what lies in its servers is judged with them."""
    t = s.t
    total = purse_worth(t.credits[CORP]) + weights.first * min(t.credits[CORP], 6)
    total += 0.7 * min(len(t.hq), 5) - 1.0 * t.bad_publicity
    for card in t.cards.values():
        if card.place.startswith("ice:"):
            total += ice_worth(s, card)
        elif card.place.startswith("root:") and not is_agenda(card):
            earned = 0.35 * card.credit if card.rezzed else 0.4 * FACTS[card.code].cost * -1
            total += 0.9 * INSTALLED.get(card.code, 0.5) + earned
    return total


def ice_worth(s: Sight, card: Card) -> float:
    """Return what ice is worth by itself, whatever it guards."""
    stops = any(sub.ends for sub in subs_of(s, card))
    cost = FACTS[card.code].cost
    worth = 1.0 + 0.4 * cost + 0.6 * stops + 0.3 * card.advancement
    return worth if card.rezzed else worth - 0.8 * cost_to_rez(s, card) * 0.5


def servers_worth(s: Sight, weights: EvaluationWeights) -> float:
    """Return what the Runner may soon get out of the servers, less what the Corp may soon score in them."""
    total = 0.0
    for server in s.servers:
        way = route(s, server)
        gain = prize(s, server)
        if server in CENTRALS:
            total += weights.central * max(0.0, way.chance * gain - 0.7 * way.price)
            continue
        for card in s.root(server):
            if is_agenda(card):
                total += agenda_at_stake(s, card)
    return total


def agenda_at_stake(s: Sight, card: Card) -> float:
    """Return what an installed agenda is worth to the Runner: stolen, less scored.

    The Corp's turn begins: what lacks no more than its clicks and credits is scored at once.
    """
    points = FACTS[card.code].points
    left = max(0, requirement(s.t, card) - card.advancement)
    if left <= TURN and left <= s.t.credits[CORP]:
        return -SURE * (WON if points >= s.needs(CORP) else POINT * points * 1.2)
    turns = 1 if left <= 2 * TURN and left <= s.t.credits[CORP] + 1 else 2
    stolen = lasting(risk(s, card.place[5:]), turns)
    return POINT * points * 1.2 * (stolen - (1 - stolen) * SOON)


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
