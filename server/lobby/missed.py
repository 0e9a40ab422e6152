"""Matches that began in another process and that no hint told of: whoever is here learns of theirs all the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from server.lobby.context import LobbyContext
from server.store import matches as store

SLACK: Final = timedelta(seconds=10)  # what was stored late, or by another clock
Tell = Callable[[str, Sequence[str], datetime], None]  # match id, persons, when it began


class Missed:
    """Looks now and then for new matches of the people who are here, where there are other processes."""

    def __init__(self, context: LobbyContext, here: Collection[object], tell: Tell) -> None:
        self._context = context
        self._here = here
        self._tell = tell
        self._looked_at = context.clock.now()

    async def look(self) -> None:
        """Tell of what began since the last look. Raises StoreUnavailable."""
        now = self._context.clock.now()
        if self._here and not self._context.database.is_sqlite:
            for begun in await self._context.database.read(store.begun_since, self._looked_at - SLACK):
                self._tell(begun.id, begun.persons, begun.started_at)
        self._looked_at = now
