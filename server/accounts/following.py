"""Following people, one-sided and known to nobody else; notes on them; and not being seen connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection

from server.accounts.errors import AccountError
from server.accounts.preferences import read_preferences, write_preferences
from server.accounts.rate_limits import order_for
from server.accounts.targets import account_of
from server.clock import Clock
from server.sanitize import clean_whole
from server.store import accounts as stored_accounts
from server.store import events, processes
from server.store import following as stored
from server.store.accounts import Account
from server.store.columns import Json
from server.store.database import Database
from server.store.events import NewEvent
from server.store.following import Followed

__all__ = ["ALERTS", "COMES", "ORDER", "PLAYS", "VISIBILITY", "Followed", "Following"]

MOST: Final = 200  # people whom one person follows
NOTE_CHARS: Final = 200
COMES, PLAYS = "comes", "plays"
ALERTS: Final = (COMES, PLAYS)
Alert = tuple[str, str]  # a handle, and one of ALERTS
VISIBILITY: Final = "visibility"  # somebody is shown as connected, or no longer
ORDER: Final = "follow"  # the person's other terminals read again whom they follow


class Following:
    """Whom people follow, and what they note about others. What their terminals hear of raises RateLimited."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.alerts: Mapping[Alert, int] = {}  # whom somebody waits for, as accounts: mostly nobody

    async def refresh(self) -> None:
        """Read again whom somebody waits for. Raises StoreUnavailable; then what was known stays."""
        self.alerts = await self._database.read(stored.alerts)

    async def of(self, account_id: int) -> list[Followed]:
        """Return whom somebody follows, by handle."""
        return await self._database.read(stored.of_account, account_id)

    async def followers_of(self, account_id: int) -> frozenset[int]:
        """Return who follows somebody: for the server alone, never told."""
        return await self._database.read(stored.followers_of, account_id)

    async def follow(self, account_id: int, handle: str) -> Account:
        """Follow somebody. Raises AccountError for a handle that there is not, for oneself, and for one too many."""

        def work(connection: Connection) -> Account:
            stored_accounts.lock(connection, account_id)  # or two terminals at once would follow one too many
            other = account_of(connection, handle)
            if other.id == account_id:
                raise AccountError("follow.self")
            if stored.follow(connection, account_id, other.id, self._clock.now()):
                if stored.count(connection, account_id) > MOST:
                    raise AccountError("follow.too-many", n=MOST)
                settings = read_preferences(stored_accounts.load_preferences(connection, account_id))
                if not settings.follows:
                    kept = write_preferences(replace(settings, follows=True))
                    stored_accounts.save_preferences(connection, account_id, kept)
                self._tell_terminals(connection, account_id)
            return other

        return await self._database.write(work)

    async def unfollow(self, account_id: int, handle: str) -> bool:
        """Follow somebody no more; return whether one did. Raises AccountError for a handle that there is not."""

        def work(connection: Connection) -> bool:
            gone = stored.unfollow(connection, account_id, account_of(connection, handle).id)
            if gone:
                self._tell_terminals(connection, account_id)
            return gone

        return await self._database.write(work)

    def _tell_terminals(self, connection: Connection, account_id: int) -> None:
        order_for(connection, account_id, ORDER, {"account": account_id}, self._clock.now())

    async def set_alert(self, account_id: int, followed_id: int, tell: str | None) -> None:
        """Be told once when somebody whom one follows comes or plays; None: of nothing."""

        def work(connection: Connection) -> None:
            stored.set_alert(connection, account_id, followed_id, tell)
            self._tell_terminals(connection, account_id)

        await self._database.write(work)

    async def take_alert(self, account_id: int, followed_id: int, tell: str, match_id: str | None = None) -> bool:
        """Take an alert that is due, and make its event; return whether it was there: only one terminal tells it.

        `match_id`: what the other plays, where that was waited for.
        """
        return await self._database.write(self._take, account_id, followed_id, tell, match_id)

    def _take(self, connection: Connection, account_id: int, followed_id: int, tell: str, match_id: str | None) -> bool:
        if not stored.take_alert(connection, account_id, followed_id, tell):
            return False
        event = NewEvent("arrived", self._clock.now(), match_id if tell == PLAYS else None, followed_id)
        events.add(account_id, event)(connection)
        return True

    async def raise_alert(self, handle: str, tell: str, match_id: str | None) -> None:
        """Tell all who waited for it, once, that somebody is here or plays: in their events, and at their terminals.

        Raises StoreUnavailable.
        """
        followed_id, now = self.alerts[handle, tell], self._clock.now()

        def work(connection: Connection) -> None:
            for account_id in stored.waiting(connection, followed_id, tell):
                if self._take(connection, account_id, followed_id, tell, match_id):
                    told: dict[str, Json] = {"account": account_id, "who": handle, "told": tell}
                    processes.give_order(connection, ORDER, told, now)

        await self._database.write(work)
        self.alerts = {one: known for one, known in self.alerts.items() if one != (handle, tell)}

    async def unwanted(self, account_id: int, challengers: Sequence[int | None]) -> frozenset[int | None]:
        """Return those of some challengers whose challenges a person has chosen not to see; None: a guest's."""
        return await self._database.read(stored.unwanted, account_id, challengers)

    async def set_invisible(self, account_id: int, is_invisible: bool) -> None:
        """Show somebody to nobody as connected, or to all again: at all their connections, within a second."""

        def work(connection: Connection) -> None:
            if stored_accounts.set_invisible(connection, account_id, is_invisible):
                told: dict[str, Json] = {"account": account_id, "invisible": is_invisible}
                order_for(connection, account_id, VISIBILITY, told, self._clock.now())

        await self._database.write(work)

    async def note(self, account_id: int, handle: str) -> str:
        """Return a person's note on somebody; empty: there is none. Raises AccountError for an unknown handle."""

        def work(connection: Connection) -> str:
            return stored.note(connection, account_id, account_of(connection, handle).id)

        return await self._database.read(work)

    async def set_note(self, account_id: int, handle: str, text: str) -> None:
        """Note something about somebody, for oneself; an empty text deletes it. Raises AccountError."""

        def work(connection: Connection) -> None:
            other = account_of(connection, handle)
            if other.id == account_id:
                raise AccountError("note.self")
            stored.set_note(connection, account_id, other.id, clean_whole(text, NOTE_CHARS).strip())

        await self._database.write(work)
