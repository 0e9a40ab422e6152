"""What happens to single cards: trashing, discarding, derezzing, counters, scoring, stealing, forfeiting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from game.netrunner.facts import CORP, FACTS, RUNNER, title
from game.netrunner.moments import emit, emit_own
from game.netrunner.state import Card
from game.netrunner.table import ALL_KNOW, HANDS, Table, facts, is_facedown
from game.netrunner.zones import RUNNER_KNOWS, archive, forget, take_out


def leave(t: Table, iid: int) -> Card:
    """Take a card off the table, with all that holds for it; what it hosted is trashed (Netrunner §1.5)."""
    card = t.remove(iid)
    t.lasting = [last for last in t.lasting if last.target != iid]
    for guest in [one for one in t.cards.values() if one.host == iid]:
        if facts(guest).type == "identity":
            remove_from_game(t, guest.iid)
        else:
            trash(t, guest.iid)
    return card


def remove_from_game(t: Table, iid: int) -> None:
    """Remove a card of the table from the game."""
    card = leave(t, iid)
    t.removed.append(card.code)
    t.tell("removed", {"card": title(card.code)})


def trash(t: Table, iid: int, *, faceup: bool = False, cost: int | None = None) -> None:
    """Trash a card from the table: the Corp's to Archives, faceup if it was seen by both; the Runner's to the heap.

    `cost`: what the Runner paid to trash it on accessing it; None: nothing was asked.
    """
    if iid not in t.cards:
        return
    where, under = t.cards[iid].place, len(t.heap)
    card = leave(t, iid)
    if card.side == RUNNER:
        t.heap.insert(under, card.code)  # before what it hosted, which is trashed because of it
        t.tell("trashed", {"side": RUNNER, "card": title(card.code), "place": where})
        if not is_facedown(card):
            was_trashed(t, card.code)
        return
    known = faceup or card.rezzed
    archive(t, card.code, known, RUNNER_KNOWS * card.seen | ALL_KNOW * card.shown)
    seen: dict[int, dict[str, str]] = {} if known else {CORP: {"card": title(card.code)}}
    tell_trashed(t, title(card.code) if known else None, where, cost, seen)


def tell_trashed(
    t: Table, card: str | None, place: str, cost: int | None, seen: Mapping[int, Mapping[str, str]] = {}
) -> None:
    """Tell that a card of the Corp's was trashed; `cost` as in `trash`, `seen`: what a side knows besides."""
    paid = {} if cost is None else {"cost": cost}
    t.tell("trashed", {"side": CORP, "card": card, "place": place, **paid}, seen)


def was_trashed(t: Table, code: str) -> None:
    """Tell that one of the Runner's cards was trashed, from wherever it was."""
    if FACTS[code].type in ("program", "hardware"):
        t.moment("trashed:program-or-hardware")
        emit(t, "trashed")


def tag_gone(t: Table) -> None:
    """Tell that the Runner has removed or avoided a tag."""
    t.moment("tag-gone")
    emit(t, "tag-gone")


def discard_from_hand(t: Table, side: int, index: int) -> str:
    """Put a card of a hand on its discard pile; return its code."""
    code, _ = take_out(t, HANDS[side], index)
    if side == RUNNER:
        t.heap.append(code)
        return code
    forget(t, "hq")
    archive(t, code, faceup=False)
    return code


def derez(t: Table, iid: int) -> None:
    """Turn a card face down again; everybody has seen it."""
    card = t.change(iid, rezzed=False, seen=True, shown=True)
    t.tell("derezzed", {"card": title(card.code)})


def place_counters(t: Table, iid: int, kind: str, n: int) -> None:
    """Place n counters of a kind on a card; a negative n removes them, as far as there are any."""
    if iid in t.cards and n:
        card = t.cards[iid]
        t.change(iid, **{kind: max(0, getattr(card, kind) + n)})
        t.tell("counters", {"card": shown(card), "kind": kind, "count": n, "place": card.place})
        tell_emptied(t, card, kind)


def tell_emptied(t: Table, before: Card, kind: str) -> None:
    """Tell a card that it has just lost its last counter of a kind."""
    if getattr(before, kind) and not getattr(t.cards[before.iid], kind):
        emit_own(t, "emptied", t.cards[before.iid])


def shown(card: Card) -> str | None:
    """Return the title of a card that both sides see, or None."""
    hidden = not card.rezzed and card.place.startswith(("ice:", "root:", "rig", "hosted")) and not card.shown
    return None if hidden else title(card.code)


def score(t: Table, iid: int) -> Card:
    """Put an installed agenda into the Corp's score area."""
    card = leave(t, iid)
    scored = t.put(card.code, CORP, "score:corp", rezzed=True)
    t.fact("scored")
    t.fact(f"scored-id:{scored.iid}")
    t.tell("scored", {"card": title(card.code), "points": facts(card).points})
    return scored


def steal(t: Table, code: str) -> Card:
    """Put an accessed agenda into the Runner's score area."""
    stolen = t.put(code, CORP, "score:runner", rezzed=True)
    t.fact("stole")
    t.tell("stolen", {"card": title(code), "points": facts(stolen).points})
    return stolen


def end_currents(t: Table, but: int = 0) -> None:
    """Trash the currents in play, because an agenda is stolen or the card `but` is played, if that is a current."""
    if but and "current" not in facts(t.cards[but]).subtypes:
        return
    for card in t.at("current"):
        trash(t, card.iid)


def becomes_agenda(t: Table, iid: int, points: int) -> None:
    """Put a card of the table into the Runner's score area as an agenda."""
    add_agenda(t, leave(t, iid).code, points)


def add_agenda(t: Table, code: str, points: int) -> None:
    """Put a card that is nowhere any more into the Runner's score area as an agenda."""
    t.put(code, CORP, "score:runner", rezzed=True, worth=points)
    t.tell("became-agenda", {"card": title(code), "points": points})


def forfeit(t: Table, iid: int) -> None:
    """Remove an agenda of a score area from the game."""
    card = leave(t, iid)
    t.removed.append(card.code)
    t.tell("forfeited", {"card": title(card.code)})


def end_run(t: Table) -> None:
    """End the run, and with it the encounter; a success stays one (Netrunner §1.8)."""
    if t.run is not None and not t.run.ended:
        t.run = replace(t.run, ended=True)
        t.tell("run-ends", {"server": t.run.server})


def expire(t: Table, *until: str) -> None:
    """Drop the lasting effects that held until one of these moments (`Lasting.until`)."""
    t.lasting = [last for last in t.lasting if last.until not in until]
