"""Questions that many effects ask: pick a card, yes or no, a number, one of some words."""

from __future__ import annotations

from itertools import permutations

from game.contract import Action, Number, OneOf, Subset
from game.netrunner.actions import runner_installs
from game.netrunner.costs import available
from game.netrunner.filters import read
from game.netrunner.frames import Vars
from game.netrunner.ops import answer, choice, one_of, reply, settle
from game.netrunner.places import Choosable, candidates, quoted
from game.netrunner.table import Table


def left_over(t: Table, f: Vars) -> list[Choosable]:
    """Return what may still be chosen: no card twice, and of cards to be installed only those that can be."""
    taken = f.get("taken", ())
    found = candidates(t, read(f["what"]), f["seat"], f.get("source", 0))
    items = [item for item in found if item.target not in taken]
    if "discount" not in f:
        return items
    return [item for item in items if any(runner_installs(t, getattr(t, item.zone)[item.index], f["discount"]))]


@choice("choose")
def choose(t: Table, f: Vars) -> OneOf:
    """Offer the cards of a filter, and `no` where one may do without or there is none."""
    texts = [f"choose {item.text}" for item in left_over(t, f)]
    return one_of([*texts, "no"] if f["optional"] or not texts else texts)


def several(t: Table, words: list[str]) -> list[str] | None:
    """Answer a question that comes again after each card (`choose A B`) up to the last card; return that answer.

    References are those of the first question. None where the cards are not on offer, or the question comes no more.
    """
    if words[0] != "choose" or len(words) < 3 or t.frames[-1]["kind"] != "choose":
        return None
    ask = t.frames[-1]
    texts = {item.text: _named(t, item) for item in left_over(t, ask)}
    named = [texts.get(word) for word in words[1:]]
    for i, card in enumerate(named):
        top = t.frames[-1]
        if card is None or (top["kind"], top.get("what")) != ("choose", ask["what"]):
            return None
        found = next((item.text for item in left_over(t, top) if _named(t, item) == card), None)
        if found is None or i == len(named) - 1:
            return ["choose", found] if found is not None else None
        reply(t, ["choose", found])
        settle(t)
    return None


def _named(t: Table, item: Choosable) -> tuple[int, object]:
    """Return what identifies an item while others are taken out of its zone: its id, or its code."""
    return (item.iid, None if item.iid else getattr(t, item.zone)[item.index])


@choice("yes-no")
def yes_no(t: Table, f: Vars) -> OneOf:
    """Offer yes, if it can be paid, and no."""
    return one_of(["yes", "no"] if f.get("can", True) else ["no"])


@choice("words")
def words(t: Table, f: Vars) -> OneOf:
    """Offer some words."""
    return one_of([f"choose {word}" for word in f["words"]])


@choice("number")
def number(t: Table, f: Vars) -> Number:
    """Offer a number."""
    return Number(f["verb"], f["low"], max(f["low"], f["high"]))


@choice("bid")
def bid(t: Table, f: Vars) -> Number:
    """Offer what the seat can spend on a secret bid."""
    return Number("bid", 0, min(f["high"], available(t, f["seat"], "psi")))


@answer("bid")
def bid_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Keep a bid until the other one is in."""
    f["bids"] = tuple(sorted((*f["bids"], (f["seat"], int(words[1])))))
    f["seats"] = tuple(seat for seat in f["seats"] if seat != f["seat"])
    if f["seats"]:
        f["seat"] = f["seats"][0]
        return
    t.pop()
    t.frames[-1]["bids"] = f["bids"]


@choice("break")
def subroutines(t: Table, f: Vars) -> Subset:
    """Offer the subroutines that are not broken yet."""
    items = tuple(str(i) for i in f["open"])
    return Subset("break", items, min(1, len(items)), min(f["most"], len(items)))


@choice("texts")
def texts(t: Table, f: Vars) -> OneOf:
    """Offer whole actions."""
    return OneOf(tuple(Action(text) for text in f["texts"]))


@choice("arrange")
def arrange(t: Table, f: Vars) -> OneOf:
    """Offer the orders of the top cards of R&D."""
    titles = [quoted(code) for code in t.rd[: f["n"]]]
    return one_of([f"order {' '.join(some)}" for some in permutations(titles)])
