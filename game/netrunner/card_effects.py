"""Effects on cards wherever they are: shown, shuffled in, turned into agendas, accessed, hosted, installed facedown."""

from __future__ import annotations

from game.contract import OneOf
from game.netrunner import changes, harm
from game.netrunner import vocabulary as v
from game.netrunner.access import access_alone, access_from, turn_into_agenda
from game.netrunner.cards import ENTRIES
from game.netrunner.costs import available, pay, shuffle_in
from game.netrunner.facts import CORP, FACTS, RUNNER, title
from game.netrunner.filters import cards
from game.netrunner.frames import Vars
from game.netrunner.moves import discard_from_hand, place_counters, remove_from_game, was_trashed
from game.netrunner.ops import ask, choice, one_of
from game.netrunner.places import candidates, find, quoted, ref
from game.netrunner.queries import amount
from game.netrunner.resolve import handles, inner
from game.netrunner.state import Lasting
from game.netrunner.table import ALL_KNOW, Table, facts
from game.netrunner.windows import can_pay_rez
from game.netrunner.zones import RUNNER_KNOWS, set_aside, take_out

INSTALLABLE = cards("hq", "installable")

RUNNER_TYPES = ("event", "hardware", "program", "resource")


# Hands and decks.


@handles(v.DrawUpTo)
def draw_up_to(t: Table, f: Vars, e: v.DrawUpTo, stage: int) -> bool:
    if stage == 0:
        most = amount(t, f, e.n)
        if most > 0:
            ask(t, "number", f["seat"], "draw-up-to", verb="spend", low=0, high=most)
        return most <= 0
    t.draw(f["seat"], int(f.pop("answer")[1]))
    return True


@handles(v.TrashGrip)
def trash_grip(t: Table, f: Vars, e: v.TrashGrip, stage: int) -> bool:
    while t.grip:
        code = discard_from_hand(t, RUNNER, 0)
        t.tell("trashed", {"side": RUNNER, "card": title(code), "place": "grip"})
        was_trashed(t, code)
    return True


@handles(v.PeekBottom)
def peek_bottom(t: Table, f: Vars, e: v.PeekBottom, stage: int) -> bool:
    if stage == 0:
        if not t.stack:
            return True
        t.marks("stack")[0] |= RUNNER_KNOWS
        t.tell("looked", {"side": RUNNER, "count": 1}, {RUNNER: {"card": title(t.stack[0])}})
        ask(t, "yes-no", RUNNER, "bottom")
        return False
    if f.pop("answer")[0] == "yes":
        marks = t.marks("stack")
        t.stack.append(t.stack.pop(0))
        marks.append(marks.pop(0))
        t.tell("put-at-bottom", {"side": RUNNER})
    return True


@handles(v.RevealTop)
def reveal_top(t: Table, f: Vars, e: v.RevealTop, stage: int) -> bool:
    marks = t.marks("rd")
    for i, code in enumerate(t.rd[: e.n]):
        marks[i] = ALL_KNOW
        t.tell("revealed", {"card": title(code), "place": "rd"})
    return True


@handles(v.NameType)
def name_type(t: Table, f: Vars, e: v.NameType, stage: int) -> bool:
    if stage == 0:
        ask(t, "words", CORP, "type", words=RUNNER_TYPES, card=title(f["code"]))
        return False
    named = f.pop("answer")[1]
    t.tell("named", {"type": named})
    t.marks("grip")[:] = [ALL_KNOW] * len(t.grip)
    for code in sorted(t.grip, key=title):  # sorted, so that the order in the hand stays secret
        t.tell("revealed", {"card": title(code), "place": "grip"})
    n = sum(FACTS[code].type == named for code in t.grip)
    t.lasting.append(Lasting("named", f["iid"], n, "encounter"))
    return True


@handles(v.Return)
def return_(t: Table, f: Vars, e: v.Return, stage: int) -> bool:
    _, zone, index = f["item"]
    code, _ = take_out(t, zone, index)
    f["points"] = FACTS[code].points
    t.tell("revealed", {"card": title(code), "place": zone})
    t.marks("rd").append(ALL_KNOW)
    t.rd.append(code)
    t.tell("put-into-rd", {"card": title(code)})
    return True


@handles(v.ShuffleIn)
def shuffle_chosen_in(t: Table, f: Vars, e: v.ShuffleIn, stage: int) -> bool:
    shuffle_in(t, tuple(iid for iid, _, _ in f["taken"]))
    return True


# Score areas, and out of the game.


@handles(v.BecomeAgenda)
def become_agenda(t: Table, f: Vars, e: v.BecomeAgenda, stage: int) -> bool:
    turn_into_agenda(t, f["iid"], e.points)
    return True


@handles(v.AddToScore)
def add_to_score(t: Table, f: Vars, e: v.AddToScore, stage: int) -> bool:
    _, zone, index = f["item"]
    code, _ = take_out(t, zone, index)
    t.put(code, CORP, "score:corp", rezzed=True)
    t.tell("added-to-score", {"card": title(code), "points": FACTS[code].points})
    return True


@handles(v.RemoveSelf)
def remove_self(t: Table, f: Vars, e: v.RemoveSelf, stage: int) -> bool:
    if f["iid"] in t.cards:
        remove_from_game(t, f["iid"])
    return True


# Accesses outside a breach.


@handles(v.AccessFrom)
def access_one_of(t: Table, f: Vars, e: v.AccessFrom, stage: int) -> bool:
    if stage == 0:
        access_from(t, e.server)
        return False
    return True


@handles(v.AccessTarget)
def access_target(t: Table, f: Vars, e: v.AccessTarget, stage: int) -> bool:
    if stage == 0:
        access_alone(t, f["target"])
        return False
    return True


# Counters, credits, rezzing.


@handles(v.PlaceUpTo)
def place_up_to(t: Table, f: Vars, e: v.PlaceUpTo, stage: int) -> bool:
    if stage == 0:
        ask(t, "number", f["seat"], "place-up-to", verb="spend", low=1, high=e.most)
        return False
    place_counters(t, f["target"], "advancement", int(f.pop("answer")[1]))
    return True


@handles(v.TakeAll)
def take_all(t: Table, f: Vars, e: v.TakeAll, stage: int) -> bool:
    t.gain(f["seat"], f["held"])
    return True


@handles(v.SpendAny)
def spend_any(t: Table, f: Vars, e: v.SpendAny, stage: int) -> bool:
    if stage == 0:
        if not available(t, CORP) and changes.vain_questions_are_not_asked(t.version):
            return True
        ask(t, "number", CORP, "spend-any", verb="spend", low=0, high=available(t, CORP), card=title(f["code"]))
        return False
    if stage == 1:
        f["x"] = int(f.pop("answer")[1])
        if f["x"]:
            inner(t, f, "then")
            pay(t, CORP, v.Cost(credits=f["x"]), f["iid"])
        return not f["x"]
    f.pop("x", None)
    return True


@handles(v.MarkUsed)
def mark_used(t: Table, f: Vars, e: v.MarkUsed, stage: int) -> bool:
    t.fact(f"used:{f['iid']}")
    return True


@handles(v.Bar)
def bar(t: Table, f: Vars, e: v.Bar, stage: int) -> bool:
    t.lasting.append(Lasting("barred", f["target"], 0, "corp-turn"))
    return True


@handles(v.RezSelf)
def rez_self(t: Table, f: Vars, e: v.RezSelf, stage: int) -> bool:
    if stage == 0:
        harm.rez(t, f["iid"])
        return False
    return True


@handles(v.RezCheaper)
def rez_cheaper(t: Table, f: Vars, e: v.RezCheaper, stage: int) -> bool:
    less = amount(t, f, e.n)
    if stage == 0:
        if not candidates(t, cards("corp", "unrezzed"), CORP) and changes.vain_questions_are_not_asked(t.version):
            return True
        ask(t, "rez-cheaper", f["seat"], "rez-cheaper", less=less)
        return False
    words = f.pop("answer")
    card = find(t, words[1], f["seat"]) if words[0] == "choose" else None
    if card is not None:
        harm.rez(t, card.iid, less=less)
    return True


@choice("rez-cheaper")
def rez_cheaper_choice(t: Table, f: Vars) -> OneOf:
    """Offer the cards that could be rezzed for less, and `no`."""
    cards = sorted(t.cards.values(), key=lambda card: card.place)
    mine = [card for card in cards if card.place.startswith(("ice:", "root:")) and not card.rezzed]
    fits = [card for card in mine if facts(card).type != "agenda" and can_pay_rez(t, card, f["less"])]
    return one_of([*(f"choose {ref(t, card, f['seat'])}" for card in fits), "no"])


# Hosting and installing.


@handles(v.HostSelf)
def host_self(t: Table, f: Vars, e: v.HostSelf, stage: int) -> bool:
    if f["iid"] in t.cards and f["target"] in t.cards:
        card = t.change(f["iid"], place="hosted", host=f["target"])
        t.tell("hosted", {"card": title(card.code), "place": t.cards[card.host].place})
    return True


@handles(v.HostIdentity)
def host_identity(t: Table, f: Vars, e: v.HostIdentity, stage: int) -> bool:
    if stage == 0:
        ask(t, "identity", RUNNER, "identity", subtype=e.subtype)
        return False
    name = f.pop("answer")[1]
    code = next(code for code in identities(t, e.subtype) if quoted(code) == name)
    if f["iid"] in t.cards:
        t.put(code, RUNNER, "hosted", host=f["iid"], rezzed=True)
        t.tell("hosted", {"card": title(code), "place": "rig"})
    return True


def identities(t: Table, subtype: str) -> list[str]:
    """Return the codes of the Runner's identities of a subtype and of another faction than the one in play."""
    own = FACTS[t.identities[RUNNER]].faction
    found = [FACTS[code] for code in ENTRIES if FACTS[code].type == "identity" and FACTS[code].side == RUNNER]
    return [one.code for one in found if subtype in one.subtypes and one.faction != own]


@choice("identity")
def identity_choice(t: Table, f: Vars) -> OneOf:
    """Offer the identities."""
    return one_of([f"choose {quoted(code)}" for code in identities(t, f["subtype"])])


@handles(v.InstallFacedown)
def install_facedown(t: Table, f: Vars, e: v.InstallFacedown, stage: int) -> bool:
    _, zone, index = f["item"]
    code = getattr(t, zone).pop(index)
    card = t.put(code, RUNNER, "rig")
    t.fact("installed")
    t.tell("installed", {"side": RUNNER, "card": None, "place": card.place}, {RUNNER: {"card": title(code)}})
    return True


@handles(v.InstallInOneRemote)
def install_in_one_remote(t: Table, f: Vars, e: v.InstallInOneRemote, stage: int) -> bool:
    """Ask for a card, install it, ask again; the first install decides the remote server."""
    if "answer" in f:
        words = f.pop("answer")
        if words[0] == "no":
            return over(f)
        item = next(one for one in candidates(t, INSTALLABLE, CORP) if f"choose {one.text}" == " ".join(words))
        within = f.get("server", "remote")
        index = set_aside(t, item.index)
        frame = t.push("install-corp", zone="hq", index=index, server="", trash=(), stage=0, free=False)
        frame |= {"within": within, "tells": True}
        f["picked"] = f.get("picked", 0) + 1
        return False
    if f.get("picked", 0) >= amount(t, f, e.n):
        return over(f)
    what = INSTALLABLE.text
    ask(t, "choose", CORP, "choose", source=f["iid"], optional=True, card=title(f["code"]), effect="", what=what)
    return False


def over(f: Vars) -> bool:
    """Remove the frame's variables for installing several cards; return True: the effect is over."""
    f.pop("server", None)
    f.pop("picked", None)
    f.pop("installed", None)
    return True
