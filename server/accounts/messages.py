"""Messages between people who follow each other.

Whoever writes is answered alike, whether the other follows them, has blocked them, is here or away: what may not be
delivered is accepted, counted and shown to its writer alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.identity import Player
from server.accounts.keys import is_settled
from server.accounts.rate_limits import DAY, wait_ms
from server.accounts.targets import account_of
from server.clock import Clock, rfc3339
from server.errors import RateLimited, Refused
from server.sanitize import clean_whole
from server.store import accounts as stored_accounts
from server.store import events, processes
from server.store import messages as stored
from server.store.accounts import Account
from server.store.columns import Json
from server.store.database import Database
from server.store.events import NewEvent
from server.store.messages import StoredMessage

__all__ = ["CHARS", "ORDER", "Messages", "StoredMessage"]

CHARS: Final = 400
PER_DAY: Final = 30
PEOPLE_PER_DAY: Final = 10
MOST_READ: Final = 200
ORDER: Final = "message"  # somebody's terminals and programs read what was written to them


class Messages:
    """What people write to each other. `muted` returns the refusal for who may not speak."""

    def __init__(self, database: Database, clock: Clock, muted: Callable[[Player], Refused | None]) -> None:
        self._database = database
        self._clock = clock
        self._muted = muted

    async def send(self, player: Player, handle: str, text: str) -> StoredMessage:
        """Write to somebody; return the message as its writer reads it.

        Raises AccountError for an empty text, for a handle that there is not, for oneself and from an account younger
        than a day; RateLimited for more than PER_DAY messages, or to more than PEOPLE_PER_DAY people, within a day; the
        refusal of who is muted; NotSaved. It does the same whether the message may be shown to the other or not.
        """
        account_id, kept, now = player.account_id, clean_whole(text, CHARS).strip(), self._clock.now()
        if account_id is None:
            raise Refused("account.needed")
        if (refused := self._muted(player)) is not None:
            raise refused
        if not kept:
            raise AccountError("message.empty")

        def work(connection: Connection) -> StoredMessage:
            stored_accounts.lock(connection, account_id)  # so that two terminals don't count each for themselves
            other, own = account_of(connection, handle), stored_accounts.by_id(connection, account_id)
            if own is None:
                raise AccountError("account.gone")
            if other.id == account_id:
                raise AccountError("message.self")
            if (young := _too_young(own, now)) is not None:
                raise young
            self._check_limits(connection, account_id, other.id)
            is_shown = stored.may_be_shown(connection, account_id, other.id)
            message_id = stored.add(connection, account_id, other.id, kept, is_shown, now)
            events.add(other.id, NewEvent("message", now, None, account_id), is_told=is_shown)(connection)
            told: dict[str, Json] = {"account": other.id if is_shown else None, "message": message_id}
            processes.give_order(connection, ORDER, told, now)
            return StoredMessage(message_id, now, account_id, own.handle, other.handle, kept)

        return await self._database.write(work)

    async def refusal(self, player: Player) -> Refused | None:
        """Return why somebody with an account may write to nobody just now; None: they may."""
        if (muted := self._muted(player)) is not None:
            return muted
        if player.account_id is None:
            return Refused("account.needed")
        own = await self._database.read(stored_accounts.by_id, player.account_id)
        return None if own is None else _too_young(own, self._clock.now())

    def _check_limits(self, connection: Connection, account_id: int, to_id: int) -> None:
        now = self._clock.now()
        sent = stored.sent_since(connection, account_id, now - DAY)
        if len(sent) >= PER_DAY:
            raise RateLimited("messages_per_day", wait_ms(sent[-PER_DAY][1] + DAY, now))
        last = dict(sent)  # when each was written to last
        if to_id not in last and len(last) >= PEOPLE_PER_DAY:
            raise RateLimited("people_written_to_per_day", wait_ms(sorted(last.values())[-PEOPLE_PER_DAY] + DAY, now))

    async def read(self, account_id: int, handle: str | None = None) -> list[StoredMessage]:
        """Return the last messages that somebody wrote or was shown, oldest first; of one person where named.

        Those of a named person count as read. Raises AccountError for a handle that there is not.
        """

        def work(connection: Connection) -> list[StoredMessage]:
            other = None if handle is None else account_of(connection, handle)
            found = stored.of_account(connection, account_id, None if other is None else other.id, MOST_READ)
            if other is not None and found:
                stored.record_read(connection, account_id, other.id, found[-1].id)
            return found

        return await self._database.write(work)


def _too_young(own: Account, now: datetime) -> AccountError | None:
    """Return the refusal for an account that is not a day old."""
    return None if is_settled(own, now) else AccountError("message.young", until=rfc3339(own.created_at + DAY))
