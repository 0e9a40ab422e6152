"""What may be done between actions: rezzing, scoring, breaking, the few abilities that are worth a thought."""

from __future__ import annotations

from dataclasses import replace

from game.netrunner import changes
from game.netrunner.bots.corp import CorpPlans, is_burning
from game.netrunner.bots.crossing import CLICKED, cost_to_rez
from game.netrunner.bots.prizes import BAIT_CODES, prize
from game.netrunner.bots.routes import purse, route
from game.netrunner.bots.runner import RunnerPlans
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, INSTALLED, NEVER, REZZED_FOR, WIN, moves_itself
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER
from game.netrunner.places import find
from game.netrunner.queries import amount, server_of, strength
from game.netrunner.state import Card
from game.netrunner.table import entry
from game.netrunner.vocabulary import Break, Draw, Effects, May, TakeAll

NISEI, ASTRO, RAVEN = CODES["Nisei MK II"], CODES["AstroScript Pilot Program"], CODES["Data Raven"]
SUCKER, MELANGE, SANSAN = CODES["Datasucker"], CODES["Melange Mining Corp."], CODES["SanSan City Grid"]
USEFUL, WORTH_GUARDING = 2.0, 3.0  # credits: what is rezzed for what it does, and for what prize in its server
HOARD = 6  # hosted credits for which a card is given up
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
    if card.code == MELANGE:
        return 2.0 if run is None and s.t.turn == CORP and s.t.clicks[CORP] >= 3 and spare < 12 else NEVER
    if card.code in BAIT_CODES:
        return NEVER
    if card.code == SANSAN:
        return 4.0 if s.t.turn == CORP and has_agenda(s, server_of(card)) and spare >= 2 else NEVER
    if REZZED_FOR[card.code] and INSTALLED.get(card.code, 0.0) >= USEFUL and spare >= 0:
        return 2.0 if is_due(s, card, spare) else NEVER
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


def is_due(s: Sight, card: Card, spare: int) -> bool:
    """Tell whether an asset or upgrade is worth rezzing now, from when its entry says that it does something."""
    run, server = s.t.run, server_of(card)
    match REZZED_FOR[card.code]:
        case "turn":
            return run is None and (s.t.turn == RUNNER or s.t.clicks[CORP] == 0 or spare >= 3)
        case "score":
            plans = CorpPlans(s)
            near = [one for one in s.root(server) if 0 < plans.left(one) <= s.t.clicks[CORP] + plans.boosts()]
            return run is None and s.t.turn == CORP and spare >= 1 and bool(near)
        case "rig":
            return any(FACTS[one.code].type == "resource" and INSTALLED.get(one.code, 0) >= USEFUL for one in s.rig)
    if run is None or run.server != server or prize(s, server) < WORTH_GUARDING:
        return False
    ahead = [one for one in s.ice(server) if one.iid not in run.passed and one.iid != run.ice]
    return not ahead and any(bites(s, on.do) for on in entry(card.code).on)


def bites(s: Sight, effects: Effects) -> bool:
    """Tell whether what an upgrade does in a run does anything now: a price with a measure may be nothing."""
    prices = [one.cost for one in effects if isinstance(one, May) and one.cost.per is not None]
    return all(one.per is not None and amount(s.t, {}, one.per) > 0 for one in prices)


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
    card = find(s.t, words[1], RUNNER)
    worth = runner_use(s, card, int(words[2])) if card is not None and card.side == RUNNER else None
    if worth is not None:
        return worth
    plan = RunnerPlans(s).crossing()
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


def runner_use(s: Sight, card: Card, index: int) -> float | None:
    """Return what an ability that has nothing to do with ice is worth to the Runner; None for others."""
    ability = entry(card.code).abilities[index]
    first = ability.do[0]
    if isinstance(first, TakeAll):
        wanted = HOARD if s.t.credits[RUNNER] >= 4 else HOARD // 2
        return 1.0 if s.t.turn == RUNNER and s.t.run is None and card.credit >= wanted else NEVER
    if isinstance(first, Draw) and ability.cost.counter:
        return 1.0 if len(s.t.grip) < 5 and s.t.stack else NEVER
    return None


def breaking(s: Sight, card: Card, index: int) -> float:
    """Return what using this ability of the chosen icebreaker is worth: break if it can, else get there."""
    assert s.t.run is not None
    ability, ice = entry(card.code).abilities[index], s.t.cards[s.t.run.ice]
    how = BREAKERS[card.code]
    if isinstance(ability.do[0], Break):
        return 5.0
    if moves_itself(ability):
        return 4.5 if card.host != ice.iid else NEVER
    if how.moves is not None and card.host != ice.iid:
        return NEVER
    short = strength(s.t, card) < strength(s.t, ice)
    if how.weakens:
        grows = short and changes.interface_needs_strength(s.t.version)
        return 4.0 if getattr(ability.do[0], "on", "") == ("self" if grows else "ice") and purse(s) > 3 else NEVER
    return 4.0 if short and getattr(ability.do[0], "on", "") == "self" else NEVER
