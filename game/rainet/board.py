"""The grid and the card codes: squares are 0..63 (a1 = 0, b1 = 1, a8 = 56), a card is one byte."""

from __future__ import annotations

SOUTH, NORTH = 0, 1
SEAT_NAMES = ("S", "N")

# A card on the grid or in a stack is a byte of these bits; 0 is an empty square.
CARD = 1
OF_NORTH = 2  # its first owner
VIRUS = 4
FACE_UP = 8
BOOSTED = 16
UNKNOWN = 32  # face down, and its type is not the viewer's to know
IN_VIRUS_AREA = 64  # a face-down stacked card filed in the VIRUS area; face-up ones lie in the area of their type

NAMES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
SQUARES = {name: i for i, name in enumerate(NAMES)}

# RaiNet §1.1: the EXITs each side owns, and the squares it sets up on, in the order of `setup`.
EXITS = (frozenset((SQUARES["d1"], SQUARES["e1"])), frozenset((SQUARES["d8"], SQUARES["e8"])))
ALL_EXITS = EXITS[SOUTH] | EXITS[NORTH]
START_SQUARES = (
    tuple(SQUARES[name] for name in ("a1", "b1", "c1", "d2", "e2", "f1", "g1", "h1")),
    tuple(SQUARES[name] for name in ("a8", "b8", "c8", "d7", "e7", "f8", "g8", "h8")),
)


def _neighbours(square: int) -> tuple[int, ...]:
    file, rank = square % 8, square // 8
    around = ((file, rank + 1), (file - 1, rank), (file + 1, rank), (file, rank - 1))
    return tuple(r * 8 + f for f, r in around if 0 <= f < 8 and 0 <= r < 8)


NEIGHBOURS = tuple(_neighbours(square) for square in range(64))


def owner(card: int) -> int:
    """Return the first owner of a card: 0 South, 1 North."""
    return (card & OF_NORTH) >> 1


def _mask_table(hidden_owners: tuple[int, ...]) -> bytes:
    """Map each card code to its masked form, with the face-down cards of these owners hidden."""
    codes = bytearray(range(256))
    for code in range(256):
        if code & CARD and not code & FACE_UP and owner(code) in hidden_owners:
            codes[code] = code & ~VIRUS | UNKNOWN
    return bytes(codes)


# bytes.translate tables: what the public sees, and what each seat sees (RaiNet §1.10).
PUBLIC_MASK = _mask_table((SOUTH, NORTH))
SEAT_MASKS = (_mask_table((NORTH,)), _mask_table((SOUTH,)))
