"""The running matches that each source has begun: they count until they are over, whoever has left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from server.accounts.identity import Player
from server.accounts.sources import share_of
from server.presence.connections import Connections
from server.store import matches as store
from server.store.database import Database

MOST_MATCHES: Final = 200  # of one source; only who begins one against built-in players is refused for it
KEPT = 10_000  # sources that are remembered


class BegunMatches:
    """Counts the matches that began in this process, by the sources of their people."""

    def __init__(self, database: Database, connections: Connections) -> None:
        self._database = database
        self._connections = connections
        self._begun: dict[str, set[str]] = {}  # source -> matches; the latest used is last

    def note(self, match_id: str, people: Sequence[Player]) -> None:
        """Count a match that begins for each of its people."""
        for name in {name for player in people for name in self._connections.counted(player).names}:
            self._begun[name] = begun = self._begun.pop(name, None) or set()
            begun.add(match_id)
            if len(self._begun) > KEPT:
                del self._begun[next(iter(self._begun))]

    async def is_full(self, player: Player) -> bool:
        """Tell whether a source of somebody has as many running matches as it may. Raises StoreUnavailable."""
        who = self._connections.counted(player)
        while (name := who.full(MOST_MATCHES, lambda one: len(self._begun.get(one, ())))) is not None:
            begun = self._begun[name]
            asked = frozenset(begun)  # more may begin while the store is read, and others may ask the same
            running = await self._database.read(store.running_among, sorted(asked))
            begun -= asked - running
            if len(begun) >= MOST_MATCHES * share_of(name):
                return True
        return False
