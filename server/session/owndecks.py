"""The decks of a session's person, read when they are first wanted."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TypeVar

from server.accounts.decks import Decks, StoredDeck
from server.boards.decks import OwnDeck, judged
from server.session.display import Display
from server.session.person import Person
from server.tasks import stepped
from server.terminal.memo import OneValueCache

T = TypeVar("T")


class OwnDecks:
    """The decks of the person, each with what is wrong with it. Guests have none."""

    def __init__(self, display: Display, person: Person, decks: Decks) -> None:
        self._display, self._person, self._decks = display, person, decks
        self._stored: tuple[StoredDeck, ...] = ()
        self._judged = OneValueCache[tuple[OwnDeck, ...]]()
        self._reads_begun = self._reads_taken = 0

    @property
    def all(self) -> tuple[OwnDeck, ...]:
        """Return the decks that have been read, with what is wrong with each in the person's language."""
        return self._judged.get(self._stored, self._display.look, self._judge)

    def _judge(self) -> tuple[OwnDeck, ...]:
        return tuple(deck for stored in self._stored if (deck := judged(stored, self._display.look)) is not None)

    def _judging(self, decks: Iterable[StoredDeck]) -> Generator[None, None, None]:
        """Judge decks one by one, for `judged` to remember: fifty at once would hold the loop."""
        for deck in decks:
            judged(deck, self._display.look)
            yield

    async def load(self, again: bool = False) -> None:
        """Read the decks, unless they have been read; `again`: in any case.

        Several reads may run at once: each caller finds the decks read when it goes on, and no old read replaces a
        newer one.
        """
        account_id = self._person.identity.account_id
        if account_id is None or (self._reads_taken and not again):
            return
        self._reads_begun += 1
        number = self._reads_begun
        kept = await self._decks.of(account_id)
        await self.in_steps(self._judging(kept))
        if number > self._reads_taken:
            self._reads_taken = number
            self._stored = tuple(kept)

    async def in_steps(self, steps: Generator[None, None, T]) -> T:
        """Take all steps of a reading of decks or cards, in turn with everybody else's; return what comes of it."""
        return await stepped(steps, self._decks.turns)

    async def save(self, deck: StoredDeck) -> StoredDeck:
        """Keep a deck with the account, and return it as it is kept. Raises AccountError."""
        account_id = self._person.identity.account_id
        if account_id is None:
            return deck
        kept = await self._decks.save(account_id, deck)
        await self.load(again=True)
        return kept

    async def remove(self, deck_id: int) -> None:
        """Take a deck away."""
        account_id = self._person.identity.account_id
        if account_id is not None:
            await self._decks.remove(account_id, deck_id)
            await self.load(again=True)
