"""In whose name moderators and admins act: each act is stored, ordered and audited in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from server.accounts.identity import ADMIN
from server.accounts.young_keys import found_account
from server.bus.bus import Bus
from server.bus.orders import hint
from server.clock import Clock
from server.store import accounts as stored_accounts
from server.store import conduct, processes
from server.store.accounts import Account
from server.store.columns import Json
from server.store.conduct import ReportReader
from server.store.database import Database

T = TypeVar("T")
CONSOLE = "(console)"  # the actor of `patchbay admin` on the server's machine: no handle is like it


class Actor:
    """One actor: the handle of a moderator or an admin, or CONSOLE beside the database, where everything is allowed.

    `source`: the address that the actor comes from; `key`: the fingerprint of the key.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        bus: Bus,
        name: str = CONSOLE,
        source: str | None = None,
        key: str | None = None,
    ) -> None:
        self.database = database
        self.clock = clock
        self.name = name
        self.source = source
        self.key = key
        self._bus = bus
        self._done: list[tuple[str, str]] = []  # acts of the present transaction, and about what

    @property
    def is_console(self) -> bool:
        """Tell whether the actor works beside the database."""
        return self.name == CONSOLE

    def account(self, connection: Connection) -> Account | None:
        """Return the actor's account; None beside the database.

        Raises AccountError where the handle is nobody's: the account was renamed or deleted a moment ago.
        """
        return None if self.is_console else found_account(stored_accounts.by_handle(connection, self.name))

    def is_admin(self, connection: Connection) -> bool:
        """Tell whether the actor is an admin, or works beside the database."""
        account = self.account(connection)
        return account is None or ADMIN in account.roles

    def reader(self, connection: Connection) -> ReportReader | None:
        """Return who reads, for what is not theirs to read; None beside the database, where all is read."""
        account = self.account(connection)
        return None if account is None else conduct.reader_of(connection, account.id, account.handle)

    def audit(
        self, connection: Connection, act: str, target: str, why: str, data: dict[str, Json] | None = None
    ) -> None:
        """Write an act into the audit log; into the server's log when the transaction is stored (`write`)."""
        self._done.append((act, target))
        conduct.record_act(connection, self.name, act, target, why, self.clock.now(), data)

    def order(self, connection: Connection, kind: str, data: dict[str, Json]) -> None:
        """Give the running processes an order."""
        processes.give_order(connection, kind, data, self.clock.now())

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work`, which may give orders, in one transaction; one after the other. Raises NotSaved."""

        def anew(connection: Connection) -> T:
            self._done.clear()  # it may run several times
            return work(connection)

        done = await self.database.write(anew)
        for act, target in self._done:
            conduct.log_act(self.name, act, target)
        hint(self._bus)
        return done
