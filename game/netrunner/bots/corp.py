"""The Corp's plans: what each action is worth in credits, a click being about one."""

from __future__ import annotations

from functools import cached_property

from game.netrunner import vocabulary as v
from game.netrunner.actions import finds_what_it_chooses
from game.netrunner.bots.crossing import can_rez, cost_to_rez, subs_of
from game.netrunner.bots.prizes import BAIT_CODES, access_worth, agenda_worth, prize
from game.netrunner.bots.routes import Route, route
from game.netrunner.bots.runner import code_of, credit_worth
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import CLICK, INSTALLED, NEVER, PLAYED, POINT, WIN
from game.netrunner.facts import CODES, CORP, FACTS, RUNNER, plain_title
from game.netrunner.measures import Measure
from game.netrunner.places import find
from game.netrunner.queries import amount, hand_size, is_tagged, requirement
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, Table, entry
from game.netrunner.vocabulary import Ability, Effect

SCORCHED, ASTRO = CODES["Scorched Earth"], CODES["AstroScript Pilot Program"]
SANSAN = CODES["SanSan City Grid"]
MEDIUM = CODES["Medium"]
TURN = 3  # clicks of a turn
ADVANCED = 1.2  # what an advancement that comes with an install is worth
DEAR = 9.0  # cards worth so many credits are never trashed to make room
NEW = -1  # the id of a card that is not installed yet


class CorpPlans:
    """One look at the Corp's own turn."""

    def __init__(self, s: Sight) -> None:
        self.s = s
        self.t: Table = s.t
        self.credits, self.clicks = s.t.credits[CORP], s.t.clicks[CORP]
        self.exposed: dict[tuple[str, str], float] = {}  # by server, and the ice that would be installed there
        self.prizes: dict[str, float] = {}

    @cached_property
    def credit(self) -> float:
        """Return what a credit is worth: more while ice waits to be rezzed."""
        waiting = sum(cost_to_rez(self.s, card) for card in self.t.cards.values() if is_waiting(card))
        return credit_worth(self.credits - min(5, waiting // 2))

    def worth(self, words: list[str]) -> float:
        """Return what an action is worth."""
        match words[0]:
            case "credit":
                return self.credit
            case "draw":
                return self.draws(1)
            case "install":
                lost = self.lost(words[3:])
                return self.install(code_of(words[1]), words[2]) - lost if lost < DEAR else NEVER
            case "advance":
                return self.advance(words[1])
            case "play":
                return self.play(code_of(words[1]))
            case "trash-resource":
                card = find(self.t, words[1], CORP)
                return INSTALLED.get(card.code, 1.0) * 0.8 + 0.2 * card.credit - 2 * self.credit if card else NEVER
            case "purge":
                return self.purge()
            case "use":
                return self.use(words)
        return 0.0

    # Money and cards.

    @cached_property
    def agendas(self) -> list[str]:
        """Return the agendas in HQ."""
        return [code for code in self.t.hq if FACTS[code].type == "agenda"]

    @cached_property
    def crowded(self) -> float:
        """Return what it is worth to get a card out of an HQ that is so full that cards will be discarded."""
        return 0.9 if len(self.t.hq) + 1 > hand_size(self.t, CORP) else 0.0

    def draws(self, n: int) -> float:
        """Return what drawing n cards is worth: less when HQ fills up, and nothing when R&D runs out."""
        held = len(self.t.hq)
        if len(self.t.rd) <= n + 1:
            return NEVER
        lacks_ice = not any(FACTS[code].type == "ice" for code in self.t.hq)
        each = 1.5 if held < 3 else 1.0 if held < hand_size(self.t, CORP) else 0.1
        each += 0.5 * lacks_ice + 0.3 * (not self.agendas and held < 5)
        each += 0.5 * (self.credits > 12 and held < 5)
        over = max(0, held + n - hand_size(self.t, CORP) - self.clicks + 1)
        return each * n - 0.9 * over

    def play(self, code: str) -> float:
        """Return what playing an operation is worth."""
        if not finds_what_it_chooses(self.t, CORP, code):
            return NEVER
        match plain_title(FACTS[code].title):
            case "Scorched Earth":
                return self.burn(code)
            case "SEA Source":
                return self.hunt()
            case "Neural EMP":
                return WIN if not self.t.grip else 1.0 + 1.2 * (len(self.t.grip) < 3) - 2 * self.credit * 0.5
            case "Closed Accounts":
                return 0.55 * self.t.credits[RUNNER] - 1.0
            case "Biotic Labor":
                return self.labour()
            case "Psychographics":
                return 2.0 * self.t.tags if self.best_target() else NEVER
            case "Archived Memories":
                return 3.5 if any(FACTS[c].type == "agenda" for c, _ in self.t.archives) else 0.4
            case "Anonymous Tip":
                return self.draws(3)
            case "Shipment from Kaguya":
                targets = sum(1 for card in self.t.cards.values() if self.left(card) > 0)
                return 2.5 * targets if targets else 0.3
            case "Shipment from MirrorMorph":
                return 1.2 * min(3, sum(1 for c in self.t.hq if FACTS[c].type in ("ice", "asset"))) - 1.0
        worth = PLAYED.get(code, 0.5)
        for effect in entry(code).play:
            if isinstance(effect, v.GainClicks | v.Gain) and isinstance(effect.n, Measure):
                n = amount(self.t, {}, effect.n)
                worth = n * (CLICK if isinstance(effect, v.GainClicks) else 1.0) - 0.6 * FACTS[code].cost
        return worth * (1.25 if self.credits < 8 else 1.0)

    def burn(self, code: str) -> float:
        """Return what Scorched Earth is worth: a win where it flatlines, else little."""
        copies = min(self.t.hq.count(code), self.clicks, self.credits // 3)
        return WIN if 4 * copies > len(self.t.grip) else 0.4 * min(4, len(self.t.grip)) - 2.0

    def hunt(self) -> float:
        """Return what SEA Source is worth: much if a tag lets damage flatline the Runner."""
        spare, theirs = self.credits - 2, self.t.credits[RUNNER]
        burns = min(self.t.hq.count(SCORCHED), self.clicks - 1)
        if burns and 4 * burns > len(self.t.grip) and spare - 3 * burns + 3 > theirs:
            return 60.0
        return 1.5 if spare + 3 > theirs + 2 else -1.0

    def labour(self) -> float:
        """Return what Biotic Labor is worth: a score this turn that could not be made without it, or nothing."""
        clicks, credits = self.clicks + 1, self.credits - 4
        if self.finishes(self.clicks, self.credits):
            return NEVER
        return 12.0 if self.finishes(clicks, credits) else -1.0

    def finishes(self, clicks: int, credits: int) -> bool:
        """Tell whether some agenda could be scored this turn with so many clicks and credits."""
        ours = [self.left(card) for card in self.t.cards.values() if is_agenda(card)]
        ours += [FACTS[code].advancement + 1 for code in self.agendas]
        return any(0 < left <= clicks and left <= credits for left in ours)

    def purge(self) -> float:
        """Return what purging is worth: the counters that would hurt, against three clicks."""
        hurt = sum(2.2 * card.virus if card.code == MEDIUM else 0.6 * card.virus for card in self.s.rig)
        return hurt - 3.5 if hurt else NEVER

    def use(self, words: list[str]) -> float:
        """Return what using a card for clicks is worth."""
        card = find(self.t, words[1], CORP)
        if card is None:
            return NEVER
        match FACTS[card.code].title:
            case "Melange Mining Corp.":
                return 3.0 * self.credit
            case "Private Security Force":
                return WIN if self.clicks > len(self.t.grip) else 1.0
            case "Security Subcontract":
                return NEVER
        return self.ability(card, entry(card.code).abilities[int(words[2])])

    def ability(self, card: Card, ability: Ability) -> float:
        """Return what an ability is worth, from what its entry says."""
        return sum(self.effect(card, one) for one in ability.do) - self.credit * ability.cost.credits

    def effect(self, card: Card, effect: Effect) -> float:
        """Return what an effect of an ability that costs clicks is worth."""
        match effect:
            case v.Gain(int(n)):
                return n * self.credit
            case v.Damage(_, int(n)):
                return WIN if n > len(self.t.grip) else 0.4 * n
            case v.Choose(do=(v.AddToScore(),)):
                return WIN if card.power >= self.s.needs(CORP) else 2.0 * POINT * card.power
            case v.Choose(do=(v.InstallTarget(),)):
                kinds = ("agenda", "asset", "upgrade")
                found = {code for code in self.t.hq if FACTS[code].type in kinds}
                worths = [self.install(code, where) for code in found for where in {self.project, "new"}]
                return max(worths, default=NEVER) + ADVANCED
            case v.Choose(what, (v.Return(), *_)) if "agenda" in what.traits:
                found = {*self.agendas, *(code for code, _ in self.t.archives if FACTS[code].type == "agenda")}
                return self.credit * max((FACTS[code].points for code in found), default=0) - 0.4
        return 0.3

    # Servers.

    def exposure(self, server: str, column: list[Card] | None = None) -> float:
        """Return what the Runner could make of a server: the prize, as likely as it is got, less what it costs."""
        key = (server, column[-1].code if column else "")
        if key not in self.exposed:
            way = route(self.s, server, ahead=column)
            self.exposed[key] = max(0.0, way.chance * self.prize(server) - 0.8 * way.price)
        return self.exposed[key]

    def prize(self, server: str) -> float:
        """Return what a server holds, or will hold."""
        if server not in self.prizes:
            self.prizes[server] = self._prize(server)
        return self.prizes[server]

    def _prize(self, server: str) -> float:
        found = prize(self.s, server)
        if server == "hq":  # what is drawn next will lie there too
            found = 0.75 * found + 0.75 * access_worth(self.s, self.s.density)
        if server == self.project and not any(is_agenda(card) for card in self.s.root(server)):
            found += agenda_worth(self.s, 2) * (0.6 if self.agendas else 0.35)
        return found

    @cached_property
    def project(self) -> str:
        """Return the remote server in which agendas are to be scored: the one with most ice, else a new one."""
        return max(self.s.remotes, key=lambda name: (len(self.s.ice(name)), -len(self.s.root(name))), default="new")

    def lost(self, words: list[str]) -> float:
        """Return what the cards that are trashed to make room are worth."""
        total = 0.0
        for word in words[1:]:
            card = find(self.t, word, CORP)
            total += 50.0 if card is None or is_agenda(card) else 3.0 + FACTS[card.code].cost * card.rezzed
        return total

    def install(self, code: str, server: str) -> float:
        """Return what installing a card there is worth."""
        match FACTS[code].type:
            case "ice":
                return self.install_ice(code, server)
            case "agenda":
                return self.install_agenda(code, server)
            case "asset":
                return self.install_asset(code, server)
        return self.install_upgrade(code, server)

    def install_ice(self, code: str, server: str) -> float:
        """Return what ice is worth there: what the Runner can make of the server without it and with it."""
        if server == "archives":
            return -1.0 if self.exposure(server) < 3.0 else 2.0
        column = self.s.ice(server) if server != "new" else []
        if server == "new" and (self.project != "new" or not self.agendas):
            return -1.0
        if server not in (*CENTRALS, self.project):
            return -1.0
        card = Card(NEW, code, CORP, f"ice:{server}")
        if server == "new":
            before = agenda_worth(self.s, 2) * 0.6
            after = before * 0.3
        else:
            before, after = self.exposure(server), self.exposure(server, [*column, card])
        affordable = can_rez(self.s, card, self.credits)
        stops = any(sub.ends for sub in subs_of(self.s, card))
        depth = (1.6 if stops else 0.8) / (1 + len(column))
        return 0.9 * (before - after) + depth + 0.3 * affordable + self.crowded - self.credit * len(column)

    def install_agenda(self, code: str, server: str) -> float:
        """Return what an agenda is worth there: points, if it is safe until it can be scored."""
        printed = FACTS[code]
        if server in CENTRALS:
            return NEVER
        left = printed.advancement - self.discount(server)
        worth = printed.points * POINT * (1.3 if printed.points >= self.s.needs(CORP) else 1.0)
        if left + 1 <= self.clicks and left <= self.credits:
            return 2.0 * worth + 10.0
        if server == "new" and self.project != "new" and self.s.ice(self.project):
            return -2.0
        turns = 1 if left <= TURN + self.clicks - 1 else 2
        poor = max(0, left - self.credits - 1)
        risk = self.risk(server, left) * turns
        kept = 0.12 * len(self.agendas) * worth * (self.exposure("hq") > 1.0)
        return worth * (1 - risk) * 0.75 - risk * worth * 1.2 - 0.8 * poor + kept + 0.8 * (left <= TURN)

    def discount(self, server: str) -> int:
        """Return how much less an agenda needs there."""
        return sum(1 for card in self.s.root(server) if card.code == SANSAN and (card.rezzed or self.credits > 8))

    def risk(self, server: str, left: int) -> float:
        """Return how likely an agenda in a server is stolen within a turn."""
        way = route(self.s, server) if server != "new" else Route(1.0)
        if way.chance <= 0:
            return 0.1
        tempting = 0.75 if left > TURN else 0.5
        return max(0.1, way.chance * tempting - 0.06 * way.price)

    def install_asset(self, code: str, server: str) -> float:
        """Return what an asset is worth there: what earns goes anywhere, ambushes where agendas go."""
        if server in CENTRALS:
            return NEVER
        if server == self.project != "new" and (self.agendas or code not in BAIT_CODES):
            return -0.5
        worth = INSTALLED.get(code, 0.5) - 0.6 + self.crowded
        fits = server == "new" or not self.s.root(server)
        return worth - 0.5 * self.credit * FACTS[code].cost if fits else -1.0

    def install_upgrade(self, code: str, server: str) -> float:
        """Return what an upgrade is worth there."""
        if server == "new" or server == "archives" or any(card.code == code for card in self.s.root(server)):
            return -1.0
        if entry(code).only_in:
            return 0.7
        guarded = len(self.s.ice(server))
        worth = INSTALLED.get(code, 0.5)
        if code == SANSAN:
            return worth if server == self.project and guarded and self.credits > 5 else -1.0
        return (
            worth * 0.6 * min(2, guarded) - 0.3 + self.crowded
            if server in (self.project, "hq", "rd") and guarded
            else -1.0
        )

    # Advancing.

    def left(self, card: Card) -> int:
        """Return how many advancements an installed agenda lacks; 0 for anything else."""
        return max(0, requirement(self.t, card) - card.advancement) if is_agenda(card) else 0

    def best_target(self) -> Card | None:
        """Return the agenda that is nearest to being scored."""
        ours = [card for card in self.t.cards.values() if self.left(card) > 0]
        return min(ours, key=self.left, default=None)

    def advance(self, reference: str) -> float:
        """Return what an advancement is worth: a score this turn, or one next turn; a bluff now and then."""
        card = find(self.t, reference, CORP)
        if card is None:
            return NEVER
        if not is_agenda(card):
            return self.bait(card)
        left = self.left(card)
        points = FACTS[card.code].points
        worth = points * POINT
        if left <= 0:
            return NEVER
        if left <= self.clicks + self.boosts() and left <= self.credits + self.boosts():
            return 40.0 + worth + (WIN / 2 if points >= self.s.needs(CORP) else 0.0)
        server = card.place[5:]
        if left <= TURN:
            return 0.2
        return worth * (1 - self.risk(server, left)) * 0.45 + 0.6 if self.credits >= 2 else 0.3

    def boosts(self) -> int:
        """Return how many advancements scored agendas can still place."""
        return sum(card.agenda for card in self.s.by_place.get("score:corp", []) if card.code == ASTRO)

    def bait(self, card: Card) -> float:
        """Return what advancing something else is worth: an ambush that looks like an agenda, ice that grows."""
        if card.code in BAIT_CODES:
            return 1.3 if card.advancement < 2 and self.credits > 4 else 0.3
        return 0.4 if self.credits > 8 and card.rezzed else -0.5


def is_agenda(card: Card) -> bool:
    """Tell whether a card is an agenda in a server."""
    return card.place.startswith("root:") and FACTS[card.code].type == "agenda"


def is_waiting(card: Card) -> bool:
    """Tell whether a card is ice that waits to be rezzed."""
    return card.place.startswith("ice:") and not card.rezzed


def is_burning(t: Table) -> bool:
    """Tell whether the Corp could hurt a tagged Runner now."""
    return is_tagged(t) and SCORCHED in t.hq
