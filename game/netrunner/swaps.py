"""Cards that change places, and ice that is rezzed as the Runner approaches a server."""

from __future__ import annotations

from dataclasses import replace

from game.contract import OneOf
from game.netrunner import vocabulary as v
from game.netrunner.facts import CORP, FACTS
from game.netrunner.frames import Vars
from game.netrunner.moves import leave
from game.netrunner.ops import answer, ask, choice, one_of, op
from game.netrunner.places import find, quoted, ref
from game.netrunner.queries import server_of
from game.netrunner.resolve import begin, handles
from game.netrunner.state import Card
from game.netrunner.table import ALL_KNOW, Table, entry, facts
from game.netrunner.windows import can_pay_rez
from game.netrunner.zones import RUNNER_KNOWS, set_aside, take_out

ROOTABLE = ("agenda", "asset", "upgrade")


# Ice that changes places.


def swap_places(t: Table, first: int, second: int) -> None:
    """Swap two installed cards, also in the run's list of passed ice."""
    a, b = t.cards[first], t.cards[second]
    order = [second if iid == first else first if iid == second else iid for iid in t.cards]
    t.change(first, place=b.place)
    t.change(second, place=a.place)
    t.order(order)
    other = {first: second, second: first}
    if t.run is not None:
        t.run = replace(t.run, passed=tuple(other.get(iid, iid) for iid in t.run.passed))
    t.tell("swapped", {"place": a.place, "other": b.place})


@handles(v.SwapIce)
def swap_ice(t: Table, f: Vars, e: v.SwapIce, stage: int) -> bool:
    if f["iid"] in t.cards and f["target"] in t.cards:
        swap_places(t, f["iid"], f["target"])
    return True


@handles(v.MoveAndMeet)
def move_and_meet(t: Table, f: Vars, e: v.MoveAndMeet, stage: int) -> bool:
    card, run = t.cards.get(f["iid"]), t.run
    if card is None or run is None or not card.rezzed:
        return True
    place = f"ice:{run.server}"
    t.change(card.iid, place=place)
    t.order([card.iid])
    t.tell("moved", {"place": place, "other": card.place})
    t.run = replace(run, step="run.3.0", ice=card.iid, broken=(), breakers=(), bypassed=False)
    frame = next(frame for frame in reversed(t.frames) if frame["op"] == "run")
    frame["stage"] = 0
    return True


@op("spring")
def spring(t: Table, f: Vars) -> None:
    """Ask the Corp about abilities of ice as the Runner approaches a server.

    The question comes whenever any ice is unrezzed, so that it reveals nothing.
    """
    ask(t, "spring", CORP, "spring", window="paid-ability")


def springing(t: Table) -> list[tuple[str, int, int]]:
    """Return the abilities that could be used now: the action, the card's id, the ability's index."""
    found = []
    cards = sorted(t.cards.values(), key=lambda card: card.place)
    for card in [card for card in cards if card.side == CORP and card.place.startswith("ice:") and not card.rezzed]:
        for i, ability in enumerate(entry(card.code).abilities):
            if ability.when == "approach" and can_pay_rez(t, card):
                found.append((f"use {ref(t, card, CORP)} {i}", card.iid, i))
    return found


@choice("spring")
def spring_choice(t: Table, f: Vars) -> OneOf:
    """Offer the abilities of such ice, and pass."""
    return one_of([*(text for text, _, _ in springing(t)), "pass"])


@answer("spring")
def spring_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Use the ability, or pass."""
    t.pop()
    t.pop()  # the frame that asked, too
    for text, iid, index in springing(t):
        if text == " ".join(words):
            begin(t, t.cards[iid].code, ("abilities", index, "do"), CORP, iid)


# Cards of roots that change places.


@handles(v.SwapAttacked)
def swap_attacked(t: Table, f: Vars, e: v.SwapAttacked, stage: int) -> bool:
    """Ask for a card of the attacked root (stage 0) and for the one to swap it with (1); swap them (2)."""
    if stage == 0:
        if t.run is None or not t.root(t.run.server):
            return True
        ask(t, "swap-from", CORP, "swap-from")
        return False
    words = f.pop("answer")
    if words[0] == "no":
        return True
    if stage == 1:
        card = find(t, words[1], CORP)
        f["target"] = card.iid if card else 0
        ask(t, "swap-to", CORP, "swap-to", target=f["target"])
        return False
    other = find(t, words[1], CORP) if not words[1].startswith('"') else None
    if other is not None:
        for iid in (f["target"], other.iid):
            t.change(iid, seen=False, shown=False)
        swap_places(t, f["target"], other.iid)
    else:
        swap_with_hand(t, f["target"], words[1])
    return True


def swap_with_hand(t: Table, iid: int, name: str) -> None:
    """Take a card of a root into HQ, and put one of HQ there in its place, face down."""
    index = set_aside(t, next(i for i, code in enumerate(t.hq) if quoted(code) == name))
    code, _ = take_out(t, "hq", index)
    card = t.cards[iid]
    gone = leave(t, iid)
    t.marks("hq").append(ALL_KNOW if card.rezzed or card.shown else RUNNER_KNOWS * card.seen)
    t.hq.append(gone.code)
    t.put(code, CORP, card.place)
    t.tell("swapped", {"place": card.place, "other": "hq"})


@choice("swap-from")
def swap_from(t: Table, f: Vars) -> OneOf:
    """Offer the cards in the root of the attacked server that some card may change places with, and `no`."""
    cards = t.root(t.run.server) if t.run is not None else []
    return one_of([*(f"choose {ref(t, card, CORP)}" for card in cards if comers(t, card)), "no"])


@choice("swap-to")
def swap_to(t: Table, f: Vars) -> OneOf:
    """Offer the cards that may change places with the one chosen before, and `no`."""
    card = t.cards.get(f["target"])
    return one_of([*(comers(t, card) if card else []), "no"])


def comers(t: Table, card: Card) -> list[str]:
    """Return the answers that name a card to swap with this one; each of the two must be legal at its new place."""
    cards = sorted(t.cards.values(), key=lambda one: one.place)
    roots = [one for one in cards if one.place.startswith("root:") and one.place != card.place]
    fits = [one for one in roots if may_lie(t, one.code, card) and may_lie(t, card.code, one)]
    codes = [code for code in dict.fromkeys(t.hq) if FACTS[code].type in ROOTABLE and may_lie(t, code, card)]
    return [*(f"choose {ref(t, one, CORP)}" for one in fits), *(f"choose {quoted(code)}" for code in codes)]


def may_lie(t: Table, code: str, instead: Card) -> bool:
    """Tell whether a card may lie where another one lies now."""
    server, printed = server_of(instead), FACTS[code]
    others = [one for one in t.root(server) if one.iid != instead.iid]
    if "region" in printed.subtypes and any("region" in facts(one).subtypes for one in others):
        return False
    if printed.type == "upgrade":
        return entry(code).only_in in ("", server)
    return server.startswith("remote") and all(facts(one).type == "upgrade" for one in others)
