"""The greedy player's worths: what looks good now, each action by itself; it reckons no run and makes no plan."""

from __future__ import annotations

from game.netrunner.actions import finds_what_it_chooses
from game.netrunner.bots.corp import is_agenda
from game.netrunner.bots.routes import covered
from game.netrunner.bots.runner import code_of
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, INSTALLED, NEVER, PLAYED, WIN
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.places import find
from game.netrunner.queries import hand_size, requirement
from game.netrunner.table import CENTRALS

SCORCHED = CODES["Scorched Earth"]
RICH, POOR = 8, 5  # credits


def greedy_corp(s: Sight, words: list[str]) -> float:
    """Return what an action is worth to a greedy Corp: money, ice on everything, agendas behind ice, advancing."""
    credits = s.t.credits[CORP]
    match words[0]:
        case "credit":
            return 2.5 if credits < POOR else 0.8
        case "draw":
            return 1.2 if len(s.t.hq) < 5 else 0.3
        case "install":
            return NEVER if "trash" in words else greedy_install(s, code_of(words[1]), words[2])
        case "advance":
            card = find(s.t, words[1], CORP)
            return 4.0 if card is not None and is_agenda(card) and card.advancement < requirement(s.t, card) else NEVER
        case "play":
            code = code_of(words[1])
            if not finds_what_it_chooses(s.t, CORP, code):
                return NEVER
            deadly = code == SCORCHED and len(s.t.grip) < 4
            return WIN if deadly else PLAYED.get(code, 0.9)
        case "use":
            return 1.6
    return NEVER


def greedy_install(s: Sight, code: str, server: str) -> float:
    """Return what an install is worth: ice where there is none, everything else once."""
    guards = len(s.ice(server))
    match FACTS[code].type:
        case "ice":
            wanted = 3.2 if server in ("hq", "rd") or s.root(server) else 1.0
            return (wanted - 1.0 * guards) if server != "archives" else NEVER
        case "agenda":
            pending = any(is_agenda(card) for card in s.t.cards.values())
            return 3.0 if guards else 0.5 if pending else 2.0
        case "asset":
            return 1.5 if server == "new" else 0.5
    return 0.9 if guards else NEVER


def greedy_runner(s: Sight, words: list[str]) -> float:
    """Return what an action is worth to a greedy Runner: money, a rig, and runs wherever something may be had."""
    credits = s.t.credits[RUNNER]
    match words[0]:
        case "credit":
            return 1.5 if credits < POOR else 0.9
        case "draw":
            return 2.6 if len(s.t.grip) < spare_cards(s) else 0.6
        case "play":
            return PLAYED.get(code_of(words[1]), 1.0)
        case "install":
            return NEVER if "trash" in words else greedy_rig(s, code_of(words[1]))
        case "remove-tag":
            return 2.0
        case "run":
            return greedy_run(s, words[1])
        case "use":
            return 1.6 if credits < RICH else 0.9
    return NEVER


def greedy_rig(s: Sight, code: str) -> float:
    """Return what an install is worth: what the rig doesn't have yet."""
    if any(card.code == code for card in s.rig):
        return 0.2
    if code in BREAKERS:
        return 1.0 if BREAKERS[code].subtype in covered(s) else 3.0
    return min(2.5, INSTALLED.get(code, 0.5))


def spare_cards(s: Sight) -> int:
    """Return how many cards a greedy Runner holds before running: who deals in net damage kills with three."""
    return 4 if FACTS[s.t.identities[CORP]].faction == "jinteki" else 3


def greedy_run(s: Sight, server: str) -> float:
    """Return what a run is worth: the less ice is in the way, the more; not twice a turn, not into what stopped it."""
    if s.t.stack and len(s.t.grip) < min(spare_cards(s), hand_size(s.t, RUNNER)):
        return NEVER
    worth = {"hq": 2.2, "rd": 2.4, "archives": 0.1}.get(server, 0.2)
    if server not in CENTRALS:
        hidden = [card for card in s.root(server) if s.code(card) == HIDDEN or is_agenda(card)]
        worth = max((2.5 + card.advancement for card in hidden), default=0.2)
    kinds = covered(s)
    for ice in s.ice(server):
        known = s.code(ice) != HIDDEN
        stops = known and ice.rezzed and not kinds & FACTS[ice.code].subtypes
        worth -= 4.0 if stops else 0.4 if known else 0.3
    return worth - 1.2 * s.t.this_turn.count(f"run:{server}")
