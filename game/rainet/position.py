"""How positions are written: six fields in play, `setup S N` before it; full, or masked as a viewer sees them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from game.errors import BadNotation
from game.rainet.board import (
    ALL_EXITS,
    BOOSTED,
    CARD,
    EXITS,
    FACE_UP,
    IN_VIRUS_AREA,
    NAMES,
    NORTH,
    OF_NORTH,
    SEAT_NAMES,
    SOUTH,
    SQUARES,
    UNKNOWN,
    VIRUS,
    owner,
)
from game.rainet.state import BOOST, FIREWALL, HAND_LETTERS, NOWHERE, Options

OPENING = "lvl2vlv/3lv3/8/8/8/8/3VL3/VLV2LVL S BCF4/bcf4 -/- -/- 0"  # perft's standard opening
READY = "ready"  # what others see of an assignment

_LETTERS = {CARD: "L", CARD | VIRUS: "V", CARD | UNKNOWN: "O"}
_CODES = {"L": CARD, "V": CARD | VIRUS, "l": CARD | OF_NORTH, "v": CARD | OF_NORTH | VIRUS}
_RANK_ITEM = re.compile(r"([1-8])|([LVlv])(\+?)(\*?)")
_STACKED = re.compile(r"([LVlv])(\+|\?l|\?v)")
_CLOCK = re.compile(r"0|[1-9][0-9]{0,5}")
_SETUP = re.compile(r"setup (-|[LV]{8}) (-|[LV]{8})")


@dataclass(frozen=True, slots=True)
class PlayFields:
    """The fields of a position in play, as `State` and `View` hold them too."""

    board: bytes
    turn: int
    hands: tuple[int, int]
    firewalls: tuple[int, int]
    stacks: tuple[bytes, bytes]
    clock: int


def letter(card: int) -> str:
    """Return the letter of a card by true type and first owner: L V South's, l v North's, O o unknown."""
    text = _LETTERS[card & (CARD | VIRUS | UNKNOWN)]
    return text.lower() if card & OF_NORTH else text


def stacked_text(card: int) -> str:
    """Write one stacked card: 'l+' face up, 'L?v' face down in the VIRUS area."""
    return letter(card) + ("+" if card & FACE_UP else "?v" if card & IN_VIRUS_AREA else "?l")


def _card_text(card: int) -> str:
    return letter(card) + ("+" if card & FACE_UP else "") + ("*" if card & BOOSTED else "")


def _rank_text(cards: bytes) -> str:
    text = "".join(_card_text(card) if card else "." for card in cards)
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), text)


def _hand_text(hand: int) -> str:
    return "".join(c for i, c in enumerate(HAND_LETTERS) if hand >> i & 1) or "-"


def _square_text(square: int) -> str:
    return "-" if square == NOWHERE else NAMES[square]


def write_grid(
    board: bytes,
    turn: int,
    hands: tuple[int, int],
    firewalls: tuple[int, int],
    stacks: tuple[bytes, bytes],
    clock: int,
) -> str:
    """Write a position in play; whatever is marked UNKNOWN comes out masked."""
    ranks = "/".join(_rank_text(board[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1))
    hand = f"{_hand_text(hands[SOUTH])}/{_hand_text(hands[NORTH]).lower()}"
    walls = f"{_square_text(firewalls[SOUTH])}/{_square_text(firewalls[NORTH])}"
    piles = "/".join(",".join(map(stacked_text, stack)) or "-" for stack in stacks)
    return f"{ranks} {SEAT_NAMES[turn]} {hand} {walls} {piles} {clock}"


def write_setup(setups: tuple[str | None, str | None]) -> str:
    """Write a position in the setup: 'setup LLVVLVLV -'."""
    return f"setup {setups[SOUTH] or '-'} {setups[NORTH] or '-'}"


def _unreadable(detail: str) -> BadNotation:
    return BadNotation("rainet.error.position", detail[:80])


def read_setup(text: str) -> tuple[str | None, str | None]:
    """Read a position in the setup. Raises BadNotation where an assignment is not four links and four viruses."""
    m = _SETUP.fullmatch(text)
    if m is None:
        raise _unreadable(text)
    for cards in m.groups():
        if cards != "-" and cards.count("L") != 4:
            raise _unreadable(f"not four links and four viruses: {cards}")
    return (None if m[1] == "-" else m[1], None if m[2] == "-" else m[2])


def _read_rank(text: str) -> bytes:
    cards, at, last_was_gap = bytearray(), 0, False
    while at < len(text):
        m = _RANK_ITEM.match(text, at)
        if m is None or (m[1] and last_was_gap):
            raise _unreadable(f"rank {text}")
        if m[1]:
            cards.extend(bytes(int(m[1])))
        else:
            cards.append(_CODES[m[2]] | (FACE_UP if m[3] else 0) | (BOOSTED if m[4] else 0))
        at, last_was_gap = m.end(), bool(m[1])
    if len(cards) != 8:
        raise _unreadable(f"rank {text}")
    return bytes(cards)


def _read_board(text: str) -> bytes:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise _unreadable(f"board {text}")
    return b"".join(_read_rank(rank) for rank in reversed(ranks))


def _pair(text: str) -> tuple[str, str]:
    parts = text.split("/")
    if len(parts) != 2:
        raise _unreadable(text)
    return parts[0], parts[1]


def _read_hand(text: str, letters: str) -> int:
    if text == "-":
        return 0
    if not text or len(set(text)) != len(text) or not set(text) <= set(letters):
        raise _unreadable(f"hand {text}")
    return sum(1 << letters.index(c) for c in text)


def _read_square(text: str) -> int:
    if text == "-":
        return NOWHERE
    if text not in SQUARES:
        raise _unreadable(f"firewall {text}")
    return SQUARES[text]


def _read_stacked(text: str, seat: int) -> int:
    m = _STACKED.fullmatch(text)
    if m is None:
        raise _unreadable(f"stack {text}")
    card = _CODES[m[1]] | {"+": FACE_UP, "?l": 0, "?v": IN_VIRUS_AREA}[m[2]]
    if not card & FACE_UP and owner(card) != seat:
        raise _unreadable(f"a captured card lies face up: {text}")
    return card


def _read_stack(text: str, seat: int) -> bytes:
    return b"" if text == "-" else bytes(_read_stacked(part, seat) for part in text.split(","))


def read_grid(text: str, options: Options) -> PlayFields:
    """Read a full position in play, under the options of its room.

    Raises BadNotation where it can't be read, is masked, or contradicts itself. Does not check that it can be
    reached, nor that all sixteen cards are there.
    """
    fields = text.split(" ")
    if len(fields) != 6:
        raise _unreadable(text)
    board, side, hands, walls, piles, clock = fields
    if side not in SEAT_NAMES or _CLOCK.fullmatch(clock) is None:
        raise _unreadable(text)
    (south_hand, north_hand), (south_wall, north_wall), (south_pile, north_pile) = map(_pair, (hands, walls, piles))
    grid = PlayFields(
        _read_board(board),
        SEAT_NAMES.index(side),
        (_read_hand(south_hand, HAND_LETTERS), _read_hand(north_hand, HAND_LETTERS.lower())),
        (_read_square(south_wall), _read_square(north_wall)),
        (_read_stack(south_pile, SOUTH), _read_stack(north_pile, NORTH)),
        int(clock),
    )
    for seat in (SOUTH, NORTH):
        _check_side(grid, seat, options)
    shared = grid.firewalls[SOUTH] != NOWHERE and grid.firewalls[SOUTH] == grid.firewalls[NORTH]
    if shared and not options.firewall_anywhere:
        raise _unreadable("two firewalls on one square")
    if sum(decided(stack) for stack in grid.stacks) > 1:
        raise _unreadable("both stacks are full")
    return grid


def decided(stack: bytes) -> int:
    """Count the types of which a stack holds four (RaiNet §1.8)."""
    viruses = sum(1 for card in stack if card & VIRUS)
    return (viruses >= 4) + (len(stack) - viruses >= 4)


def _check_side(grid: PlayFields, seat: int, options: Options) -> None:
    """Refuse what a side can't have at once: RaiNet §1.2, §1.5, §1.9."""
    cards = [card for card in grid.board if card and owner(card) == seat]
    boosts = sum(1 for card in cards if card & BOOSTED) + (grid.hands[seat] & BOOST > 0)
    wall = grid.firewalls[seat]
    everything = cards + [card for stack in grid.stacks for card in stack if owner(card) == seat]
    viruses = sum(1 for card in everything if card & VIRUS)
    contradictions = {
        "two Line Boosts": boosts > 1,
        "two Firewalls": wall != NOWHERE and grid.hands[seat] & FIREWALL > 0,
        "a Firewall on an EXIT": wall in ALL_EXITS,
        "a Firewall under an opponent's card": not options.firewall_anywhere
        and wall != NOWHERE
        and _stands(grid.board[wall], 1 - seat),
        "a card on its own EXIT": not options.own_exit
        and any(_stands(grid.board[square], seat) for square in EXITS[seat]),
        "more than four of a type": viruses > 4 or len(everything) - viruses > 4,
    }
    for what, is_so in contradictions.items():
        if is_so:
            raise _unreadable(f"{SEAT_NAMES[seat]}: {what}")


def _stands(card: int, seat: int) -> bool:
    return card != 0 and owner(card) == seat
