"""Until when a pass in a window is withheld, or quiet: how soon it came would tell what somebody holds."""

from __future__ import annotations

from datetime import datetime, timedelta

from game.contract import Pending, Seat
from game.errors import GameError
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.clocks import Decision
from server.matches.model import Timing


def withheld_until(
    game: AnyGame,
    checkpoint: Checkpoint,
    timing: Timing,
    asked: Pending,
    decision: Decision,
    then: Checkpoint,
    at: datetime,
) -> datetime | None:
    """Return until when the public effects of an answer are withheld, or None to show them at once.

    Only the answer that closes a window by saying nothing (as silence would) is: that nobody took long tells what
    nobody holds. The minimum depends on how many were asked, which everybody knows.
    """
    until = withheld_at_most_until(timing, asked, decision)
    if (
        until is None
        or at >= until
        or _is_still_open(checkpoint, asked, then)
        or not _is_silence(game, checkpoint, asked.seat, then)
    ):
        return None
    return until


def quiet_until(
    game: AnyGame,
    checkpoint: Checkpoint,
    asked: Pending,
    decision: Decision,
    then: Checkpoint,
    at: datetime,
) -> datetime | None:
    """Return until when nobody is told that a seat has answered, or None to tell it at once.

    It is so for who lets a window pass that others are still asked in, while its time is free.
    """
    free = checkpoint.clocks.free_until(asked.seat)
    if free is None or decision.asked < 2 or asked.idle or at >= free:
        return None
    is_quiet = _is_still_open(checkpoint, asked, then) and _is_silence(game, checkpoint, asked.seat, then)
    return free if is_quiet else None


def setting_quiet_until(checkpoint: Checkpoint, at: datetime) -> datetime | None:
    """Return until when nobody else is told of a personal setting, or None to tell it at once.

    It is so while a window's time is free in which several were asked, whether anybody has answered or not: a setting
    that is told at once only where nobody has would tell it.
    """
    moments = []
    for asked in checkpoint.pending:
        decision, free = checkpoint.clocks.decisions[asked.seat], checkpoint.clocks.free_until(asked.seat)
        if decision is not None and decision.asked > 1 and not asked.idle and free is not None and at < free:
            moments.append(free)
    return max(moments, default=None)


def withheld_at_most_until(timing: Timing, asked: Pending, decision: Decision) -> datetime | None:
    """Return until when the answer that closes a window may be withheld; None: what is asked is no such window."""
    if asked.window is None or asked.idle:
        return None
    minimum = timing.window_minimum if decision.asked > 1 else timing.solo_window_minimum
    return decision.since + timedelta(seconds=minimum)


def _is_still_open(checkpoint: Checkpoint, asked: Pending, then: Checkpoint) -> bool:
    """Tell whether somebody else is still asked in the same window."""
    others = (one for one in checkpoint.pending if one.window == asked.window and one.seat != asked.seat)
    return any(then.owed_by(one.seat) == one for one in others)


def _is_silence(game: AnyGame, checkpoint: Checkpoint, seat: Seat, then: Checkpoint) -> bool:
    try:
        return bool(game.timeout(checkpoint.fold.state, seat).state == then.fold.state)
    except GameError:
        return False
