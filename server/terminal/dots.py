"""Fine drawing: eight dots in each character (braille)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

ACROSS: Final = 2  # dots in a column of the screen
DOWN: Final = 4  # dots in a row of it
BITS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # left and right column, top to bottom
BLANK: Final = 0x2800


def dotted(dots: Iterable[tuple[int, int]], cols: int, rows: int) -> list[str]:
    """Draw dots, each a place counted in dots from the top left, as `rows` lines of `cols` columns."""
    cells = [[0] * cols for _ in range(rows)]
    for x, y in dots:
        cells[y // DOWN][x // ACROSS] |= BITS[x % ACROSS][y % DOWN]
    return ["".join(chr(BLANK + bits) if bits else " " for bits in row) for row in cells]
