"""What may be done between actions: rezzing, scoring, breaking, the few abilities that are worth a thought."""

from __future__ import annotations

from dataclasses import replace

from game.netrunner.bots.corp import CorpPlans, is_burning
from game.netrunner.bots.crossing import CLICKED, cost_to_rez
from game.netrunner.bots.prizes import BAIT_CODES, prize
from game.netrunner.bots.routes import purse, route
from game.netrunner.bots.runner import RunnerPlans
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, NEVER, WIN
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER
from game.netrunner.places import find
from game.netrunner.queries import server_of, strength
from game.netrunner.state import Card
from game.netrunner.table import entry
from game.netrunner.vocabulary import Break

NISEI, ASTRO, RAVEN = CODES["Nisei MK II"], CODES["AstroScript Pilot Program"], CODES["Data Raven"]
SUCKER, MELANGE, SANSAN = CODES["Datasucker"], CODES["Melange Mining Corp."], CODES["SanSan City Grid"]
EARNERS = frozenset(CODES[name] for name in ("PAD Campaign", "Adonis Campaign"))
HERRINGS, DATA, AKITARO = CODES["Red Herrings"], CODES["Experiential Data"], CODES["Akitaro Watanabe"]


def corp_window(s: Sight, words: list[str]) -> float:
    """Return what acting in a window is worth to the Corp; passing is worth nothing."""
    match words[0]:
        case "pass":
            return 0.0
        case "score":
            return WIN
        case "rez":
            card = find(s.t, words[1], CORP)
            return NEVER if card is None else rez(s, card)
        case "use":
            card = find(s.t, words[1], CORP)
            return NEVER if card is None else corp_use(s, card)
    return NEVER


def corp_use(s: Sight, card: Card) -> float:
    """Return what using an ability is worth to the Corp."""
    run = s.t.run
    if card.code == ASTRO and s.t.turn == CORP and run is None:
        plans = CorpPlans(s)
        target = plans.best_target()
        near = target is not None and plans.left(target) <= s.t.clicks[CORP] + plans.boosts()
        return 20.0 if near else NEVER
    if card.code == NISEI and run is not None:
        last_chance = run.step == "run.5.3" and not run.ended
        return prize(s, run.server) - 3.0 if last_chance else NEVER
    if card.code == RAVEN:
        useful = is_burning(s.t) or bool(s.t.hq.count(CODES["Scorched Earth"])) or s.t.clicks[CORP] > 1
        return 2.0 if s.t.turn == CORP and run is None and useful else NEVER
    return NEVER


def rez(s: Sight, card: Card) -> float:
    """Return what rezzing a card now is worth."""
    if card.place.startswith("ice:"):
        return rez_ice(s, card)
    run, spare = s.t.run, s.t.credits[CORP] - FACTS[card.code].cost
    if card.code in EARNERS:
        due = run is None and (s.t.turn == RUNNER or s.t.clicks[CORP] == 0 or spare >= 3)
        return 2.0 if due and spare >= 0 else NEVER
    if card.code == MELANGE:
        return 2.0 if run is None and s.t.turn == CORP and s.t.clicks[CORP] >= 3 and spare < 12 else NEVER
    if card.code in BAIT_CODES:
        return NEVER
    if card.code == SANSAN:
        return 4.0 if s.t.turn == CORP and has_agenda(s, server_of(card)) and spare >= 2 else NEVER
    if run is None or server_of(card) != run.server:
        return NEVER
    if card.code == HERRINGS:
        return 4.0 if run.step >= "run.5" and has_agenda(s, run.server, hand=True) else NEVER
    ahead = [one for one in s.ice(run.server) if one.iid not in run.passed]
    if card.code == DATA:
        return 1.5 if any(one.rezzed for one in ahead) and spare >= 2 else NEVER
    if card.code == AKITARO:
        return 1.5 if any(not one.rezzed and cost_to_rez(s, one) >= 2 for one in ahead) else NEVER
    return NEVER


def has_agenda(s: Sight, server: str, hand: bool = False) -> bool:
    """Tell whether an agenda lies in a server (or in HQ)."""
    if hand and server == "hq":
        return any(FACTS[code].type == "agenda" for code in s.t.hq)
    return any(FACTS[card.code].type == "agenda" for card in s.root(server))


def rez_ice(s: Sight, card: Card) -> float:
    """Return what rezzing the approached ice is worth: what the Runner loses by it, and that it is there for good."""
    run = s.t.run
    if run is None:
        return NEVER
    column = s.ice(run.server)
    inner = column[: next(i for i, one in enumerate(column) if one.iid == card.iid)]
    goal = "hq" if "to-hq" in run.mods else run.server
    at_stake = prize(s, goal) + (8.0 if "siphon" in run.mods and s.t.credits[CORP] > 1 else 0.0)
    free = 1 if "inside-job" in run.mods and not run.encountered else 0
    without = route(s, run.server, ahead=inner, free=free)
    within = route(s, run.server, ahead=[*inner, replace(card, rezzed=True)], free=free)
    saved = (without.chance - within.chance) * at_stake
    taxed = max(0.0, within.price - without.price) * 0.6
    cost = cost_to_rez(s, card) * CorpPlans(s).credit + (12.0 if entry(card.code).rez_forfeit else 0.0)
    lasting = (0.8 + 0.28 * cost_to_rez(s, card)) * (1.0 if run.server != "archives" else 0.2)
    return saved + taxed + lasting - cost


def runner_window(s: Sight, words: list[str]) -> float:
    """Return what acting in a window is worth to the Runner: breaking as planned, nothing else."""
    if words[0] != "use":
        return 0.0
    plan = RunnerPlans(s).crossing()
    card = find(s.t, words[1], RUNNER)
    if plan is None or card is None or s.t.run is None:
        return NEVER
    breaker, subs, tokens = plan
    if card.side == CORP:
        return 5.0 if breaker == CLICKED and int(words[2]) in subs else NEVER
    if card.code == SUCKER:
        return 6.0 if tokens else NEVER
    if card.iid != breaker or not subs:
        return NEVER
    return breaking(s, card, int(words[2]))


def breaking(s: Sight, card: Card, index: int) -> float:
    """Return what using this ability of the chosen icebreaker is worth: break if it can, else get there."""
    assert s.t.run is not None
    ability, ice = entry(card.code).abilities[index], s.t.cards[s.t.run.ice]
    if isinstance(ability.do[0], Break):
        return 5.0
    how = BREAKERS[card.code]
    if how.weakens:
        return 4.0 if getattr(ability.do[0], "on", "") == "ice" and purse(s) > 3 else NEVER
    short = strength(s.t, card) < strength(s.t, ice)
    return 4.0 if short and getattr(ability.do[0], "on", "") == "self" else NEVER
