"""Machines: accounts that programs play for. Their owners say so once, and everybody sees it beside the name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.identity import Player
from server.accounts.rate_limits import order_for
from server.accounts.young_keys import check_acting, found_account
from server.bus.bus import Bus
from server.bus.orders import hint
from server.clock import Clock
from server.errors import Refused
from server.store import accounts as stored_accounts
from server.store import machines as stored
from server.store.database import Database

__all__ = ["ORDER", "Kind", "Machines", "MarkedAccounts", "NotMarked"]

ORDER: Final = "machine"  # all processes read again which accounts are machines
Kind = Literal["bot", "person"]  # who plays for an account


class NotMarked(Refused):
    """A program would play rated for an account that is not marked as a machine."""

    def __init__(self, handle: str) -> None:
        super().__init__("machine.not-marked", handle=handle)


class MarkedAccounts:
    """Which accounts are machines, as this process has read it last: they are few."""

    def __init__(self, handles: Mapping[int, str] | None = None) -> None:
        self._handles: Mapping[int, str] = handles or {}  # by account
        self._names = frozenset(self._handles.values())

    def update(self, handles: Mapping[int, str]) -> None:
        """Take note of the accounts that are machines, with their handles."""
        self._handles, self._names = handles, frozenset(handles.values())

    def __contains__(self, account_id: object) -> bool:
        return account_id in self._handles

    def is_named(self, name: str) -> bool:
        """Tell whether this is a machine's handle."""
        return name in self._names

    def marked(self, player: Player) -> Player:
        """Return somebody with the mark where their account has it."""
        return player.as_machine(player.account_id in self._handles)


class Machines:
    """Marks accounts as machines. Call `refresh` at the start and whenever an order says so."""

    def __init__(self, database: Database, clock: Clock, bus: Bus | None = None) -> None:
        self.known = MarkedAccounts()
        self._database = database
        self._clock = clock
        self._bus = bus

    async def refresh(self) -> None:
        """Read again which accounts are machines. Raises StoreUnavailable; then what was known stays."""
        self.known.update(await self._database.read(stored.handles))

    async def declare(self, account_id: int, kind: Kind, by: str | None) -> bool:
        """Say who plays for an account: a program or a person; return whether that is new. `by`: the key that asks.

        Raises AccountError for a person once it has begun a rated match as a machine, or waits for one;
        RateLimited; as `check_acting`.
        """
        now = self._clock.now()

        def work(connection: Connection) -> bool:
            check_acting(connection, account_id, by, now)
            since = found_account(stored_accounts.by_id(connection, account_id)).machine_since
            if (kind == "bot") is (since is not None):
                return False
            if since is not None and stored.has_begun_rated(connection, account_id, since):
                raise AccountError("machine.for-good")
            if since is not None and stored.waits_for_rated(connection, account_id):
                raise AccountError("machine.waits")
            stored.mark(connection, account_id, now if kind == "bot" else None)
            order_for(connection, account_id, ORDER, {"account": account_id}, now)
            return True

        is_new = await self._database.write(work)
        await self.refresh()
        hint(self._bus)
        return is_new
