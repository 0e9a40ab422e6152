"""Who leaves a match: whether a bot takes the seat, whether anybody is left, and who has left badly."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from game.contract import Seat
from game.replay import Entry
from server.accounts.conduct import Conduct
from server.clock import parse_rfc3339
from server.matches import finish
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.context import MatchContext
from server.matches.terms import Terms
from server.matches.viewer_state import levels, may_return
from server.ratings.played import part_played


def is_replaced(terms: Terms, game: AnyGame, checkpoint: Checkpoint, seat: Seat) -> bool:
    """Tell whether a bot takes the seat of who leaves: agreed on, more than two, and another person plays on."""
    if not terms.agreement.bots_replace or terms.n_seats < 3 or not checkpoint.is_live:
        return False
    level_of = levels(terms, checkpoint)
    others = {one for one in terms.people if one != seat and level_of[one] is None}
    return not others.isdisjoint(game.playing(checkpoint.fold.state))


EARLY = part_played(1, 2)  # who resigns at a table of several before half a usual match has left it


def is_deserted(terms: Terms, game: AnyGame, checkpoint: Checkpoint) -> bool:
    """Tell whether no person plays a match that goes on, nor may come back to it: only bots are left."""
    if not checkpoint.is_live:
        return False
    playing, level_of = game.playing(checkpoint.fold.state), levels(terms, checkpoint)
    seats = (seat for seat in terms.people if seat in playing)
    return not any(level_of[seat] is None or may_return(terms, checkpoint, seat) for seat in seats)


def count_leaver(context: MatchContext, terms: Terms, entries: Sequence[Entry], last: Entry, then: Checkpoint) -> None:
    """Have it counted when entry `last`, which led to `then`, ends a rated match for who left it to others."""
    seat = None
    if terms.agreement.rated and (seat := who_left(entries, last)) is None:
        seat = who_resigned_early(terms, last, then)
    account_id = None if seat is None else terms.players[seat].account_id
    if seat is not None and account_id is not None:
        acted_at = last_acted(entries, seat) or terms.started_at
        context.tasks.spawn(_count(context.conduct, account_id, acted_at), "leaving")


async def _count(conduct: Conduct, account_id: int, acted_at: datetime) -> None:
    await conduct.record_leaving(account_id, acted_at)


def who_left(entries: Sequence[Entry], last: Entry) -> Seat | None:
    """Return the seat that entry `last` of a log ends for leaving or stalling."""
    has_left = "claimed_by" in last.data or (last.kind == "timeout" and bool(last.data.get("forfeit")))
    if not has_left or last.seat is None or _was_cut_off(entries[: last.seq - 1], last.seat):
        return None
    return last.seat


def who_resigned_early(terms: Terms, last: Entry, then: Checkpoint) -> Seat | None:
    """Return the seat that entry `last` gives up while two people or more play on, before half a usual match."""
    gone = then.left[-1] if then.left else None
    if gone is None or gone.seat != last.seat or last.kind not in ("resign", "bot_seated") or not gone.for_good:
        return None
    still = set(terms.people) - gone.out - {one.seat for one in then.left}
    return gone.seat if len(still) >= 2 and finish.part_of(terms, gone.decisions) < EARLY else None


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
