"""Everything that is stored about one person: giving it out whole, and taking it away."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update

from server.clock import rfc3339
from server.store import accounts as stored
from server.store import processes
from server.store.decks import decks
from server.store.tables import (
    accounts,
    audit,
    blocks,
    chat_lines,
    codes,
    handle_skeletons,
    keys,
    matches,
    preferences,
    rating_events,
    ratings,
    reports,
    roles,
    sanctions,
    seats,
    strikes,
)

STRIKES = ("left", "cut", "rename", "report")  # kinds that are counted by account; the others are counted by source


def export(connection: Connection, account_id: int) -> dict[str, object]:
    """Return a person's data as JSON values, times as RFC 3339. What others wrote about them is not theirs."""
    own = (
        (accounts, accounts.c.id),
        (keys, keys.c.account_id),
        (roles, roles.c.account_id),
        (preferences, preferences.c.account_id),
        (ratings, ratings.c.account_id),
        (rating_events, rating_events.c.account_id),
        (chat_lines, chat_lines.c.account_id),
        (blocks, blocks.c.account_id),
        (decks, decks.c.account_id),
    )
    data: dict[str, object] = {"v": 1, "type": "export"}
    for table, owner in own:
        data[table.name] = _rows(connection, table, owner == account_id)
    data["matches"] = _matches(connection, account_id)
    about = (sanctions.c.kind == "account") & (sanctions.c.target == str(account_id))
    data["sanctions"] = _rows(connection, sanctions, about)
    data["strikes"] = _rows(connection, strikes, _own_strikes(account_id))
    data["reports_made"] = _rows(connection, reports, reports.c.by_account_id == account_id)
    return data


def _own_strikes(account_id: int) -> Any:
    """Return which counted events are a person's own: matches left, names changed, reports made."""
    return (strikes.c.who == str(account_id)) & strikes.c.kind.in_(STRIKES)


def _rows(connection: Connection, table: Table, condition: Any) -> list[dict[str, object]]:
    order = list(table.primary_key.columns)
    return [_plain(row._mapping) for row in connection.execute(select(table).where(condition).order_by(*order))]


def _plain(row: Any) -> dict[str, object]:
    return {name: rfc3339(value) if isinstance(value, datetime) else value for name, value in row.items()}


def _matches(connection: Connection, account_id: int) -> list[dict[str, object]]:
    shown = (matches.c.id, matches.c.game, matches.c.status, matches.c.started_at, matches.c.ended_at, matches.c.result)
    chosen = select(*shown, seats.c.seat, seats.c.options).join(seats).where(seats.c.account_id == account_id)
    return [_plain(row._mapping) for row in connection.execute(chosen.order_by(matches.c.started_at, matches.c.id))]


def delete_account(connection: Connection, account_id: int, now: datetime) -> str:
    """Take a person's data away and return the name that records keep; running processes are told to forget them."""
    name = f"deleted-{account_id}"
    handle = connection.scalar(select(accounts.c.handle).where(accounts.c.id == account_id))
    for owned in (keys, codes, roles, preferences, blocks, chat_lines, handle_skeletons, decks):
        connection.execute(delete(owned).where(owned.c.account_id == account_id))
    connection.execute(delete(strikes).where(_own_strikes(account_id)))
    connection.execute(delete(blocks).where(blocks.c.blocked_id == account_id))
    stored.set_handle(connection, account_id, name)
    gone = update(accounts).where(accounts.c.id == account_id, accounts.c.deleted_at.is_(None))
    connection.execute(gone.values(deleted_at=now, seen_at=None))
    connection.execute(update(reports).where(reports.c.about_account_id == account_id).values(about_name=name))
    _forget_quotes(connection, account_id, str(handle))
    connection.execute(update(audit).where(audit.c.target == handle).values(target=name))
    connection.execute(update(audit).where(audit.c.actor == handle).values(actor=name))
    processes.give_order(connection, "forget", {"account": account_id}, now)
    return name


def _forget_quotes(connection: Connection, account_id: int, handle: str) -> None:
    """Take the person's own lines out of the chat that reports keep, those said under an earlier name too."""
    for row in connection.execute(select(reports.c.id, reports.c.lines)).all():
        kept = [line for line in row.lines if line.get("name") != handle and line.get("account") != account_id]
        if len(kept) != len(row.lines):
            connection.execute(update(reports).where(reports.c.id == row.id).values(lines=kept))
