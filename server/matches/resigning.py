"""Who gives a seat up, or loses it by being away: the entry that says so, and whether a bot sits down."""

from __future__ import annotations

from typing import Any, Final

from game.contract import Seat
from game.errors import IllegalAction
from server.matches import leaving
from server.matches.checkpoint import Checkpoint
from server.matches.drafts import Drafted, check_live
from server.matches.errors import MatchOver
from server.matches.live import LiveMatch
from server.matches.viewer_state import levels

REPLACEMENT: Final = "normal"  # level of the bot that takes the seat


def resigned(match: LiveMatch, seat: Seat, checkpoint: Checkpoint) -> Drafted:
    """Draft that somebody gives up: a bot takes over where that was agreed on."""
    if checkpoint.fold.is_over:
        raise MatchOver
    if leaving.is_replaced(match.terms, match.log.game, checkpoint, seat):
        return left(match, seat, checkpoint)
    return match.draft_entry(checkpoint, "resign", seat)


def left(match: LiveMatch, seat: Seat, checkpoint: Checkpoint, **data: Any) -> Drafted:
    """Draft that a person is gone for good: a bot takes over where that was agreed on, else the seat is out."""
    _check_held(match, seat, checkpoint)
    if leaving.is_replaced(match.terms, match.log.game, checkpoint, seat):
        return match.draft_entry(checkpoint, "bot_seated", seat, level=REPLACEMENT, left=True, **data)
    return match.draft_entry(checkpoint, "left", seat, **data)


def claimed(match: LiveMatch, seat: Seat, claimant: Seat, checkpoint: Checkpoint) -> Drafted:
    """Draft that somebody has been away for too long: of two the seat is out, at a larger table a bot sits down.

    An account may take the seat back (`returning.py`), so its place is the seat's own in the end.
    """
    if match.terms.n_seats == 2:
        return left(match, seat, checkpoint, claimed_by=claimant)
    _check_held(match, seat, checkpoint)
    return match.draft_entry(checkpoint, "bot_seated", seat, level=REPLACEMENT, claimed_by=claimant)


def _check_held(match: LiveMatch, seat: Seat, checkpoint: Checkpoint) -> None:
    """Raise unless the match is being played, and no bot on this seat."""
    check_live(checkpoint)
    if levels(match.terms, checkpoint)[seat] is not None:
        raise IllegalAction("match.error.left-already")
