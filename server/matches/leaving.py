"""Who leaves a match: whether a bot takes the seat, whether anybody is left, and who has left badly."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from game.contract import Seat
from game.replay import Entry
from server.clock import parse_rfc3339
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.context import MatchContext, PlayerConduct
from server.matches.terms import Terms
from server.matches.viewer_state import levels, may_return


def is_replaced(terms: Terms, game: AnyGame, checkpoint: Checkpoint, seat: Seat) -> bool:
    """Tell whether a bot takes the seat of who leaves: agreed on, more than two, and another person plays on."""
    if not terms.bots_replace or terms.n_seats < 3 or not checkpoint.is_live:
        return False
    level_of = levels(terms, checkpoint)
    others = {one for one in terms.people if one != seat and level_of[one] is None}
    return not others.isdisjoint(game.playing(checkpoint.fold.state))


def is_deserted(terms: Terms, game: AnyGame, checkpoint: Checkpoint) -> bool:
    """Tell whether no person plays a match that goes on, nor may come back to it: only bots are left."""
    if not checkpoint.is_live:
        return False
    playing, level_of = game.playing(checkpoint.fold.state), levels(terms, checkpoint)
    seats = (seat for seat in terms.people if seat in playing)
    return not any(level_of[seat] is None or may_return(terms, checkpoint, seat) for seat in seats)


def note(context: MatchContext, terms: Terms, entries: Sequence[Entry], last: Entry) -> None:
    """Have it counted when entry `last` ends a rated match for somebody who left or stalled."""
    seat = who_left(entries, last) if terms.rated else None
    account_id = None if seat is None else terms.players[seat].account_id
    if seat is not None and account_id is not None and context.conduct is not None:
        acted_at = last_acted(entries, seat) or terms.started_at
        context.tasks.spawn(_count(context.conduct, account_id, acted_at), "leaving")


async def _count(conduct: PlayerConduct, account_id: int, acted_at: datetime) -> None:
    await conduct.note_leaving(account_id, acted_at)


def who_left(entries: Sequence[Entry], last: Entry) -> Seat | None:
    """Return the seat that entry `last` of a log ends for leaving or stalling; resigning is neither."""
    has_left = "claimed_by" in last.data or (last.kind == "timeout" and bool(last.data.get("forfeit")))
    if not has_left or last.seat is None or _was_cut_off(entries[: last.seq - 1], last.seat):
        return None
    return last.seat


def last_acted(entries: Sequence[Entry], seat: Seat) -> datetime | None:
    """Return when a seat's person last decided something, None: never."""
    acted = (entry.at for entry in reversed(entries) if entry.kind == "action" and entry.seat == seat)
    at = next(acted, None)
    return None if at is None else parse_rfc3339(at)


def _was_cut_off(before: Sequence[Entry], seat: Seat) -> bool:
    """Tell whether an outage of the server came after what somebody did last, and they never came back from it."""
    for entry in reversed(before):
        if "away_until" in entry.data:
            continue  # a vacation is no outage
        if entry.kind == "clock_credited" and entry.data.get("home") is None:
            return True
        if (entry.kind == "action" and entry.seat == seat) or entry.data.get("seats") == [seat]:
            return False
    return False
