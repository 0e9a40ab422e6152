"""What is asked, never stored: strength, subtypes, memory, link, requirements, costs, points, conditions."""

from __future__ import annotations

from game.netrunner.facts import CORP, FACTS, RUNNER
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, Table, Vars, entry, facts
from game.netrunner.vocabulary import Static

MEMORY, HAND = 4, 5
WIN = 7
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


def is_a(t: Table, card: Card, word: str) -> bool:
    """Tell whether a card is of this type or subtype."""
    return facts(card).type == word or word.replace("_", " ") in subtypes(t, card)


def strength(t: Table, card: Card) -> int:
    """Return the strength of ice or an icebreaker; it may be below zero."""
    total = facts(card).strength
    total += sum(last.n for last in t.lasting if last.kind == "strength" and last.target == card.iid)
    for static in entry(card.code).static:
        if static.kind == "strength-per-advancement":
            total += int(static.n) * card.advancement
    for other, static in statics(t):
        if static.kind == "strength" and _reaches(t, other, card, static.what):
            total += other.virus * -1 if static.n == "-virus" else int(static.n)
    return total


def _reaches(t: Table, source: Card, card: Card, what: str) -> bool:
    """Tell whether a static ability of `source` is about `card`."""
    match what:
        case "host":
            return source.host == card.iid
        case "encountered":
            return t.run is not None and t.run.encountering and t.run.ice == card.iid
        case "here ice":
            return card.place == f"ice:{server_of(source)}"
        case "here agenda":
            return card.place == f"root:{server_of(source)}" and facts(card).type == "agenda"
    return False


def total(t: Table, kind: str) -> int:
    """Return the sum of what active cards give of something ('memory', 'link', 'corp-hand')."""
    return sum(int(static.n) for _, static in statics(t) if static.kind == kind)


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
        int(static.n)
        for other, static in statics(t)
        if static.kind == "requirement" and _reaches(t, other, card, static.what)
    )
    own = sum(t.bad_publicity for static in entry(card.code).static if static.kind == "own-requirement")
    return max(0, facts(card).advancement + own + less)


def can_be_advanced(card: Card) -> bool:
    """Tell whether a card may be advanced: agendas always, others by their text."""
    return facts(card).type == "agenda" or entry(card.code).advanceable


def rez_cost(t: Table, card: Card) -> int:
    """Return the credits it costs to rez a card."""
    less = sum(
        int(static.n)
        for other, static in statics(t)
        if static.kind == "rez-cost" and _reaches(t, other, card, static.what)
    )
    return max(0, facts(card).cost + less)


def steal_cost(t: Table, server: str) -> int:
    """Return the additional credits it costs to steal an agenda from this server."""
    here = sum(
        int(static.n) for card, static in statics(t) if static.kind == "steal-cost" and server_of(card) == server
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
    return sum(facts(card).points for card in t.at(("score:corp", "score:runner")[side]))


def is_tagged(t: Table) -> bool:
    """Tell whether the Runner has a tag."""
    return t.tags > 0


def amount(t: Table, f: Vars, n: int | str) -> int:
    """Return how much an amount is now."""
    if isinstance(n, int):
        return n
    times, _, word = n.rpartition("*")
    card = t.cards.get(f.get("iid", 0))
    match word:
        case "advancement":
            value = card.advancement if card else 0
        case "x":
            value = int(f.get("x", 0))
        case "-x":
            value = -int(f.get("x", 0))
        case "tags":
            value = t.tags
        case "all":
            value = 10_000
        case _:
            raise ValueError(n)
    return value * int(times or 1)


def holds(t: Table, condition: str, f: Vars) -> bool:
    """Tell whether a condition holds: words that must all hold. `f` has 'iid' and 'target' where there is one."""
    return all(_holds(t, word, f) for word in condition.split())


def _holds(t: Table, word: str, f: Vars) -> bool:
    """Tell whether one word holds: of the card it is about, of its own card, or of what goes on around them."""
    target = t.cards.get(f.get("target", 0))
    mine = t.cards.get(f.get("iid", 0))
    name, _, value = word.partition(":")
    match name:
        case "self":
            return target is not None and mine is not None and target.iid == mine.iid
        case "other":
            return target is not None and mine is not None and target.iid != mine.iid
        case "noted":
            return mine is not None and f.get("target", 0) in mine.note
        case "hosting":
            return mine is not None and mine.host == f.get("target", 0)
        case "is":
            return target is not None and is_a(t, target, value)
        case "my":
            return target is not None and mine is not None and target.side == mine.side
        case "my-turn":
            return mine is not None and t.turn == mine.side
        case "installed":
            return mine is not None
        case "advanced":
            return mine is not None and mine.advancement > 0
        case "credit":
            return mine is not None and mine.credit > 0
        case "virus":
            return mine is not None and mine.virus >= int(value)
        case "scored-this-turn":
            return mine is not None and f"scored-id:{mine.iid}" in t.this_turn
        case "gone":
            return target is None
        case "unused":
            return mine is not None and f"used:{mine.iid}" not in t.this_turn
    return _holds_of_run(t, mine, name, value)


def _holds_of_run(t: Table, mine: Card | None, name: str, value: str) -> bool:
    """Tell whether a word holds of the run; without a run none of them does."""
    run = t.run
    match name:
        case "server":
            return run is not None and run.server == value
        case "central":
            return run is not None and run.server in CENTRALS
        case "remote":
            return run is not None and run.server not in CENTRALS
        case "unreplaced":
            return run is not None and "replaced" not in run.mods
        case "this-ice":
            return run is not None and mine is not None and run.encountering and run.ice == mine.iid
        case "first-encounter":
            return run is not None and run.encountered == 1
        case "ice-at-zero":
            return run is not None and run.ice in t.cards and strength(t, t.cards[run.ice]) <= 0
        case "broke":
            return run is not None and mine is not None and mine.iid in run.breakers
    return _holds_of_turn(t, name, value.replace("/", ":"))


def _holds_of_turn(t: Table, name: str, fact: str) -> bool:
    """Tell whether a word holds of this turn and the last one. Raises ValueError for a word that is none."""
    match name:
        case "first":
            return t.this_turn.count(fact) == 1
        case "this-turn":
            return fact in t.this_turn
        case "last-turn":
            return fact in t.last_turn
        case "none-yet":
            return fact not in t.this_turn
        case "tagged":
            return is_tagged(t)
        case "corp-turn":
            return t.turn == CORP
        case "heap":
            return bool(t.heap)
        case "success-last-turn":
            return any(fact.startswith("success") for fact in t.last_turn)
    raise ValueError(name)


def available_strength(t: Table, breaker: Card, ice: Card) -> bool:
    """Tell whether a breaker is strong enough for this ice."""
    return strength(t, breaker) >= strength(t, ice)
