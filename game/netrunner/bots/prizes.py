"""What lies in a server: what it is worth to the Runner to get in, as either side can know it."""

from __future__ import annotations

from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import NET, POINT
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.queries import steal_cost
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, entry

MEDIUM, SNARE = CODES["Medium"], CODES["Snare!"]
TRASHED = {CODES[name]: n for name, n in {"PAD Campaign": 4.0, "Adonis Campaign": 6.0, "SanSan City Grid": 7.0}.items()}
MELANGE = CODES["Melange Mining Corp."]
BAITS = {"jinteki": "Project Junebug", "haas-bioroid": "Aggressive Secretary", "nbn": "Ghost Branch"}
LOST = 40.0  # what a flatline that is risked counts, in credits
LAST = 60.0  # what the agenda that wins the match is worth besides its points, in credits
ENOUGH = {2: 0.8, 3: 0.35}  # the share of agendas in the game's own decks with so many points or more


def agenda_worth(s: Sight, points: float) -> float:
    """Return what stealing so many points is worth to the Runner."""
    needs, theirs = s.needs(RUNNER), s.needs(CORP)
    worth = points * POINT * (1.0 + 0.08 * (7 - needs)) * (1.25 if theirs <= 2 else 1.0)
    return worth + (LAST if points >= needs else 0.0)


def steal_worth(s: Sight, code: str) -> float:
    """Return what stealing this agenda is worth to the Runner; nothing where what it costs in damage flatlines."""
    hurt = damage_to_steal(code)
    return 0.0 if hurt > len(s.t.grip) else agenda_worth(s, FACTS[code].points) - NET * hurt


def damage_to_steal(code: str) -> int:
    """Return the net damage that must be suffered to steal this agenda."""
    return entry(code).steal.net


def access_worth(s: Sight, density: float) -> float:
    """Return what accessing one card of such a density of points is worth; any agenda may be the last one needed."""
    often = min(1.0, density / 1.9)
    return often * (agenda_worth(s, 1.9) + LAST * ENOUGH.get(s.needs(RUNNER), 0.0)) + 0.25


def prize(s: Sight, server: str, more: int = 0) -> float:
    """Return what getting into a server is worth to the Runner; `more` cards are accessed than usual."""
    if server in CENTRALS:
        return max(0.0, central(s, server, more) + sum(root_worth(s, card) for card in s.root(server)))
    return max(0.0, sum(root_worth(s, card) for card in s.root(server)))


def central(s: Sight, server: str, more: int) -> float:
    """Return what the cards of a central server are worth."""
    if server == "archives":
        return archives(s)
    if server == "rd":
        more += sum(card.virus for card in s.rig if card.code == MEDIUM)
        return sum(card_worth(s, code, s.density) for code in s.seen_in("rd")[: 1 + more])
    worths = [card_worth(s, code, s.density) for code in s.seen_in("hq")]
    return min(1 + more, len(worths)) * sum(worths) / max(1, len(worths))


def card_worth(s: Sight, code: str, density: float) -> float:
    """Return what accessing a card of HQ or R&D is worth; what is not known may be an agenda, or an ambush."""
    if code == HIDDEN:
        return access_worth(s, density) - trap(s)
    printed = FACTS[code]
    if printed.type == "agenda":
        return steal_worth(s, code)
    if code == SNARE and s.seat == RUNNER and s.t.credits[CORP] >= 4:
        return -LOST if len(s.t.grip) < 3 else -7.0
    return 0.0


def archives(s: Sight) -> float:
    """Return what Archives are worth: agendas face up, and what may lie face down."""
    down = sum(1 for _, up in s.t.archives if not up)
    known = sum(FACTS[code].points for code, up in s.t.archives if up)
    if s.seat == CORP:
        known, down = sum(FACTS[code].points for code, _ in s.t.archives), 0
    return agenda_worth(s, known) if known else down * access_worth(s, s.density * 0.8)


def trap(s: Sight) -> float:
    """Return what the risk of an ambush among hidden cards costs."""
    t = s.t
    if FACTS[t.identities[CORP]].faction != "jinteki" or t.credits[CORP] < 4 or s.seat == CORP:
        return 0.0
    return 0.06 * (LOST if len(t.grip) < 3 else 7.0)


def root_worth(s: Sight, card: Card) -> float:
    """Return what a card in a root is worth to a Runner who accesses it."""
    t = s.t
    code = s.code(card)
    if code == HIDDEN:
        return hidden_worth(s, card)
    printed = FACTS[code]
    if printed.type == "agenda":
        dear = max(0, steal_cost(t, card.place[5:]))
        return steal_worth(s, code) * (1.0 + 0.1 * card.advancement) - dear
    if code in BAIT_CODES and not card.rezzed:
        return -bait_harm(s, card) if s.seat == RUNNER else -3.0
    if printed.trash is None or printed.trash > t.credits[RUNNER]:
        return 0.0
    gain = 3.5 if code == MELANGE else TRASHED.get(code, 1.5)
    return max(0.0, gain - 0.8 * printed.trash)


BAIT_CODES = frozenset(code for code, facts in FACTS.items() if facts.type == "asset" and "ambush" in facts.subtypes)


def hidden_worth(s: Sight, card: Card) -> float:
    """Return what an unseen card in a root is worth to the Runner: an agenda, a bait, or something that earns."""
    if not card.place.startswith("root:remote"):
        return 0.4
    guarded = bool(s.ice(card.place[5:]))
    kin = FACTS[s.t.identities[CORP]].faction
    if card.advancement:
        bait = 0.25 if kin in BAITS else 0.0
        worth = (1 - bait) * agenda_worth(s, 2.1) * (1.15 + 0.1 * card.advancement)
        return worth - bait * bait_harm(s, card)
    often = 0.5 if guarded else 0.22
    return often * agenda_worth(s, 1.9) + (1 - often) * 1.0 - trap(s) * 1.5


def bait_harm(s: Sight, card: Card) -> float:
    """Return what the harm of an advanced ambush costs the Runner, in credits."""
    match FACTS[s.t.identities[CORP]].faction:
        case "jinteki":
            hurt = 2 * card.advancement
            return LOST if hurt > len(s.t.grip) else 1.7 * hurt
        case "nbn":
            return 2.5 * card.advancement
        case "haas-bioroid":
            return 4.0 * min(card.advancement, sum(1 for one in s.rig if FACTS[one.code].type == "program"))
    return 0.0
