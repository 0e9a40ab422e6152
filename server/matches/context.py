"""What every match of this process shares: time, the store, the bus, the bots, and the tasks' owner."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from game.contract import Action, Pending, Seat
from game.replay import Entry
from server.accounts.identity import Player
from server.accounts.machines import MarkedAccounts
from server.bus.bus import Subscription
from server.clock import Clock
from server.matches.checkpoint_writer import CheckpointWriter
from server.matches.fairqueue import QueuePath
from server.matches.match_rate_limit import Beginnings
from server.matches.model import NewMatch, Timing
from server.presence.presence import Presence
from server.ratings.played import WHOLE, HowPlayed
from server.roundrobin import RoundRobin
from server.store.appends import Effect
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.tasks import Tasks

RETRY_S = 1.0  # after the store did not answer
FOLDED_AT_ONCE = 4  # entries between two turns of the loop: about a millisecond of Netrunner


class SeatRating(Protocol):
    """What a seat's person is rated."""

    @property
    def shown(self) -> int: ...

    @property
    def provisional(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that ends and counts: who sat where, the places for the rating, and how it was played."""

    match_id: str
    game: str
    players: tuple[Player, ...]
    placements: tuple[tuple[Seat, ...], ...]
    played: HowPlayed = WHOLE


class Rater(Protocol):
    """What matches need of the ratings."""

    async def of_seats(self, game: str, players: Sequence[Player]) -> tuple[SeatRating | None, ...]:
        """Return what everybody is rated now; None for guests and built-in players."""
        ...

    async def of_matches(
        self, matches: Sequence[tuple[str, Sequence[Player]]]
    ) -> Sequence[tuple[SeatRating | None, ...]]:
        """Return the same for several matches, each a game and its players, with one query."""
        ...

    async def casual_because(self, players: Sequence[Player], shared: Collection[str] = ()) -> str | None:
        """Return why a match between these may not be rated, None where it may. `shared`: sources of several."""
        ...

    async def count_shared(self, shared: Collection[str]) -> None:
        """Count a rated match that began with several people from one source."""
        ...

    async def changes(self, match_id: str) -> Mapping[int, tuple[int, int]]:
        """Return the shown ratings before and after a rated match, by seat."""
        ...

    async def reasons(self, match_id: str) -> Mapping[int, str]:
        """Return why a rated match counted less than in full, by seat (`server.ratings.weights.WHY`)."""
        ...

    def effect(self, ended: Ended) -> Effect:
        """Return what rates a match, to run in the transaction that ends it."""
        ...


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


class SaidLine(Protocol):
    """One line of a channel."""

    @property
    def id(self) -> int: ...
    @property
    def at(self) -> datetime: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def account_id(self) -> int | None: ...


class ChatChannels(Protocol):
    """What matches and rooms need of the chat."""

    async def say(self, channel: str, player: Player, text: str) -> object: ...

    def check_may_speak(self, player: Player) -> None: ...

    def recent(self, channel: str) -> Sequence[SaidLine]: ...

    def subscribe(self, channel: str, changed: Callable[[], None]) -> Subscription: ...


class PlayerConduct(Protocol):
    """What matches and rooms need of people's conduct: who left rated matches, who has to pause, who blocked whom."""

    async def record_leaving(self, account_id: int, acted_at: datetime | None = None) -> object: ...

    async def paused_until(self, account_id: int) -> datetime | None: ...

    async def blocks_among(self, ids: Sequence[int]) -> frozenset[tuple[int, int]]: ...


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
    rater: Rater
    presence: Presence
    hint: SendHint
    begin: Callable[[NewMatch, str], Awaitable[str]]  # the match that follows this one; its id, also when it is there
    outages_credited: Callable[[], Awaitable[bool]]  # comes back when an outage that is just over was credited
    heartbeat_reads: Callable[[], bool]  # whether every process reads the newest kinds of entries
    beginnings: Beginnings
    chat: ChatChannels
    conduct: PlayerConduct
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
