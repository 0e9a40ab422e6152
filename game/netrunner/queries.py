"""Derived values, never stored: strength, subtypes, memory, link, requirements, costs, points, conditions."""

from __future__ import annotations

from typing import assert_never

from game.netrunner import changes
from game.netrunner import conditions as c
from game.netrunner import measures as m
from game.netrunner.facts import CORP, FACTS, RUNNER, Kind
from game.netrunner.frames import Vars
from game.netrunner.state import Card, Run
from game.netrunner.table import CENTRALS, Table, entry, facts
from game.netrunner.vocabulary import Reach, Static

MEMORY, HAND = 4, 5  # memory units; cards in hand
WIN = 7  # agenda points
STEAL_COST = "steal-cost:"  # a run's mod: what stealing costs more for the rest of it


def server_of(card: Card) -> str:
    """Return the server that a Corp card is in or protects, or ''."""
    return card.place.partition(":")[2] if card.place.startswith(("ice:", "root:")) else ""


def subtypes(t: Table, card: Card) -> frozenset[str]:
    """Return a card's subtypes, with those it has for a while."""
    found = facts(card).subtypes
    if any(last.kind == "subtypes" and last.target == card.iid for last in t.lasting):
        return found | {"sentry", "code gate", "barrier"}
    return found


def is_a(t: Table, card: Card, kind: Kind) -> bool:
    """Tell whether a card is of this type or subtype."""
    return facts(card).type == kind or kind in subtypes(t, card)


def strength(t: Table, card: Card) -> int:
    """Return the strength of ice or an icebreaker; it may be below zero."""
    total = facts(card).strength
    total += sum(last.n for last in t.lasting if last.kind == "strength" and last.target == card.iid)
    for static in entry(card.code).static:
        if static.kind == "strength-per-advancement":
            total += fixed(static) * card.advancement
    for other, static in statics(t):
        if static.kind == "strength" and reaches(t, other, card, static.what) and applies(t, other, static):
            total += amount(t, {"iid": other.iid}, static.n)
    return total


def applies(t: Table, source: Card, static: Static) -> bool:
    """Tell whether the condition of a static ability holds."""
    return holds(t, static.when, {"iid": source.iid})


def subroutines(t: Table, ice: Card) -> list[tuple[str | int, ...]]:
    """Return where the entry of a piece of ice has each of its subroutines, top to bottom, with those it has gained."""
    entered = entry(ice.code)
    own: list[tuple[str | int, ...]] = [("subs", i) for i in range(len(entered.subs))]
    if entered.gained is None:
        return own
    more: list[tuple[str | int, ...]] = [("gained", "sub")] * amount(t, {"iid": ice.iid}, entered.gained.each)
    return [*more, *own] if entered.gained.first else [*own, *more]


def printed_index(t: Table, ice: Card, at: int) -> int:
    """Return the printed index of a card's subroutine number `at`, both from 0.

    One that it has gained has the index after the last printed one.
    """
    found = subroutines(t, ice)
    kind, index = found[at] if at < len(found) else ("gained", 0)
    return int(index) if kind == "subs" else len(entry(ice.code).subs)


def reaches(t: Table, source: Card, card: Card, what: Reach) -> bool:
    """Tell whether a static ability of `source` is about `card`."""
    match what:
        case "host":
            return source.host == card.iid
        case "self":
            return source.iid == card.iid
        case "encountered":
            return t.run is not None and t.run.encountering and t.run.ice == card.iid
        case "here ice":
            return card.place == f"ice:{server_of(source)}"
        case "here agenda":
            return card.place == f"root:{server_of(source)}" and facts(card).type == "agenda"
    return False


def total(t: Table, kind: str) -> int:
    """Return the sum of what active cards give of something ('memory', 'link', 'corp-hand')."""
    return sum(fixed(static) for _, static in statics(t) if static.kind == kind)


def fixed(static: Static) -> int:
    """Return the number of a static ability that has a plain one."""
    return static.n if isinstance(static.n, int) else 0


def statics(t: Table) -> list[tuple[Card, Static]]:
    """Return what holds as long as its card is active."""
    return t.noted("statics", lambda t: [(card, static) for card in t.active() for static in entry(card.code).static])


def link(t: Table) -> int:
    """Return the Runner's link strength."""
    return FACTS[t.identities[RUNNER]].link + total(t, "link")


def memory_limit(t: Table) -> int:
    """Return how much memory the Runner has."""
    return MEMORY + total(t, "memory")


def memory_used(t: Table) -> int:
    """Return the memory that installed programs take up; those on a host that holds programs don't count."""
    return sum(facts(card).memory for card in t.rig() if not (card.host and is_shelf(t, card.host)))


def is_shelf(t: Table, iid: int) -> bool:
    """Tell whether this card hosts programs outside the memory limit."""
    return iid in t.cards and entry(t.cards[iid].code).hosts > 0


def shelf_room(t: Table, card: Card) -> int:
    """Return the memory left on a card that hosts programs."""
    return entry(card.code).hosts - sum(facts(one).memory for one in t.hosted(card.iid))


def hand_size(t: Table, side: int) -> int:
    """Return a side's maximum hand size; the Runner's may be below zero."""
    return HAND + total(t, "corp-hand") if side == CORP else HAND - t.brain + total(t, "runner-hand")


def requirement(t: Table, card: Card) -> int:
    """Return how often an agenda must be advanced to be scored."""
    less = sum(
        fixed(static)
        for other, static in statics(t)
        if static.kind == "requirement" and reaches(t, other, card, static.what)
    )
    own = sum(amount(t, {}, static.n) for static in entry(card.code).static if static.kind == "own-requirement")
    return max(0, facts(card).advancement + own + less)


def is_barred(t: Table, card: Card) -> bool:
    """Tell whether a card can't be rezzed or scored for now."""
    return any(last.kind == "barred" and last.target == card.iid for last in t.lasting)


def can_be_advanced(card: Card) -> bool:
    """Tell whether a card may be advanced: agendas always, others by their text."""
    return facts(card).type == "agenda" or entry(card.code).advanceable


def rez_cost(t: Table, card: Card) -> int:
    """Return the credits it costs to rez a card."""
    less = sum(
        fixed(static)
        for other, static in statics(t)
        if static.kind == "rez-cost" and reaches(t, other, card, static.what)
    )
    return max(0, facts(card).cost + less)


def steal_cost(t: Table, server: str) -> int:
    """Return the additional credits it costs to steal an agenda from this server."""
    here = sum(
        fixed(static) for card, static in statics(t) if static.kind == "steal-cost" and server_of(card) == server
    )
    mods = t.run.mods if t.run is not None else ()
    kept = sum(int(mod.removeprefix(STEAL_COST)) for mod in mods if mod.startswith(STEAL_COST))
    return here + kept


def install_discount(t: Table, code: str) -> int:
    """Return how much less the Runner pays for installing this card."""
    if FACTS[code].type not in ("program", "hardware"):
        return 0
    typed = [fact for fact in t.this_turn if fact.startswith("installed:")]
    is_untold = t.turn == RUNNER and t.this_turn.count("installed") > len(typed)  # a written position need not say what
    if is_untold or "installed:program" in typed or "installed:hardware" in typed:
        return 0
    return total(t, "first-install-discount")


def points(t: Table, side: int) -> int:
    """Return a side's agenda points."""
    return sum(worth(card) for card in t.at(("score:corp", "score:runner")[side]))


def worth(card: Card) -> int:
    """Return the agenda points of a card in a score area: what is printed, or what it was turned into."""
    return card.worth or FACTS[card.code].points


def tags(t: Table) -> int:
    """Return how many tags the Runner is considered to have."""
    run = t.run
    if run is None or not run.encountering:
        return t.tags
    column = t.ice(run.server)
    outermost = bool(column) and column[-1].iid == run.ice
    return t.tags + (total(t, "tag-at-outermost") if outermost else 0)


def is_tagged(t: Table) -> bool:
    """Tell whether the Runner has a tag."""
    return tags(t) > 0


def amount(t: Table, f: Vars, n: m.Amount) -> int:
    """Return the value of an amount now. `f` has what a measure asks for: 'iid', 'target', 'x', 'chosen', 'points'."""
    if isinstance(n, int):
        return n
    if isinstance(n, m.X):
        return int(f.get("x", 0))
    return measured(t, f, n) * n.times


def measured(t: Table, f: Vars, n: m.AnyMeasure) -> int:
    """Return how many there are now of what a measure counts."""
    card = t.cards.get(f.get("iid", 0))
    match n:
        case m.GripCards():
            return len(t.grip)
        case m.LinkStrength():
            return link(t)
        case m.StolenAgendas():
            return len(t.at("score:runner"))
        case m.BadPublicity():
            return t.bad_publicity
        case m.RdAccesses():
            return sum(isinstance(one, str) and one.startswith("rd:") for one in t.run.accessed) if t.run else 0
        case m.EventNumber():
            return int(f.get("target", 0))
        case m.ReturnedPoints():
            return int(f.get("points", 0))
        case m.Chosen():
            return int(f.get("chosen", 0))
        case m.TransactionPairs():
            return sum(up and "transaction" in FACTS[code].subtypes for code, up in t.archives) // 2
        case m.Named():
            return sum(last.n for last in t.lasting if last.kind == "named" and card and last.target == card.iid)
        case m.AdvancementCounters():
            return card.advancement if card else 0
        case m.VirusCounters():
            return card.virus if card else 0
        case _:
            assert_never(n)


def holds(t: Table, condition: c.When | None, f: Vars) -> bool:
    """Tell whether a condition holds; None always does. `f` has 'iid' and 'target' where there is one."""
    if condition is None:
        return True
    if isinstance(condition, c.All):
        return all(holds(t, part, f) for part in condition.parts)
    mine = t.cards.get(f.get("iid", 0))
    if isinstance(condition, c.TargetCondition):
        return _holds_of_target(t, condition, mine, f.get("target", 0))
    if isinstance(condition, c.CardCondition):
        return mine is not None and _holds_of_card(t, condition, mine, f)
    if isinstance(condition, c.RunCondition):
        return t.run is not None and _holds_of_run(t, condition, mine, t.run)
    return _holds_of_table(t, condition)


def _holds_of_target(t: Table, condition: c.OfTarget, mine: Card | None, iid: int) -> bool:
    """Tell whether a condition on a target holds."""
    target = t.cards.get(iid)
    match condition:
        case c.Itself():
            return target is not None and mine is not None and target.iid == mine.iid
        case c.Other():
            return target is not None and mine is not None and target.iid != mine.iid
        case c.MyCard():
            return target is not None and mine is not None and target.side == mine.side
        case c.Is(kind):
            return target is not None and is_a(t, target, kind)
        case c.Noted():
            return mine is not None and iid in mine.note
        case c.Hosting():
            return mine is not None and mine.host == iid
        case c.Gone():
            return target is None
        case _:
            assert_never(condition)


def _holds_of_card(t: Table, condition: c.OfCard, mine: Card, f: Vars) -> bool:
    """Tell whether a condition on the card that asks holds."""
    match condition:
        case c.MyTurn():
            return t.turn == mine.side
        case c.Advanced():
            return mine.advancement > 0
        case c.HasCredits():
            return mine.credit > 0
        case c.VirusAtLeast(n):
            return mine.virus >= n
        case c.FromThisServer():
            return bool(f.get("server") == server_of(mine) != "")
        case c.ScoredThisTurn():
            return f"scored-id:{mine.iid}" in t.this_turn
        case c.RezzedThisTurn():
            return f"rezzed-id:{mine.iid}" in t.this_turn
        case c.Marked():
            return f"used:{mine.iid}" in t.this_turn
        case c.Unused():
            return f"used:{mine.iid}" not in t.this_turn
        case _:
            assert_never(condition)


def _holds_of_run(t: Table, condition: c.OfRun, mine: Card | None, run: Run) -> bool:
    """Tell whether a condition on a run holds."""
    met = t.cards.get(run.ice)
    match condition:
        case c.Server(name):
            return run.server == name
        case c.Central():
            return run.server in CENTRALS
        case c.Remote():
            return run.server not in CENTRALS
        case c.OnThisServer():
            return mine is not None and run.server == server_of(mine)
        case c.OwnRun():
            return mine is not None and run.source == mine.iid
        case c.Succeeded():
            return run.successful
        case c.FirstCentral():
            return run.server in CENTRALS and sum(t.this_turn.count(f"success:{name}") for name in CENTRALS) == 1
        case c.Unreplaced():
            return "replaced" not in run.mods
        case c.MeetsHost():
            return mine is not None and run.encountering and 0 < run.ice == mine.host
        case c.MeetsWeaker():
            is_weaker = met is not None and mine is not None and available_strength(t, mine, met)
            return is_weaker or not changes.interface_needs_strength(t.version)
        case c.IceAtZero():
            return met is not None and strength(t, met) <= 0
        case c.Broke():
            return mine is not None and mine.iid in run.breakers
        case _:
            assert_never(condition)


def _holds_of_table(t: Table, condition: c.OfTable) -> bool:
    """Tell whether a condition on the players, this turn or the last one holds."""
    match condition:
        case c.FirstTime(fact):
            return t.this_turn.count(fact) == 1
        case c.ThisTurn(fact):
            return fact in t.this_turn
        case c.NoneYet(fact):
            return fact not in t.this_turn
        case c.LastTurn(fact):
            return fact in t.last_turn
        case c.NoSuccess():
            return "successful_run" not in t.this_turn
        case c.SuccessLastTurn():
            return any(past.startswith("success") for past in t.last_turn)
        case c.Tagged():
            return is_tagged(t)
        case c.GripAtMost(n):
            return len(t.grip) <= n
        case c.HeapHasCards():
            return bool(t.heap)
        case c.CreditsBelow(n):
            return t.credits[CORP] < n
        case _:
            assert_never(condition)


def available_strength(t: Table, breaker: Card, ice: Card) -> bool:
    """Tell whether a breaker is strong enough for this ice."""
    return strength(t, breaker) >= strength(t, ice)
