"""The cursor in a list of rows: the keys that move it, and rows that are ticked."""

from __future__ import annotations

from typing import Final

NOWHERE: Final = -1  # the cursor is on no row yet
STEPS: Final = {"up": -1, "down": 1, "k": -1, "j": 1, "left": -1, "right": 1, "h": -1, "l": 1}


def stepped(at: int, step: int, count: int) -> int:
    """Return the next of `count` rows, round the ends; from nowhere the first or last one."""
    if not count:
        return NOWHERE
    return (count - 1 if step < 0 else 0) if at == NOWHERE else (at + step) % count


def toggled(ticked: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Return the ticked rows, in order, after the row `at` was ticked or unticked; on no row nothing changes."""
    return ticked if at == NOWHERE else tuple(sorted({at}.symmetric_difference(ticked)))
