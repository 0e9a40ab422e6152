"""When the house must look at a match by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from server.matches.snapshots import levels
from server.matches.standing import Standing
from server.matches.terms import Terms

BOT_WAKES_S = 5.0  # a bot that nobody's process has moved by then is moved by the sweeper


def due_at(terms: Terms, standing: Standing) -> datetime | None:
    """Return the earliest moment at which somebody's time is up or a bot is overdue; None: nobody's clock runs."""
    return min(_moments(terms, standing), default=None)


def _moments(terms: Terms, standing: Standing) -> Iterator[datetime]:
    bots = levels(terms, standing)
    for one in standing.pending:
        decision, deadline = standing.clocks.decisions[one.seat], standing.clocks.deadline(one.seat)
        if decision is not None and deadline is not None:
            yield deadline if bots[one.seat] is None else decision.since + timedelta(seconds=BOT_WAKES_S)
