"""Making a viewer's state: what one viewer may know of a match, frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, get_args

from game.contract import Choice, Pending, Seat, Viewer, Watcher
from game.replay import Status
from server.accounts.identity import BOT, Player
from server.matches.checkpoint import AnyGame, Checkpoint
from server.matches.finish import counts
from server.matches.model import (
    AnyViewerState,
    ChatLine,
    ConditionalLine,
    MatchStatus,
    OfferKind,
    Rematch,
    SeatInfo,
    ViewerState,
)
from server.matches.terms import Terms
from server.presence.attendance import Attendance
from server.ratings.bradley_terry import Rating

STATUSES: Mapping[Status, MatchStatus] = {Status(name): name for name in get_args(MatchStatus)}


@dataclass(frozen=True, slots=True)
class Parts:
    """What a match's parts add to what is seen: offers, claims, chat and the like."""

    offers: tuple[tuple[Seat, OfferKind], ...] = ()
    next_match: str | None = None
    rematch: Rematch | None = None
    shared_by: tuple[Seat, ...] = ()
    is_shared: bool = False
    claim_at: datetime | None = None
    void_at: datetime | None = None
    chat: tuple[ChatLine, ...] = ()
    may_take_back: bool = False
    takebacks: int = 0
    conditions: tuple[ConditionalLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a snapshot shows beside the fold."""

    version: int
    attendance: Attendance
    ratings: tuple[Rating | None, ...]
    out: frozenset[Seat]
    parts: Parts = Parts()
    rating_changes: Mapping[Seat, tuple[int, int]] = field(default_factory=dict)
    rating_reasons: Mapping[Seat, str] = field(default_factory=dict)
    changed_no_rating: bool = False
    ended_at: datetime | None = None
    ended_by: str | None = None
    paused: bool = False
    failing_bots: Mapping[Seat, datetime] = field(default_factory=dict)


def bot_level(player: Player, seated: str | None) -> str | None:
    """Return the level of the built-in player that decides on a seat, or None for a person."""
    if seated is not None:
        return seated
    return player.name.removeprefix(BOT) if player.is_bot else None


def levels(terms: Terms, checkpoint: Checkpoint) -> tuple[str | None, ...]:
    """Return by seat which built-in player decides there."""
    both = zip(terms.players, checkpoint.fold.bots, strict=True)
    return tuple(bot_level(player, seated) for player, seated in both)


def may_return(terms: Terms, checkpoint: Checkpoint, seat: Seat) -> bool:
    """Tell whether a bot plays on a seat only until its person is back: an account's, which was not given up."""
    is_theirs = all(one.seat != seat or not one.for_good for one in checkpoint.left)
    return checkpoint.fold.bots[seat] is not None and terms.players[seat].kind == "account" and is_theirs


def own_pending(viewer: Viewer, shown: Checkpoint, head: Checkpoint) -> Pending | None:
    """Return what a seat still owes: not what it has answered already, also where that is not shown yet."""
    if isinstance(viewer, Watcher) or head.fold.bots[viewer] is not None:
        return None
    asked = shown.owed_by(viewer)
    same = shown.changed[viewer] == head.changed[viewer] and head.owed_by(viewer) is not None
    return asked if same else None


def seen_by(
    terms: Terms,
    game: AnyGame,
    viewer: Viewer,
    shown: Checkpoint,
    head: Checkpoint,
    around: Surroundings,
    now: datetime,
    view: Any,
) -> AnyViewerState:
    """Return what `viewer` sees of the match at `shown`; `head` is the log's end, which may not be shown yet."""
    pending, parts = own_pending(viewer, shown, head), around.parts
    answered = None if pending is not None or isinstance(viewer, Watcher) else viewer
    deciding = tuple((one.seat, one.window) for one in shown.pending if one.seat != answered)
    is_over = shown.fold.is_over
    tells_nothing_else = parts.is_shared and isinstance(viewer, Watcher)  # of the private matches beside it
    return ViewerState(
        match=terms.id,
        agreement=terms.agreement,
        viewer=viewer,
        seq=shown.seq,
        version=around.version,
        status=STATUSES[shown.fold.status],
        room=None if terms.agreement.private and isinstance(viewer, Watcher) else terms.room,
        seats=tuple(_seat(terms, shown, around, viewer, seat, now) for seat in terms.seats),
        view=view,
        pending=pending,
        turn_seq=shown.seq,
        deciding=deciding,
        deadline=_deadline(shown, pending, deciding),
        clock_at=now,
        offers=parts.offers,
        claim_at=parts.claim_at,
        void_at=parts.void_at,
        watchers=around.attendance.watchers,
        result=shown.fold.result,
        rating_changes=around.rating_changes,
        rating_reasons=around.rating_reasons,
        commitment=terms.commitment,
        seed=terms.seed.hex() if is_over else None,
        started_at=terms.started_at,
        ended_at=around.ended_at if is_over else None,
        ended_by=around.ended_by if is_over else None,
        chat=parts.chat,
        settings=_settings(game, viewer, head),
        next_match=None if tells_nothing_else else parts.next_match,
        rematch=parts.rematch,
        shared_by=parts.shared_by,
        is_shared=parts.is_shared,
        return_of=None if tells_nothing_else else terms.return_of,
        won=() if tells_nothing_else else terms.won,
        paused=around.paused,
        may_take_back=parts.may_take_back,
        takebacks=parts.takebacks if is_over else 0,
        conditions=parts.conditions,
        counted=_counted(terms, shown, around) if is_over else None,
        turn_since=0 if pending is None or isinstance(viewer, Watcher) else shown.changed[viewer],
    )


def _counted(terms: Terms, shown: Checkpoint, around: Surroundings) -> bool:
    """Tell whether a match that is over counted for somebody's rating."""
    return shown.fold.status is not Status.VOID and counts(terms) and not around.changed_no_rating


def _settings(game: AnyGame, viewer: Viewer, shown: Checkpoint) -> tuple[Choice, ...]:
    """Return the personal settings that may be made now."""
    if isinstance(viewer, Watcher) or shown.fold.is_over or shown.fold.bots[viewer] is not None:
        return ()
    return game.settings(shown.fold.state, viewer)


def _seat(terms: Terms, shown: Checkpoint, around: Surroundings, viewer: Viewer, seat: Seat, now: datetime) -> SeatInfo:
    player, rating = terms.players[seat], around.ratings[seat]
    is_opponent = not isinstance(viewer, Watcher) and not shown.fold.is_over
    gone_since = around.attendance.gone_since(seat) if is_opponent else around.attendance.unseen_since(seat)
    level = bot_level(player, shown.fold.bots[seat])
    shown_rating = None if rating is None else rating.shown
    if seat in around.rating_changes:
        shown_rating = around.rating_changes[seat][0]
    return SeatInfo(
        seat=seat,
        player=player,
        rating=shown_rating,
        provisional=rating is not None and rating.provisional,
        here=seat not in around.failing_bots if player.is_bot else gone_since is None,
        gone_since=gone_since,
        bank_ms=shown.clocks.bank_at(seat, now) if terms.speed.is_timed else None,
        out=seat in around.out,
        bot=level,
        may_return=may_return(terms, shown, seat),
        runs_from=shown.clocks.runs_from(seat),
        vacation_until=shown.clocks.vacation_until(seat, now),
        bot_fails_since=around.failing_bots.get(seat),
    )


def _deadline(
    shown: Checkpoint, pending: Pending | None, deciding: tuple[tuple[Seat, str | None], ...]
) -> datetime | None:
    """Return when the viewer's own answer is due, else the earliest answer that everybody waits for."""
    if pending is not None:
        return shown.clocks.deadline(pending.seat)
    due = (shown.clocks.deadline(seat) for seat, _ in deciding)
    return min((moment for moment in due if moment is not None), default=None)
