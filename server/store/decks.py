"""Stored decks: a name and a list for one side of a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select, update

from server.store.tables import decks


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """One deck of an account. The game says what a list may hold."""

    id: int
    game: str
    seat: int
    name: str
    list: str
    changed_at: datetime


def of_account(connection: Connection, account_id: int) -> list[StoredDeck]:
    """Return a person's decks, by game and name."""
    columns = (decks.c.id, decks.c.game, decks.c.seat, decks.c.name, decks.c.list, decks.c.changed_at)
    chosen = select(*columns).where(decks.c.account_id == account_id)
    return [StoredDeck(*row) for row in connection.execute(chosen.order_by(decks.c.game, decks.c.name))]


def count(connection: Connection, account_id: int) -> int:
    """Return how many decks a person has."""
    return connection.scalar(select(func.count()).where(decks.c.account_id == account_id)) or 0


def save(connection: Connection, account_id: int, deck: StoredDeck) -> int:
    """Store a deck, in place of the one with its id or with its name; return its id. An id of 0 is a new one."""
    values = {"seat": deck.seat, "name": deck.name, "list": deck.list, "changed_at": deck.changed_at}
    own = (decks.c.account_id == account_id, decks.c.game == deck.game)
    if deck.id:
        connection.execute(delete(decks).where(*own, decks.c.name == deck.name, decks.c.id != deck.id))
        if connection.execute(update(decks).where(*own, decks.c.id == deck.id).values(values)).rowcount:
            return deck.id
    same = connection.scalar(select(decks.c.id).where(*own, decks.c.name == deck.name))
    if same is not None:
        connection.execute(update(decks).where(decks.c.id == same).values(values))
        return int(same)
    fresh = insert(decks).values(account_id=account_id, game=deck.game, **values)
    return int(connection.execute(fresh.returning(decks.c.id)).scalar_one())


def remove(connection: Connection, account_id: int, deck_id: int) -> bool:
    """Delete a deck; return whether there was one."""
    gone = delete(decks).where(decks.c.account_id == account_id, decks.c.id == deck_id)
    return bool(connection.execute(gone).rowcount)
