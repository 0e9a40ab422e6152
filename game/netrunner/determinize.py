"""Determinization: unknown cards dealt at random, so that they fit half-resolved effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from game.netrunner.cards import ENTRIES
from game.netrunner.decks import READY, STARTERS
from game.netrunner.facts import CORP, FACTS, HIDDEN, RUNNER
from game.netrunner.queries import can_be_advanced
from game.netrunner.state import Card, Frame, State
from game.netrunner.view import NetrunnerView, is_resolving
from game.rng import Rng

Fits = Callable[[str], bool]
Slot = tuple[str, int]  # a zone and a place in it, or "" and the id of a card on the table
SPARE: Final = {
    side: tuple(c for c in ENTRIES if FACTS[c].side == side and FACTS[c].type != "identity") for side in (0, 1)
}
OWNERS: Final = {"hq": CORP, "rd": CORP, "archives": CORP, "grip": RUNNER, "stack": RUNNER}


def determinize(view: NetrunnerView, rng: Rng) -> State:
    """Deal the unknown cards: from the rest of each deck where it is known, else any card of that side."""
    scene = view.scene
    own, rng = rng.split()
    pools: list[list[str]] = []
    for side in (CORP, RUNNER):
        pool, rng = rng.shuffle(left_of(scene, side))
        pools.append([*pool])
    needs = {slot: fits for frame in scene.frames for slot, fits in needed(scene, frame)}
    cards = tuple(
        replace(card, code=pick(pools[card.side], table_fit(card, needs.get(("", card.iid))), card.side))
        if card.code == HIDDEN
        else card
        for card in scene.cards
    )
    dealt = {zone: deal(scene, zone, pools[side], needs) for zone, side in OWNERS.items()}
    archives = tuple(zip(dealt.pop("archives"), (up for _, up in scene.archives), strict=True))
    state = replace(scene, rng=own, cards=cards, archives=archives, **dict[str, Any](dealt))
    return replace(state, frames=(*map(with_bids, state.frames), *unseen_question(view)))


def with_bids(frame: Frame) -> Frame:
    """Return a question about secret bids with some bid in the place of one that is in but not shown."""
    data: dict[str, Any] = dict(frame.data)
    if data.get("kind") != "bid":
        return frame
    known = dict(data["bids"])
    data["bids"] = tuple((seat, known.get(seat, 0)) for seat in (CORP, RUNNER) if seat not in data["seats"])
    return Frame(frame.op, tuple(sorted(data.items())))


def unseen_question(view: NetrunnerView) -> tuple[Frame, ...]:
    """Return the question of an access whose card the viewer does not know."""
    last = view.scene.frames[-1] if view.scene.frames else None
    if not view.awaited or last is None or last.op == "ask":
        return ()
    seat, window = view.awaited[0]
    return (Frame("ask", (("kind", "yes-no"), ("prompt", "may"), ("seat", seat), ("window", window))),)


def needed(scene: State, frame: Frame) -> Iterator[tuple[Slot, Fits]]:
    """Yield what a frame needs of an unknown card: what is accessed, installed or rezzed."""
    data: dict[str, Any] = dict(frame.data)
    pays = {str(dict(other.data).get("purpose")) for other in scene.frames if other.op == "pay"}
    match frame.op:
        case "access":
            slot = ("", data["iid"]) if data["iid"] else (data["zone"], data["index"])
            yield slot, lambda code: accessed_fits(code, frame)
        case "install-corp":
            is_ice = data["free"] or "install" in pays
            kinds = ("ice",) if is_ice else kinds_for(data["server"])
            yield (data["zone"], data["index"]), lambda code: FACTS[code].type in kinds
        case "rez":
            yield ("", data["iid"]), lambda code: FACTS[code].type != "agenda"


def kinds_for(server: str) -> tuple[str, ...]:
    """Return what may be installed in the root of a server, or anywhere where it is not said yet."""
    if not server:
        return ("agenda", "asset", "upgrade", "ice")
    return ("agenda", "asset", "upgrade") if server == "new" or server.startswith("remote") else ("upgrade",)


def accessed_fits(code: str, frame: Frame) -> bool:
    """Tell whether this may be the card that is accessed: it does something then, is stolen, or trashed."""
    data: dict[str, Any] = dict(frame.data)
    entry = ENTRIES[code]
    if is_resolving(frame):
        return bool(entry.access) and entry.no_access_in != (data["zone"] or "-")
    if data.get("said") == "steal":
        return FACTS[code].type == "agenda"
    return data.get("said") != "trash" or FACTS[code].trash is not None


def left_of(scene: State, side: int) -> tuple[str, ...]:
    """Return what a side's deck still holds besides the cards that are known."""
    known = Counter(card.code for card in scene.cards)
    for row in (scene.hq, scene.rd, scene.grip, scene.stack, scene.heap, scene.removed):
        known.update(row)
    known.update(code for code, _ in scene.archives)
    deck = scene.decks[side] or likely_deck(scene.identities[side], frozenset(known))
    return tuple((Counter(deck) - known).elements())


@lru_cache(maxsize=256)
def likely_deck(identity: str, seen: frozenset[str]) -> tuple[str, ...]:
    """Return the cards of the one of the game's own decks that holds most of the seen cards.

    Only decks with this identity count; where there is none, those of its faction; else all of its side.
    """
    printed = FACTS[identity]
    decks = [one for one in (*STARTERS.values(), *READY.values()) if FACTS[one.identity].side == printed.side]
    same = [one for one in decks if one.identity == identity]
    kin = same or [one for one in decks if FACTS[one.identity].faction == printed.faction] or decks
    return max(kin, key=lambda deck: len(seen & {code for code, _ in deck.cards})).codes()


def pick(pool: list[str], fits: Fits, side: int = CORP) -> str:
    """Take a card that fits out of the pool; where there is none, any card that fits."""
    for i, code in enumerate(pool):
        if fits(code):
            return pool.pop(i)
    return next(code for code in SPARE[side] if fits(code))


def table_fit(card: Card, needs: Fits | None) -> Fits:
    """Return the test for what an unrezzed card may be, with what a frame needs of it where some card passes both."""

    def fits(code: str) -> bool:
        return may_be(code, card) and (needs is None or needs(code))

    return fits if any(map(fits, SPARE[card.side])) else lambda code: may_be(code, card)


def may_be(code: str, card: Card) -> bool:
    """Tell whether an unrezzed card may be this one: its type, its place, its advancements."""
    kind = FACTS[code].type
    if card.side != CORP:
        return True  # the Runner's cards lie facedown whatever they are
    if card.place.startswith("ice:"):
        fits = kind == "ice"
    elif card.place.startswith("root:remote"):
        fits = kind in ("agenda", "asset", "upgrade")
    else:
        fits = kind == "upgrade"
    has_counters = card.advancement and card.place.startswith(("ice:", "root:remote"))
    return fits and (not has_counters or can_be_advanced(replace(card, code=code)))


def deal(scene: State, zone: str, pool: list[str], needs: dict[Slot, Fits]) -> tuple[str, ...]:
    """Return a zone with its unknown cards taken from the pool; where that is empty, any cards of the side."""
    row = tuple(code for code, _ in scene.archives) if zone == "archives" else getattr(scene, zone)
    spare = SPARE[OWNERS[zone]]
    dealt = []
    for i, code in enumerate(row):
        if code == HIDDEN and (zone, i) in needs:
            code = pick(pool, needs[zone, i])
        elif code == HIDDEN:
            code = pool.pop() if pool else spare[i % len(spare)]
        dealt.append(code)
    return tuple(dealt)
