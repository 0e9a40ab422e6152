"""Being here: one connection, with what it seeks and what it was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from server.accounts.identity import Identity
from server.lobby.seeking import SeekTicket
from server.matches.match import Match


@dataclass(eq=False, slots=True)
class Arrival:
    """One connection that is here; `left` is told once it is not any more."""

    left: Callable[[Arrival], None]
    identity: Identity
    session: str
    on_match: Callable[[str], None]
    since: datetime
    tickets: list[SeekTicket] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    on_rematch: Callable[[Match], None] | None = None  # a match of theirs, where the answers to a rematch have changed

    def leave(self) -> None:
        """Be gone: seeks end, rooms are left. May be called twice."""
        self.left(self)
