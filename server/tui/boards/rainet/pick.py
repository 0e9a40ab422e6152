"""What a RaiNet player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from game.contract import Action, OneOf, Watcher
from game.rainet.board import NAMES, NORTH, SOUTH, SQUARES, START_SQUARES
from game.rainet.view import View
from server.matches.model import Snapshot
from server.tui.memo import by_identity

NORTH_SERVER, SOUTH_SERVER = 64, 65  # cursor places off the grid
NOBODY = -1  # who only looks on has no cursor
SERVER_OF = (SOUTH_SERVER, NORTH_SERVER)
SETUP, FREE, CARD, ENTER, BOOST, CHECK, WALL = "setup", "free", "card", "enter", "boost", "check", "wall"
FIRST, SECOND, SWAP = "404-first", "404-second", "404-swap"


@dataclass(frozen=True, slots=True)
class Pick:
    """The cursor (a square, or a server centre), what is being done, and the cards chosen for it."""

    cursor: int
    mode: str = FREE
    chosen: tuple[int, ...] = ()
    placed: str = ""  # the setup so far, in the order of START_SQUARES
    luck: bytes = b""  # what the next shuffle is made from


@dataclass(frozen=True, slots=True)
class Offers:
    """The legal actions, sorted by what they do: squares to squares (or None) to the action's text."""

    moves: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    enters: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    boost: Mapping[int, str] = field(default_factory=dict)
    check: Mapping[int, str] = field(default_factory=dict)
    wall: Mapping[int, str] = field(default_factory=dict)
    hide: frozenset[int] = frozenset()


@by_identity(256)
def sort_offers(choice: OneOf) -> Offers:
    """Sort what the rules offer. Of two ways to the same square the first, shorter one is kept: both end alike."""
    moves: dict[int, dict[int, str]] = {}
    enters: dict[int, tuple[str, ...]] = {}
    boost: dict[int, str] = {}
    check: dict[int, str] = {}
    wall: dict[int, str] = {}
    hide: set[int] = set()
    single = {"+": boost, "-": boost, "?": check, "#": wall, "~": wall}
    for action in choice.actions:
        text = action.text
        if found := single.get(text[0]):
            found[SQUARES[text[1:3]]] = text
        elif text[0] in single:
            single[text[0]][SQUARES[text[1:3]]] = text
        elif text[0] == "@":
            hide |= {SQUARES[text[1:3]], SQUARES[text[3:5]]}
        elif ">" in text:
            start = SQUARES[text[:2]]
            enters[start] = (*enters.get(start, ()), text)
        elif not text.startswith("setup"):
            moves.setdefault(SQUARES[text[:2]], {}).setdefault(SQUARES[text[-2:]], text)
    return Offers(moves, enters, boost, check, wall, frozenset(hide))


NOTHING = Offers()


def offers(snapshot: Snapshot) -> Offers:
    """Return what the viewer may do now, sorted."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf) or snapshot.view.is_setup:
        return NOTHING
    return sort_offers(pending.choice)


def side(snapshot: Snapshot) -> int:
    """Return whose side is at the bottom: the viewer's own, South for everybody else."""
    return SOUTH if isinstance(snapshot.viewer, Watcher) else int(snapshot.viewer)


def places_cards(snapshot: Snapshot) -> bool:
    """Tell whether the viewer sets up just now."""
    return snapshot.view.is_setup and snapshot.pending is not None


def begin(snapshot: Snapshot, luck: bytes) -> Pick:
    """Return the selection to begin with; `luck` is secret, so that nobody can guess the first placement."""
    home = side(snapshot)
    if isinstance(snapshot.viewer, Watcher):
        return Pick(NOBODY)
    if places_cards(snapshot):
        return shuffled(Pick(START_SQUARES[home][0], SETUP, luck=luck))
    return Pick(SQUARES["d2"] if home == SOUTH else SQUARES["e7"], luck=luck)


def shuffled(pick: Pick) -> Pick:
    """Return the pick with its eight cards dealt anew."""
    luck = hashlib.sha256(pick.luck + b"shuffle").digest()
    order = sorted(range(8), key=lambda i: hashlib.sha256(luck + bytes([i])).digest())
    placed = "".join("L" if place < 4 else "V" for place in order)
    return replace(pick, placed=placed, luck=luck, chosen=())


def follow(snapshot: Snapshot, pick: Pick) -> Pick:
    """Return the selection for a new position: what is no longer possible is dropped."""
    if places_cards(snapshot):
        return pick if pick.mode == SETUP else begin(snapshot, pick.luck)
    if pick.mode == SETUP:
        return begin(snapshot, pick.luck)
    found = offers(snapshot)
    if pick.mode in (CARD, ENTER) and not (set(pick.chosen) & (found.moves.keys() | found.enters.keys())):
        return drop(pick)
    possible = {BOOST: found.boost, CHECK: found.check, WALL: found.wall}.get(pick.mode, True)
    if not possible or (pick.mode in (FIRST, SECOND, SWAP) and not set(pick.chosen) <= found.hide):
        return drop(pick)
    return pick if snapshot.pending is not None else drop(pick)


def drop(pick: Pick) -> Pick:
    """Return the pick with nothing selected."""
    return replace(pick, mode=SETUP if pick.mode == SETUP else FREE, chosen=())


def targets(snapshot: Snapshot, pick: Pick) -> frozenset[int]:
    """Return the places that go on with what is being done."""
    found = offers(snapshot)
    match pick.mode:
        case "card" | "enter":
            start = pick.chosen[0]
            server = {SERVER_OF[1 - side(snapshot)]} if start in found.enters else set()
            return frozenset(found.moves.get(start, {}).keys() | server)
        case "boost":
            return frozenset(found.boost)
        case "check":
            return frozenset(found.check)
        case "wall":
            return frozenset(found.wall)
        case "404-first" | "404-second":
            return found.hide - set(pick.chosen)
    return frozenset()


def moved(snapshot: Snapshot, pick: Pick, key: str) -> Pick:
    """Return the pick with the cursor moved, as the viewer sees the board."""
    d_file, d_rank = {
        "up": (0, 1),
        "down": (0, -1),
        "left": (-1, 0),
        "right": (1, 0),
        "k": (0, 1),
        "j": (0, -1),
        "h": (-1, 0),
        "l": (1, 0),
    }[key]
    if side(snapshot) == NORTH:
        d_file, d_rank = -d_file, -d_rank
    if pick.mode == SETUP:
        starts = START_SQUARES[side(snapshot)]
        sideways = d_file or (d_rank if side(snapshot) == SOUTH else -d_rank)
        at = starts.index(pick.cursor) if pick.cursor in starts else 0
        return replace(pick, cursor=starts[max(0, min(7, at + sideways))])
    return replace(pick, cursor=_step(snapshot, pick.cursor, d_file, d_rank))


def _step(snapshot: Snapshot, cursor: int, d_file: int, d_rank: int) -> int:
    if cursor in SERVER_OF:
        exits = ("d8", "e8") if cursor == NORTH_SERVER else ("d1", "e1")
        outward = 1 if cursor == NORTH_SERVER else -1
        return cursor if d_rank == outward else SQUARES[exits[1 if d_file > 0 else 0]]
    file, rank = cursor % 8 + d_file, cursor // 8 + d_rank
    server = SERVER_OF[1 - side(snapshot)]
    if not 0 <= rank <= 7 and file in (3, 4) and (server == NORTH_SERVER) == (rank > 7):
        return server
    return max(0, min(7, rank)) * 8 + max(0, min(7, file))


def go(snapshot: Snapshot, pick: Pick) -> Pick | Action:
    """Select what the cursor stands on, or complete the action."""
    found, cursor = offers(snapshot), pick.cursor
    match pick.mode:
        case "setup":
            return _swap(snapshot, pick)
        case "free":
            can_go = cursor in found.moves or cursor in found.enters
            return replace(pick, mode=CARD, chosen=(cursor,)) if can_go else pick
        case "card":
            return _go_with_card(snapshot, pick, found)
        case "boost" | "check" | "wall":
            text = {BOOST: found.boost, CHECK: found.check, WALL: found.wall}[pick.mode].get(cursor)
            return Action(text) if text else pick
        case "404-first":
            return replace(pick, mode=SECOND, chosen=(cursor,)) if cursor in found.hide else pick
        case "404-second":
            if cursor in pick.chosen:
                return replace(pick, mode=FIRST, chosen=())
            return replace(pick, mode=SWAP, chosen=(*pick.chosen, cursor)) if cursor in found.hide else pick
    return pick


def _go_with_card(snapshot: Snapshot, pick: Pick, found: Offers) -> Pick | Action:
    start, cursor = pick.chosen[0], pick.cursor
    if text := found.moves.get(start, {}).get(cursor):
        return Action(text)
    if cursor == SERVER_OF[1 - side(snapshot)] and start in found.enters:
        ways = found.enters[start]
        return Action(ways[0]) if len(ways) == 1 else replace(pick, mode=ENTER)
    if cursor == start:
        return drop(pick)
    if cursor in found.moves or cursor in found.enters:
        return replace(pick, chosen=(cursor,))
    return pick


def _swap(snapshot: Snapshot, pick: Pick) -> Pick:
    starts = START_SQUARES[side(snapshot)]
    if not pick.chosen:
        return replace(pick, chosen=(pick.cursor,))
    cards = list(pick.placed)
    a, b = starts.index(pick.chosen[0]), starts.index(pick.cursor)
    cards[a], cards[b] = cards[b], cards[a]
    return replace(pick, placed="".join(cards), chosen=())


def use(snapshot: Snapshot, pick: Pick, mode: str) -> Pick:
    """Take up a terminal card; pressing its key again drops it. The cursor jumps where there is only one place."""
    if pick.mode == mode or (mode == FIRST and pick.mode in (FIRST, SECOND, SWAP)):
        return drop(pick)
    fresh = Pick(pick.cursor, mode, luck=pick.luck)
    places = targets(snapshot, fresh)
    if not places:
        return drop(pick)
    if len(places) == 1:
        return replace(fresh, cursor=next(iter(places)))
    return fresh


def enter_with(snapshot: Snapshot, pick: Pick, filing: str) -> Action | None:
    """Return the entry of the selected card, filed that way ('+', 'l', 'v')."""
    ways = offers(snapshot).enters.get(pick.chosen[0], ())
    return next((Action(text) for text in ways if text.endswith(">" + filing)), None)


def hide_two(pick: Pick, swap: bool) -> Action:
    """Return the 404 on the two chosen cards."""
    first, second = sorted(NAMES[square] for square in pick.chosen)
    return Action(f"@{first}{second}{'x' if swap else '='}")


def view_of(snapshot: Snapshot) -> View:
    """Return the game's view, typed."""
    view: View = snapshot.view
    return view
