"""Safe areas (§1.7): the rectangles that four shields of one player span."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from game.relati.geometry import grid


@lru_cache(maxsize=4096)
def safe_area(shields: int, size: int, rim: bool) -> int:
    """Return the union of all rectangles with a shield in each corner; no line of sight is needed.

    With `rim` a rectangle is its closed box (A22), without it only what lies strictly inside.
    """
    if shields.bit_count() < 4:
        return 0
    measures, found = grid(size), 0
    row = (1 << size) - 1
    rows = [(y, held) for y in range(size) if (held := shields >> (y * measures.stride) & row).bit_count() > 1]
    for (top, above), (bottom, below) in combinations(rows, 2):
        # The outermost shared columns span a box that holds every other rectangle of these two rows.
        if (shared := above & below).bit_count() > 1:
            left, right = (shared & -shared).bit_length() - 1, shared.bit_length() - 1
            inset = 0 if rim else 1
            found |= measures.box(left + inset, top + inset, right - inset, bottom - inset)
    return found
