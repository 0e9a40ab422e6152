"""Stored ratings: ladders, and each change with its match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, distinct, func, insert, or_, select, update

from server.store import upsert
from server.store.columns import Json
from server.store.database import parts
from server.store.matches import VOID
from server.store.tables import accounts, matches, rating_events, ratings, seats

ROWS_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One person's row on a ladder."""

    account_id: int
    ladder: str
    mu: float
    sigma: float
    matches: int
    handle: str = ""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one rating by one match. `finish_no` counts matches in the order in which they ended."""

    match_id: str
    account_id: int
    ladder: str
    seat: int
    finish_no: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    loose: float | None = None  # how much of mu was gained from opponents that count less
    thin: bool | None = None  # true: it tells nothing of how many opponents somebody has
    why: str | None = None  # why it counted less than in full
    at: datetime | None = None  # when the match ended, where asked for


def standings(connection: Connection, wanted: Iterable[tuple[int, str]]) -> dict[tuple[int, str], LadderRow]:
    """Return the rows of these (account, ladder) pairs; a person who was never rated has none."""
    pairs = set(wanted)
    chosen = select(ratings).where(ratings.c.account_id.in_({account_id for account_id, _ in pairs}))
    found = (LadderRow(**row._mapping) for row in connection.execute(chosen))
    return {(row.account_id, row.ladder): row for row in found if (row.account_id, row.ladder) in pairs}


def put(connection: Connection, rows: Sequence[LadderRow]) -> None:
    """Store rows in place of what was there."""
    upsert.put(connection, ratings, [_row(row, "handle") for row in rows])


def add_changes(connection: Connection, changes: Sequence[RatingChange]) -> None:
    if changes:
        connection.execute(insert(rating_events), [_row(change, "at") for change in changes])


def changes_of_match(connection: Connection, match_id: str) -> list[RatingChange]:
    chosen = select(rating_events).where(rating_events.c.match_id == match_id).order_by(rating_events.c.seat)
    return [RatingChange(**row._mapping) for row in connection.execute(chosen)]


def before_matches(connection: Connection, match_ids: Sequence[str]) -> dict[tuple[str, int], LadderRow]:
    """Return from what these matches changed ratings, by match and seat."""
    earlier = rating_events.alias()
    is_earlier = (earlier.c.finish_no < rating_events.c.finish_no) & (earlier.c.ladder == rating_events.c.ladder)
    counted = (
        select(func.count()).where(earlier.c.account_id == rating_events.c.account_id, is_earlier).scalar_subquery()
    )
    found = dict[tuple[str, int], LadderRow]()
    for ids in parts(match_ids):
        chosen = select(rating_events, counted.label("matches")).where(rating_events.c.match_id.in_(ids))
        for row in connection.execute(chosen):
            before = LadderRow(row.account_id, row.ladder, row.mu_before, row.sigma_before, row.matches)
            found[row.match_id, row.seat] = before
    return found


def history(connection: Connection, account_id: int, ladder: str, limit: int) -> list[RatingChange]:
    """Return somebody's last changes on a ladder, oldest first."""
    chosen = (
        select(rating_events, matches.c.ended_at.label("at"))
        .join(matches, matches.c.id == rating_events.c.match_id)
        .where(rating_events.c.account_id == account_id, rating_events.c.ladder == ladder)
        .order_by(rating_events.c.finish_no.desc())
        .limit(limit)
    )
    return [RatingChange(**row._mapping) for row in connection.execute(chosen)][::-1]


def stands_there(of_machines: bool) -> ColumnElement[bool]:
    """Tell whether an account stands on a ladder: of machines, or of people; a deleted one on none."""
    is_machine = accounts.c.machine_since.is_not(None)
    return accounts.c.deleted_at.is_(None) & (is_machine if of_machines else ~is_machine)


def top(
    connection: Connection, ladder: str, fewest_matches: int, limit: int, of_machines: bool = False
) -> list[LadderRow]:
    """Return the best of a ladder with enough matches, who are machines or people, without deleted accounts."""
    chosen = (
        select(ratings, accounts.c.handle)
        .join(accounts, accounts.c.id == ratings.c.account_id)
        .where(ratings.c.ladder == ladder, ratings.c.matches >= fewest_matches, stands_there(of_machines))
        .order_by(ratings.c.mu.desc(), accounts.c.handle)
        .limit(limit)
    )
    return [LadderRow(**row._mapping) for row in connection.execute(chosen)]


def of_account(connection: Connection, account_id: int) -> list[LadderRow]:
    """Return every ladder somebody is on."""
    return [LadderRow(**row._mapping) for row in connection.execute(_OF_ACCOUNT, {"account": account_id})]


_OF_ACCOUNT = (  # built once: every login asks
    select(ratings).where(ratings.c.account_id == bindparam("account")).order_by(ratings.c.ladder)
)


def everybody(connection: Connection) -> list[LadderRow]:
    """Return every row of every ladder."""
    return [LadderRow(**row._mapping) for row in connection.execute(select(ratings))]


def set_places(connection: Connection, match_id: str, places: Sequence[Sequence[int]]) -> tuple[int, datetime]:
    """Note the places that a match is rated by; return its place in the order of ends, and when it ended."""
    kept = [list(tier) for tier in places]
    noted = update(matches).where(matches.c.id == match_id).values(rated_places=kept)
    row = connection.execute(noted.returning(matches.c.finish_no, matches.c.ended_at)).one()
    return int(row.finish_no), row.ended_at


def set_weights(connection: Connection, match_id: str, weights: Mapping[str, Json]) -> None:
    """Note the weights that a match is rated with."""
    connection.execute(update(matches).where(matches.c.id == match_id).values(rated_by=dict(weights)))


def lately(connection: Connection, account_id: int, ladder: str, since: datetime) -> list[RatingChange]:
    """Return somebody's changes on a ladder by the matches that ended after `since`, the latest first."""
    chosen = (
        select(rating_events)
        .join(matches, matches.c.id == _E.match_id)
        .where(_E.account_id == account_id, _E.ladder == ladder, matches.c.ended_at > since)
        .order_by(_E.finish_no.desc())
    )
    return [RatingChange(**row._mapping) for row in connection.execute(chosen)]


def opponents(connection: Connection, account_id: int, ladder: str, last: int) -> tuple[int, int]:
    """Return how many of somebody's `last` matches on a ladder there are, and how many people they met in them.

    Thin matches tell of nobody.
    """
    own = select(_E.match_id, _E.thin).where(_E.account_id == account_id, _E.ladder == ladder)
    recent = connection.execute(own.order_by(_E.finish_no.desc()).limit(last)).all()
    told = [row.match_id for row in recent if not row.thin]
    met = select(func.count(distinct(_E.account_id))).where(_E.match_id.in_(told), _E.account_id != account_id)
    return len(recent), int(connection.execute(met).scalar_one()) if told else 0


_E = rating_events.c


def replace_all(connection: Connection, rows: Sequence[LadderRow], changes: Sequence[RatingChange]) -> None:
    """Put these in place of everything that is on the ladders."""
    connection.execute(delete(rating_events))
    connection.execute(delete(ratings))
    for part in parts(rows, ROWS_AT_ONCE):
        put = [_row(row, "handle") for row in part]
        connection.execute(insert(ratings), put)
    for some in parts(changes, ROWS_AT_ONCE):
        add_changes(connection, some)


def _row(value: LadderRow | RatingChange, without: str) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value).__slots__ if name != without}


def count_rated(connection: Connection, last: int) -> int:
    """Count the matches that changed ratings, up to number `last` in the order of ends."""
    chosen = select(func.count()).where(matches.c.finish_no <= last, matches.c.rated_places.is_not(None))
    return int(connection.execute(chosen).scalar_one())


def rated_together(connection: Connection, one: int, other: int, since: datetime, before: str | None = None) -> int:
    """Count the rated matches that two people have begun with each other since then, running ones too.

    `before`: only those that began before this match.
    """
    first, second = seats.alias("first"), seats.alias("second")
    chosen = (
        select(func.count())
        .select_from(matches)
        .join(first, first.c.match_id == matches.c.id)
        .join(second, second.c.match_id == matches.c.id)
        .where(first.c.account_id == one, second.c.account_id == other)
        .where(matches.c.rated.is_(True), matches.c.started_at > since, matches.c.status != VOID)
    )
    if before is not None:
        moment, began = began_at(connection, before), matches.c.started_at
        chosen = chosen.where(or_(began < moment, and_(began == moment, matches.c.id < before)))
    return int(connection.execute(chosen).scalar_one())


def began_at(connection: Connection, match_id: str) -> datetime:
    """Return when a match began."""
    began: datetime = connection.execute(select(matches.c.started_at).where(matches.c.id == match_id)).scalar_one()
    return began
