"""Export and deletion of what is stored of one person."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, exists, select, tuple_, update

from server.clock import rfc3339
from server.sanitize import skeletons
from server.store import accounts as stored
from server.store import ladders, processes, proposals, withheld
from server.store.accounts import CUT, LEFT
from server.store.column_owners import exported_columns
from server.store.matches import LIVE
from server.store.messages import read_by
from server.store.tables import (
    accounts,
    audit,
    blocks,
    browser_codes,
    browsers,
    chat_lines,
    codes,
    conditional_moves,
    decks,
    departed_keys,
    event_marks,
    event_readers,
    events,
    feeds,
    follows,
    former_handles,
    handle_skeletons,
    keys,
    matches,
    messages,
    notes,
    notice_topics,
    preferences,
    rating_events,
    ratings,
    reports,
    roles,
    sanctions,
    seats,
    sessions,
    strikes,
    vacations,
)
from server.store.tables import proposals as proposed

HANDLES = re.compile(r"[A-Za-z0-9_-]{3,16}")
BY_ACCOUNT = (
    *(browser_codes, browsers, feeds, keys, codes, former_handles, handle_skeletons, roles, preferences),
    *(chat_lines, blocks, follows, notes, decks, vacations, events, notice_topics),
)  # tables whose rows are of the account that they name, and deleted with it: what names a key before the keys
ALSO_BY_ACCOUNT = (departed_keys, proposed, sessions)  # that stay in force, are refused, or end with the connection
NAMES = ("key", "before")  # what the audit log says besides that names a person: a key, a former handle
STRIKES = (LEFT, CUT, "rename", "report", "order")  # kinds that count by account, or its keys; others by source


AT_ONCE: Final = 200  # rows of an export that one transaction reads


@dataclass(frozen=True, slots=True)
class Portion:
    """Some rows of a list of an export, as JSON values. `after`: where the next begin; None: these are the last."""

    rows: Sequence[dict[str, object]]
    after: tuple[object, ...] | None


def exported(
    connection: Connection, account_id: int, name: str, after: tuple[object, ...] | None, now: datetime
) -> Portion:
    """Return the next rows of one of `lists`, times as RFC 3339: what is theirs, and what screens would show them now.

    Of their rows it has the columns that `server/store/column_owners.py` allows. The end of a match that is withheld
    at `now` has not happened yet. `after`: as the portion before said; None: from the first row.
    """
    if name == "ratings":
        rated = ladders.of_account(connection, account_id, now)
        columns = [str(column.key) for column in exported_columns(ratings)]
        return Portion([{column: getattr(row, column) for column in columns} for row in rated], None)
    hidden = withheld.ended(connection, now)
    chosen, order = _matches(account_id) if name == "matches" else _rows(name, account_id, hidden)
    if after is not None:
        chosen = chosen.where(tuple_(*order) > after)
    places = [column.label(f"place {i}") for i, column in enumerate(order)]
    found = connection.execute(chosen.add_columns(*places).order_by(*order).limit(AT_ONCE)).all()
    rows = [_plain(row, len(order)) for row in found]
    if name == "matches":
        running: dict[str, object] = {"status": LIVE, "ended_at": None, "result": None}
        rows = [{**one, **(running if one["id"] in hidden else {})} for one in rows]
    return Portion(rows, tuple(found[-1][-len(order) :]) if len(found) == AT_ONCE else None)


def _by_account(table: Table, account_id: int, hidden: Collection[str]) -> ColumnElement[bool]:
    is_theirs: ColumnElement[bool] = table.c.account_id == account_id
    return is_theirs


def _rated(account_id: int, hidden: Collection[str]) -> ColumnElement[bool]:
    """Return which changes of ratings are a person's, without those by matches whose end is withheld."""
    return (rating_events.c.account_id == account_id) & rating_events.c.match_id.not_in(list(hidden))


def _own_seat(account_id: int) -> ColumnElement[bool]:
    """Return which conditional moves are of a person's own seat."""
    same = (seats.c.match_id == conditional_moves.c.match_id, seats.c.seat == conditional_moves.c.seat)
    return exists().where(*same, seats.c.account_id == account_id).correlate(conditional_moves)


def _own_strikes(account_id: int) -> ColumnElement[bool]:
    """Return which counted events are a person's own: matches left, names changed, reports and orders made."""
    is_theirs = (strikes.c.who == str(account_id)) | strikes.c.who.startswith(f"{account_id} ")
    return is_theirs & strikes.c.kind.in_(STRIKES)


def _acts(account_id: int) -> ColumnElement[bool]:
    """Return which acts of the audit log are a person's."""
    return audit.c.actor == select(accounts.c.handle).where(accounts.c.id == account_id).scalar_subquery()


# Of an export each list by its name: the table it is of, and which of the rows are a person's. The second argument are
# the matches whose end is withheld.
Theirs = Callable[[int, Collection[str]], ColumnElement[bool]]
LISTS: Final[Mapping[str, tuple[Table, Theirs]]] = {
    **{one.name: (one, partial(_by_account, one)) for one in (*BY_ACCOUNT, *ALSO_BY_ACCOUNT)},
    "accounts": (accounts, lambda who, _: accounts.c.id == who),
    "conditional_moves": (conditional_moves, lambda who, _: _own_seat(who)),
    "messages": (messages, lambda who, _: read_by(who)),
    "rating_events": (rating_events, _rated),
    "sanctions": (sanctions, lambda who, _: (sanctions.c.kind == "account") & (sanctions.c.target == str(who))),
    "strikes": (strikes, lambda who, _: _own_strikes(who)),
    "acts": (audit, lambda who, _: _acts(who)),
    "reports_made": (reports, lambda who, _: reports.c.by_account_id == who),
}
lists: Final = (*LISTS, "ratings", "matches")  # the names of all


def _plain(row: Row[Any], n_places: int) -> dict[str, object]:
    """Return a row by its columns, without the last ones, which say where it stands."""
    named = list(row._mapping.items())[:-n_places]
    return {str(name): rfc3339(value) if isinstance(value, datetime) else value for name, value in named}


Chosen = tuple[Select[tuple[Any, ...]], tuple[ColumnElement[Any], ...]]  # rows, and what they are in order of


def _rows(name: str, account_id: int, hidden: Collection[str]) -> Chosen:
    table, are_theirs = LISTS[name]
    columns: list[ColumnElement[Any]] = [*exported_columns(table)]
    return select(*columns).where(are_theirs(account_id, hidden)), tuple(table.primary_key.columns)


def _matches(account_id: int) -> Chosen:
    columns: list[ColumnElement[Any]] = [*exported_columns(matches), *exported_columns(seats)]
    chosen = select(*columns).select_from(matches.join(seats)).where(seats.c.account_id == account_id)
    return chosen, (matches.c.started_at, matches.c.id)


def deleted_name(account_id: int) -> str:
    """Return what a deleted account is called."""
    return f"deleted-{account_id}"


def delete_account(connection: Connection, account_id: int, now: datetime) -> str:
    """Delete a person's data and return the name that records keep; order running processes to forget them."""
    name = deleted_name(account_id)
    handle = str(connection.scalar(select(accounts.c.handle).where(accounts.c.id == account_id)))
    called = select(handle_skeletons.c.skeleton).where(handle_skeletons.c.account_id == account_id)
    forget = partial(_without_names, names=frozenset(connection.scalars(called)), instead=name)
    _forget_quotes(connection, account_id, handle, forget)
    _forget_acts(connection, account_id, handle, forget)
    for owned in (*BY_ACCOUNT, event_marks, event_readers):
        connection.execute(delete(owned).where(owned.c.account_id == account_id))
    proposals.drop_of(connection, account_id)
    processes.forget_orders(connection, account_id)
    connection.execute(delete(strikes).where(_own_strikes(account_id)))
    connection.execute(delete(conditional_moves).where(_own_seat(account_id)))
    for about in (blocks.c.blocked_id, follows.c.followed_id, notes.c.about_id, messages.c.from_id, messages.c.to_id):
        connection.execute(delete(about.table).where(about == account_id))
    stored.set_handle(connection, account_id, name)
    gone = update(accounts).where(accounts.c.id == account_id, accounts.c.deleted_at.is_(None))
    connection.execute(gone.values(deleted_at=now, seen_at=None))
    connection.execute(update(reports).where(reports.c.about_account_id == account_id).values(about_name=name))
    processes.give_order(connection, "forget", {"account": account_id, "name": name}, now)
    return name


def _without_names(text: str, names: Container[str], instead: str) -> str:
    """Return a text in which no word is, or looks like, one of a person's handles."""

    def renamed(word: re.Match[str]) -> str:
        return instead if any(one in names for one in skeletons(word[0].lower())) else word[0]

    return HANDLES.sub(renamed, text)


def _forget_quotes(connection: Connection, account_id: int, handle: str, forget: Callable[[str], str]) -> None:
    """Remove the person's lines from the chat in reports, and their handles from the other lines.

    Messages in a report stay, for moderators, without the name.
    """
    for row in connection.execute(select(reports)).all():
        kept = [
            {**line, "name": f"deleted-{account_id}"} if is_own and line.get("message") else line
            for line in row.lines
            if not (is_own := line.get("name") == handle or line.get("account") == account_id) or line.get("message")
        ]
        why = forget(row.why) if account_id == row.about_account_id else row.why
        if (why, kept) != (row.why, row.lines):
            connection.execute(update(reports).where(reports.c.id == row.id).values(lines=kept, why=why))


def _forget_acts(connection: Connection, account_id: int, handle: str, forget: Callable[[str], str]) -> None:
    """Remove a person's handles and keys from the audit log."""
    for act in connection.execute(select(audit).where(audit.c.target == handle)).all():
        data = None if act.data is None else {name: value for name, value in act.data.items() if name not in NAMES}
        connection.execute(update(audit).where(audit.c.id == act.id).values(why=forget(act.why), data=data))
    about = (sanctions.c.kind == "account", sanctions.c.target == str(account_id))
    for held in connection.execute(select(sanctions).where(*about)).all():
        connection.execute(update(sanctions).where(sanctions.c.id == held.id).values(why=forget(held.why)))
