"""Payment of costs: their parts, the sources of credits, and the choice among them (Netrunner §1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from game.choices import tokens
from game.contract import Json, OneOf
from game.netrunner import changes
from game.netrunner.facts import RUNNER, title
from game.netrunner.filters import cards
from game.netrunner.frames import Vars
from game.netrunner.moves import forfeit, leave, place_counters, tell_emptied, trash
from game.netrunner.ops import ask, choice, one_of, op
from game.netrunner.places import candidates, find, ref
from game.netrunner.state import Card
from game.netrunner.table import Table, entry
from game.netrunner.vocabulary import Cost

POOL, BAD_PUBLICITY = "pool", "bad-publicity"
Source = tuple[str, int]
SCORES = (cards("score"), cards("stolen"))


def sources(t: Table, seat: int, purpose: str) -> list[Source]:
    """Return where this seat may take credits from for a purpose, most restricted first, the pool last.

    Each is a name, as `pay` actions say it, and how many credits are there. A purpose is one word or more, of which
    a card must be able to pay for one (`CardEntry.pays`).
    """
    found: list[Source] = []
    words = set(purpose.split())
    for card in t.active():
        entered = entry(card.code)
        if card.side != seat or not entered.pays:
            continue
        if entered.pays == "anything" and t.run is None:
            continue
        held = getattr(card, held_as(card))
        if held and (entered.pays == "anything" or words & set(entered.pays.split())):
            found.append((ref(t, card, seat), held))
    if seat == RUNNER and t.run is not None and t.run.credits:
        found.append((BAD_PUBLICITY, t.run.credits))
    return [*found, (POOL, t.credits[seat])]


def held_as(card: Card) -> str:
    """Return the field of a card that counts the credits to be spent from it: 'recurring' or 'credit'."""
    return "recurring" if entry(card.code).recurring else "credit"


def available(t: Table, seat: int, purpose: str = "") -> int:
    """Return how many credits this seat may spend for a purpose."""
    return sum(n for _, n in sources(t, seat, purpose))


def can_pay(t: Table, seat: int, cost: Cost, iid: int = 0, purpose: str = "") -> bool:
    """Tell whether the whole of a cost can be paid."""
    card = t.cards.get(iid)
    return (
        cost.clicks <= t.clicks[seat]
        and (not cost.credits or cost.credits <= available(t, seat, purpose))
        and (not cost.counter or (card is not None and getattr(card, cost.counter) >= cost.counters))
        and (not cost.trash or bool(candidates(t, cost.trash, seat, iid)))
        and (not cost.forfeit or bool(candidates(t, SCORES[seat], seat)))
        and cost.shuffle <= len(t.rig())
        and (not cost.trash_self or card is not None)
    )


def pay(t: Table, seat: int, cost: Cost, iid: int, purpose: str = "") -> None:
    """Push a frame that pays a cost; the caller has checked that it can be paid."""
    frame = t.push(
        "pay",
        seat=seat,
        iid=iid,
        credits=cost.credits,
        clicks=cost.clicks,
        trash_self=cost.trash_self,
        counter=cost.counter,
        trash=cost.trash.text if cost.trash else "",
        forfeit=cost.forfeit,
        purpose=purpose,
        chosen=(),
        net=cost.net,
        shuffle=cost.shuffle,
    )
    if cost.counters > 1:
        frame["counters"] = cost.counters
    if cost.tags:
        frame["tags"] = cost.tags


@op("pay")
def pay_frame(t: Table, f: Vars) -> None:
    """Ask what is given up and which credits are spent, then pay everything at once."""
    seat = f["seat"]
    if "answer" in f:
        words = f.pop("answer")
        if words[0] == "pay":
            f["split"] = tuple(words[1:])
        else:
            card = find(t, words[1], seat)
            f["chosen"] = (*f["chosen"], card.iid if card else 0)
    if f["trash"] and not f["chosen"]:
        return ask(t, "choose", seat, "trash-cost", what=f["trash"], source=f["iid"], optional=False)
    if f["forfeit"] and not f["chosen"]:
        return ask(t, "choose", seat, "forfeit", what=SCORES[seat].text, source=0, optional=False)
    if len(f["chosen"]) < f["shuffle"]:
        taken = tuple((iid, "", 0) for iid in f["chosen"])
        return ask(t, "choose", seat, "shuffle-cost", what=cards("rig").text, source=0, optional=False, taken=taken)
    if f["credits"] and "split" not in f:
        ways = list(splits(sources(t, seat, f["purpose"]), f["credits"]))
        if len(ways) > 1:
            return ask(t, "pay", seat, "pay", purpose=f["purpose"], credits=f["credits"])
        f["split"] = tuple(tokens(ways[0])) if ways else ()
    owed = f["net"] or f.get("tags", 0)
    if not owed:
        t.pop()
        return settle_cost(t, f)
    if "suffered" not in f:
        settle_cost(t, f)
        t.push("harm", what="net" if f["net"] else "tag", n=owed, preventable=True, iid=0, stage=0)
        return
    t.pop()
    t.frames[-1]["unpaid"] = f["suffered"] < owed  # a prevented part counts as not paid (Netrunner §1.8)


def settle_cost(t: Table, f: Vars) -> None:
    """Pay all parts of a cost."""
    seat = f["seat"]
    t.clicks[seat] -= f["clicks"]
    words = f.get("split", ())
    split = [(source, int(n)) for source, n in zip(words[::2], words[1::2], strict=True)]
    told: dict[str, Json] = (
        {"from": paid_from(t, seat, split)} if changes.payments_name_their_sources(t.version) else {}
    )
    for source, n in split:
        spend(t, seat, source, n)
    if f["credits"]:
        t.tell("paid", {"side": seat, "credits": f["credits"], **told})
    if f["counter"]:
        place_counters(t, f["iid"], f["counter"], -f.get("counters", 1))
    if f["shuffle"]:
        return shuffle_in(t, f["chosen"])
    for iid in f["chosen"]:
        if f["forfeit"]:
            forfeit(t, iid)
        else:
            trash(t, iid)
    if f["trash_self"]:
        trash(t, f["iid"])


def shuffle_in(t: Table, iids: tuple[int, ...]) -> None:
    """Shuffle installed cards into the stack, the hosted ones before their hosts."""
    for iid in sorted(iids, key=lambda iid: -t.cards[iid].host):
        card = leave(t, iid)
        t.stack.append(card.code)
        t.tell("returned", {"side": RUNNER, "card": title(card.code)})
    t.shuffle(RUNNER)


def paid_from(t: Table, seat: int, split: list[Source]) -> dict[str, Json]:
    """Return how many credits are taken from each source: cards by their titles, equal ones together."""
    found: dict[str, int] = {}
    for source, n in split:
        card = find(t, source, seat) if source not in (POOL, BAD_PUBLICITY) else None
        name = title(card.code) if card is not None else source
        found[name] = found.get(name, 0) + n
    return {**found}


def spend(t: Table, seat: int, source: str, n: int) -> None:
    """Take credits from one source."""
    if source == POOL:
        t.credits[seat] -= n
    elif source == BAD_PUBLICITY and t.run is not None:
        t.run = replace(t.run, credits=t.run.credits - n)
    elif (card := find(t, source, seat)) is not None:
        kind = held_as(card)
        t.change(card.iid, **{kind: getattr(card, kind) - n})
        tell_emptied(t, card, kind)


def splits(found: list[Source], n: int) -> Iterator[str]:
    """Yield the ways to pay n credits, the most restricted first: 'SOURCE N SOURCE N'."""
    if not found:
        if n == 0:
            yield ""
        return
    (name, held), *rest = found
    for take in range(min(held, n), -1, -1):
        for more in splits(rest, n - take):
            yield " ".join(filter(None, (f"{name} {take}" if take else "", more)))


@choice("pay")
def pay_choice(t: Table, f: Vars) -> OneOf:
    """Offer the ways to pay."""
    return one_of([f"pay {way}" for way in splits(sources(t, f["seat"], f["purpose"]), f["credits"])])
