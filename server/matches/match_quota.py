"""The running matches that each source has begun: they count until they are over, whoever has left or started anew."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from sqlalchemy import Connection

from server.accounts.identity import Player
from server.clock import Clock
from server.log import get_logger
from server.matches.context import RETRY_S
from server.presence.connections import Connections
from server.store import origins
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.server_secrets import secret_for
from server.tasks import Tasks

log = get_logger("matches")
MOST_MATCHES: Final = 200  # of one source; only who begins one against built-in players is refused for it
SECRET: Final = "begun matches"  # noqa: S105 (its name)


class BegunMatches:
    """Counts running matches by the sources of their people: hashes in the store, which all processes share."""

    def __init__(self, database: Database, clock: Clock, connections: Connections, tasks: Tasks) -> None:
        self._database = database
        self._clock = clock
        self._connections = connections
        self._tasks = tasks
        self._unsaved: Counter[str] = Counter()  # source -> matches that began just now

    def count(self, match_id: str, people: Sequence[Player]) -> None:
        """Count a match that begins for each of its people."""
        names = {name for player in people for name in self._connections.counted(player).names}
        self._unsaved.update(names)
        self._tasks.spawn(self._save(match_id, names), "begun")

    async def _save(self, match_id: str, names: Collection[str]) -> None:
        while True:
            try:
                await self._database.write(self._store, match_id, names)
                break
            except StoreUnavailable as error:
                log.warning("begun.not-saved", match=match_id, why=error.why)
                await self._clock.sleep(RETRY_S)
        self._unsaved.subtract(names)
        self._unsaved += Counter[str]()  # drops what is zero

    def _store(self, connection: Connection, match_id: str, names: Collection[str]) -> None:
        secret = secret_for(connection, SECRET, self._clock.now())
        origins.add(connection, match_id, [_hash(secret, name) for name in names])

    async def is_full(self, player: Player) -> bool:
        """Tell whether a source of somebody has as many running matches as it may. Raises StoreUnavailable."""
        budgets = self._connections.counted(player).budgets(MOST_MATCHES)
        running = await self._database.write(self._running, [name for name, _ in budgets])
        return any(running[name] + self._unsaved[name] >= most for name, most in budgets)

    def _running(self, connection: Connection, names: Sequence[str]) -> dict[str, int]:
        secret = secret_for(connection, SECRET, self._clock.now())
        hashes = {name: _hash(secret, name) for name in names}
        found = origins.running_by_hash(connection, list(hashes.values()))
        return {name: found.get(one, 0) for name, one in hashes.items()}


def _hash(secret: bytes, name: str) -> str:
    return hmac.digest(secret, name.encode(), "sha256").hex()
