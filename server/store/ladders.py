"""Ladders as they may be shown: without changes by matches whose end is withheld."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, select

from server.store import ratings as stored
from server.store import withheld
from server.store.ratings import LadderRow, RatingChange
from server.store.tables import accounts, rating_events

Key = tuple[int, str]  # account, ladder


def standings(connection: Connection, wanted: Iterable[Key], now: datetime) -> dict[Key, LadderRow]:
    """Return the rows of these (account, ladder) pairs; who was never rated has none."""
    found = stored.standings(connection, wanted)
    for key, row in _before(connection, now).items():
        if key in found:
            found[key] = row
    return {key: row for key, row in found.items() if row.matches > 0}


def of_account(connection: Connection, account_id: int, now: datetime) -> list[LadderRow]:
    """Return every ladder somebody is on."""
    before = _before(connection, now)
    rows = [before.get((row.account_id, row.ladder), row) for row in stored.of_account(connection, account_id)]
    return [row for row in rows if row.matches > 0]


def history(connection: Connection, account_id: int, ladder: str, limit: int, now: datetime) -> list[RatingChange]:
    """Return somebody's last changes on a ladder, oldest first."""
    hidden = withheld.ended(connection, now)
    found = stored.history(connection, account_id, ladder, limit + len(hidden))
    return [change for change in found if change.match_id not in hidden][-limit:]


def top(
    connection: Connection, ladder: str, fewest_matches: int, limit: int, now: datetime, of_machines: bool = False
) -> list[LadderRow]:
    """Return the best of a ladder with enough matches, who are machines or people, without deleted accounts."""
    before = {key: row for key, row in _before(connection, now).items() if key[1] == ladder}
    rows = stored.top(connection, ladder, fewest_matches, limit + len(before), of_machines)
    if not before:
        return rows
    ids = [account_id for account_id, _ in before]
    here = select(accounts.c.id, accounts.c.handle).where(accounts.c.id.in_(ids), stored.stands_there(of_machines))
    handles = {row.id: row.handle for row in connection.execute(here)}
    shown = [row for row in rows if (row.account_id, ladder) not in before]
    shown += [
        replace(row, handle=handles[row.account_id])
        for row in before.values()
        if row.account_id in handles and row.matches >= fewest_matches
    ]
    return sorted(shown, key=lambda row: (-row.mu, row.handle))[:limit]


def _before(connection: Connection, now: datetime) -> dict[Key, LadderRow]:
    """Return the ratings before the first match whose end is withheld, of those it rated."""
    hidden = withheld.ended(connection, now)
    if not hidden:
        return {}
    chosen = select(rating_events).where(rating_events.c.match_id.in_(list(hidden)))
    changes = [
        RatingChange(**row._mapping) for row in connection.execute(chosen.order_by(rating_events.c.finish_no.desc()))
    ]
    rows = stored.standings(connection, [(change.account_id, change.ladder) for change in changes])
    for change in changes:  # the latest first, so that the earliest counts
        key = change.account_id, change.ladder
        n_before = rows[key].matches - 1
        rows[key] = replace(rows[key], mu=change.mu_before, sigma=change.sigma_before, matches=n_before)
    return rows
