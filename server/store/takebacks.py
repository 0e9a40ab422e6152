"""Stored asking to take back, and what was answered: rows beside the other offers of a match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection, delete, select

from server.errors import Refused
from server.store import tables
from server.store.appends import Effect
from server.store.arrangements import TAKEBACK, StoredOffer, make, open_offers
from server.store.tables import offers

ASKED, AGREED = TAKEBACK, "tb-agreed"  # a row's `seq` is the entry to which it goes back
REFUSED = ("tb-no-1", "tb-no-2")  # of who asked: as often as it was refused before their next decision
ALL = (ASKED, AGREED, *REFUSED)


class AskedAlready(Refused):
    """Somebody asks to take back, or this was refused too often."""


def ask(
    connection: Connection, match_id: str, asked: StoredOffer, back: Sequence[int | None], patience: timedelta
) -> None:
    """Store that a seat asks. `back`: by seat, what could be asked now. Raises AskedAlready.

    Who has not answered after `patience` has refused.

    What the same seat has asked before its last decision, and nobody granted, was refused.
    """
    connection.execute(select(tables.matches.c.id).where(tables.matches.c.id == match_id).with_for_update())
    found = [one for one in open_offers(connection, match_id) if one.what in ALL]
    waiting = [one for one in found if one.what == ASKED and one.seq == back[one.seat]]
    if any(_has_time(one, asked, patience) for one in waiting):
        raise AskedAlready("match.error.takeback-asked")
    mine = (one for one in found if one.seat == asked.seat and one.seq == asked.seq and one.what != AGREED)
    refused = sum(1 for _ in mine)
    if refused >= len(REFUSED):
        raise AskedAlready("match.error.takeback-refused")
    _forget(connection, match_id, (AGREED,))
    own = (offers.c.match_id == match_id, offers.c.seat == asked.seat, offers.c.what.in_(ALL))
    connection.execute(delete(offers).where(*own))
    for what in REFUSED[:refused]:
        make(connection, match_id, StoredOffer(what, asked.seat, asked.seq, asked.at))
    make(connection, match_id, asked)


def _has_time(earlier: StoredOffer, asked: StoredOffer, patience: timedelta) -> bool:
    return earlier.at is not None and asked.at is not None and asked.at < earlier.at + patience


def agree(connection: Connection, match_id: str, said: StoredOffer) -> None:
    """Store that a seat agrees, where it is still asked."""
    asked = (one for one in open_offers(connection, match_id) if one.what == ASKED and one.seq == said.seq)
    if next(asked, None) is not None:
        make(connection, match_id, said)


def refuse(connection: Connection, match_id: str, asked: StoredOffer) -> None:
    """Store that what was asked is refused; nothing where it is not asked any more."""
    found = [one for one in open_offers(connection, match_id) if one.seat == asked.seat and one.seq == asked.seq]
    if asked not in found:
        return
    _forget(connection, match_id, (ASKED, AGREED))
    refused = sum(one.what in REFUSED for one in found)
    make(connection, match_id, StoredOffer(REFUSED[min(refused, 1)], asked.seat, asked.seq, asked.at))


def _forget(connection: Connection, match_id: str, what: Sequence[str]) -> None:
    connection.execute(delete(offers).where(offers.c.match_id == match_id, offers.c.what.in_(what)))


def forgotten(match_id: str) -> Effect:
    """Return as an effect of an append: nobody has asked, nor refused."""
    return lambda connection: _forget(connection, match_id, ALL)
