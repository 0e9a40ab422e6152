"""Damage, tags, trashing and exposing, with the window in which they can be prevented (Netrunner §1.9)."""

from __future__ import annotations

from game.contract import OneOf
from game.netrunner.conditions import RezzedThisTurn
from game.netrunner.costs import can_pay, pay
from game.netrunner.facts import CORP, RUNNER, title
from game.netrunner.frames import Vars
from game.netrunner.moments import emit
from game.netrunner.moves import discard_from_hand, tag_gone, trash, was_trashed
from game.netrunner.ops import answer, ask, choice, one_of, op
from game.netrunner.places import find, ref
from game.netrunner.queries import holds, is_barred, rez_cost
from game.netrunner.table import Table, entry, facts, is_able
from game.netrunner.vocabulary import Cost

DAMAGES = ("net", "meat", "brain")
ZAIBATSU = "rez-and-prevent"


def damage(t: Table, kind: str, n: int, *, preventable: bool = True) -> None:
    """Do damage, unless it is prevented."""
    if n > 0:
        t.push("harm", what=kind, n=n, preventable=preventable, iid=0, stage=0)


def give_tags(t: Table, n: int) -> None:
    """Give the Runner tags, unless they are avoided."""
    if n > 0:
        t.push("harm", what="tag", n=n, preventable=True, iid=0, stage=0)


def trash_installed(t: Table, iid: int) -> None:
    """Trash a card of the table by an effect, unless it is prevented."""
    card = t.cards.get(iid)
    if card is not None:
        t.push("harm", what=f"trash-{facts(card).type}", n=1, preventable=card.side == RUNNER, iid=iid, stage=0)


def expose(t: Table, iid: int) -> None:
    """Expose a card, unless it is prevented."""
    if iid in t.cards and not t.cards[iid].rezzed:
        t.push("harm", what="expose", n=1, preventable=True, iid=iid, stage=0)


@op("harm")
def harm(t: Table, f: Vars) -> None:
    """Open the window for what prevents it, then do what is left."""
    seat = CORP if f["what"] == "expose" else RUNNER
    first, f["stage"] = f["stage"] == 0, 1
    # The question must not tell what the Corp has: it comes whenever some card in a remote server is unrezzed.
    must_ask = (
        first and seat == CORP and any(not c.rezzed and c.place.startswith("root:remote") for c in t.cards.values())
    )
    asked = f["n"] > 0 and f["preventable"] and not f.get("passed") and (prevents(t, f, seat) or must_ask)
    if asked:
        return ask(t, "prevent", seat, "prevent", what=f["what"], n=f["n"], window=f"prevent:{f['what']}")
    t.pop()
    if f["what"] in DAMAGES:  # the damage was about to be done, prevented or not
        t.fact(f"damage:{f['what']}")
    if t.frames[-1]["op"] == "pay":
        t.frames[-1]["suffered"] = f["n"]
    if f["n"] > 0:
        suffer(t, f)


def prevents(t: Table, f: Vars, seat: int) -> list[tuple[str, int, int]]:
    """Return the abilities that could prevent this: the action, the card's id, the ability's index."""
    found = []
    for card in t.cards.values():
        for i, ability in enumerate(entry(card.code).abilities):
            kinds = ability.when.partition("prevent:")[2].split(",")
            usable = f["what"] in kinds and card.side == seat and is_able(t, card)
            scope: Vars = {"iid": card.iid, "target": f["iid"]}
            if usable and holds(t, ability.only_if, scope) and can_pay(t, seat, ability.cost, card.iid):
                found.append((f"use {ref(t, card, seat)} {i}", card.iid, i))
    return found


def rezzable(t: Table) -> list[str]:
    """Return how the Corp may rez a card that says it may be rezzed inside this window."""
    cards = [card for card in t.cards.values() if not card.rezzed and card.place.startswith("root:")]
    able = [card for card in cards if any(static.kind == ZAIBATSU for static in entry(card.code).static)]
    return [f"rez {ref(t, card, CORP)}" for card in able if rez_cost(t, card) <= t.credits[CORP]]


@choice("prevent")
def prevent_choice(t: Table, f: Vars) -> OneOf:
    """Offer what prevents this, and pass."""
    texts = [text for text, _, _ in prevents(t, t.frames[-2], f["seat"])]
    return one_of([*texts, *(rezzable(t) if f["what"] == "expose" else []), "pass"])


@answer("prevent")
def prevent_answer(t: Table, f: Vars, words: list[str]) -> None:
    """Use an interrupt, or let it happen."""
    t.pop()
    below = t.frames[-1]
    if words[0] == "pass":
        below["passed"] = True
        return
    card = find(t, words[1], f["seat"])
    if card is None:
        return
    if words[0] == "rez":
        below["stage"] = 0  # and open the window again
        return rez(t, card.iid)
    index = int(words[2])
    ability = entry(card.code).abilities[index]
    t.tell("used", {"side": f["seat"], "card": title(card.code)})
    t.fact(f"used:{card.iid}")
    path = ("abilities", index, "do")
    t.push("do", iid=card.iid, code=card.code, path=path, pc=0, stage=0, seat=f["seat"], target=below["iid"])
    pay(t, f["seat"], ability.cost, card.iid)


def prevented(t: Table, n: int) -> None:
    """Prevent n of the nearest harm on the stack of frames, which lies below the effect that prevents it."""
    for frame in reversed(t.frames):
        if frame["op"] == "harm":
            frame["n"] = max(0, frame["n"] - n)
            t.tell("prevented", {"what": frame["what"], "count": n})
            if frame["what"] == "tag":
                tag_gone(t)
            return


def suffer(t: Table, f: Vars) -> None:
    """Do what was not prevented."""
    match f["what"]:
        case "tag":
            t.tags += f["n"]
            t.tell("tags", {"count": f["n"], "tags": t.tags})
        case "expose":
            card = t.change(f["iid"], seen=True, shown=True)
            t.tell("exposed", {"card": title(card.code), "place": card.place})
        case "net" | "meat" | "brain":
            hurt(t, f["what"], f["n"])
        case _:
            trash(t, f["iid"])


def hurt(t: Table, kind: str, n: int) -> None:
    """Trash random cards of the grip; more damage than cards ends the match (Netrunner §1.9)."""
    if kind == "brain":
        t.brain += n
    lost = []
    for _ in range(min(n, len(t.grip))):
        i, t.rng = t.rng.below(len(t.grip))
        code = discard_from_hand(t, RUNNER, i)
        lost.append(title(code))
        was_trashed(t, code)
    t.tell("damage", {"kind": kind, "count": n, "cards": [*sorted(lost)]})
    if n > len(lost):
        t.finish(CORP, "flatline")


def rez(t: Table, iid: int, *, free: bool = False, less: int = 0) -> None:
    """Rez a card, paying what it costs less `less` credits, or nothing if `free`."""
    frame = t.push("rez", iid=iid, free=free, stage=0)
    if less:
        frame["less"] = less


@op("rez")
def rez_frame(t: Table, f: Vars) -> None:
    """Pay, turn the card up, and mark what that triggers."""
    card = t.cards.get(f["iid"])
    if card is None or card.rezzed or is_barred(t, card):
        t.pop()
        return
    cost = 0 if f["free"] else max(0, rez_cost(t, card) - f.get("less", 0))
    if f["stage"] == 0:
        f["stage"] = 1
        entered = entry(card.code)
        if not f["free"]:
            return pay(t, CORP, Cost(credits=cost, forfeit=entered.rez_forfeit), card.iid, "rez")
    t.pop()
    t.change(card.iid, rezzed=True, recurring=0, since=t.next_iid)
    t.next_iid += 1
    t.tell("rezzed", {"card": title(card.code), "cost": cost, "place": card.place})
    if any(isinstance(static.when, RezzedThisTurn) for static in entry(card.code).static):
        t.fact(f"rezzed-id:{card.iid}")
    emit(t, "rez", card.iid)
