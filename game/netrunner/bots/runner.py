"""The Runner's plans: what each action is worth in credits, a click being about one."""

from __future__ import annotations

from functools import cached_property

from game.netrunner import conditions as c
from game.netrunner import vocabulary as v
from game.netrunner.bots.crossing import cheapest, crossings, ice_strength
from game.netrunner.bots.prizes import BAITS, LAST, LOST, damage_to_steal, hidden_worth, prize
from game.netrunner.bots.routes import Route, covered, purse, route
from game.netrunner.bots.sight import Sight
from game.netrunner.bots.tables import BREAKERS, INSTALLED, NEVER, PLAYED, RUN_CARDS, RunCard
from game.netrunner.facts import CODES, CORP, FACTS, HIDDEN, RUNNER, plain_title
from game.netrunner.measures import RdAccesses
from game.netrunner.places import find
from game.netrunner.queries import memory_limit, memory_used
from game.netrunner.table import CENTRALS, Table, entry

RUNS = {CODES[name]: name for name in ("Account Siphon", "Inside Job", "The Maker's Eye", "Demolition Run", "Stimhack")}
BANK_JOB, SUCKER = CODES["Bank Job"], CODES["Datasucker"]
ARMITAGE, MEDIUM, PARASITE = CODES["Armitage Codebusting"], CODES["Medium"], CODES["Parasite"]
USUAL_POINTS = 2  # of an agenda
TRUSTY = 0.5  # an event is worth less for a run that gets in less often than this


def code_of(word: str) -> str:
    """Return the card that a quoted title names."""
    return CODES[plain_title(word.strip('"'))]


def credit_worth(credits: int) -> float:
    """Return what one more credit is worth to somebody who has so many."""
    return 1.3 if credits < 4 else 1.0 if credits < 9 else 0.75 if credits < 15 else 0.5


NET_DAMAGE = (6.0, 4.0, 1.5)  # what it costs to run with no, one, two cards in hand against Jinteki
BRAIN_DAMAGE = (6.0,)
LAST_POINTS = 3  # one agenda may bring so many points


class RunnerPlans:
    """One look at the Runner's own turn."""

    def __init__(self, s: Sight) -> None:
        self.s = s
        self.t: Table = s.t
        self.credit = credit_worth(s.t.credits[RUNNER])

    def worth(self, words: list[str]) -> float:
        """Return what an action is worth."""
        match words[0]:
            case "credit":
                return self.credit
            case "draw":
                return self.draws(1)
            case "play":
                return self.play(code_of(words[1]))
            case "install":
                return self.install(code_of(words[1])) - 4.0 * max(0, len(words) - 3)
            case "remove-tag":
                return self.untag()
            case "run":
                return self.run(words[1])
            case "use":
                return self.use(words)
        return 0.0

    # Cards and money.

    def draws(self, n: int) -> float:
        """Return what drawing n cards is worth: more the fewer one holds and the less the rig can do."""
        held = len(self.t.grip)
        n = min(n, len(self.t.stack))
        missing = self.to_be_found
        each = 1.8 if held < 3 else 1.3 if held < 5 else 0.6
        fits = max(0, 6 - held)
        urgent = LAST if n and self.draws_first() else 0.0
        return each * min(n, fits) + 0.25 * missing * min(n, fits) + 0.1 * max(0, n - fits) + urgent

    @cached_property
    def to_be_found(self) -> int:
        """Return how many kinds of ice can't be broken yet, but could be with what may be in the stack."""
        missing = {"barrier", "code gate", "sentry"} - covered(self.s)
        left = self.s.undrawn
        if left is None or not missing:
            return len(missing)
        kinds = {BREAKERS[code].subtype for code in left if code in BREAKERS}
        return len(missing) if "any" in kinds else len(missing & kinds)

    def play(self, code: str) -> float:
        """Return what playing an event is worth."""
        name = FACTS[code].title
        if code in RUN_CARDS or code in RUNS:
            return max((self.run_event(name, server) for server in self.s.servers), default=NEVER)
        match plain_title(name):
            case "Diesel":
                return self.draws(3) + 0.5
            case "Special Order":
                return 4.5 if self.to_be_found and self.t.credits[RUNNER] >= 3 else 0.2
            case "Forged Activation Orders":
                return 1.9 if any(c.place.startswith("ice:") and not c.rezzed for c in self.t.cards.values()) else NEVER
            case "Modded":
                best = max(
                    (min(3, FACTS[c].cost) for c in self.t.grip if FACTS[c].type in ("program", "hardware")), default=0
                )
                return best + max((self.install(c) for c in self.t.grip if self.is_moddable(c)), default=-9.0)
            case "Déjà Vu":
                return (
                    2.5 if any(FACTS[c].type == "program" for c in self.t.heap) and self.t.credits[RUNNER] >= 5 else 0.1
                )
            case "Tinkering":
                return -1.0
        return PLAYED.get(code, 0.5) * (1.2 if self.t.credits[RUNNER] < 8 else 1.0)

    def is_moddable(self, code: str) -> bool:
        """Tell whether Modded could install this card now."""
        return FACTS[code].type in ("program", "hardware") and FACTS[code].cost - 3 <= self.t.credits[RUNNER]

    def install(self, code: str) -> float:
        """Return what installing a card is worth: what it gives, less what it costs and the worse a second copy."""
        printed = FACTS[code]
        price = self.credit * printed.cost
        if code in BREAKERS:
            return self.breaker(code) - 0.55 * price
        owned = sum(1 for card in self.s.rig if card.code == code)
        worth = INSTALLED.get(code, 0.5) * 0.45**owned
        if code == ARMITAGE:
            worth = 5.5
        elif code == BANK_JOB:
            open_ = any(self.route(server).chance > 0.8 and self.route(server).price < 2 for server in self.s.remotes)
            worth = 6.0 if open_ else 2.5
        elif code == PARASITE:
            return self.parasite() - price
        elif printed.title == "Magnum Opus":
            worth = 0.5 if owned else 10.0
            price *= 0.7
        elif printed.unique and owned:
            return NEVER
        if "console" in printed.subtypes and any("console" in FACTS[c.code].subtypes for c in self.s.rig):
            return NEVER
        if printed.title == "Net Shield" and FACTS[self.t.identities[CORP]].faction != "jinteki":
            worth = 0.2
        if printed.title == "Akamatsu Mem Chip" and memory_limit(self.t) - memory_used(self.t) > 1:
            worth = 0.4
        return worth - 0.7 * price

    def breaker(self, code: str) -> float:
        """Return what an icebreaker is worth: much if its kind is missing, more if such ice is in the way."""
        how = BREAKERS[code]
        kinds = covered(self.s)
        if memory_used(self.t) + FACTS[code].memory > memory_limit(self.t):
            return 0.5
        if how.subtype == "any":
            return 5.5 if len(kinds) < 3 and not kinds else 3.5 if len(kinds) < 3 else 0.3
        if how.subtype in kinds:
            known = any(BREAKERS[card.code].subtype == how.subtype for card in self.s.breakers)
            return 0.4 if known else 3.0
        in_way = sum(1 for card in self.t.cards.values() if card.rezzed and how.subtype in FACTS[card.code].subtypes)
        return 5.5 + 1.5 * min(2, in_way)

    def parasite(self) -> float:
        """Return what a Parasite is worth: the rez cost of the best ice that it will trash soon."""
        worths = [0.0]
        for card in self.t.cards.values():
            if card.place.startswith("ice:") and card.rezzed:
                turns = max(1, ice_strength(self.s, card))
                worths.append((FACTS[card.code].cost + 2.5) / (1 + 0.25 * turns))
        return max(worths)

    def untag(self) -> float:
        """Return what losing a tag is worth: Weyland does damage, NBN takes credits, everybody trashes resources."""
        resources = sum(1 for card in self.s.rig if FACTS[card.code].type == "resource")
        faction = FACTS[self.t.identities[CORP]].faction
        worth = 2.4 + 0.8 * resources
        if faction == "weyland-consortium":
            worth += 6.0
        if faction == "nbn":
            worth += 0.3 * self.t.credits[RUNNER]
        return worth

    def use(self, words: list[str]) -> float:
        """Return what using a card for a click is worth."""
        card = find(self.t, words[1], RUNNER)
        if card is None:
            return NEVER
        match FACTS[card.code].title:
            case "Magnum Opus":
                return 2.0 * self.credit
            case "Armitage Codebusting":
                return 2.0 * self.credit
            case "Crypsis":
                return 2.2 if card.virus < 1 else 0.6 if card.virus < 2 else -1.0
            case "Sneakdoor Beta":
                return self.sneak()
            case "Djinn":
                return 1.7 if len(self.t.grip) < 5 and self.t.credits[RUNNER] > 4 else 0.2
            case "Lemuria Codecracker":
                return 0.2
            case "Data Dealer":
                return NEVER
        for effect in entry(card.code).abilities[int(words[2])].do:
            if isinstance(effect, v.AccessFrom):
                return prize(self.s, effect.server)
            if isinstance(effect, v.Choose) and any(isinstance(one, v.Take) for one in effect.do):
                return 2.0
        return 0.5

    # Runs.

    def route(self, server: str, free: int = 0, more: int = 0) -> Route:
        """Return what a run on a server costs."""
        return route(self.s, server, free=free, more=more)

    def run(self, server: str) -> float:
        """Return what running a server is worth."""
        return self.run_worth(server, self.route(server), prize(self.s, server))

    def run_worth(self, server: str, way: Route, gain: float) -> float:
        """Return what a run is worth, getting in by this way to this prize."""
        gain += self.bonus(server)
        gain -= LOST + LAST if self.draws_first() else self.thin_hand()
        gain -= LOST * self.steal_flatlines()
        return way.chance * gain - self.credit * way.credits - 1.5 * way.clicks - way.harm + way.tax

    def thin_hand(self) -> float:
        """Return what it costs to run with so few cards that damage could flatline, or leave nothing for the next."""
        if not self.is_dangerous():
            return 0.0
        costs = NET_DAMAGE if FACTS[self.t.identities[CORP]].faction == "jinteki" else BRAIN_DAMAGE
        held = len(self.t.grip)
        return costs[held] if held < len(costs) else 0.0

    def draws_first(self) -> bool:
        """Tell whether to draw before any run: an agenda may win, but damage flatlines first, and there is time."""
        can_wait = self.t.clicks[RUNNER] > 1 and bool(self.t.stack)
        return can_wait and self.s.needs(RUNNER) <= LAST_POINTS and self.thin_hand() > 0.0

    def steal_flatlines(self) -> bool:
        """Tell whether what active cards do at a steal would flatline; not where the agenda likely wins."""
        return self.damage_at_steal > len(self.t.grip) and self.s.needs(RUNNER) > USUAL_POINTS

    def stealing_flatlines(self, code: str) -> bool:
        """Tell whether stealing this agenda flatlines: by what it costs, or by what follows."""
        left = len(self.t.grip) - damage_to_steal(code)
        return left < 0 or (self.damage_at_steal > left and self.s.needs(RUNNER) > FACTS[code].points)

    @property
    def damage_at_steal(self) -> int:
        """Return the damage that active cards do at a steal."""
        return sum(
            effect.n
            for card in self.t.active()
            if card.side == CORP
            for on in entry(card.code).on
            if on.event == "steal"
            for effect in on.do
            if isinstance(effect, v.Damage) and isinstance(effect.n, int)
        )

    def bonus(self, server: str) -> float:
        """Return what a success is worth besides what is accessed."""
        codes = [card.code for card in self.s.rig]
        found = sum(self.reward(code, server) for code in (*codes, self.t.identities[RUNNER]))
        if server in CENTRALS:
            found += 0.8 * codes.count(SUCKER)
        if server == "rd":
            found += 1.6 * codes.count(MEDIUM)
        if server not in CENTRALS:
            found += max((min(8.0, card.credit) * 0.9 for card in self.s.rig if card.code == BANK_JOB), default=0.0)
        return found

    def reward(self, code: str, server: str) -> float:
        """Return what a card of the Runner's gives for a success there, from what its entry says."""
        return sum(
            self.gift(effect)
            for on in entry(code).on
            if on.event in ("success", "run-ends") and self.may_hold(on.when, server)
            for effect in on.do
        )

    def gift(self, effect: v.Effect) -> float:
        """Return what an effect of a success is worth."""
        match effect:
            case v.Gain(int(n), "me"):
                return float(n)
            case v.Gain(RdAccesses()):
                return 1.0
            case v.AddCounters("credit", int(n)):
                return 0.8 * n
            case v.AddCounters("power", int(n)):
                return 1.2 * n
            case v.Draw(int(n)):
                return 0.8 * n if len(self.t.grip) < 4 else 0.3 * n
            case v.GiveTags(int(n)):
                return -self.tag * n
            case v.May(then, cost) if not cost.trash_self:
                return sum(map(self.gift, then))
        return 0.0

    def may_hold(self, when: c.When | None, server: str) -> bool:
        """Tell whether the condition of a trigger could hold in a successful run there."""
        match when:
            case c.All(parts):
                return all(self.may_hold(part, server) for part in parts)
            case c.FirstTime(fact) | c.NoneYet(fact):
                return fact not in self.t.this_turn
            case c.FirstCentral():
                return server in CENTRALS and not any(f"success:{name}" in self.t.this_turn for name in CENTRALS)
            case c.Server(name):
                return server == name
            case c.Central():
                return server in CENTRALS
            case c.Remote():
                return server not in CENTRALS
            case c.OwnRun():
                return False
        return True

    def is_dangerous(self) -> bool:
        """Tell whether the Corp is likely to do damage."""
        return FACTS[self.t.identities[CORP]].faction in ("jinteki", "haas-bioroid") or self.t.tags > 0

    def sneak(self) -> float:
        """Return what a run with Sneakdoor Beta is worth."""
        return self.run_worth("hq", self.route("archives"), prize(self.s, "hq"))

    def run_event(self, name: str, server: str) -> float:
        """Return what an event that begins a run is worth on this server."""
        code = CODES[plain_title(name)]
        cost = FACTS[code].cost
        if code in RUN_CARDS:
            return self.run_card(RUN_CARDS[code], server) - self.credit * cost
        match plain_title(name):
            case "Account Siphon":
                if server != "hq":
                    return NEVER
                taken = min(5, self.t.credits[CORP])
                way = self.route(server)
                return self.run_worth(server, way, 2.6 * taken - 4.5) - 0.5 * (way.chance < TRUSTY)
            case "Inside Job":
                plain = self.run(server)
                return (
                    self.run_worth(server, self.route(server, free=1), prize(self.s, server))
                    - cost
                    - max(0.0, plain) * 0.6
                )
            case "The Maker's Eye":
                if server != "rd":
                    return NEVER
                return self.run_worth(server, self.route(server), prize(self.s, server, more=2)) - cost
            case "Demolition Run":
                if server not in ("hq", "rd"):
                    return NEVER
                return self.run(server) + 0.5 - cost
            case "Stimhack":
                way = self.route(server, more=9)
                spared = min(9.0, way.credits)
                return self.run_worth(server, way, prize(self.s, server)) + self.credit * spared - 8.0
        return NEVER

    def run_card(self, card: RunCard, server: str) -> float:
        """Return what an event is worth whose run is a plain one with something besides."""
        if server not in card.servers:
            return NEVER
        gain = prize(self.s, server) + card.credits - self.tag * card.tags
        way = self.route(server)
        return self.run_worth(server, way, gain + sum(prize(self.s, other) for other in card.accesses))

    @property
    def tag(self) -> float:
        """Return what a tag costs: two credits and a click to lose it, or what it leads to."""
        return 2.0 + (3.0 if FACTS[self.t.identities[CORP]].faction == "weyland-consortium" else 0.5)

    # In a run.

    def ahead(self) -> Route:
        """Return what is left of the run that goes on."""
        run = self.t.run
        assert run is not None
        column = self.s.ice(run.server)
        behind = (*run.passed, run.ice) if run.step > "run.3.1" else run.passed
        places = [i for i, card in enumerate(column) if card.iid in behind]
        inner = column[: min(places)] if places else column
        free = 1 if "inside-job" in run.mods and not run.encountered else 0
        return route(self.s, run.server, ahead=inner, free=free)

    def has_cause(self) -> bool:
        """Tell whether there is a reason to think of jacking out: ice still ahead, or what may be an ambush."""
        run = self.t.run
        assert run is not None
        way = self.ahead()
        trapped = any(self.s.code(card) == HIDDEN and card.advancement for card in self.s.root(run.server))
        return way.chance < 1.0 or way.harm > 0.0 or trapped or self.steal_flatlines()

    def may_leave(self) -> bool:
        """Tell whether to jack out: the rest of the run can't bring anything in, or is too dangerous."""
        if not self.has_cause():
            return False
        run = self.t.run
        assert run is not None
        way = self.ahead()
        server = "hq" if "to-hq" in run.mods else run.server
        gain = prize(self.s, server) + self.bonus(server) if way.chance else 0.0
        if "siphon" in run.mods:
            gain = max(gain, 2.0 * min(5, self.t.credits[CORP]))
        lethal = self.fatal(server)
        return lethal or (way.harm > 2.0 and way.chance * gain < way.harm + way.credits)

    def fatal(self, server: str) -> bool:
        """Tell whether an access there is likely to cost more than it brings: an advanced ambush, a deadly steal."""
        if self.steal_flatlines() and prize(self.s, server) > 1.0:
            return True
        if FACTS[self.t.identities[CORP]].faction not in BAITS:
            return False
        cards = [c for c in self.s.root(server) if self.s.code(c) == HIDDEN and c.advancement]
        return any(hidden_worth(self.s, card) < 0 for card in cards)

    def crossing(self) -> tuple[int, tuple[int, ...], int] | None:
        """Return how to pass the encountered ice: the breaker's id (0: none), the subroutines to break, the counters.

        None where no ice is encountered, or nothing that gets past can be paid.
        """
        run = self.t.run
        if run is None or not run.encountering or run.ice not in self.t.cards:
            return None
        ice = self.t.cards[run.ice]
        found = crossings(self.s, ice, run.broken, met=True)
        best = cheapest(found, purse(self.s), self.t.clicks[RUNNER])
        return (best.breaker, best.subs, best.tokens) if best is not None else None
