"""Finished matches as files, and stored ones as lines of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from game.contract import Json, Result, Seat, state_hash
from game.options import brought_now
from game.record import Record, write_record
from server.accounts.identity import BOT
from server.clock import rfc3339
from server.matches.errors import MatchRunning
from server.matches.live import LiveMatch
from server.matches.model import MatchSummary, SummarySeat
from server.matches.terms import agreement_of, player_of
from server.ratings.bradley_terry import Rating
from server.store.listing import Listed
from server.store.matches import StoredMatch


def record(match: LiveMatch, ratings: tuple[Rating | None, ...]) -> Iterator[str]:
    """Return what writes the lines of a match's record, without line ends. Raises MatchRunning."""
    if not match.is_over:
        raise MatchRunning
    terms, fold = match.terms, match.log.head.fold
    return write_record(
        Record(
            header=terms.header,
            seats=tuple(_seats(match, ratings)),
            commitment=terms.commitment,
            started=rfc3339(terms.started_at),
            entries=tuple(match.log.entries),
            status=fold.status,
            result=fold.result,
            state_hash=state_hash(match.log.game, fold.state),
            match=terms.id,
        )
    )


def _seats(match: LiveMatch, ratings: tuple[Rating | None, ...]) -> Iterator[dict[str, Json]]:
    terms = match.terms
    for seat in terms.seats:
        rating = ratings[seat] if ratings else None
        held: dict[str, Json] = {"seat": seat, "player": terms.players[seat].name}
        held["rating"] = None if rating is None else rating.shown
        if seat in match.rating_changes:
            held["rating"] = match.rating_changes[seat][0]
        if seat in terms.machine_seats:
            held["machine"] = True
        if terms.seat_options:  # the second game may be running: what is hidden there is no part of the first
            held["options"] = brought_now(terms.rules.options(), terms.seat_options[seat])
        yield held


def result_of(stored: StoredMatch) -> Result | None:
    """Read a stored result."""
    if stored.result is None:
        return None
    tiers = tuple(tuple(Seat(seat) for seat in tier) for tier in stored.result["placements"])
    return Result(tiers, str(stored.result["reason"]))


def summary(
    found: Listed,
    ratings: tuple[Rating | None, ...],
    watchers: int,
    to_act: tuple[Seat, ...] = (),
    out: frozenset[Seat] = frozenset(),
    bots: Sequence[str | None] = (),
) -> MatchSummary:
    """Return one line of a list; `bots`: by seat who plays for a person, where that is known."""
    stored = found.match
    return MatchSummary(
        id=stored.id,
        agreement=agreement_of(stored, found.arrangement),
        status=stored.status,
        seats=tuple(_summary_seat(stored, ratings, bots, Seat(seat)) for seat in range(stored.n_seats)),
        seq=stored.last_seq,
        watchers=watchers,
        result=result_of(stored),
        started_at=stored.started_at,
        ended_at=stored.ended_at,
        to_act=to_act,
        out=out,
    )


def _summary_seat(
    stored: StoredMatch, ratings: tuple[Rating | None, ...], bots: Sequence[str | None], seat: Seat
) -> SummarySeat:
    rating, bot = ratings[seat] if ratings else None, bots[seat] if bots else None
    player = player_of(stored.seats[seat])
    if rating is None:
        return SummarySeat(seat, player, None, bot=bot)
    return SummarySeat(seat, player, rating.shown, rating.provisional, bot)


def is_level(name: str, levels: tuple[str, ...]) -> bool:
    """Tell whether a player's name is that of a built-in one of these levels ('bot:hard')."""
    return name.startswith(BOT) and name.removeprefix(BOT) in levels
