"""What a viewer may know, and full states that fit it (RaiNet §1.10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from game.contract import Json, Result, Viewer, Watcher
from game.rainet.board import (
    BOOSTED,
    FACE_UP,
    IN_VIRUS_AREA,
    NORTH,
    PUBLIC_MASK,
    SEAT_MASKS,
    SEAT_NAMES,
    SOUTH,
    UNKNOWN,
    VIRUS,
    owner,
)
from game.rainet.notation import public_text
from game.rainet.position import READY, write_grid, write_setup
from game.rainet.state import Options, State
from game.rainet.storage import options_json
from game.rainet.tracking import Tracks, follow, is_open
from game.rng import Rng

SETUPS = tuple("".join("L" if i in links else "V" for i in range(8)) for links in combinations(range(8), 4))
_NO_MASK = bytes(range(256))


@dataclass(frozen=True, slots=True)
class Card:
    """A card as a viewer sees it. `kind` is 'link', 'virus' or None (not theirs to know).

    `area` ('link', 'virus') is where a stacked card lies; None on the grid.
    """

    owner: int
    kind: str | None
    face_up: bool
    boosted: bool
    area: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer could have written down; the fields are those of `State`, masked.

    `setups` hold the viewer's own assignment and 'ready' for another's; hidden cards carry the UNKNOWN bit; a 404 of
    somebody else ends in '?' in the `log`.
    """

    viewer: Viewer
    options: Options
    setups: tuple[str | None, str | None]
    board: bytes
    turn: int
    hands: tuple[int, int]
    firewalls: tuple[int, int]
    stacks: tuple[bytes, bytes]
    clock: int
    first: int
    origin: bytes
    log: tuple[str, ...]
    seen: tuple[bytes, ...]
    result: Result | None

    @property
    def is_setup(self) -> bool:
        """Tell whether the sides still set up."""
        return not self.board

    @property
    def repetitions(self) -> int:
        """Return how often the present position has been there since the last action that can't be undone."""
        return self.seen.count(self.seen[-1]) if self.seen else 0

    @property
    def position(self) -> str:
        """Return the masked position in the game's notation."""
        if self.is_setup:
            return write_setup(self.setups)
        return write_grid(self.board, self.turn, self.hands, self.firewalls, self.stacks, self.clock)

    def card_at(self, square: int) -> Card | None:
        """Return the card on a square of the grid (a1 = 0, b1 = 1, a8 = 56); None when it is empty or in the setup."""
        code = self.board[square] if self.board else 0
        return _card(code, None) if code else None

    def stack(self, seat: int) -> tuple[Card, ...]:
        """Return a stack's cards in order of arrival."""
        return tuple(_card(code, _area(code)) for code in self.stacks[seat])


def _card(code: int, area: str | None) -> Card:
    kind = None if code & UNKNOWN else "virus" if code & VIRUS else "link"
    return Card(owner(code), kind, bool(code & FACE_UP), bool(code & BOOSTED), area)


def _area(code: int) -> str:
    return "virus" if code & (VIRUS if code & FACE_UP else IN_VIRUS_AREA) else "link"


def see(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know; after the end of a match that was set up, everything."""
    mask: bytes
    seats: tuple[int, ...]
    played_out = state.result is not None and state.board
    if viewer is Watcher.OMNISCIENT or played_out:
        mask, seats = _NO_MASK, (SOUTH, NORTH)
    elif isinstance(viewer, Watcher):
        mask, seats = PUBLIC_MASK, ()
    else:
        mask, seats = SEAT_MASKS[viewer], (int(viewer),)
    south, north = state.setups
    return View(
        viewer,
        state.options,
        (_masked_setup(south, SOUTH in seats), _masked_setup(north, NORTH in seats)),
        state.board.translate(mask),
        state.turn,
        state.hands,
        state.firewalls,
        (state.stacks[SOUTH].translate(mask), state.stacks[NORTH].translate(mask)),
        state.clock,
        state.first,
        state.origin,
        state.log if len(seats) == 2 else tuple(_masked_log(state, seats)),
        state.seen,
        state.result,
    )


def _masked_setup(cards: str | None, known: bool) -> str | None:
    return cards if known or cards is None else READY


def _masked_log(state: State, seats: tuple[int, ...]) -> Iterator[str]:
    for ply, entry in enumerate(state.log):
        yield entry if (state.first + ply) % 2 in seats else public_text(entry)


def determinize(view: View, rng: Rng) -> State:
    """Return a full state that fits the view, drawn evenly from all that do (RaiNet §1.10).

    What was shown before a 404 hid it again still counts: the same cards are dealt, perhaps swapped.
    """
    seed, rng = _draw_seed(rng)
    if view.is_setup:
        south, rng = _draw_setup(view.setups[SOUTH], rng)
        north, rng = _draw_setup(view.setups[NORTH], rng)
        return State(view.options, Rng(seed), (south, north), turn=view.turn, first=view.first, result=view.result)
    board, stacks, log = bytearray(view.board), (bytearray(view.stacks[0]), bytearray(view.stacks[1])), list(view.log)
    for seat in (SOUTH, NORTH):
        rng = _draw_side(view, seat, rng, board, stacks, log)
    return State(
        view.options,
        None,
        view.setups,
        bytes(board),
        view.turn,
        view.hands,
        view.firewalls,
        (bytes(stacks[0]), bytes(stacks[1])),
        view.clock,
        view.first,
        view.origin,
        tuple(log),
        view.seen,
        view.result,
    )


def _draw_seed(rng: Rng) -> tuple[bytes, Rng]:
    words = []
    for _ in range(4):
        word, rng = rng.below(1 << 64)
        words.append(word.to_bytes(8, "big"))
    return b"".join(words), rng


def _draw_setup(cards: str | None, rng: Rng) -> tuple[str | None, Rng]:
    return rng.choose(SETUPS) if cards == READY else (cards, rng)


def _draw_side(
    view: View,
    seat: int,
    rng: Rng,
    board: bytearray,
    stacks: tuple[bytearray, bytearray],
    log: list[str],
) -> Rng:
    """Draw one side's unknown cards and its 404, and fill them in in place; return the stream after them."""
    ways = list(deals(view, seat))
    if not ways:
        return rng
    deal, rng = rng.choose(ways)
    for square, virus in deal.on_grid:
        board[square] = board[square] & ~UNKNOWN | (VIRUS if virus else 0)
    for place, virus in deal.in_stack:
        stacks[seat][place] = stacks[seat][place] & ~UNKNOWN | (VIRUS if virus else 0)
    for ply, entry in enumerate(log):
        if is_open(entry) and (view.first + ply) % 2 == seat:
            log[ply] = entry[:-1] + ("x" if deal.swapped else "=")
    return rng


@dataclass(frozen=True, slots=True)
class Deal:
    """One way one side's unknown cards may be: (square, is virus) and (place in the own stack, is virus)."""

    swapped: bool
    on_grid: tuple[tuple[int, bool], ...]
    in_stack: tuple[tuple[int, bool], ...]


def deals(view: View, seat: int) -> Iterator[Deal]:
    """Yield every way one side's unknown cards may be; all are equally likely where behaviour tells nothing."""
    grid = [square for square, card in enumerate(view.board) if card & UNKNOWN and owner(card) == seat]
    pile = [place for place, card in enumerate(view.stacks[seat]) if card & UNKNOWN]
    unsure = any(is_open(entry) and (view.first + ply) % 2 == seat for ply, entry in enumerate(view.log))
    for swapped in (False, True) if unsure else (False,):
        tracks = follow(view.origin, view.first, view.log, swapped)
        if tracks.fits and (grid or pile or unsure):
            shown = [
                None if number is None else tracks.viruses.get(number)
                for number in _numbers(view, seat, tracks, grid, pile)
            ]
            for types in _fillings(view, seat, shown, len(grid)):
                yield Deal(
                    swapped,
                    tuple(zip(grid, types[: len(grid)], strict=True)),
                    tuple(zip(pile, types[len(grid) :], strict=True)),
                )


def _numbers(view: View, seat: int, tracks: Tracks, grid: list[int], pile: list[int]) -> Iterator[int | None]:
    """Yield the track number of each unknown card; None for a card that lay in the stack before play began."""
    for square in grid:
        yield tracks.at[square]
    before = len(view.stacks[seat]) - len(tracks.stacked[seat])
    for place in pile:
        yield tracks.stacked[seat][place - before] if place >= before else None


def _fillings(view: View, seat: int, shown: list[bool | None], n_on_grid: int) -> Iterator[tuple[bool, ...]]:
    """Yield the types of the unknown cards: at most four of each in all, and no full stack while play goes on."""
    known = [card for card in view.board if card and owner(card) == seat and not card & UNKNOWN]
    known += [card for stack in view.stacks for card in stack if owner(card) == seat and not card & UNKNOWN]
    filed = [card for card in view.stacks[seat] if not card & UNKNOWN]
    viruses, links = _count(known)
    filed_viruses, filed_links = _count(filed)
    free = [i for i, virus in enumerate(shown) if virus is None]
    for n_viruses in range(len(free) + 1):
        for picked in combinations(free, n_viruses):
            types = tuple(i in picked if virus is None else virus for i, virus in enumerate(shown))
            total, entered = sum(types), sum(types[n_on_grid:])
            n_entered = len(types) - n_on_grid
            fits = viruses + total <= 4 and links + len(types) - total <= 4
            going_on = filed_viruses + entered < 4 and filed_links + n_entered - entered < 4
            if fits and going_on:
                yield types


def _count(cards: list[int]) -> tuple[int, int]:
    viruses = sum(1 for card in cards if card & VIRUS)
    return viruses, len(cards) - viruses


def view_json(view: View) -> dict[str, Json]:
    """Return the view as the outside reads it."""
    viewer = view.viewer.value if isinstance(view.viewer, Watcher) else SEAT_NAMES[view.viewer]
    playing = view.result is None and not view.is_setup
    return {
        "viewer": viewer,
        "position": view.position,
        "phase": "over" if view.result is not None else "setup" if view.is_setup else "play",
        "ready": [cards is not None or not view.is_setup for cards in view.setups],
        "turn": view.turn if playing else None,
        "clock": view.clock,
        "repetitions": view.repetitions,
        "first": None if view.is_setup else view.first,
        "log": list(view.log),
        "options": options_json(view.options),
    }
