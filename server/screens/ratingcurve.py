"""How a rating went: the shown numbers before and after each match that counted."""

from __future__ import annotations

from collections.abc import Sequence

from server.ratings.ratings import RatingChange
from server.ratings.scale import shown


def curve_of(changes: Sequence[RatingChange]) -> tuple[int, ...]:
    """Return the ratings that were shown before the first of these changes and after each."""
    first = [shown(changes[0].mu_before)] if changes else []
    return (*first, *(shown(change.mu_after) for change in changes))
