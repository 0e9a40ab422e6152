"""Execution of effects: the frame 'do' walks a list of them in a card's entry; and choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Unpack

from game.netrunner import changes
from game.netrunner import vocabulary as v
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, RUNNER, title
from game.netrunner.filters import SECRET
from game.netrunner.frames import Path, QuestionData, Scope, Vars, handed_on
from game.netrunner.ops import ask, op
from game.netrunner.places import candidates
from game.netrunner.queries import amount, holds, link
from game.netrunner.table import ALL_KNOW, Table, entry
from game.netrunner.zones import learn

# A handler returns True when its effect is over, False when it is to be called again after what it put on the stack.
Handler = Callable[[Table, Vars, Any, int], bool]
MANY: Final = 10_000  # no limit
HANDLERS: Final[dict[type[v.Effect], Handler]] = {}


def handles(kind: type[v.Effect]) -> Callable[[Handler], Handler]:
    """Name the handler of an effect."""

    def register(function: Handler) -> Handler:
        HANDLERS[kind] = function
        return function

    return register


def effects_of(f: Vars) -> v.Effects:
    """Return the list of effects that a frame carries out: the part of the card's entry at the frame's `path`."""
    found: Any = entry(f["code"])
    for part in f["path"]:
        found = found[part] if isinstance(part, int) else getattr(found, part)
    effects: v.Effects = found
    return effects


def pick_asked(t: Table) -> Vars:
    """Return which pick of how many the question on top asks for; empty where a card picks one, or any number.

    It is read from the frame below, so that the frames are what they were.
    """
    if len(t.frames) < 2 or t.frames[-2]["op"] != "do":
        return {}
    below = t.frames[-2]
    effects = effects_of(below)
    e = effects[below["pc"]] if below["pc"] < len(effects) else None
    if not isinstance(e, v.Choose) or not isinstance(e.count, int) or e.count < 2:
        return {}
    return {"nth": (int(below["stage"]) + 1) // 2, "most": e.count}


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


def begin(t: Table, code: str, path: Path, seat: int, iid: int = 0, **more: Unpack[Scope]) -> None:
    """Push a frame that carries out a list of effects, the one at `path` in a card's entry."""
    t.push("do", iid=iid, code=code, path=path, pc=0, stage=0, seat=seat, **more)


def inner(t: Table, f: Vars, part: str, **more: Unpack[Scope]) -> None:
    """Push a frame for a list of effects inside the current effect: its field `part`."""
    kept = handed_on(f) | more
    if part != "after" and "taken" not in more:
        kept.pop("taken", None)
    begin(t, f["code"], (*f["path"], f["pc"], part), f["seat"], f["iid"], **kept)


def who(f: Vars, name: str) -> int:
    """Return the seat of 'corp', 'runner', or 'me' for the player whose card it is."""
    seat: int = {"corp": CORP, "runner": RUNNER}[name] if name != "me" else f["seat"]
    return seat


def place_of_effect(f: Vars) -> str:
    """Return the place of the current effect in the card's entry, as `text.effect_text` takes it: 'on.0.do.1'."""
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
        if not holds(t, e.only_if, f):
            return True
        cost = priced(t, f, e.cost)
        can = can_pay(t, seat, cost, f["iid"])
        if not can and (e.cost.per is not None or changes.vain_questions_are_not_asked(t.version)):
            f["answer"] = ("no",)
            return False
        effect, part = place_of_effect(f), f["path"][0]
        card = title(f["code"])
        ask(t, "yes-no", seat, "may", can=can, credits=cost.credits, card=card, effect=effect, part=part)
        return False
    if stage == 1:
        f["said"] = f.pop("answer")[0]
        if f["said"] == "yes" and is_suffered(e.cost):
            pay(t, seat, e.cost, f["iid"])
            return False
        inner(t, f, "then" if f["said"] == "yes" else "or_else")
        if f["said"] == "yes" and e.cost != v.Cost():
            pay(t, seat, priced(t, f, e.cost), f["iid"])
        return False
    if stage == 2 and f["said"] == "yes" and is_suffered(e.cost):
        inner(t, f, "or_else" if f.pop("unpaid", False) else "then")
        return False
    f.pop("said", None)
    return True


def is_suffered(cost: v.Cost) -> bool:
    """Tell whether a cost is damage or tags: these may be prevented, and then the cost is not paid."""
    return bool(cost.net or cost.tags)


def priced(t: Table, f: Vars, cost: v.Cost) -> v.Cost:
    """Return a cost with its credits as they are now, multiplied by `per`."""
    return cost if cost.per is None else replace(cost, credits=cost.credits * amount(t, f, cost.per), per=None)


@handles(v.Either)
def either(t: Table, f: Vars, e: v.Either, stage: int) -> bool:
    if stage == 0:
        words = tuple(word for word, effects in (e.first, e.second) if not is_vain(t, f, effects))
        card, effect = title(f["code"]), place_of_effect(f)
        ask(t, "words", who(f, e.who), "either", words=words, card=card, effect=effect)
        return False
    if stage == 1:
        inner(t, f, "do_first" if f.pop("answer")[1] == e.first[0] else "do_second")
        return False
    return True


def is_vain(t: Table, f: Vars, effects: v.Effects) -> bool:
    """Tell whether effects begin with picking a card where everybody sees that there is none."""
    first = effects[0] if effects else None
    if not isinstance(first, v.Choose) or is_secret(first) or not changes.vain_questions_are_not_asked(t.version):
        return False
    return not candidates(t, first.what, who(f, first.who), f["iid"])


def is_secret(e: v.Choose) -> bool:
    """Tell whether only one side knows what there is to choose from."""
    return e.what.pool in SECRET


@handles(v.Choose)
def choose(t: Table, f: Vars, e: v.Choose, stage: int) -> bool:
    """Ask for a card, carry out `do`, ask again; an even stage asks, an odd one carries out."""
    seat = who(f, e.who)
    taken = f.get("taken", ())
    if f.pop("closing", False):
        f.pop("taken", None)
        return True
    if stage % 2 == 0:
        many = MANY if e.count is None else amount(t, f, e.count)
        items = [item for item in candidates(t, e.what, seat, f["iid"]) if item.target not in taken]
        if stage // 2 >= many or (not items and not is_secret(e)):
            return chosen(t, f, e, stage // 2)
        data: QuestionData = {"what": e.what.text, "source": f["iid"], "taken": taken, "card": title(f["code"])}
        data |= {"effect": place_of_effect(f), "optional": e.optional or is_secret(e)}
        if seat == RUNNER and isinstance(e.do[0], v.InstallTarget):
            data["discount"] = e.do[0].discount
        ask(t, "choose", seat, "choose", **data)
        return False
    words = f.pop("answer")
    if words[0] == "no":
        return chosen(t, f, e, stage // 2)
    found = next(item for item in candidates(t, e.what, seat, f["iid"]) if f"choose {item.text}" == " ".join(words))
    if found.iid:  # what is taken out of a zone can't be taken twice
        f["taken"] = (*taken, found.target)
    inner(t, f, "do", target=found.iid, item=found.target)
    return False


def chosen(t: Table, f: Vars, e: v.Choose, n: int) -> bool:
    """End a choice of n cards; if there were any, do what comes after them."""
    if e.after or e.count is None:
        f["chosen"] = n
    if e.after and n:
        f["closing"] = True
        inner(t, f, "after")
        return False
    f.pop("taken", None)
    return True


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
            is_equal = f.pop("x") == f.pop("y")
            if is_equal and not e.equal:
                return True
            inner(t, f, "equal" if is_equal else "then")
        case _:
            return True
    return False


def reveal_accessed(t: Table) -> None:
    """Show everybody the card that is being accessed: a game about it can't be played otherwise (Netrunner §1.8)."""
    access = next((frame for frame in reversed(t.frames) if frame["op"] == "access"), None)
    if access is None:
        return
    zone, index = access["zone"], access["index"]
    if zone in ("hq", "rd"):
        learn(t, zone, index, ALL_KNOW)
        t.tell("revealed", {"card": title(getattr(t, zone)[index]), "place": zone})
