"""Breaching a server: which cards are accessed, one at a time, and what the Runner does with each (Netrunner §1.8)."""

from __future__ import annotations

from dataclasses import replace

from game.contract import OneOf
from game.netrunner import changes, zones
from game.netrunner.costs import available, can_pay, pay
from game.netrunner.facts import CORP, FACTS, RUNNER, title
from game.netrunner.frames import Vars
from game.netrunner.moments import emit, emit_own
from game.netrunner.moves import add_agenda, becomes_agenda, end_currents, leave, steal, tell_trashed, trash
from game.netrunner.ops import ask, choice, one_of, op
from game.netrunner.places import find, ref
from game.netrunner.queries import STEAL_COST, server_of, statics, steal_cost
from game.netrunner.resolve import begin
from game.netrunner.table import ALL_KNOW, Table, accessed_code, entry
from game.netrunner.vocabulary import Cost

# The variables of a breach: `left` is how many cards of HQ or R&D are still to be accessed (-1: not counted yet),
# `next` the place in R&D of the next one, `done` the places in HQ or Archives accessed and left there, `roots` the ids
# accessed in the root; `bare` marks an access outside a breach, `only` the single card of one (0: it was accessed).


@op("breach")
def breach(t: Table, f: Vars) -> None:
    """Fix the number of cards, then let the Runner choose what is accessed next."""
    server = f["server"]
    if "only" in f:
        return only_one(t, f)
    if f["left"] < 0:
        f |= begun(t, server) if not f.get("bare") else {"left": min(1, size_of(t, server))}
        if server == "hq" and not f["done"]:
            zones.shuffle_hq(t)  # the next card from the left is a card at random
        if server == "archives":
            t.archives = [(code, True) for code, _ in t.archives]
            t.known.pop("archives", None)
            t.tell("archives-turned-up", {"cards": [*sorted(title(code) for code, _ in t.archives)]})
            has_idle_cards = any(not matters(code) for code, _ in t.archives)
            if has_idle_cards and changes.every_access_and_trash_is_told(t.version):
                t.fact("accessed")  # cards that do nothing when accessed are not asked about
        return
    if "answer" in f:
        return access_one(t, f, f.pop("answer")[1])
    if t.run is not None and t.run.ended:
        t.pop()
        return
    if not offers(t, f):
        t.pop()
        return
    ask(t, "access", RUNNER, "access", server=server)


def only_one(t: Table, f: Vars) -> None:
    """Access one installed card, then end the breach."""
    iid = f["only"]
    f["only"] = 0
    if iid in t.cards:
        return begin_access(t, "", 0, iid)
    t.pop()


def access_alone(t: Table, iid: int) -> None:
    """Make the Runner access an installed card, outside a breach."""
    if iid in t.cards:
        card = t.cards[iid]
        t.push("breach", server=server_of(card), left=0, next=0, done=(), roots=(), only=iid, bare=True)


def access_from(t: Table, server: str) -> None:
    """Make the Runner access one card of HQ or R&D, outside a breach, and none of a root."""
    t.push("breach", server=server, left=-1, next=0, done=(), roots=(), bare=True)


def size_of(t: Table, server: str) -> int:
    """Return how many cards there are in HQ or R&D; none anywhere else."""
    return {"hq": len(t.hq), "rd": len(t.rd)}.get(server, 0)


def begun(t: Table, server: str) -> Vars:
    """Return a breach's first variables: how many cards are to be accessed, less those of earlier in this run."""
    already = t.run.accessed if t.run is not None and t.run.server == server else ()
    places = tuple(int(one.rpartition(":")[2]) for one in already if isinstance(one, str) and one.startswith(server))
    roots = tuple(one for one in already if isinstance(one, int))
    left = max(0, first_count(t, server) - len(places))
    return {"left": left, "next": len(places) if server == "rd" else 0, "done": places, "roots": roots}


def first_count(t: Table, server: str) -> int:
    """Return how many cards of HQ or R&D are accessed: one, and what adds to it."""
    more = sum(1 for mod in (t.run.mods if t.run is not None else ()) if mod == "more")
    return min(1 + more, size_of(t, server))


def offers(t: Table, f: Vars) -> list[str]:
    """Return what may be accessed next."""
    server = f["server"]
    texts = []
    if server == "hq" and f["left"] > 0 and len(f["done"]) < len(t.hq):
        texts.append("access next")
    if server == "rd" and f["left"] > 0 and f["next"] < len(t.rd):
        texts.append("access next")
    if server == "archives":
        texts += [
            f"access archives:{i}" for i, (code, _) in enumerate(t.archives) if i not in f["done"] and matters(code)
        ]
    roots = t.root(server) if not f.get("bare") else []
    texts += [f"access {ref(t, card, RUNNER)}" for card in roots if card.iid not in f["roots"]]
    return texts


def matters(code: str) -> bool:
    """Tell whether accessing this card in Archives can do anything."""
    entered = entry(code)
    return FACTS[code].type == "agenda" or bool(entered.access and entered.no_access_in != "archives")


@choice("access")
def access_choice(t: Table, f: Vars) -> OneOf:
    """Offer what may be accessed next."""
    return one_of(offers(t, t.frames[-2]) or ["access next"])


def access_one(t: Table, f: Vars, word: str) -> None:
    """Begin accessing what was named."""
    if word == "next" and f["server"] == "hq":
        f["left"] -= 1
        return begin_access(t, "hq", next(i for i in range(len(t.hq)) if i not in f["done"]))
    if word == "next":
        f["left"] -= 1
        return begin_access(t, "rd", f["next"])
    if word.startswith("archives:"):
        return begin_access(t, "archives", int(word.partition(":")[2]))
    card = find(t, word, RUNNER)
    if card is not None:
        f["roots"] = (*f["roots"], card.iid)
        begin_access(t, "", 0, card.iid)


def begin_access(t: Table, zone: str, index: int, iid: int = 0) -> None:
    """Access a card: the Runner sees it, and what it does when accessed is resolved first."""
    done, is_bare = t.frames[-1]["done"], t.frames[-1].get("bare", False)
    t.push("access", zone=zone, index=index, iid=iid, stage=0)
    code = accessed_code(t, t.frames[-1])
    t.fact("accessed")
    if t.run is not None and not is_bare:
        t.run = replace(t.run, accessed=(*t.run.accessed, iid or f"{zone}:{index}"))
    is_agenda = FACTS[code].type == "agenda"
    revealed = entry(code).reveal_in == (zone or "-") or (is_agenda and is_revealed(t, zone))
    public = revealed or (zone != "rd" and changes.what_both_know_is_public(t.version))
    if iid:
        t.change(iid, seen=True, shown=public or t.cards[iid].shown)
    elif zone != "archives":
        zones.learn(t, zone, index, ALL_KNOW if public else zones.RUNNER_KNOWS, done)
    known: dict[int, dict[str, str]] = {RUNNER: {"card": title(code)}}
    if zone != "rd":
        known[CORP] = {"card": title(code)}
    place = t.cards[iid].place if iid else zone
    shown = public or zone == "archives" or (iid and (t.cards[iid].rezzed or t.cards[iid].shown))
    t.tell("accessed", {"place": place, "card": title(code) if shown else None}, dict(known))
    if is_agenda:
        emit(t, "agenda-accessed", iid)


def is_revealed(t: Table, zone: str) -> bool:
    """Tell whether the Runner must show agendas that are accessed there."""
    return any(static.kind == "reveal-agendas" and static.what == zone for _, static in statics(t))


@op("access")
def access(t: Table, f: Vars) -> None:
    """Resolve what the card does when accessed; then steal, trash or leave it."""
    if f.get("gone") or (f["iid"] and f["iid"] not in t.cards):
        t.pop()  # its own effect trashed the card, or turned it into an agenda
        return
    code = accessed_code(t, f)
    match f["stage"]:
        case 0:
            f["stage"] = 1
            entered = entry(code)
            if entered.access and entered.no_access_in != (f["zone"] or "-"):
                begin(t, code, ("access",), CORP, f["iid"], zone=f["zone"])
        case 1:
            f["stage"] = 2
            f.pop("answer", None)
            ask(t, "accessed", RUNNER, "accessed", card_zone=f["zone"])
        case 2:
            f["stage"] = 3
            f["said"] = f.pop("answer")[0]
            if f["said"] == "trash" and not is_free_trash(t, f):
                pay(t, RUNNER, Cost(credits=FACTS[code].trash or 0), 0, trash_purpose(f))
            elif f["said"] == "steal":
                pay(t, RUNNER, whole_steal_cost(t, f, code), 0, "steal")
        case _:
            t.pop()
            f["said"] = "leave" if f.pop("unpaid", False) else f["said"]
            finish_access(t, f, code)


def server_at(t: Table, f: Vars) -> str:
    """Return the server that the accessed card is in."""
    return server_of(t.cards[f["iid"]]) if f["iid"] else f["zone"]


def whole_steal_cost(t: Table, f: Vars, code: str) -> Cost:
    """Return the additional cost to steal the accessed agenda: its own, and its server's."""
    own = entry(code).steal
    return replace(own, credits=own.credits + steal_cost(t, server_at(t, f)))


def is_free_trash(t: Table, f: Vars) -> bool:
    """Tell whether this run trashes accessed cards at no cost."""
    return t.run is not None and "demolition" in t.run.mods and f["zone"] != "archives"


def trash_purpose(f: Vars) -> str:
    """Return what credits spent on trashing the accessed card are spent for."""
    return "trash trash-installed" if f["iid"] else "trash"


@choice("accessed")
def accessed_choice(t: Table, f: Vars) -> OneOf:
    """Offer to steal an agenda (a must without additional cost), to trash, to leave."""
    below = t.frames[-2]
    code = accessed_code(t, below)
    texts = []
    if FACTS[code].type == "agenda":
        cost, barred = whole_steal_cost(t, below, code), below.get("barred", False)
        texts = ["steal"] if can_pay(t, RUNNER, cost, 0, "steal") and not barred else []
        texts += ["leave"] if cost != Cost() or barred else []
    if is_free_trash(t, below):
        texts.append("trash")
    if FACTS[code].type == "agenda":
        return one_of(texts)
    price = FACTS[code].trash
    can_afford = price is not None and price <= available(t, RUNNER, trash_purpose(below))
    if can_afford and below["zone"] != "archives":
        texts.append("trash")
    return one_of([*texts, "leave"])


def finish_access(t: Table, f: Vars, code: str) -> None:
    """Steal, trash or leave the card, and bring the breach's `next` and `done` up to date."""
    below: Vars = next(frame for frame in reversed(t.frames) if frame["op"] == "breach")
    if f["said"] == "leave":
        if f["zone"] == "rd":
            below["next"] += 1
        elif f["zone"]:
            below["done"] = (*below["done"], f["index"])
        return
    if f["zone"]:
        take_out(t, f, below)
    if f["said"] == "trash":
        t.fact("trashed_corp_card")
        t.moment("accessed-trashed")
        price = FACTS[code].trash or 0
        emit(t, "accessed-trashed", price)
        cost = None if is_free_trash(t, f) else price
        if f["iid"]:
            keep_steal_cost(t, f["iid"])
            trash(t, f["iid"], faceup=True, cost=cost)
        else:
            zones.archive(t, code, True)
            tell_trashed(t, title(code), f["zone"], cost)
        return
    if f["iid"]:
        leave(t, f["iid"])
    stolen = steal(t, code)
    emit(t, "steal", stolen.iid)
    emit_own(t, "stolen", stolen)
    end_currents(t)


def take_out(t: Table, f: Vars, below: Vars) -> None:
    """Take the card out of its zone; the places behind it move up."""
    index = f["index"]
    zones.take_out(t, f["zone"], index)
    below["done"] = tuple(i - (i > index) for i in below["done"])


def keep_steal_cost(t: Table, iid: int) -> None:
    """Let a trashed card's additional cost to steal hold for the rest of the run."""
    card = t.cards[iid]
    kept = [f"{STEAL_COST}{one.n}" for one in entry(card.code).static if one.kind == "steal-cost" and card.rezzed]
    if kept and t.run is not None:
        t.run = replace(t.run, mods=(*t.run.mods, *kept))


def turn_into_agenda(t: Table, iid: int, points: int) -> None:
    """Turn a card of the table, or the one that is being accessed in HQ or Archives, into an agenda of the Runner's."""
    if iid in t.cards:
        return becomes_agenda(t, iid, points)
    found = next((frame for frame in reversed(t.frames) if frame["op"] == "access"), None)
    if found is None or not found["zone"] or found.get("gone"):
        return
    code = accessed_code(t, found)
    take_out(t, found, next(frame for frame in reversed(t.frames) if frame["op"] == "breach"))
    found["gone"] = True
    add_agenda(t, code, points)
