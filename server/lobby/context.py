"""What the lobby and its rooms share: time, the store, presence, the ratings, the chat, and the tasks' owner."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.clock import Clock
from server.matches.context import Manners, Rater, Talk
from server.matches.tasks import Tasks
from server.presence.presence import Presence
from server.store.database import Database


@dataclass(slots=True)
class LobbyContext:
    """Everything around a lobby but the matches. Its tasks end when the lobby closes."""

    clock: Clock
    database: Database
    presence: Presence
    rater: Rater
    manners: Manners
    talk: Talk | None = None
    tasks: Tasks = field(default_factory=Tasks)
