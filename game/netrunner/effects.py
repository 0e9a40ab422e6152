"""Effects on credits, clicks, tags, counters and cards, and those with a price: rezzing or trashing, tolls."""

from __future__ import annotations

from game.contract import OneOf
from game.netrunner import harm
from game.netrunner import vocabulary as v
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, RUNNER, title
from game.netrunner.filters import InZone
from game.netrunner.frames import Vars
from game.netrunner.measures import Everything
from game.netrunner.moments import emit
from game.netrunner.moves import derez, end_run, forfeit, place_counters, tag_gone
from game.netrunner.ops import ask, choice, one_of
from game.netrunner.places import candidates
from game.netrunner.queries import amount, rez_cost
from game.netrunner.resolve import handles, inner, who
from game.netrunner.table import ALL_KNOW, HANDS, Table, entry
from game.netrunner.zones import CORP_KNOWS, archive, forget, set_aside, take_out


@handles(v.Gain)
def gain(t: Table, f: Vars, e: v.Gain, stage: int) -> bool:
    t.gain(who(f, e.who), amount(t, f, e.n))
    return True


@handles(v.Lose)
def lose(t: Table, f: Vars, e: v.Lose, stage: int) -> bool:
    seat = who(f, e.who)
    t.lose(seat, t.credits[seat] if isinstance(e.n, Everything) else amount(t, f, e.n))
    return True


@handles(v.Draw)
def draw(t: Table, f: Vars, e: v.Draw, stage: int) -> bool:
    t.draw(who(f, e.who), amount(t, f, e.n))
    return True


@handles(v.GainClicks)
def gain_clicks(t: Table, f: Vars, e: v.GainClicks, stage: int) -> bool:
    n = amount(t, f, e.n)
    t.clicks[f["seat"]] += n
    t.tell("clicks", {"side": f["seat"], "clicks": n})
    return True


@handles(v.LoseClick)
def lose_click(t: Table, f: Vars, e: v.LoseClick, stage: int) -> bool:
    seat = who(f, e.who)
    if t.clicks[seat]:
        t.clicks[seat] -= 1
        t.tell("clicks", {"side": seat, "clicks": -1})
    return True


@handles(v.GiveTags)
def give_tags(t: Table, f: Vars, e: v.GiveTags, stage: int) -> bool:
    harm.give_tags(t, amount(t, f, e.n))
    return True


@handles(v.RemoveTags)
def remove_tags(t: Table, f: Vars, e: v.RemoveTags, stage: int) -> bool:
    n = min(e.n, t.tags)
    t.tags -= n
    t.tell("tags", {"count": -n, "tags": t.tags})
    if n:
        tag_gone(t)
    return True


@handles(v.Damage)
def damage(t: Table, f: Vars, e: v.Damage, stage: int) -> bool:
    harm.damage(t, e.kind, amount(t, f, e.n), preventable=not e.unpreventable)
    return True


@handles(v.TakeBadPublicity)
def take_bad_publicity(t: Table, f: Vars, e: v.TakeBadPublicity, stage: int) -> bool:
    t.bad_publicity += e.n
    t.tell("bad-publicity", {"count": e.n, "bad_publicity": t.bad_publicity})
    emit(t, "bad-publicity")
    return True


@handles(v.Mill)
def mill(t: Table, f: Vars, e: v.Mill, stage: int) -> bool:
    for _ in range(min(e.n, len(t.rd))):
        code, mark = take_out(t, "rd", 0)
        archive(t, code, False, mark)
        t.tell("milled", {}, {CORP: {"card": title(code)}})
    return True


@handles(v.AddCounters)
def add_counters(t: Table, f: Vars, e: v.AddCounters, stage: int) -> bool:
    place_counters(t, f["iid"] if e.on == "self" else f.get("target", 0), e.kind, amount(t, f, e.n))
    return True


@handles(v.TakeHosted)
def take_hosted(t: Table, f: Vars, e: v.TakeHosted, stage: int) -> bool:
    take_credits(t, f, e.n)
    return True


def take_credits(t: Table, f: Vars, n: int) -> None:
    """Move hosted credits into the pool; trash the card when none are left."""
    card = t.cards.get(f["iid"])
    if card is None:
        return
    n = min(n, card.credit)
    place_counters(t, card.iid, "credit", -n)
    t.gain(f["seat"], n)
    if t.cards[card.iid].credit == 0:
        harm.trash_installed(t, card.iid)


@handles(v.TakeAny)
def take_any(t: Table, f: Vars, e: v.TakeAny, stage: int) -> bool:
    card = t.cards.get(f["iid"])
    if card is None:
        return True
    if stage == 0:
        ask(t, "number", f["seat"], "take", verb="spend", low=0, high=card.credit)
        return False
    take_credits(t, f, int(f.pop("answer")[1]))
    return True


@handles(v.Siphon)
def siphon(t: Table, f: Vars, e: v.Siphon, stage: int) -> bool:
    t.gain(RUNNER, e.each * t.lose(CORP, e.most))
    return True


@handles(v.Trash)
def trash(t: Table, f: Vars, e: v.Trash, stage: int) -> bool:
    harm.trash_installed(t, f["iid"] if e.what == "self" else f.get("target", 0))
    return True


@handles(v.Rez)
def rez(t: Table, f: Vars, e: v.Rez, stage: int) -> bool:
    harm.rez(t, f.get("target", 0), free=e.free)
    return True


@handles(v.Derez)
def derez_self(t: Table, f: Vars, e: v.Derez, stage: int) -> bool:
    iid = f["iid"] if e.what == "self" else f.get("target", 0)
    if iid in t.cards and t.cards[iid].rezzed:
        derez(t, iid)
    return True


@handles(v.Expose)
def expose(t: Table, f: Vars, e: v.Expose, stage: int) -> bool:
    harm.expose(t, f.get("target", 0))
    return True


@handles(v.Take)
def take(t: Table, f: Vars, e: v.Take, stage: int) -> bool:
    _, zone, index = f["item"]
    if zone == "archives":
        known = t.archives[index][1]
        code, _ = take_out(t, "archives", index)
        if not known:
            forget(t, "archives")
        t.marks("hq").append(ALL_KNOW * known)
        t.hq.append(code)
        t.tell("taken", {"side": CORP, "card": title(code) if known else None}, {CORP: {"card": title(code)}})
        return True
    shown = e.reveal or zone == "heap"
    code = t.heap.pop(index) if zone == "heap" else take_out(t, zone, index)[0]
    t.marks(HANDS[f["seat"]]).append(ALL_KNOW * shown)
    t.hand(f["seat"]).append(code)
    t.tell("taken", {"side": f["seat"], "card": title(code) if shown else None}, {f["seat"]: {"card": title(code)}})
    return True


@handles(v.Shuffle)
def shuffle(t: Table, f: Vars, e: v.Shuffle, stage: int) -> bool:
    t.shuffle(f["seat"])
    return True


@handles(v.Remember)
def remember(t: Table, f: Vars, e: v.Remember, stage: int) -> bool:
    if f["iid"] in t.cards:
        t.change(f["iid"], note=(f["target"],))
    return True


@handles(v.Forfeit)
def forfeit_self(t: Table, f: Vars, e: v.Forfeit, stage: int) -> bool:
    if f["iid"] in t.cards:
        forfeit(t, f["iid"])
    return True


@handles(v.InstallTarget)
def install_target(t: Table, f: Vars, e: v.InstallTarget, stage: int) -> bool:
    if stage == 1 and e.then and f.get("installed"):
        inner(t, f, "then", target=f.pop("installed"))
        return False
    if stage:
        f.pop("installed", None)
        return True
    _, zone, index = f["item"]
    if f["seat"] == CORP:
        index = set_aside(t, index) if zone == "hq" else index
        frame = t.push("install-corp", zone=zone, index=index, server="", trash=(), stage=0, free=e.free)
        if e.then:
            frame |= {"within": e.within, "tells": True, "rezzed": e.rezzed}
        return not e.then
    t.push("install-runner", zone=zone, index=index, trash=(), stage=0, discount=e.discount)
    return True


@handles(v.Arrange)
def arrange(t: Table, f: Vars, e: v.Arrange, stage: int) -> bool:
    n = min(e.n, len(t.rd))
    if stage == 0:
        if n < 2:
            return True
        ask(t, "arrange", CORP, "arrange", n=n)
        return False
    picks = [word.strip('"') for word in f.pop("answer")[1:]]
    top = t.rd[:n]
    t.rd[:n] = sorted(top, key=lambda code: picks.index(title(code)))  # copies of a title are alike
    t.marks("rd")[:n] = [CORP_KNOWS] * n
    t.tell("arranged", {"side": CORP, "count": n})
    return True


@handles(v.BetaTest)
def beta_test(t: Table, f: Vars, e: v.BetaTest, stage: int) -> bool:
    """Stage 0 looks; then ice is installed one by one as long as the Corp likes; the rest is trashed face down."""
    if stage == 0:
        f["left"] = min(e.n, len(t.rd))
    if "answer" in f:
        words = f.pop("answer")
        if words[0] == "no":
            return discard_looked_at(t, f)
        item = next(i for i in candidates(t, ice_on_top(f["left"]), CORP) if f"choose {i.text}" == " ".join(words))
        f["left"] -= 1
        t.push("install-corp", zone="rd", index=item.index, server="", trash=(), stage=0, free=True)
        return False
    if f["left"] == 0:
        return discard_looked_at(t, f)
    ask(t, "choose", CORP, "beta-test", what=ice_on_top(f["left"]).text, source=0, optional=True, looked=f["left"])
    return False


def ice_on_top(n: int) -> InZone:
    """Return the filter of the ice among the top n cards of R&D."""
    return InZone("rd", ("ice",), size=n)


def discard_looked_at(t: Table, f: Vars) -> bool:
    """Trash what is left of the cards looked at; only the Corp has seen them."""
    for _ in range(f.pop("left")):
        code, mark = take_out(t, "rd", 0)
        archive(t, code, False, mark)
        t.tell("milled", {}, {CORP: {"card": title(code)}})
    return True


@handles(v.CannotSteal)
def cannot_steal(t: Table, f: Vars, e: v.CannotSteal, stage: int) -> bool:
    for frame in reversed(t.frames):
        if frame["op"] == "access":
            frame["barred"] = True
            break
    return True


@handles(v.RezOrTrash)
def rez_or_trash(t: Table, f: Vars, e: v.RezOrTrash, stage: int) -> bool:
    if stage == 0:
        ask(t, "rez-or-trash", CORP, "rez-or-trash", iid=f["target"])
        return False
    if f.pop("answer")[0] == "yes":
        harm.rez(t, f["target"])
    else:
        harm.trash_installed(t, f["target"])
    return True


@choice("rez-or-trash")
def rez_or_trash_choice(t: Table, f: Vars) -> OneOf:
    """Offer to rez, if that can be paid; nobody but the Corp learns whether it could."""
    card = t.cards[f["iid"]]
    cost = v.Cost(credits=rez_cost(t, card), forfeit=entry(card.code).rez_forfeit)
    return one_of(["yes", "no"] if can_pay(t, CORP, cost, card.iid, "rez") else ["no"])


@handles(v.Toll)
def toll(t: Table, f: Vars, e: v.Toll, stage: int) -> bool:
    if available(t, RUNNER) >= e.n:
        pay(t, RUNNER, v.Cost(credits=e.n), f["iid"], "toll")
    else:
        end_run(t)
    return True
