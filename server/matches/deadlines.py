"""When the server must look at a match by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from server.matches.checkpoint import Checkpoint
from server.matches.terms import Terms
from server.matches.viewer_state import levels

BOT_WAKES_S = 5.0  # a bot that nobody's process has moved by then is moved by the sweeper
MOST_IDLE = timedelta(days=30)  # a match without a clock is void after this


def due_at(terms: Terms, checkpoint: Checkpoint, with_bots: bool = True) -> datetime | None:
    """Return the earliest moment at which somebody's time is up or a bot is overdue; None: nobody's clock runs."""
    return min(_moments(terms, checkpoint, with_bots), default=None)


def _moments(terms: Terms, checkpoint: Checkpoint, with_bots: bool) -> Iterator[datetime]:
    bots = levels(terms, checkpoint)
    if (idle := void_at(checkpoint)) is not None:
        yield idle
    for one in checkpoint.pending:
        decision, deadline = checkpoint.clocks.decisions[one.seat], checkpoint.clocks.deadline(one.seat)
        if decision is None:
            continue
        if bots[one.seat] is not None:
            if with_bots:
                yield decision.since + timedelta(seconds=BOT_WAKES_S)
        elif deadline is not None:
            yield deadline


def void_at(checkpoint: Checkpoint) -> datetime | None:
    """Return when a match without a clock is void, if nobody moves; None: it has a clock, or waits for nobody."""
    moved = (one.since for one in checkpoint.clocks.decisions if one is not None)
    last = None if checkpoint.clocks.speed.is_timed else max(moved, default=None)
    return None if last is None else last + MOST_IDLE
