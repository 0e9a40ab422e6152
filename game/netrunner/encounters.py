"""Encounters with ice: "when encountered", bypassing, breaking, subroutines, the encounter's end (Netrunner §1.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from game.netrunner import changes
from game.netrunner import vocabulary as v
from game.netrunner.costs import available, pay
from game.netrunner.facts import RUNNER, title
from game.netrunner.frames import Vars
from game.netrunner.harm import damage
from game.netrunner.moments import emit
from game.netrunner.moves import expire
from game.netrunner.ops import ask
from game.netrunner.queries import printed_index, subroutines
from game.netrunner.resolve import begin, handles
from game.netrunner.state import Lasting, Run
from game.netrunner.table import Table

# Words of a run's `mods`.
NEXT_ICE: Final = "next-ice:"  # how much stronger the next ice is, and the net damage it threatens
UNBROKEN: Final = "unbroken:"  # net damage if the ice that is met now is not fully broken


# The steps of an encounter, as `runs` walks them: each returns the next step where it is not the table's.


def meet(t: Table, f: Vars, run: Run) -> str | None:
    """Begin an encounter: what happens "when encountered" is marked here, and resolved by `triggers.reaction`."""
    mods = tuple(meet_stronger(t, run.ice, mod) if mod.startswith(NEXT_ICE) else mod for mod in run.mods)
    t.run = run = replace(run, encountering=True, encountered=run.encountered + 1, mods=mods)
    met = t.cards[run.ice]
    t.tell("encounter", {"card": title(met.code), "place": met.place})
    if "inside-job" in mods and run.encountered == 1:
        t.run = replace(run, bypassed=True)
        t.tell("bypassed", {})
    emit(t, "encounter", run.ice)
    return None


def meet_stronger(t: Table, ice: int, mod: str) -> str:
    """Strengthen the encountered ice by what a `NEXT_ICE` mod says; return the `UNBROKEN` mod that replaces it."""
    more, hurt = mod.removeprefix(NEXT_ICE).split(":")
    t.lasting.append(Lasting("strength", ice, int(more), "encounter"))
    return f"{UNBROKEN}{hurt}"


def before_subroutines(t: Table, f: Vars, run: Run) -> str | None:
    """Go past bypassed ice; else its window opens (step 3.1)."""
    return "run.4" if run.bypassed else None


def resolve_subroutines(t: Table, f: Vars, run: Run) -> str | None:
    """Resolve the next unbroken subroutine, top to bottom (step 3.2)."""
    card = t.cards.get(run.ice)
    if card is None:
        return "run.4"
    subs = subroutines(t, card)
    left = [i for i in range(f.get("sub", 0), len(subs)) if i not in run.broken]
    if not left:
        return after_subroutines(t, run)
    f["sub"], f["stage"] = left[0] + 1, 0
    t.tell("subroutine", {"card": title(card.code), "place": card.place, "index": printed_index(t, card, left[0])})
    begin(t, card.code, subs[left[0]], card.side, card.iid)
    return None


def after_subroutines(t: Table, run: Run) -> str:
    """Go on past the ice, or to the outermost place again."""
    if "to-outermost" not in run.mods:
        return "run.4"
    t.run = replace(run, passed=(), mods=tuple(mod for mod in run.mods if mod != "to-outermost"))
    return "run.2.1"


# The end of it.


def end(t: Table, run: Run) -> None:
    """Mark what happens when an encounter ends; what held for it is over."""
    emit(t, "encounter-ends", run.ice)
    for mod in run.mods:
        if mod.startswith(UNBROKEN) and not is_fully_broken(t, run):
            damage(t, "net", int(mod.removeprefix(UNBROKEN)))
    kept = tuple(mod for mod in run.mods if not mod.startswith(UNBROKEN))
    t.run = replace(run, encountering=False, mods=kept)
    expire(t, "encounter")


def is_fully_broken(t: Table, run: Run) -> bool:
    """Tell whether no subroutine of the ice is left."""
    return run.ice in t.cards and len(run.broken) == len(subroutines(t, t.cards[run.ice]))


# Effects on the ice that is met, or on what follows it.


@handles(v.Break)
def break_(t: Table, f: Vars, e: v.Break, stage: int) -> bool:
    run = t.run
    if run is None or run.ice not in t.cards:
        return True
    if stage == 0:
        ice = t.cards[run.ice]
        unbroken = tuple(i for i in range(len(subroutines(t, ice))) if i not in run.broken)
        ask(t, "break", RUNNER, "break", open=unbroken, most=len(unbroken) if e.most is None else e.most)
        return False
    broken = tuple(sorted((*run.broken, *(int(i) for i in f.pop("answer")[1:]))))
    breakers = run.breakers if f["iid"] in run.breakers else (*run.breakers, f["iid"])
    t.run = replace(run, broken=broken, breakers=breakers)
    t.tell("broke", {"ice": title(t.cards[run.ice].code), "with": title(f["code"]), "broken": list(broken)})
    return True


@handles(v.Bypass)
def bypass(t: Table, f: Vars, e: v.Bypass, stage: int) -> bool:
    if t.run is not None:
        t.run = replace(t.run, bypassed=True)
        t.tell("bypassed", {"place": t.cards[t.run.ice].place} if t.run.ice in t.cards else {})
    return True


@handles(v.BypassFor)
def bypass_for(t: Table, f: Vars, e: v.BypassFor, stage: int) -> bool:
    ice = t.cards.get(t.run.ice if t.run is not None else 0)
    if ice is None:
        return True
    price = e.each * len(subroutines(t, ice))
    if stage == 0:
        can = price <= available(t, RUNNER, "icebreaker")
        if not can and changes.vain_questions_are_not_asked(t.version):
            return True
        ask(t, "yes-no", RUNNER, "bypass", can=can, card=title(f["code"]), credits=price)
        return False
    if stage == 1 and f.pop("answer")[0] == "yes":
        pay(t, RUNNER, v.Cost(credits=price), f["iid"], "icebreaker")
        return False
    return bypass(t, f, v.Bypass(), stage) if stage == 2 else True


@handles(v.NextIce)
def next_ice(t: Table, f: Vars, e: v.NextIce, stage: int) -> bool:
    if t.run is not None:
        t.run = replace(t.run, mods=(*t.run.mods, f"{NEXT_ICE}{e.strength}:{e.damage}"))
    return True


@handles(v.MoveOutermost)
def move_outermost(t: Table, f: Vars, e: v.MoveOutermost, stage: int) -> bool:
    if t.run is not None:
        t.run = replace(t.run, mods=(*t.run.mods, "to-outermost"))
        t.tell("moved-outermost", {"server": t.run.server})
    return True
