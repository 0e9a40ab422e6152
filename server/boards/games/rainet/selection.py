"""What a RaiNet player has selected but not sent: a value, and what keys make of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from game.contract import Action, OneOf, Watcher
from game.rainet.board import NAMES, SOUTH, SQUARES, START_SQUARES
from game.rainet.legal import legal_texts
from game.rainet.notation import action
from game.rainet.view import View, determinize
from server.boards.whynot import ANY
from server.matches.model import ViewerState
from server.terminal.cursor import GRID_STEPS
from server.terminal.memo import by_identity

Shown: TypeAlias = ViewerState[View]  # what a viewer is shown of a match

NORTH_SERVER, SOUTH_SERVER = 64, 65  # cursor places off the grid
NOBODY = -1  # a watcher has no cursor
SERVER_OF = (SOUTH_SERVER, NORTH_SERVER)
Mode: TypeAlias = Literal[
    "setup", "free", "card", "enter", "boost", "check", "wall", "404-first", "404-second", "404-swap"
]
SETUP: Final = "setup"
FREE: Final = "free"
CARD: Final = "card"
ENTER: Final = "enter"
BOOST: Final = "boost"
CHECK: Final = "check"
WALL: Final = "wall"
FIRST: Final = "404-first"
SECOND: Final = "404-second"
SWAP: Final = "404-swap"


@dataclass(frozen=True, slots=True)
class Selection:
    """The cursor (a square, or a server centre), what is being done, and the cards chosen for it."""

    cursor: int
    mode: Mode = FREE
    squares: tuple[int, ...] = ()
    placed: str = ""  # the setup so far, in the order of START_SQUARES
    seed: bytes = b""  # what the next shuffle is made from
    last: str = ""  # how the viewer has placed their cards in their last match, in the same order; "": not known
    is_ordered: bool = False  # the cards are to lie as they are placed: it was typed


@dataclass(frozen=True, slots=True)
class LegalActions:
    """The legal actions, sorted by what they do: squares to squares (or None) to the action's text."""

    moves: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    enters: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    boost: Mapping[int, str] = field(default_factory=dict)
    check: Mapping[int, str] = field(default_factory=dict)
    wall: Mapping[int, str] = field(default_factory=dict)
    hide: frozenset[int] = frozenset()


@by_identity(256)
def sorted_actions(choice: OneOf) -> LegalActions:
    """Sort what the rules offer. Of two ways to the same square the first, shorter one is kept: both end alike."""
    moves: dict[int, dict[int, str]] = {}
    enters: dict[int, tuple[str, ...]] = {}
    boost: dict[int, str] = {}
    check: dict[int, str] = {}
    wall: dict[int, str] = {}
    hide: set[int] = set()
    single = {"+": boost, "-": boost, "?": check, "#": wall, "~": wall}
    for offered in choice.actions:
        text = offered.text
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
    return LegalActions(moves, enters, boost, check, wall, frozenset(hide))


NOTHING = LegalActions()


def offers(snapshot: Shown) -> LegalActions:
    """Return what the viewer may do now, sorted."""
    pending = snapshot.pending
    if pending is None or not isinstance(pending.choice, OneOf) or snapshot.view.is_setup:
        return NOTHING
    return sorted_actions(pending.choice)


@by_identity(256)
def ahead(snapshot: Shown) -> tuple[str, ...]:
    """Return what the viewer could do if it were their turn: nothing of it depends on what is hidden from them."""
    view = snapshot.view
    if isinstance(view.viewer, Watcher) or view.is_setup or view.result is not None:
        return ()
    texts = legal_texts(replace(determinize(view, ANY), turn=int(view.viewer)))
    return tuple(action(text).text for text in texts)  # one string for all positions that have the action


def side(snapshot: Shown) -> int:
    """Return the viewer's own side, South for everybody else."""
    return SOUTH if isinstance(snapshot.viewer, Watcher) else int(snapshot.viewer)


def nearest(snapshot: Shown) -> int:
    """Return whose side is drawn at the bottom: the one that the page asks for, else `side`."""
    return side(snapshot) if snapshot.nearest is None else int(snapshot.nearest)


def places_cards(snapshot: Shown) -> bool:
    """Tell whether the viewer sets up just now."""
    return snapshot.view.is_setup and snapshot.pending is not None


def begin(snapshot: Shown, seed: bytes) -> Selection:
    """Return the selection to begin with; `seed` is secret, so that nobody can guess the first placement."""
    home = side(snapshot)
    if isinstance(snapshot.viewer, Watcher):
        return Selection(NOBODY)
    if places_cards(snapshot):
        return shuffled(Selection(START_SQUARES[home][0], SETUP, seed=seed))
    return Selection(foremost(snapshot), seed=seed)


def foremost(snapshot: Shown) -> int:
    """Return the viewer's card that has come furthest, of several the left one; where one may move, of those that can.

    A middle square where there is none.
    """
    view, home = snapshot.view, side(snapshot)
    found = offers(snapshot)
    able = {*found.moves, *found.enters}
    own = able or {square for square in range(64) if (card := view.card_at(square)) and card.owner == home}
    if home == SOUTH:
        return max(own, key=lambda square: (square // 8, -(square % 8)), default=SQUARES["d2"])
    return max(own, key=lambda square: (-(square // 8), square % 8), default=SQUARES["e7"])


def shuffled(chosen: Selection) -> Selection:
    """Return the selection with its eight cards dealt anew."""
    seed = hashlib.sha256(chosen.seed + b"shuffle").digest()
    order = sorted(range(8), key=lambda i: hashlib.sha256(seed + bytes([i])).digest())
    placed = "".join("L" if place < 4 else "V" for place in order)
    return replace(chosen, placed=placed, seed=seed, squares=())


def seen_from(home: int, placed: str) -> str:
    """Return a placement, in the order of START_SQUARES, as its player sees it from left to right; or back."""
    return placed if home == SOUTH else placed[::-1]


def recalled(snapshot: Shown, chosen: Selection, placed: str) -> Selection:
    """Return the selection of a player who placed their cards so last, from left to right; what is none is dropped."""
    is_one = sorted(placed) == sorted("LLLLVVVV")
    return replace(chosen, last=seen_from(side(snapshot), placed)) if is_one else chosen


def may_repeat(snapshot: Shown, chosen: Selection) -> bool:
    """Tell whether the viewer places cards now, and it is known how they did last."""
    return bool(chosen.last) and places_cards(snapshot)


def again(chosen: Selection) -> Selection:
    """Return the selection with the cards placed as in the last match."""
    return replace(chosen, placed=chosen.last, squares=()) if chosen.last else chosen


def follow(snapshot: Shown, chosen: Selection) -> Selection:
    """Return the selection for a new position: what is no longer possible is dropped."""
    if places_cards(snapshot):
        return chosen if chosen.mode == SETUP else replace(begin(snapshot, chosen.seed), last=chosen.last)
    if chosen.mode == SETUP:
        return begin(snapshot, chosen.seed)
    found = offers(snapshot)
    if chosen.mode in (CARD, ENTER) and not (set(chosen.squares) & (found.moves.keys() | found.enters.keys())):
        return drop(chosen)
    possible = {BOOST: found.boost, CHECK: found.check, WALL: found.wall}.get(chosen.mode, True)
    if not possible or (chosen.mode in (FIRST, SECOND, SWAP) and not set(chosen.squares) <= found.hide):
        return drop(chosen)
    return chosen if snapshot.pending is not None else drop(chosen)


def resumed(snapshot: Shown, chosen: Selection, left: Selection) -> Selection:
    """Return the selection of a player who comes back: the cards of a setup lie as they were placed."""
    return replace(drop(left), last=chosen.last) if places_cards(snapshot) and left.mode == SETUP else chosen


def drop(chosen: Selection) -> Selection:
    """Return the selection with nothing selected."""
    return replace(chosen, mode=SETUP if chosen.mode == SETUP else FREE, squares=())


def targets(snapshot: Shown, chosen: Selection) -> frozenset[int]:
    """Return the places that go on with what is being done."""
    found = offers(snapshot)
    match chosen.mode:
        case "card" | "enter":
            start = chosen.squares[0]
            server = {SERVER_OF[1 - side(snapshot)]} if start in found.enters else set()
            return frozenset(found.moves.get(start, {}).keys() | server)
        case "boost":
            return frozenset(found.boost)
        case "check":
            return frozenset(found.check)
        case "wall":
            return frozenset(found.wall)
        case "404-first" | "404-second":
            return found.hide - set(chosen.squares)
    return frozenset()


def is_stuck(snapshot: Shown, chosen: Selection) -> bool:
    """Tell whether the card under the cursor is one that a player who may choose a card can't choose."""
    found = offers(snapshot)
    return chosen.mode == FREE and snapshot.pending is not None and chosen.cursor not in {*found.moves, *found.enters}


def moved(snapshot: Shown, chosen: Selection, key: str) -> Selection:
    """Return the selection with the cursor moved, as the board is drawn."""
    right, down = GRID_STEPS[key]
    d_file, d_rank = (right, -down) if nearest(snapshot) == SOUTH else (-right, down)
    if chosen.mode == SETUP:
        starts = START_SQUARES[side(snapshot)]
        sideways = d_file or (d_rank if nearest(snapshot) == SOUTH else -d_rank)
        at = starts.index(chosen.cursor) if chosen.cursor in starts else 0
        return replace(chosen, cursor=starts[max(0, min(7, at + sideways))])
    return replace(chosen, cursor=_step(snapshot, chosen.cursor, d_file, d_rank))


def after_typing(snapshot: Shown, chosen: Selection, text: str) -> Selection:
    """Return the selection with the cursor on the last square that a typed action names."""
    named = [text[at : at + 2] for at in range(len(text) - 1) if text[at : at + 2] in SQUARES]
    return replace(drop(chosen), cursor=SQUARES[named[-1]]) if named and chosen.mode != SETUP else chosen


def next_able(snapshot: Shown, chosen: Selection) -> Selection:
    """Go to the next card that may move, from one's own side on; with a card in hand, to the next place for it."""
    if chosen.mode == FREE:
        found = offers(snapshot)
        places = {*found.moves, *found.enters}
    else:
        places = set(targets(snapshot, chosen))
    is_south = side(snapshot) == SOUTH

    def order(place: int) -> tuple[int, int]:
        file, rank = _file_and_rank(place)
        return (rank, file) if is_south else (-rank, -file)

    ordered = sorted(places, key=order)
    after = (place for place in ordered if order(place) > order(chosen.cursor))
    return replace(chosen, cursor=next(after, ordered[0])) if ordered else chosen


def _step(snapshot: Shown, cursor: int, d_file: int, d_rank: int) -> int:
    if cursor in SERVER_OF:
        exits = ("d8", "e8") if cursor == NORTH_SERVER else ("d1", "e1")
        outward = 1 if cursor == NORTH_SERVER else -1
        return cursor if d_rank == outward else SQUARES[exits[1 if d_file > 0 else 0]]
    file, rank = cursor % 8 + d_file, cursor // 8 + d_rank
    server = SERVER_OF[1 - side(snapshot)]
    if not 0 <= rank <= 7 and file in (3, 4) and (server == NORTH_SERVER) == (rank > 7):
        return server
    return max(0, min(7, rank)) * 8 + max(0, min(7, file))


def go(snapshot: Shown, chosen: Selection) -> Selection | Action:
    """Select what the cursor stands on, or complete the action."""
    found, cursor = offers(snapshot), chosen.cursor
    match chosen.mode:
        case "setup":
            return _swap(snapshot, chosen)
        case "free":
            can_go = cursor in found.moves or cursor in found.enters
            return replace(chosen, mode=CARD, squares=(cursor,)) if can_go else chosen
        case "card":
            return _go_with_card(snapshot, chosen, found)
        case "boost" | "check" | "wall":
            text = {BOOST: found.boost, CHECK: found.check, WALL: found.wall}[chosen.mode].get(cursor)
            return Action(text) if text else chosen
        case "404-first":
            return replace(chosen, mode=SECOND, squares=(cursor,)) if cursor in found.hide else chosen
        case "404-second":
            if cursor in chosen.squares:
                return replace(chosen, mode=FIRST, squares=())
            return replace(chosen, mode=SWAP, squares=(*chosen.squares, cursor)) if cursor in found.hide else chosen
    return chosen


def _go_with_card(snapshot: Shown, chosen: Selection, found: LegalActions) -> Selection | Action:
    start, cursor = chosen.squares[0], chosen.cursor
    if text := found.moves.get(start, {}).get(cursor):
        return Action(text)
    if cursor == SERVER_OF[1 - side(snapshot)] and start in found.enters:
        ways = found.enters[start]
        return Action(ways[0]) if len(ways) == 1 else replace(chosen, mode=ENTER)
    if cursor == start:
        return drop(chosen)
    if cursor in found.moves or cursor in found.enters:
        return replace(chosen, squares=(cursor,))
    return chosen


def _swap(snapshot: Shown, chosen: Selection) -> Selection:
    starts = START_SQUARES[side(snapshot)]
    if not chosen.squares:
        return replace(chosen, squares=(chosen.cursor,))
    cards = list(chosen.placed)
    a, b = starts.index(chosen.squares[0]), starts.index(chosen.cursor)
    cards[a], cards[b] = cards[b], cards[a]
    return replace(chosen, placed="".join(cards), squares=())


def use(snapshot: Shown, chosen: Selection, mode: Mode) -> Selection:
    """Take up a terminal card; pressing its key again drops it. The cursor goes to the nearest place for it."""
    if chosen.mode == mode or (mode == FIRST and chosen.mode in (FIRST, SECOND, SWAP)):
        return drop(chosen)
    fresh = Selection(chosen.cursor, mode, seed=chosen.seed)
    places = targets(snapshot, fresh)
    if not places:
        return drop(chosen)
    return replace(fresh, cursor=min(places, key=lambda place: (steps(place, chosen.cursor), place)))


def steps(one: int, other: int) -> int:
    """Return how many steps are between two places; a server is one step behind its exits."""
    (file, rank), (other_file, other_rank) = _file_and_rank(one), _file_and_rank(other)
    return abs(file - other_file) + abs(rank - other_rank)


def _file_and_rank(place: int) -> tuple[int, int]:
    if place in SERVER_OF:
        return 3, 8 if place == NORTH_SERVER else -1
    return place % 8, place // 8


def tried(snapshot: Shown, chosen: Selection, mode: Mode) -> str:
    """Return the action that was meant at the cursor, though it is not legal; '' where none can be named."""
    cursor = chosen.cursor
    if not 0 <= cursor < len(NAMES):
        return ""
    here = NAMES[cursor]
    match mode:
        case "free":
            ahead = cursor + (8 if side(snapshot) == SOUTH else -8)
            return here + NAMES[ahead] if 0 <= ahead < len(NAMES) else ""
        case "boost" | "check" | "wall":
            return {BOOST: "+", CHECK: "?", WALL: "#"}[mode] + here
        case "404-first" | "404-second":
            other = next((NAMES[one] for one in (*chosen.squares, *offers(snapshot).hide) if one != cursor), "a1")
            first, second = sorted((here, other))
            return f"@{first}{second}="
    return ""


def enter_with(snapshot: Shown, chosen: Selection, filing: str) -> Action | None:
    """Return the entry of the selected card, filed that way ('+', 'l', 'v')."""
    ways = offers(snapshot).enters.get(chosen.squares[0], ())
    return next((Action(text) for text in ways if text.endswith(">" + filing)), None)


def hide_two(chosen: Selection, swap: bool) -> Action:
    """Return the 404 on the two chosen cards."""
    first, second = sorted(NAMES[square] for square in chosen.squares)
    return Action(f"@{first}{second}{'x' if swap else '='}")
