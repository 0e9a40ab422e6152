"""Cursors: the keys that move one in a list of rows or on a grid, and rows that are ticked."""

from __future__ import annotations

from typing import Final

NOWHERE: Final = -1  # the cursor is on no row yet
STEPS: Final = {"up": -1, "down": 1, "k": -1, "j": 1, "left": -1, "right": 1, "h": -1, "l": 1}

GRID_STEPS: Final = {  # columns to the right and rows down, as the screen shows them
    "up": (0, -1),
    "down": (0, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "k": (0, -1),
    "j": (0, 1),
    "h": (-1, 0),
    "l": (1, 0),
}


def stepped(at: int, step: int, count: int) -> int:
    """Return the next of `count` rows, round the ends; from nowhere the first or last one."""
    if not count:
        return NOWHERE
    return (count - 1 if step < 0 else 0) if at == NOWHERE else (at + step) % count


def toggled(ticked: tuple[int, ...], at: int, most: int | None = None) -> tuple[int, ...]:
    """Return the ticked rows, in order, after the row `at` was ticked or unticked.

    On no row nothing changes, nor where `most` are ticked already and it would be one more.
    """
    is_full = most is not None and len(ticked) >= most and at not in ticked
    return ticked if at == NOWHERE or is_full else tuple(sorted({at}.symmetric_difference(ticked)))
