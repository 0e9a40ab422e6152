"""Carrying out effects: the frame 'do' walks a list of them, wherever a card's entry holds it; and deciding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from game.netrunner import vocabulary as v
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, RUNNER, title
from game.netrunner.ops import ask, op
from game.netrunner.places import candidates
from game.netrunner.queries import amount, holds, link
from game.netrunner.table import Table, Vars, entry
from game.netrunner.zones import ALL_KNOW, learn

# A handler returns True when its effect is over, False when it is to be called again after what it put on the stack.
Handler = Callable[[Table, Vars, Any, int], bool]
HANDLERS: Final[dict[type[v.Effect], Handler]] = {}


def handles(kind: type[v.Effect]) -> Callable[[Handler], Handler]:
    """Name the handler of an effect."""

    def register(function: Handler) -> Handler:
        HANDLERS[kind] = function
        return function

    return register


def effects_of(f: Vars) -> v.Effects:
    """Return the list of effects that a frame walks."""
    found: Any = entry(f["code"])
    for part in f["path"]:
        found = found[part] if isinstance(part, int) else getattr(found, part)
    effects: v.Effects = found
    return effects


@op("do")
def do(t: Table, f: Vars) -> None:
    """Carry out the next effect."""
    effects = effects_of(f)
    if f["pc"] >= len(effects):
        t.pop()
        return
    effect = effects[f["pc"]]
    stage, f["stage"] = f["stage"], f["stage"] + 1
    if HANDLERS[type(effect)](t, f, effect, stage):
        f["pc"] += 1
        f["stage"] = 0


def begin(t: Table, code: str, path: tuple[str | int, ...], seat: int, iid: int = 0, **more: Any) -> None:
    """Begin a list of effects."""
    t.push("do", iid=iid, code=code, path=path, pc=0, stage=0, seat=seat, **more)


def inner(t: Table, f: Vars, part: str, **more: Any) -> None:
    """Begin a list of effects inside the current effect."""
    kept: Vars = {name: f[name] for name in ("target", "item", "x") if name in f}
    begin(t, f["code"], (*f["path"], f["pc"], part), f["seat"], f["iid"], **{**kept, **more})


def who(f: Vars, name: str) -> int:
    """Return the seat that a word names."""
    seat: int = {"corp": CORP, "runner": RUNNER}[name] if name != "me" else f["seat"]
    return seat


def place_of_effect(f: Vars) -> str:
    """Return where the entry has the current effect, for those who want to read it: 'on.0.do.1'."""
    return ".".join(map(str, (*f["path"], f["pc"])))


@handles(v.If)
def if_(t: Table, f: Vars, e: v.If, stage: int) -> bool:
    if stage == 0:
        inner(t, f, "then" if holds(t, e.condition, f) else "or_else")
        return False
    return True


@handles(v.May)
def may(t: Table, f: Vars, e: v.May, stage: int) -> bool:
    seat = who(f, e.who)
    if stage == 0:
        if e.only_if and not holds(t, e.only_if, f):
            return True
        can = can_pay(t, seat, e.cost, f["iid"])
        data = {"card": title(f["code"]), "effect": place_of_effect(f), "part": f["path"][0]}
        ask(t, "yes-no", seat, "may", can=can, credits=e.cost.credits, **data)
        return False
    if stage == 1:
        f["said"] = f.pop("answer")[0]
        inner(t, f, "then" if f["said"] == "yes" else "or_else")
        if f["said"] == "yes" and e.cost != v.Cost():
            pay(t, seat, e.cost, f["iid"])
        return False
    f.pop("said", None)
    return True


@handles(v.Either)
def either(t: Table, f: Vars, e: v.Either, stage: int) -> bool:
    if stage == 0:
        data = {"card": title(f["code"]), "effect": place_of_effect(f)}
        ask(t, "words", who(f, e.who), "either", words=(e.first[0], e.second[0]), **data)
        return False
    if stage == 1:
        inner(t, f, "do_first" if f.pop("answer")[1] == e.first[0] else "do_second")
        return False
    return True


@handles(v.Choose)
def choose(t: Table, f: Vars, e: v.Choose, stage: int) -> bool:
    """Pick, resolve, pick again; an even stage asks, an odd one resolves."""
    seat = who(f, e.who)
    taken = f.get("taken", ())
    if stage % 2 == 0:
        many = amount(t, f, e.count)
        items = [item for item in candidates(t, e.what, seat, f["iid"]) if item.target not in taken]
        is_secret = e.what.split()[0].partition(":")[0] in ("stack", "rd", "hq", "grip")
        if stage // 2 >= many or (not items and not is_secret):
            f.pop("taken", None)
            return True
        data = {"what": e.what, "source": f["iid"], "taken": taken, "card": title(f["code"])}
        data["effect"] = place_of_effect(f)
        if seat == RUNNER and isinstance(e.do[0], v.InstallTarget):
            data["discount"] = e.do[0].discount
        ask(t, "choose", seat, "choose", optional=e.optional or is_secret, **data)
        return False
    words = f.pop("answer")
    if words[0] == "no":
        f.pop("taken", None)
        return True
    found = next(item for item in candidates(t, e.what, seat, f["iid"]) if f"choose {item.text}" == " ".join(words))
    if found.iid:  # what is taken out of a zone can't be taken twice
        f["taken"] = (*taken, found.target)
    inner(t, f, "do", target=found.iid, item=found.target)
    return False


@handles(v.Trace)
def trace(t: Table, f: Vars, e: v.Trace, stage: int) -> bool:
    """Trace[n]: the Corp bids first, openly, then the Runner (Netrunner §1.9)."""
    match stage:
        case 0:
            ask(t, "number", CORP, "trace", verb="spend", low=0, high=available(t, CORP, "trace"), base=e.base)
        case 1:
            f["x"] = int(f.pop("answer")[1])
            pay(t, CORP, v.Cost(credits=f["x"]), f["iid"], "trace")
        case 2:
            high, against = available(t, RUNNER, "trace"), e.base + f["x"]
            ask(t, "number", RUNNER, "link", verb="spend", low=0, high=high, strength=against, link=link(t))
        case 3:
            f["y"] = int(f.pop("answer")[1])
            pay(t, RUNNER, v.Cost(credits=f["y"]), f["iid"], "trace")
        case 4:
            ours, theirs = e.base + f.pop("x"), link(t) + f.pop("y")
            t.tell("traced", {"trace": ours, "link": theirs, "successful": ours > theirs})
            if ours <= theirs:
                return True
            inner(t, f, "then")
        case _:
            return True
    return False


@handles(v.Psi)
def psi(t: Table, f: Vars, e: v.Psi, stage: int) -> bool:
    """Ask for two secret bids, have them shown and paid, and compare them."""
    match stage:
        case 0:
            reveal_accessed(t)
            ask(t, "bid", CORP, "bid", seats=(CORP, RUNNER), bids=(), high=e.most)
        case 1:
            (_, f["x"]), (_, f["y"]) = f.pop("bids")
            t.tell("bids", {"corp": f["x"], "runner": f["y"]})
            pay(t, CORP, v.Cost(credits=f["x"]), f["iid"], "psi")
        case 2:
            pay(t, RUNNER, v.Cost(credits=f["y"]), f["iid"], "psi")
        case 3:
            if f.pop("x") == f.pop("y"):
                return True
            inner(t, f, "then")
        case _:
            return True
    return False


def reveal_accessed(t: Table) -> None:
    """Show everybody the card that is being accessed: a game about it can't be played otherwise (Netrunner §1.8)."""
    access = next(frame for frame in reversed(t.frames) if frame["op"] == "access")
    zone, index = access["zone"], access["index"]
    if zone in ("hq", "rd"):
        learn(t, zone, index, ALL_KNOW)
        t.tell("revealed", {"card": title(getattr(t, zone)[index]), "place": zone})
