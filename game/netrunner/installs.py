"""The frames of playing and installing (Netrunner §1.4, §1.5)."""

from __future__ import annotations

from game.contract import OneOf
from game.netrunner.actions import (
    corp_installs,
    cut,
    cutters,
    finish_basic,
    index_of,
    install_cost,
    install_purpose,
    play_cost,
    runner_installs,
    shelves,
    trash_all,
)
from game.netrunner.costs import available, pay
from game.netrunner.facts import CORP, FACTS, RUNNER, title
from game.netrunner.frames import QuestionData, Vars
from game.netrunner.moments import emit
from game.netrunner.moves import discard_from_hand, end_currents, leave, was_trashed
from game.netrunner.ops import ask, choice, one_of, op
from game.netrunner.places import find, ref
from game.netrunner.queries import memory_limit, memory_used
from game.netrunner.resolve import begin
from game.netrunner.table import HANDS, Table, entry, facts
from game.netrunner.vocabulary import Cost
from game.netrunner.zones import archive, take_out


@op("basic")
def basic(t: Table, f: Vars) -> None:
    """Carry out a paid basic action."""
    t.pop()
    finish_basic(t, f)


@op("play")
def play(t: Table, f: Vars) -> None:
    """Put the card into the play area, pay, resolve, and trash it."""
    seat = f["seat"]
    f["stage"] += 1
    match f["stage"]:
        case 1:
            code, _ = take_out(t, HANDS[seat], f["index"])
            f |= {"code": code, "iid": t.put(code, seat, "play", rezzed=True).iid}
            t.tell("played", {"side": seat, "card": title(code)})
            end_currents(t, but=f["iid"])
            if entry(code).play_x:
                ask(t, "number", seat, "x", verb="spend", low=0, high=min(t.credits[seat], t.tags))
        case 2:
            f["x"] = int(f.pop("answer")[1]) if "answer" in f else f.get("x", 0)
            if "less" not in f and cut(t, seat, ""):
                f["stage"] -= 1
                return cheapen(t, "play", play_cost(t, f["code"]))
            cost = max(0, play_cost(t, f["code"]) - f.pop("less", 0)) + f["x"]
            pay(t, seat, Cost(credits=cost, clicks=entry(f["code"]).play_cost.clicks), f["iid"], "play")
        case 3:
            emit(t, "play", f["iid"])
            begin(t, f["code"], ("play",), seat, f["iid"], x=f["x"])
        case _:
            t.pop()
            put_away(t, f["iid"], seat)


def put_away(t: Table, iid: int, seat: int) -> None:
    """Trash a played card once its effects are over; a current stays in play."""
    if iid not in t.cards or t.cards[iid].place != "play":
        return
    if "current" in facts(t.cards[iid]).subtypes:
        t.change(iid, place="current")
        return
    code = leave(t, iid).code
    if seat == CORP:
        archive(t, code, True)
    else:
        t.heap.append(code)


def cheapen(t: Table, purpose: str, cost: int) -> None:
    """Ask whether a card of the grip is trashed to make this cheaper; the frame below gets `less`."""
    card, n = max(cutters(t), key=lambda found: found[1])
    must = cost > available(t, RUNNER, purpose)
    t.frames[-1]["less"] = 0
    t.push("cheapen", iid=card.iid, n=n, must=must)


@op("cheapen")
def cheapen_frame(t: Table, f: Vars) -> None:
    """Trash the card that was picked, if one was."""
    if "answer" not in f:
        card = title(t.cards[f["iid"]].code)
        return ask(t, "choose", RUNNER, "cheapen", what="grip", optional=not f["must"], n=f["n"], card=card)
    words = f.pop("answer")
    t.pop()
    if words[0] == "no":
        return
    t.frames[-1]["less"] = f["n"]
    t.fact(f"used:{f['iid']}")
    code = discard_from_hand(t, RUNNER, index_of(t, RUNNER, words[1]))
    t.tell("trashed", {"side": RUNNER, "card": title(code), "place": "grip"})
    was_trashed(t, code)


@op("install-corp")
def install_corp(t: Table, f: Vars) -> None:
    """Trash what is in the way, pay for ice already there, install face down.

    `free`: nothing is paid, and the card is rezzed at once unless `rezzed` is false.
    """
    row = t.hq if f["zone"] == "hq" else t.rd
    code = row[f["index"]]
    match f["stage"]:
        case 0:
            f["stage"] = 1
            asked: QuestionData = {"zone": f["zone"], "index": f["index"], "free": f["free"]}
            if f.get("within"):
                asked["within"] = f["within"]
            ask(t, "install", CORP, "install-where", **asked)
        case 1:
            f["stage"] = 2
            words = f.pop("answer", ())
            if words and words[0] == "no":
                t.pop()
                return
            if words:
                gone = (find(t, word, CORP) for word in (words[4:] if "trash" in words[3:] else ()))
                f |= {"server": words[2], "trash": tuple(card.iid for card in gone if card is not None)}
            trash_all(t, (*f["trash"], *replaced(t, code, f["server"])))
            if f["server"] == "new":
                f |= {"server": new_remote(t), "made": True}
            if FACTS[code].type == "ice" and not f["free"]:
                pay(t, CORP, Cost(credits=len(t.ice(f["server"]))), 0, "install")
        case _:
            t.pop()
            if f.get("tells"):
                t.frames[-1] |= {"installed": t.next_iid, "server": f["server"]}
            lay_down(t, take_out(t, f["zone"], f["index"])[0], f["server"], f["free"] and f.get("rezzed", True))
            if f.get("made"):
                emit(t, "server-made")


def replaced(t: Table, code: str, server: str) -> list[int]:
    """Return the region that another one takes the place of: there is one in a server (Netrunner §1.5)."""
    regions = [card.iid for card in t.root(server) if "region" in facts(card).subtypes]
    return regions if "region" in FACTS[code].subtypes else []


def lay_down(t: Table, code: str, server: str, free: bool) -> None:
    """Put a Corp card into a server, face down; `free`: rez it at once, for nothing."""
    card = t.put(code, CORP, f"{'ice' if FACTS[code].type == 'ice' else 'root'}:{server}")
    t.fact("installed")
    t.tell("installed", {"side": CORP, "card": None, "place": card.place}, {CORP: {"card": title(code)}})
    emit(t, "install", card.iid)
    if free:
        t.push("rez", iid=card.iid, free=True, stage=0)


def new_remote(t: Table) -> str:
    """Return the name of a new remote server: the first number that is free."""
    taken = t.servers()
    return next(f"remote{n}" for n in range(1, len(taken) + 1) if f"remote{n}" not in taken)


@op("install-runner")
def install_runner(t: Table, f: Vars) -> None:
    """Ask for a host if there is a choice, make room, pay, install, and mark what that triggers."""
    match f["stage"]:
        case 0:
            f["stage"] = 1
            start_install(t, f)
        case 1:
            f["stage"] = 2
            words, code = f.pop("answer", ()), f["code"]
            if words and words[0] == "install":
                gone = (find(t, word, RUNNER) for word in words[3:])
                f["trash"] = tuple(card.iid for card in gone if card is not None)
            host = find(t, words[1], RUNNER) if words and words[0] == "choose" else None
            f["host"] = host.iid if host is not None else 0
            trash_all(t, f["trash"])
            if cut(t, RUNNER, ""):
                f["stage"] = 3
                return cheapen(t, install_purpose(code), install_cost(t, code, f["discount"]))
            pay(t, RUNNER, Cost(credits=install_cost(t, code, f["discount"])), 0, install_purpose(code))
        case 3:
            f["stage"] = 2
            cost = install_cost(t, f["code"], f["discount"] + f.pop("less"))
            pay(t, RUNNER, Cost(credits=cost), 0, install_purpose(f["code"]))
        case _:
            t.pop()
            finish_install(t, f["code"], f["host"])


def start_install(t: Table, f: Vars) -> None:
    """Show the card that is installed and ask where it goes, if there is a choice."""
    row: list[str] = getattr(t, f["zone"])
    ways = list(runner_installs(t, row[f["index"]], f["discount"]))
    if not ways:
        t.pop()
        return
    code = f["code"] = row[f["index"]]
    if f["zone"] == "heap":
        row.pop(f["index"])
    else:
        take_out(t, f["zone"], f["index"])
    host = entry(code).host
    if host:
        ask(t, "choose", RUNNER, "host", what=host.text, source=0, optional=False, card=title(code))
    elif shelves(t, code):
        words = [ref(t, card, RUNNER) for card in shelves(t, code)]
        fits = ["rig"] if room_in_memory(t, code) else []
        ask(t, "words", RUNNER, "host", words=(*fits, *words), card=title(code))
    elif " trash " in ways[0] and not f["trash"]:
        ask(t, "texts", RUNNER, "make-room", texts=tuple(ways))


def room_in_memory(t: Table, code: str) -> bool:
    """Tell whether a program fits without a host."""
    return memory_used(t) + FACTS[code].memory <= memory_limit(t)


def finish_install(t: Table, code: str, host: int) -> None:
    """Put the card on its host, or into the rig where it has none or its host is gone."""
    host = host if host in t.cards else 0
    card = t.put(code, RUNNER, "hosted" if host else "rig", host=host, rezzed=True, recurring=entry(code).recurring)
    t.fact("installed")
    t.fact(f"installed:{FACTS[code].type}")
    t.tell("installed", {"side": RUNNER, "card": title(code), "place": card.place})
    emit(t, "install", card.iid)


@choice("install")
def install_choice(t: Table, f: Vars) -> OneOf:
    """Offer where a card may be installed."""
    row = t.hq if f["zone"] == "hq" else t.rd
    ways = list(corp_installs(t, row[f["index"]], free=f["free"], within=f.get("within", "")))
    return one_of(ways or ["no"])
