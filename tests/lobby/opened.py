"""A lobby to test with: people arrive, seek, and sit down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from server.accounts.conduct import Conduct
from server.accounts.following import Following
from server.accounts.identity import Identity, Player
from server.lobby.arrivals import Arrival
from server.lobby.context import LobbyContext
from server.lobby.lobby import Lobby
from server.lobby.model import RoomSettings, Seek
from server.lobby.room import Room
from server.matches.agreement import Agreement
from tests.clocks import FakeClock
from tests.matches.table import MIRA, TARN, SharedBus, Table, open_matches

TINY = Seek(Agreement("tiny"))
ROOM = RoomSettings(Agreement("tiny"))


@dataclass
class OpenLobby:
    """The matches with their lobby; `begun` and `ended` have, by session, the matches it was told of."""

    table: Table
    lobby: Lobby
    conduct: Conduct
    context: LobbyContext
    begun: dict[str, list[str]] = field(default_factory=dict)
    ended: dict[str, list[str]] = field(default_factory=dict)

    def arrive(self, player: Player, session: str | None = None) -> Arrival:
        session = session or f"{player.name}-1"
        self.begun[session], self.ended[session] = [], []
        source = f"127.0.1.{player.account_id or 99}"  # nobody shares another one's limits
        identity = Identity(player.account_id, player.name, frozenset(), None, None, "", source)
        return self.lobby.arrive(identity, session, self.begun[session].append, on_end=self.ended[session].append)

    async def block(self, who: Player, whom: Player) -> None:
        await self.conduct.block(who.account_id or 0, whom.name)

    async def pause(self, player: Player) -> None:
        """Let somebody have left rated matches so often that they have to pause for five minutes."""
        for _ in range(3):
            await self.conduct.record_leaving(player.account_id or 0)

    def matches_of(self, player: Player) -> list[str]:
        return self.begun[f"{player.name}-1"]

    async def wave(self) -> None:
        """Let one wave of pairing pass."""
        await self.table.wait(1.0)


def lobby_context(table: Table, conduct: Conduct) -> LobbyContext:
    """What a lobby needs around it, as the matches of the same server have it."""
    matches = table.matches.context
    following = Following(matches.database, matches.clock)
    people = conduct, following, matches.chat, matches.machines
    return LobbyContext(matches.clock, matches.database, matches.presence, matches.ratings, *people)


@asynccontextmanager
async def open_lobby(
    url: str, clock: FakeClock, bus: SharedBus | None = None, seed: int = 7
) -> AsyncIterator[OpenLobby]:
    async with open_matches(url, clock, bus) as table:
        context = lobby_context(table, table.conduct)
        lobby = Lobby(context, table.matches, bus, Random(seed))
        await lobby.start()
        try:
            yield OpenLobby(table, lobby, table.conduct, context)
        finally:
            await lobby.close()


async def room_of_two(lobby: OpenLobby, settings: RoomSettings = ROOM) -> Room:
    """Mira opens a room and Tarn joins it."""
    lobby.arrive(MIRA)
    lobby.arrive(TARN)
    room = await lobby.lobby.rooms.create(MIRA, settings, "mira-1")
    await lobby.lobby.rooms.join(TARN, room.code.lower(), "tarn-1")
    return room


def seated(room: Room) -> list[str | None]:
    return [None if seat.player is None else seat.player.name for seat in room.snapshot().seats]
