"""Puts real clients before a real server, breaks things in a planned order, and checks everybody's notes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

import asyncssh

from server.accounts.accounts import Accounts
from server.clock import SystemClock
from server.config import Limits
from server.store.choose import open_database
from tests.durability.history import Truth, check, read_truths
from tests.durability.people import Player, Spectator, Stretch
from tests.durability.proxy import Proxy, Weather, proxy
from tests.ssh.server import Server

PATIENCE_S = 180.0
BETWEEN = 4, 25  # actions acknowledged between two troubles
GAMES = ("rainet", "passage")  # of every two players in turn
GENEROUS = {"PATCHBAY_LIMIT_CONNECTIONS_PER_SOURCE": "1000", "PATCHBAY_LIMIT_UNAUTHENTICATED_PER_SOURCE": "1000"}
Trouble = Callable[[], Awaitable[None]]


@dataclass
class Crowd:
    """Players and spectators of one server, and the network between."""

    server: Server
    url: str
    rng: Random
    players: list[Player] = field(default_factory=list)
    spectators: list[Spectator] = field(default_factory=list)
    network: Proxy | None = None
    newest: dict[str, int] = field(default_factory=dict)  # by match, the last entry that anybody was told is stored

    def dial(self) -> int:
        assert self.network is not None
        return self.network.port

    @property
    def acknowledged(self) -> int:
        return sum(len(player.acknowledged) for player in self.players)

    def matches(self) -> list[str]:
        """Return every match that somebody was told of, in the order in which they were."""
        return list(dict.fromkeys(match for player in self.players for match in player.matches))

    async def enlist(self, players: int, spectators: int, pause_s: float) -> None:
        """Make accounts beside the running server."""
        database = await open_database(self.url)
        accounts = Accounts(database, SystemClock(), Limits(accounts_per_hour=1000))
        for i in range(players + spectators):
            key, name = asyncssh.generate_private_key("ssh-ed25519"), f"person{i:02}"
            await accounts.register(name, key.export_public_key().decode(), "192.0.2.1")
            rng = Random(self.rng.random())
            if i < players:
                game = GAMES[i // 2 % len(GAMES)]
                self.players.append(Player(name, key, self.dial, rng, game, self.newest, pause_s=pause_s))
            else:
                self.spectators.append(Spectator(key, self.dial, rng, self.matches))
        await database.close()

    async def progress(self, more: int) -> None:
        """Wait until so many more actions are acknowledged."""
        wanted = self.acknowledged + more
        async with asyncio.timeout(PATIENCE_S):
            while self.acknowledged < wanted:
                await asyncio.sleep(0.02)

    async def catch_up(self, truths: dict[str, Truth], patience_s: float) -> list[str]:
        """Let a spectator read each of the last matches from its first event to its last; tell which it could not."""
        for match in self.matches()[-4:]:
            try:
                async with asyncio.timeout(patience_s):
                    await self._read(Stretch(match, -1, list(truths[match].events)))
            except TimeoutError:
                return [f"a spectator of {match} can't read it to its end"]
        return []

    async def _read(self, whole: Stretch) -> None:
        spectator = self.spectators[0]
        while whole not in spectator.stretches[-1:]:
            with contextlib.suppress(OSError, asyncssh.Error):
                await spectator.look(whole.match, -1, len(whole.events))


@dataclass(frozen=True)
class Report:
    """What became of it."""

    wrong: list[str]
    acknowledged: int
    matches: int
    stretches: int
    shown: int
    visits: list[int]
    told: Counter[str]
    weather: str

    def __str__(self) -> str:
        codes = ", ".join(f"{n} {code}" for code, n in sorted(self.told.items())) or "none"
        return (
            f"{self.acknowledged} actions acknowledged in {self.matches} matches, "
            f"{self.stretches} spectators' stretches, {self.shown} positions shown to players, "
            f"{sum(self.visits)} logins, refusals: {codes}; network: {self.weather}; wrong: {len(self.wrong)}"
        )


async def through(
    crowd: Crowd, weather: Weather, troubles: Sequence[Trouble], patience_s: float = PATIENCE_S
) -> Report:
    """Let everybody play, with so many actions between two troubles; then calm down, and check."""
    async with proxy(crowd.server.port, weather, Random(crowd.rng.random())) as crowd.network:
        everybody: tuple[Player | Spectator, ...] = (*crowd.players, *crowd.spectators)
        tasks = [asyncio.create_task(one.live()) for one in everybody]
        try:
            for trouble in troubles:
                await crowd.progress(crowd.rng.randrange(*BETWEEN))
                await trouble()
            await crowd.progress(10)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [repr(error) for error in ended if not isinstance(error, asyncio.CancelledError)]
        assert not failed, failed
        truths = await read_truths(crowd.url, crowd.matches())
        unread = await crowd.catch_up(truths, patience_s) if crowd.spectators else []
        network = crowd.network
    stretches = [stretch for one in crowd.spectators for stretch in one.stretches]
    return Report(
        wrong=unread + check(crowd.players, stretches, await read_truths(crowd.url, crowd.matches())),
        acknowledged=crowd.acknowledged,
        matches=len(truths),
        stretches=len(stretches),
        shown=sum(len(player.seen) for player in crowd.players),
        visits=[player.visits for player in crowd.players],
        told=sum((player.told for player in crowd.players), Counter()),
        weather=f"{network.resets} resets, {network.stalls} stalls, {network.dribbles} chunks byte by byte",
    )


def lasting_port() -> int:
    """Return a free port that nobody gets by chance while its server is down: below those that the kernel gives."""
    for port in iter(lambda: SystemRandom().randrange(20_000, 32_000), 0):
        with socket.socket() as sock, contextlib.suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port
    raise AssertionError


def sqlite_server(folder: Path) -> tuple[Server, str]:
    """Return a server with the embedded database, not started, and the database's URL."""
    server = Server(folder / "var", GENEROUS)
    server.port = lasting_port()
    return server, f"sqlite:///{server.data_dir / 'patchbay.db'}"
