"""Decks that people have built: stored with the account, limited in number and size."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.clock import Clock
from server.roundrobin import RoundRobin
from server.sanitize import clean
from server.store import accounts as stored_accounts
from server.store import decks as stored
from server.store.database import Database
from server.store.decks import StoredDeck

__all__ = ["Decks", "StoredDeck"]

MOST = 50
NAME_CHARS = 40
LIST_CHARS = 4000  # of a list as a game's deck book writes it
LINE_CHARS = 80


class Decks:
    """The stored decks of accounts, for any game with decks."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.turns = RoundRobin()  # of all who read decks and cards in this process

    async def of(self, account_id: int) -> list[StoredDeck]:
        """Return a person's decks, by game and name."""
        return await self._database.read(stored.of_account, account_id)

    async def save(self, account_id: int, deck: StoredDeck) -> StoredDeck:
        """Store a deck, replacing the one with its id or name; return it as stored.

        Raises AccountError without a name, for one list too many, and for one that is too long.
        """
        name = clean(deck.name, NAME_CHARS).strip()
        if not name:
            raise AccountError("deck.no-name")
        if len(deck.list) > LIST_CHARS:
            raise AccountError("deck.too-long", n=LIST_CHARS)
        text = "\n".join(filter(None, (clean(line, LINE_CHARS).strip() for line in deck.list.splitlines())))
        kept = replace(deck, name=name, list=text, changed_at=self._clock.now())

        def work(connection: Connection) -> int:
            stored_accounts.lock(connection, account_id)  # or two terminals that save at once would find one name free
            if not kept.id and stored.count(connection, account_id) >= MOST:
                raise AccountError("deck.too-many", n=MOST)
            return stored.save(connection, account_id, kept)

        return replace(kept, id=await self._database.write(work))

    async def remove(self, account_id: int, deck_id: int) -> bool:
        """Delete a deck; return whether there was one."""
        return await self._database.write(stored.remove, account_id, deck_id)
