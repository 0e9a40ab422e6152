"""The connections of this process: what each seeks, and of which matches it was told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from server.accounts.identity import Identity
from server.lobby.context import LobbyContext
from server.lobby.seeking import SeekTicket
from server.matches.match import Match
from server.store import matches as store

SLACK: Final = timedelta(seconds=10)  # what was stored late, or by another clock
Tell = Callable[[str, Sequence[str], datetime], None]  # match id, persons, when it began


@dataclass(eq=False, slots=True)
class Arrival:
    """One connection that is here; `left` is told once it is not any more, and whether it was lost."""

    left: Callable[[Arrival, bool], None]
    identity: Identity
    session: str
    on_match: Callable[[str], None]
    since: datetime
    on_offers: Callable[[Match], None] | None = None  # a match of theirs, where what is offered has changed
    on_end: Callable[[str], None] | None = None  # the id of a match of theirs that has ended
    tickets: list[SeekTicket] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def rename(self, name: str) -> None:
        """Have another handle from now on."""
        self.identity = replace(self.identity, name=name)

    def leave(self, is_lost: bool = False) -> None:
        """Be gone: seeks end, rooms are left; where it was lost, seats there are kept a while. May be called twice."""
        self.left(self, is_lost)


class MissedMatches:
    """Looks now and then for matches of the people here that began in another process and of which no hint told."""

    def __init__(self, context: LobbyContext, here: Collection[object], tell: Tell) -> None:
        self._context = context
        self._here = here
        self._tell = tell
        self._looked_at = context.clock.now()

    async def poll(self) -> None:
        """Tell of what began since the last look. Raises StoreUnavailable."""
        now = self._context.clock.now()
        if self._here and not self._context.database.is_sqlite:
            for begun in await self._context.database.read(store.begun_since, self._looked_at - SLACK):
                self._tell(begun.id, begun.persons, begun.started_at)
        self._looked_at = now
