"""What the lobby and its rooms share: time, the store, presence, the ratings, the chat, and the tasks' owner."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from server.accounts.conduct import Conduct
from server.accounts.following import Following
from server.accounts.machines import MarkedAccounts
from server.chat.chat import Chat
from server.clock import Clock
from server.errors import Refused
from server.log import get_logger
from server.presence.presence import Presence
from server.ratings.ratings import Ratings
from server.store.database import Database
from server.store.lobby import NoSuchRoom
from server.tasks import Tasks

log = get_logger("lobby")
TRIES: Final = 30
RETRY_S: Final = 1.0


@dataclass(slots=True)
class LobbyContext:
    """Everything around a lobby but the matches. Its tasks end when the lobby closes."""

    clock: Clock
    database: Database
    presence: Presence
    ratings: Ratings
    conduct: Conduct
    wanted: Following  # whose challenges a person has chosen not to see, and whom people wait for
    chat: Chat
    machines: MarkedAccounts = field(default_factory=MarkedAccounts)
    tasks: Tasks = field(default_factory=Tasks)
    draw: Callable[[str], str] = secrets.choice  # a letter of a room's code

    async def retry(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do something, and again a second later while it is refused, TRIES times at most, or until its room ends."""
        for _ in range(TRIES):
            try:
                await work()
            except NoSuchRoom:
                return
            except Refused as error:
                refusal = error
                await self.clock.sleep(RETRY_S)
            else:
                return
        log.warning("lobby.given-up", why=refusal.key)
