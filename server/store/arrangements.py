"""Stored arrangements around a match: open offers, the rematch, bots for leavers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from server.errors import Refused
from server.store import accounts, checkpoints, matches, tables
from server.store.appends import Append, Effect, LogEntry
from server.store.checkpoints import StoredCheckpoint
from server.store.database import one_statement, parts
from server.store.logwriter import store_batch
from server.store.matches import StoredMatch
from server.store.tables import arrangements, offers, rematches, strikes
from server.store.upsert import put

REMATCH, NO_REMATCH = "rematch", "no-rematch"
SHARE = "share"  # a seat's word that everybody may see its private match
OFFERED = ("draw", "adjourn", "resume", "void", REMATCH)
TAKEBACK = "takeback"  # asked for; its answers are stored beside it (takebacks.py)
DAILY = "daily"  # the speed at which nobody is expected to be here
LASTS = timedelta(days=7)  # an offer without an answer
OFFER = "offer"  # what is counted by match, kind and seat


class RematchTaken(Refused):
    """Another transaction was faster: the next match exists already."""

    def __init__(self, match_id: str) -> None:
        super().__init__("match.error.rematch-taken", match=match_id)


@dataclass(frozen=True, slots=True)
class StoredOffer:
    """One seat's offer, or its consent to another's: the same thing."""

    what: str
    seat: int
    seq: int
    at: datetime | None = None


def open_offers(connection: Connection, match_id: str) -> list[StoredOffer]:
    """Return the offers of a match, the oldest first."""
    chosen = select(offers.c.what, offers.c.seat, offers.c.seq, offers.c.at).where(offers.c.match_id == match_id)
    return [
        StoredOffer(*row) for row in connection.execute(chosen.order_by(offers.c.seq, offers.c.what, offers.c.seat))
    ]


def make(connection: Connection, match_id: str, offer: StoredOffer) -> None:
    """Store an offer in place of the same seat's earlier one."""
    row = {"match_id": match_id, "what": offer.what, "seat": offer.seat, "seq": offer.seq, "at": offer.at}
    put(connection, offers, [row])


def answer_rematch(connection: Connection, match_id: str, offer: StoredOffer) -> None:
    """Store that a seat asks for a rematch, or declines it, in place of what it said before; the first asking counts.

    `offer.what` is REMATCH or NO_REMATCH.
    """
    said = and_(offers.c.match_id == match_id, offers.c.seat == offer.seat)
    lasts = () if offer.at is None else (offers.c.at > offer.at - LASTS,)
    found = connection.scalar(select(offers.c.what).where(said, offers.c.what == offer.what, *lasts))
    if found is None:
        connection.execute(delete(offers).where(said, offers.c.what.in_((REMATCH, NO_REMATCH))))
        make(connection, match_id, offer)


def share(connection: Connection, match_id: str, offer: StoredOffer, people: Collection[int]) -> bool:
    """Store that a seat lets everybody see its match; once all `people` do, everybody may. Return whether they may."""
    locked = select(tables.matches.c.id).where(tables.matches.c.id == match_id).with_for_update()
    connection.execute(locked)  # of two last words at once, the second finds the first
    make(connection, match_id, offer)
    said = {one.seat for one in open_offers(connection, match_id) if one.what == SHARE}
    if not said.issuperset(people):
        return False
    connection.execute(update(tables.matches).where(tables.matches.c.id == match_id).values(shared=True))
    return True


def take_back_share(connection: Connection, match_id: str, seat: int) -> bool:
    """Take back a seat's word; return whether it still could be: once everybody may see the match, it can't."""
    row = select(tables.matches.c.shared).where(tables.matches.c.id == match_id).with_for_update()
    if connection.scalar(row):
        return False
    said = (offers.c.match_id == match_id, offers.c.what == SHARE, offers.c.seat == seat)
    connection.execute(delete(offers).where(*said))
    return True


def offers_of(connection: Connection, match_id: str) -> tuple[list[StoredOffer], str | None]:
    """Return the offers of a match, and its rematch."""
    return open_offers(connection, match_id), rematch_of(connection, match_id)


def withdraw(connection: Connection, match_id: str, what: Iterable[str]) -> None:
    """Delete all offers of these kinds."""
    connection.execute(delete(offers).where(offers.c.match_id == match_id, offers.c.what.in_(list(what))))


def withdraw_of(connection: Connection, match_id: str, made_by: Collection[int]) -> None:
    """Delete all that these seats offer."""
    made = (offers.c.match_id == match_id, offers.c.seat.in_(list(made_by)), offers.c.what.in_(OFFERED))
    connection.execute(delete(offers).where(*made))


def _withdraw_live(connection: Connection, begun: StoredMatch) -> None:
    """End what the people of a match that begins have offered elsewhere, but for offers in daily play.

    To accept one would begin or go on with a match on a clock whose other player now sits before this one.
    """
    if begun.speed == DAILY:
        return
    guests = [held.guest_id for held in begun.seats if held.guest_id is not None]
    theirs = or_(tables.seats.c.account_id.in_(begun.account_ids), tables.seats.c.guest_id.in_(guests))
    made = and_(tables.seats.c.match_id == offers.c.match_id, tables.seats.c.seat == offers.c.seat)
    live = and_(tables.matches.c.id == offers.c.match_id, tables.matches.c.speed != DAILY)
    ends = exists(select(1).where(made, live, theirs)).correlate(offers)
    connection.execute(delete(offers).where(offers.c.what.in_(("resume", REMATCH)), ends))


def tidy(connection: Connection, now: datetime) -> None:
    """Delete the offers that nobody has answered for too long."""
    connection.execute(delete(offers).where(offers.c.what.in_((*OFFERED, NO_REMATCH)), offers.c.at < now - LASTS))


@one_statement
def matches_with_offers(connection: Connection, account_id: int | None, guest_id: str | None) -> list[str]:
    """Return the matches of somebody in which another player offers something."""
    return list(connection.scalars(_OFFERED_TO, {"account": account_id, "guest": guest_id}))


_OWN = tables.seats.alias("own")
_OFFERED_TO = (  # built once: every login asks
    select(offers.c.match_id)
    .join(_OWN, and_(_OWN.c.match_id == offers.c.match_id, _OWN.c.seat != offers.c.seat))
    .where(or_(_OWN.c.account_id == bindparam("account"), _OWN.c.guest_id == bindparam("guest")))
    .where(offers.c.what.in_((*OFFERED, TAKEBACK)))
    .distinct()
    .order_by(offers.c.match_id)
)


def count(connection: Connection, match_id: str, what: str, seat: int, now: datetime, most: int) -> bool:
    """Count what a seat offers, for all processes; False: it has done so `most` times, and nobody took it up."""
    who, since = f"{match_id} {what} {seat}", now - accounts.STRIKES_KEPT
    return accounts.strike_below(connection, OFFER, who, now, since, most)


def withdrawn(match_id: str, what: Iterable[str]) -> Effect:
    """Return `withdraw` as an effect of an append: something was taken up, so what was offered counts anew."""
    kinds = tuple(what)

    def work(connection: Connection) -> None:
        withdraw(connection, match_id, kinds)
        connection.execute(delete(strikes).where(strikes.c.kind == OFFER, strikes.c.who.startswith(f"{match_id} ")))

    return work


def rematch_of(connection: Connection, match_id: str) -> str | None:
    """Return the match that was agreed on after this one."""
    return connection.scalar(select(rematches.c.next_id).where(rematches.c.match_id == match_id))


def link_rematch(connection: Connection, match_id: str, next_id: str) -> None:
    """Store the next match. Raises RematchTaken when there is one already."""
    try:
        connection.execute(insert(rematches).values(match_id=match_id, next_id=next_id))
    except IntegrityError:
        raise RematchTaken(match_id) from None


def arrange(connection: Connection, match_id: str, data: Mapping[str, Any]) -> None:
    """Store what was agreed on for a new match."""
    connection.execute(insert(arrangements).values(match_id=match_id, data=dict(data)))


def agreed(connection: Connection, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return what was agreed on for these matches; those with nothing unusual are left out."""
    found: dict[str, Mapping[str, Any]] = {}
    for part in parts(ids):
        rows = connection.execute(_AGREED, {"ids": list(part)})
        found |= {row.match_id: row.data or {} for row in rows}
    return found


_AGREED = select(arrangements.c.match_id, arrangements.c.data).where(  # built once
    arrangements.c.match_id.in_(bindparam("ids", expanding=True))
)


def all_open_offers(connection: Connection, ids: Iterable[str]) -> dict[str, list[StoredOffer]]:
    """Return the offers of several matches, the oldest first; matches without any are left out."""
    found: dict[str, list[StoredOffer]] = {}
    chosen = select(offers).where(offers.c.match_id.in_(list(ids))).order_by(offers.c.seq, offers.c.what, offers.c.seat)
    for row in connection.execute(chosen):
        found.setdefault(row.match_id, []).append(StoredOffer(row.what, row.seat, row.seq, row.at))
    return found


@dataclass(frozen=True, slots=True)
class WholeMatch:
    """Everything stored about one match."""

    match: StoredMatch
    entries: list[LogEntry]
    offers: list[StoredOffer]
    next_id: str | None
    arrangement: Mapping[str, Any]
    kept: StoredCheckpoint | None = None  # how it stood lately, where it runs


def whole_matches(connection: Connection, ids: Sequence[str]) -> dict[str, WholeMatch]:
    """Return several matches with their logs and what was arranged around them; those there are."""
    stored = matches.get_all(connection, ids)
    running = [one.id for one in stored if one.status in matches.RUNNING]
    logs, offered = matches.logs(connection, [one.id for one in stored]), all_open_offers(connection, ids)
    following = _following(connection, ids)
    arranged = agreed(connection, ids)
    kept = checkpoints.all_of(connection, running) if running else {}
    return {
        one.id: WholeMatch(
            one,
            logs[one.id],
            offered.get(one.id, []),
            following.get(one.id),
            arranged.get(one.id, {}),
            kept.get(one.id),
        )
        for one in stored
    }


def create(connection: Connection, stored: StoredMatch, data: Mapping[str, Any], after: str | None) -> None:
    """Store a new match with what was agreed on; `after` is the match it is the rematch of.

    Raises RematchTaken, and AccountGone.
    """
    accounts.check_there(connection, stored.account_ids)
    matches.create(connection, stored)
    _withdraw_live(connection, stored)
    if data:
        arrange(connection, stored.id, data)
    if after is not None:
        link_rematch(connection, after, stored.id)
        withdraw(connection, after, [REMATCH, NO_REMATCH])


def create_with(connection: Connection, stored: StoredMatch, data: Mapping[str, Any], begun: Append | None) -> None:
    """Store a new match whose log has its first entries already."""
    create(connection, stored, data, None)
    if begun is not None:
        refused = store_batch(connection, [begun], lock=False)[0]
        if refused is not None:
            raise refused


def progress_of(
    connection: Connection, ids: list[str], over: list[str]
) -> tuple[dict[str, int], dict[str, list[StoredOffer]], dict[str, str]]:
    """Return where the logs of these matches end, the offers in them, and what followed those that are `over`."""
    return matches.last_seqs(connection, ids), all_open_offers(connection, ids), _following(connection, over)


def _following(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return the rematches of these matches, where there are any."""
    if not ids:
        return {}
    chosen = select(rematches.c.match_id, rematches.c.next_id).where(rematches.c.match_id.in_(ids))
    return {row.match_id: row.next_id for row in connection.execute(chosen)}
