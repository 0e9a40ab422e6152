"""What every match of this process shares: time, the store, the bus, the bots, and the tasks' owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from game.contract import Action, Pending
from game.replay import Entry
from server.accounts.conduct import Conduct
from server.accounts.machines import MarkedAccounts
from server.chat.chat import Chat
from server.clock import Clock
from server.matches.checkpoint_writer import CheckpointWriter
from server.matches.fairqueue import QueuePath
from server.matches.match_rate_limit import Beginnings
from server.matches.model import NewMatch, Timing
from server.presence.presence import Presence
from server.ratings.ratings import Ratings
from server.roundrobin import RoundRobin
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.tasks import Tasks

RETRY_S = 1.0  # after the store did not answer
FOLDED_AT_ONCE = 4  # entries between two turns of the loop: about a millisecond of Netrunner


class Decider(Protocol):
    """What thinks for the built-in players."""

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, paths: Sequence[QueuePath]
    ) -> Action:
        """Return an answer to `pending` that its choice holds. `paths`: on whose account (`FairQueue`).

        Raises BotFailed: no other level answers in its place.
        """
        ...


class DeciderPool(Decider, Protocol):
    """What thinks for the built-in players until the matches close."""

    async def close(self) -> None:
        """Think no more."""
        ...


class SendHint(Protocol):
    """Tells the other processes that a match has changed. A hint that gets lost does no harm."""

    def __call__(self, match_id: str, seq: int, offers: bool = False, entry: Entry | None = None) -> None: ...


@dataclass(slots=True)
class MatchContext:
    """Everything around a match."""

    clock: Clock
    database: Database
    writer: LogWriter
    pool: DeciderPool
    timing: Timing
    ratings: Ratings
    presence: Presence
    hint: SendHint
    begin: Callable[[NewMatch, str], Awaitable[str]]  # the match that follows this one; its id, also when it is there
    outages_credited: Callable[[], Awaitable[bool]]  # comes back when an outage that is just over was credited
    heartbeat_reads: Callable[[], bool]  # whether every process reads the newest kinds of entries
    beginnings: Beginnings
    chat: Chat
    conduct: Conduct
    machines: MarkedAccounts = field(default_factory=MarkedAccounts)
    tasks: Tasks = field(default_factory=Tasks)
    on_offers: list[Callable[[str], None]] = field(default_factory=list)  # told when what is offered in a match changed
    on_end: list[Callable[[str], None]] = field(default_factory=list)  # told when a match ends here, and all may know
    is_draining: bool = False
    turns: RoundRobin = field(default_factory=RoundRobin)  # of those who fold logs
    checkpoint_writer: CheckpointWriter = field(init=False)

    def __post_init__(self) -> None:
        self.checkpoint_writer = CheckpointWriter(self.database)

    async def give_way(self, folded: int) -> None:
        """Let everybody else go on, at the first and after every few entries `folded`: a long log must not block."""
        if folded % FOLDED_AT_ONCE == 0:
            await self.turns.give()

    def drain(self, is_draining: bool) -> None:
        """Begin no match and let no time run out from now on; or do so again."""
        self.is_draining = is_draining
