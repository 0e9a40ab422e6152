"""Windows: priority, legal uses, and when they close (Netrunner §1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from game.choices import tokens
from game.contract import OneOf
from game.netrunner import changes, harm
from game.netrunner.costs import can_pay, pay
from game.netrunner.facts import CORP, RUNNER, title
from game.netrunner.filters import OnTable
from game.netrunner.frames import Scope, Vars
from game.netrunner.moments import emit
from game.netrunner.moves import score
from game.netrunner.ops import answer, ask, choice, one_of, op
from game.netrunner.places import candidates, find, may_hide, ref
from game.netrunner.queries import (
    available_strength,
    holds,
    is_barred,
    requirement,
    rez_cost,
    server_of,
    subroutines,
    subtypes,
)
from game.netrunner.resolve import begin
from game.netrunner.state import Card
from game.netrunner.table import Table, entry, facts, is_able
from game.netrunner.vocabulary import Ability, Break, Choose, Cost, Last, TakeAll


def open_window(t: Table, letters: str) -> None:
    """Open a window: the player whose turn it is has priority first."""
    frame = t.push("window", letters=letters, holder=t.turn, passed=False, in_run=t.run is not None)
    if changes.windows_need_two_idle_passes(t.version):
        frame["acted"] = False


@op("window")
def window(t: Table, f: Vars) -> None:
    """Ask the seat with priority. A window of a run closes with the run (Netrunner §1.8).

    In version 1 it closes with the encountered ice, too.
    """
    is_met_ice_gone = "B" in f["letters"] and t.run is not None and t.run.ice not in t.cards
    closes = is_met_ice_gone and not changes.windows_outlive_their_ice(t.version)
    if f["in_run"] and (t.run is None or t.run.ended or closes):
        t.pop()
        return
    ask(t, "window", f["holder"], "window", letters=f["letters"], window="paid-ability")


@choice("window")
def window_choice(t: Table, f: Vars) -> OneOf:
    """Offer what may be done in this window, and pass."""
    return one_of([*usable(t, f["seat"], f["letters"]), "pass"])


def usable(t: Table, seat: int, letters: str) -> list[str]:
    """Return what a seat may do in a window with these letters (`TimingStep.window`)."""
    texts = []
    cards = sorted(t.cards.values(), key=lambda card: (card.place, card.host))
    for card in cards:
        texts += ability_texts(t, card, seat, "B" in letters)
    if seat == CORP:
        texts += [f"rez {ref(t, card, CORP)}" for card in cards if can_rez(t, card, letters)]
        if "S" in letters and t.turn == CORP:
            texts += [f"score {ref(t, card, CORP)}" for card in cards if can_score(t, card)]
    return texts


def ability_texts(t: Table, card: Card, seat: int, breaking: bool) -> list[str]:
    """Return the uses of one card's abilities."""
    entered = entry(card.code)
    if breaking and seat == RUNNER and entered.bioroid and is_met(t, card) and t.clicks[RUNNER] and t.run is not None:
        open_ = [i for i in range(len(subroutines(t, card))) if i not in t.run.broken]
        return [f"use {ref(t, card, seat)} {i}" for i in open_]
    if card.side != seat or not entered.abilities or not is_able(t, card):
        return []
    return [
        f"use {ref(t, card, seat)} {i}"
        for i, ability in enumerate(entered.abilities)
        if can_use(t, card, ability, seat, breaking)
    ]


def is_met(t: Table, card: Card) -> bool:
    """Tell whether this ice is being encountered."""
    return t.run is not None and t.run.encountering and t.run.ice == card.iid and card.rezzed


def can_use(t: Table, card: Card, ability: Ability, seat: int, breaking: bool, as_seen: bool = False) -> bool:
    """Tell whether an ability may be used in a window; `as_seen`: as far as the other side can know."""
    match ability.when:
        case "paid":
            fits = True
        case "run":
            fits = t.run is not None and not t.run.ended
        case "encounter":
            fits = breaking and t.run is not None and t.run.ice in t.cards and t.cards[t.run.ice].rezzed
        case "break":
            fits = breaking and can_break(t, card, ability)
        case _:
            fits = False
    return fits and holds(t, ability.only_if, {"iid": card.iid}) and payable(t, card, ability, seat, as_seen)


def payable(t: Table, card: Card, ability: Ability, seat: int, as_seen: bool = False) -> bool:
    """Tell whether an ability's cost can be paid and it has something to choose, or may have (`as_seen`)."""
    needs = next((e.what for e in ability.do if isinstance(e, Choose) and not e.optional), None)
    if isinstance(needs, OnTable) and not candidates(t, needs, seat, card.iid):
        return as_seen and may_hide(t, needs, card) and can_pay(t, seat, ability.cost, card.iid, purpose_of(card))
    return can_pay(t, seat, ability.cost, card.iid, purpose_of(card))


def could_act(t: Table, seat: int, texts: Iterable[str]) -> bool:
    """Tell whether one of these actions of a window is worth stopping for, not merely legal.

    Pumping a breaker is worth it only in the encounter with ice of its kind (step 3.1) that has an unbroken subroutine.
    """
    return any(text != "pass" and matters(t, seat, tokens(text)) for text in texts)


def useful_as_seen(t: Table, seat: int, letters: str) -> tuple[Card, ...]:
    """Return a seat's faceup cards with an ability that could matter in a window, as far as the other side can know."""
    cards = [card for card in t.active() if card.side == seat]
    faceup = [card for card in cards if card.rezzed or not card.place.startswith(("ice:", "root:"))]
    return tuple(card for card in faceup if any(_is_useful(t, card, i, seat, letters) for i in uses_of(card)))


def uses_of(card: Card) -> range:
    """Return the numbers of a card's abilities."""
    return range(len(entry(card.code).abilities))


def _is_useful(t: Table, card: Card, i: int, seat: int, letters: str) -> bool:
    ability = entry(card.code).abilities[i]
    return can_use(t, card, ability, seat, "B" in letters, as_seen=True) and does_more(t, card, i)


def matters(t: Table, seat: int, words: list[str]) -> bool:
    """Tell whether an action of a window does more than pump a breaker for nothing."""
    card = find(t, words[1], seat) if words[0] == "use" else None
    return card is None or card.side != seat or does_more(t, card, int(words[2]))


def does_more(t: Table, card: Card, i: int) -> bool:
    """Tell whether an ability does more now than pump a breaker for nothing."""
    effects = entry(card.code).abilities[i].do
    is_pump = all(isinstance(e, Last) and e.kind == "strength" and e.on == "self" for e in effects)
    return not is_pump or could_break(t, card)


def does_something_rezzed(card: Card) -> bool:
    """Tell whether rezzing a card does more than show it: an ambush works facedown, when it is accessed."""
    does = entry(card.code)
    used = [one for one in does.abilities if one.when != "approach"]  # those at an approach work facedown
    return facts(card).type == "ice" or bool(used or does.on or does.static or does.recurring or does.hosts)


def could_break(t: Table, card: Card) -> bool:
    """Tell whether a breaker of some strength could break what is encountered now."""
    run = t.run
    if run is None or run.step != "run.3.1" or run.ice not in t.cards:
        return False
    ice = t.cards[run.ice]
    broken = [e.subtype for one in entry(card.code).abilities for e in one.do if isinstance(e, Break)]
    fits = any(kind == "any" or kind in subtypes(t, ice) for kind in broken)
    return fits and len(subroutines(t, ice)) > len(run.broken)


def purpose_of(card: Card) -> str:
    """Return what credits spent on using this card are spent for."""
    return "icebreaker" if "icebreaker" in facts(card).subtypes else "use"


def can_break(t: Table, card: Card, ability: Ability) -> bool:
    """Tell whether a breaker reaches the encountered ice: its subtype and strength (Netrunner §1.8)."""
    effect = ability.do[0]
    if t.run is None or t.run.ice not in t.cards or not isinstance(effect, Break):
        return False
    ice = t.cards[t.run.ice]
    left = len(subroutines(t, ice)) > len(t.run.broken)
    fits = effect.subtype == "any" or effect.subtype in subtypes(t, ice)
    return left and fits and available_strength(t, card, ice)


def can_rez(t: Table, card: Card, letters: str) -> bool:
    """Tell whether the Corp may rez this card now: assets and upgrades, or the ice that is approached."""
    kind = facts(card).type if card.code != "?" else ""
    if card.rezzed or not card.place.startswith(("ice:", "root:")):
        return False
    if kind == "ice" and ("I" not in letters or t.run is None or t.run.ice != card.iid):
        return False
    if kind == "agenda" or (kind != "ice" and "R" not in letters):
        return False
    return can_pay_rez(t, card)


def can_pay_rez(t: Table, card: Card, less: int = 0) -> bool:
    """Tell whether the Corp could rez a card now for `less` credits less: it can pay, and nothing bars it."""
    cost = Cost(credits=max(0, rez_cost(t, card) - less), forfeit=entry(card.code).rez_forfeit)
    return not is_barred(t, card) and can_pay(t, CORP, cost, card.iid, "rez")


def can_score(t: Table, card: Card) -> bool:
    """Tell whether this agenda has been advanced enough."""
    installed = card.place.startswith("root:") and facts(card).type == "agenda"
    return installed and card.advancement >= requirement(t, card) and not is_barred(t, card)


@answer("window")
def window_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Act and keep priority, or pass; two passes in a row close the window.

    A pass after an action of one's own hands priority on and counts for nothing (Netrunner §1.3).
    """
    t.pop()
    frame, seat = t.frames[-1], f["seat"]
    if words[0] == "pass":
        if frame["passed"]:
            t.pop()
            return
        frame["passed"], frame["holder"] = not frame.get("acted"), 1 - seat
        if "acted" in frame:
            frame["acted"] = False
        return
    frame["passed"] = False
    if "acted" in frame:
        frame["acted"] = True
    card = find(t, words[1], seat)
    if card is None:
        return
    match words[0]:
        case "rez":
            harm.rez(t, card.iid)
        case "score":
            server = server_of(card)
            emit(t, "score", score(t, card.iid).iid, server)
        case _:
            use(t, card, int(words[2]), seat)


def use(t: Table, card: Card, index: int, seat: int) -> None:
    """Use an ability: pay, then do. A bioroid's index is a subroutine that a click breaks."""
    if card.side != seat and t.run is not None:
        t.clicks[RUNNER] -= 1
        t.run = replace(t.run, broken=tuple(sorted((*t.run.broken, index))))
        t.tell("broke", {"ice": title(card.code), "with": None, "broken": list(t.run.broken)})
        return
    ability = entry(card.code).abilities[index]
    t.tell("used", {"side": seat, "card": title(card.code)})
    t.fact(f"used:{card.iid}")
    if ability.cost.x:
        t.push("use-x", iid=card.iid, code=card.code, index=index, seat=seat)
        return
    held: Scope = {"held": card.credit} if any(isinstance(effect, TakeAll) for effect in ability.do) else {}
    begin(t, card.code, ("abilities", index, "do"), seat, card.iid, **held)
    pay(t, seat, ability.cost, card.iid, purpose_of(card))


@op("use-x")
def use_x(t: Table, f: Vars) -> None:
    """Ask how much X is. Then X is paid, the effects are carried out, and a card that is part of the cost is trashed.

    The frames are pushed in reverse: the card must still be there to choose its target.
    """
    ability = entry(f["code"]).abilities[f["index"]]
    if "answer" not in f:
        return ask(t, "number", f["seat"], "x", verb="spend", low=0, high=t.credits[f["seat"]])
    x = int(f.pop("answer")[1])
    t.pop()
    if ability.cost.trash_self:
        pay(t, f["seat"], Cost(trash_self=True), f["iid"])
    begin(t, f["code"], ("abilities", f["index"], "do"), f["seat"], f["iid"], x=x)
    pay(t, f["seat"], Cost(credits=x, counter=ability.cost.counter), f["iid"])
