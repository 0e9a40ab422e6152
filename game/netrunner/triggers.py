"""Triggers, and the checkpoint after every change (Netrunner §1.7)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from game.contract import OneOf
from game.netrunner import changes
from game.netrunner.facts import CORP, FACTS, RUNNER
from game.netrunner.frames import Pending, Vars
from game.netrunner.moments import OWN
from game.netrunner.moves import trash
from game.netrunner.ops import CHECKS, ask, choice, one_of, op
from game.netrunner.places import find, ref
from game.netrunner.queries import WIN, is_a, memory_limit, memory_used, strength, worth
from game.netrunner.state import Card
from game.netrunner.table import CENTRALS, Table, entry, facts, is_able, is_active
from game.netrunner.vocabulary import AddCounters, Gain, TakeHosted

SIMPLE = (Gain, AddCounters, TakeHosted)  # the order of these never matters
MOST_ORDERED = 4
SCORES = ("score:corp", "score:runner")
CONSOLES = frozenset(code for code, printed in FACTS.items() if "console" in printed.subtypes)
SINGLES = CONSOLES | {code for code, printed in FACTS.items() if printed.unique}
INSTALLED = ("ice:", "root:", "rig", "hosted")


def checkpoint(t: Table) -> None:
    """Check for a winner, second copies, lost hosts and memory; then open the reaction to marked abilities."""
    seen = t.noted("survey", Survey)
    for side in (CORP, RUNNER):
        if seen.points[side] >= WIN:
            return t.finish(side, "agendas")
    if seen.has_copies:
        second_copies(t)
    if seen.has_guests:
        weak_hosts(t)
    if t.run is not None and t.run.server not in CENTRALS and t.run.server not in t.servers() and not t.run.ended:
        t.run = replace(t.run, ended=True)
    top = t.frames[-1]["op"]
    if t.noted("survey", Survey).is_crowded and top != "memory" and t.frames[-1].get("kind") != "memory":
        t.push("memory")
    elif t.queue:
        pending, t.queue = tuple(t.queue), []
        t.push("reaction", pending=pending)


CHECKS.append(checkpoint)


class Survey:
    """What one pass over all cards finds for the checkpoint, which runs before every frame: is there anything to do?"""

    def __init__(self, t: Table) -> None:
        self.points, self.has_copies, self.has_guests = [0, 0], False, False
        names: list[str] = []  # consoles count as one name: they are one side's
        for card in t.cards.values():
            if card.code in SINGLES and card.place.startswith(INSTALLED) and is_active(card):
                names.append(card.code)
                if card.code in CONSOLES:
                    names.append("console")
            if card.host:
                self.has_guests = True
            if card.place in SCORES:
                self.points[SCORES.index(card.place)] += worth(card)
        self.has_copies = len(names) > 1 and len(set(names)) < len(names)
        self.is_crowded = memory_used(t) > memory_limit(t)


def second_copies(t: Table) -> None:
    """Trash the older of two active unique cards of one title, and of two consoles (Netrunner §1.5)."""
    latest: dict[tuple[int, str], Card] = {}
    singles = [card for card in t.cards.values() if card.code in SINGLES and card.place.startswith(INSTALLED)]
    for card in sorted(singles, key=lambda card: card.since or card.iid):
        names = [card.code] if facts(card).unique else []
        names += ["console"] if card.code in CONSOLES else []
        for name in names if is_active(card) else []:
            older = latest.get((card.side, name))
            if older is not None and older.iid in t.cards:
                trash(t, older.iid)
            latest[card.side, name] = card


def weak_hosts(t: Table) -> None:
    """Trash ice without strength that hosts a card which says so."""
    for card in [card for card in t.cards.values() if card.host]:
        kills = any(static.kind == "kills-host" for static in entry(card.code).static)
        if kills and card.iid in t.cards and card.host in t.cards and strength(t, t.cards[card.host]) <= 0:
            if changes.every_access_and_trash_is_told(t.version):
                t.fact("trashed_corp_card")
            trash(t, card.host)


@op("memory")
def memory(t: Table, f: Vars) -> None:
    """Let the Runner trash programs until the rest fits (Netrunner §1.5)."""
    if "answer" in f:
        card = find(t, f.pop("answer")[1], RUNNER)
        if card is not None:
            trash(t, card.iid)
        t.pop()
    else:
        ask(t, "memory", RUNNER, "memory")


@choice("memory")
def memory_choice(t: Table, f: Vars) -> OneOf:
    """Offer the programs that take up memory."""
    return one_of([f"choose {ref(t, card, RUNNER)}" for card in t.rig() if is_a(t, card, "program")])


@op("reaction")
def reaction(t: Table, f: Vars) -> None:
    """Resolve marked abilities: the active player's first, in the order that player likes.

    It is asked only where two of them or more are not simple (Netrunner §3.5).
    """
    f["pending"] = tuple(one for one in f["pending"] if is_alive(t, one))
    if not f["pending"]:
        t.pop()
        return
    seat = t.turn if any(one[3] == t.turn for one in f["pending"]) else 1 - t.turn
    mine = [one for one in f["pending"] if one[3] == seat]
    if "answer" in f:
        words = f.pop("answer")[1:]
        names = [name_of(t, one) for one in mine]
        mine.sort(key=lambda one: words.index(name_of(t, one)) if name_of(t, one) in words else len(names))
        f["ordered"] = seat
    elif f.get("ordered") != seat:
        mine.sort(key=is_simple, reverse=True)
        if len({name_of(t, one) for one in mine if not is_simple(one)}) > 1:
            return ask(t, "order", seat, "order", names=tuple(dict.fromkeys(name_of(t, one) for one in mine)))
    first, *rest = mine
    f["pending"] = (*rest, *(one for one in f["pending"] if one[3] != seat))
    iid, code, index, owner, target = first
    t.push("do", iid=iid, code=code, path=("on", index, "do"), pc=0, stage=0, seat=owner, target=target)


def is_alive(t: Table, one: Pending) -> bool:
    """Tell whether a marked ability still resolves: its source is there, and what it meets was not bypassed."""
    iid, code, index, _, _ = one
    if t.run is not None and t.run.bypassed and entry(code).on[index].event == "encounter":
        return False  # bypassing ends the encounter before anything else that it triggers (Netrunner §1.8)
    return iid in t.cards and (entry(code).on[index].event in OWN or is_able(t, t.cards[iid]))


def is_simple(one: Pending) -> bool:
    """Tell whether an ability's place in the order never matters."""
    return all(isinstance(effect, SIMPLE) for effect in entry(one[1]).on[one[2]].do)


def name_of(t: Table, one: Pending) -> str:
    """Return how an order names a marked ability: its card."""
    return ref(t, t.cards[one[0]], one[3])


@choice("order")
def order_choice(t: Table, f: Vars) -> OneOf:
    """Offer the orders; of many abilities only which comes first."""
    names = f["names"]
    if len(names) > MOST_ORDERED:
        return one_of([f"order {name}" for name in names])
    return one_of([f"order {' '.join(some)}" for some in permutations(names)])
