"""A lobby to test with: people arrive, seek, and sit down."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from server.accounts.following import Following
from server.accounts.identity import Identity, Player
from server.lobby.arrivals import Arrival
from server.lobby.context import LobbyContext
from server.lobby.model import RoomSettings, Seek
from server.lobby.room import Room
from server.lobby.service import Lobby
from server.matches.agreement import Agreement
from server.matches.context import PlayerConduct
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, SharedBus, Table, open_matches

TINY = Seek(Agreement("tiny"))
ROOM = RoomSettings(Agreement("tiny"))


@dataclass
class FakeConduct:
    """Blocks and pauses as the test says."""

    blocks: set[tuple[int, int]] = field(default_factory=set)
    paused: set[int] = field(default_factory=set)

    async def blocks_among(self, ids: Sequence[int]) -> frozenset[tuple[int, int]]:
        return frozenset(pair for pair in self.blocks if set(pair) <= set(ids))

    async def paused_until(self, account_id: int) -> datetime | None:
        return FakeClock().now() + timedelta(minutes=5) if account_id in self.paused else None

    async def note_leaving(self, account_id: int, acted_at: datetime | None = None) -> None:
        return None


@dataclass
class OpenLobby:
    """The matches with their lobby; `begun` and `ended` have, by session, the matches it was told of."""

    table: Table
    lobby: Lobby
    conduct: FakeConduct
    context: LobbyContext
    begun: dict[str, list[str]] = field(default_factory=dict)
    ended: dict[str, list[str]] = field(default_factory=dict)

    def arrive(self, player: Player, session: str | None = None) -> Arrival:
        session = session or f"{player.name}-1"
        self.begun[session], self.ended[session] = [], []
        source = f"127.0.1.{player.account_id or 99}"  # nobody shares another one's limits
        identity = Identity(player.account_id, player.name, frozenset(), None, None, "", source)
        return self.lobby.arrive(identity, session, self.begun[session].append, on_end=self.ended[session].append)

    def matches_of(self, player: Player) -> list[str]:
        return self.begun[f"{player.name}-1"]

    async def wave(self) -> None:
        """Let one wave of pairing pass."""
        await self.table.wait(1.0)


def lobby_context(table: Table, conduct: PlayerConduct) -> LobbyContext:
    """What a lobby needs around it, as the matches of the same server have it."""
    matches = table.matches.context
    following = Following(matches.database, matches.clock)
    people = conduct, following, matches.chat, matches.machines
    return LobbyContext(matches.clock, matches.database, matches.presence, matches.rater, *people)


@asynccontextmanager
async def open_lobby(
    url: str, clock: FakeClock, bus: SharedBus | None = None, seed: int = 7
) -> AsyncIterator[OpenLobby]:
    async with open_matches(url, clock, bus) as table:
        conduct = table.matches.context.conduct = FakeConduct()
        context = lobby_context(table, conduct)
        lobby = Lobby(context, table.matches, bus, Random(seed))
        await lobby.start()
        try:
            yield OpenLobby(table, lobby, conduct, context)
        finally:
            await lobby.close()


async def room_of_two(lobby: OpenLobby, settings: RoomSettings = ROOM) -> Room:
    """Mira opens a room and Tarn joins it."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.create_room(MIRA, settings, "mira-1")
    await lobby.lobby.join(TARN, room.code.lower(), "tarn-1")
    return room


def seated(room: Room) -> list[str | None]:
    return [None if seat.player is None else seat.player.name for seat in room.snapshot().seats]
