"""What the lobby and its rooms share: time, the store, presence, the ratings, the chat, and the tasks' owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from server.clock import Clock
from server.errors import Refused
from server.matches.context import ChatChannels, PlayerConduct, Rater
from server.presence.presence import Presence
from server.store.database import Database
from server.store.lobby import NoSuchRoom
from server.tasks import Tasks

TRIES: Final = 30


@dataclass(slots=True)
class LobbyContext:
    """Everything around a lobby but the matches. Its tasks end when the lobby closes."""

    clock: Clock
    database: Database
    presence: Presence
    rater: Rater
    conduct: PlayerConduct
    chat: ChatChannels | None = None
    tasks: Tasks = field(default_factory=Tasks)

    async def insist(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do something a second later again while the store refuses it, half a minute long, or until its room ended."""
        for _ in range(TRIES):
            try:
                await work()
            except NoSuchRoom:
                return
            except Refused:
                await self.clock.sleep(1.0)
            else:
                return
