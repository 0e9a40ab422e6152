"""Export and deletion of what is stored of one person."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, exists, select, update

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
    *(keys, departed_keys, proposed, codes, former_handles, handle_skeletons, roles, preferences),
    *(chat_lines, blocks, follows, notes, decks, vacations, sessions, events, notice_topics),
    *(browser_codes, browsers, feeds),
)  # tables whose rows are of the account that they name
NAMES = ("key", "before")  # what the audit log says besides that names a person: a key, a former handle
STRIKES = (LEFT, CUT, "rename", "report")  # kinds that are counted by account; the others are counted by source


def export(connection: Connection, account_id: int, now: datetime) -> dict[str, object]:
    """Return a person's data as JSON values, times as RFC 3339: what is theirs, and what screens would show them now.

    Of their rows it has the columns that `server/store/column_owners.py` allows. The end of a match that is withheld
    at `now` has not happened yet.
    """
    hidden = withheld.ended(connection, now)
    handle = connection.scalar(select(accounts.c.handle).where(accounts.c.id == account_id))
    theirs: tuple[tuple[str, Table, ColumnElement[bool]], ...] = (
        *((table.name, table, table.c.account_id == account_id) for table in BY_ACCOUNT),
        ("accounts", accounts, accounts.c.id == account_id),
        ("conditional_moves", conditional_moves, _own_seat(account_id)),
        ("messages", messages, read_by(account_id)),
        ("rating_events", rating_events, _rated(account_id, hidden)),
        ("sanctions", sanctions, (sanctions.c.kind == "account") & (sanctions.c.target == str(account_id))),
        ("strikes", strikes, _own_strikes(account_id)),
        ("acts", audit, audit.c.actor == handle),
        ("reports_made", reports, reports.c.by_account_id == account_id),
    )
    data: dict[str, object] = {"v": 1, "type": "export"}
    for name, table, is_theirs in theirs:
        data[name] = _rows(connection, table, is_theirs)
    rated = ladders.of_account(connection, account_id, now)
    data["ratings"] = [
        {column.key: getattr(row, str(column.key)) for column in exported_columns(ratings)} for row in rated
    ]
    data["matches"] = _matches(connection, account_id, hidden)
    return data


def _rated(account_id: int, hidden: Collection[str]) -> ColumnElement[bool]:
    """Return which changes of ratings are a person's, without those by matches whose end is withheld."""
    return (rating_events.c.account_id == account_id) & rating_events.c.match_id.not_in(list(hidden))


def _own_seat(account_id: int) -> ColumnElement[bool]:
    """Return which conditional moves are of a person's own seat."""
    same = (seats.c.match_id == conditional_moves.c.match_id, seats.c.seat == conditional_moves.c.seat)
    return exists().where(*same, seats.c.account_id == account_id).correlate(conditional_moves)


def _own_strikes(account_id: int) -> ColumnElement[bool]:
    """Return which counted events are a person's own: matches left, names changed, reports made."""
    return (strikes.c.who == str(account_id)) & strikes.c.kind.in_(STRIKES)


def _rows(connection: Connection, table: Table, is_theirs: ColumnElement[bool]) -> list[dict[str, object]]:
    chosen = select(*exported_columns(table)).where(is_theirs).order_by(*table.primary_key.columns)
    return [_plain(row._mapping) for row in connection.execute(chosen)]


def _plain(row: Any) -> dict[str, object]:
    return {name: rfc3339(value) if isinstance(value, datetime) else value for name, value in row.items()}


def _matches(connection: Connection, account_id: int, hidden: Collection[str]) -> list[dict[str, object]]:
    chosen = (
        select(*exported_columns(matches), *exported_columns(seats)).join(seats).where(seats.c.account_id == account_id)
    )
    found = [_plain(row._mapping) for row in connection.execute(chosen.order_by(matches.c.started_at, matches.c.id))]
    running: dict[str, object] = {"status": LIVE, "ended_at": None, "result": None}
    return [{**one, **(running if one["id"] in hidden else {})} for one in found]


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
    for owned in (
        browser_codes,
        browsers,
        feeds,
        keys,
        codes,
        former_handles,
        roles,
        preferences,
        blocks,
        follows,
        notes,
        chat_lines,
        handle_skeletons,
        decks,
        vacations,
        events,
        event_marks,
        event_readers,
        notice_topics,
    ):
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
