"""Matches to play in: a real SQLite database, a clock moved by hand, built-in players that answer at once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, insert, update

from game import registry
from game.choices import expand
from game.contract import Action, Pending, Seat
from game.rng import Rng
from server.accounts.conduct import Conduct
from server.accounts.identity import Player
from server.bus.bus import Exchange, Heard, LocalBus, Payload, Subscription
from server.chat.chat import Chat
from server.clock import Clock
from server.config import Limits
from server.matches.agreement import Agreement
from server.matches.errors import BotFailed
from server.matches.fairqueue import QueuePath
from server.matches.match import Match
from server.matches.matches import Matches
from server.matches.model import NewMatch, Timing
from server.ratings.ratings import RatedMatch, Ratings
from server.store import matches as store
from server.store import tables
from server.store.appends import Effect
from server.store.choose import open_database
from server.store.database import Database, P, T, Work
from server.store.errors import StoreUnavailable
from server.store.logwriter import LogWriter
from tests.agreements import taken
from tests.clocks import FakeClock

MIRA = Player("account", "mira", account_id=1)
TARN = Player("account", "tarn", account_id=2)
LIO = Player("account", "lio", account_id=3)
ZOE = Player("account", "zoe", account_id=4)
GUEST = Player("guest", "guest-x7k2", guest_id="guest-x7k2")
EASY = Player("bot", "bot:easy")
HARD = Player("bot", "bot:hard")
PEOPLE = (MIRA, TARN, LIO, ZOE)
SEED = bytes(range(32))


@dataclass
class InlinePool:
    """Thinks on the spot, with the games' own bots; `asked` counts, `seeds` are what the bots drew from.

    `failures`: why so many of the next questions get no answer. `waited_for`: on whose account each decision was.
    `is_stuck`: it never answers. `thoughts`: how many seconds it thinks in windows, one after the other.
    """

    asked: int = 0
    failures: list[str] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)
    waited_for: list[Sequence[QueuePath]] = field(default_factory=list)
    is_stuck: bool = False
    dropped: int = 0  # thoughts that were called off
    thoughts: list[float] = field(default_factory=list)
    clock: FakeClock = field(default_factory=FakeClock)

    has_free_place = False  # nothing idle: an exhibition would stand still

    async def decide(
        self, game: str, level: str, view: Any, pending: Pending, seed: bytes, paths: Sequence[QueuePath]
    ) -> Action:
        self.asked += 1
        self.waited_for.append(paths)
        self.seeds.append(seed)
        self.levels.append(level)
        if self.failures:
            raise BotFailed(self.failures.pop(0))
        if self.is_stuck:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.dropped += 1
                raise
        if pending.window is not None and self.thoughts:
            await self.clock.sleep(self.thoughts.pop(0))
        if self.answers:
            return Action(self.answers.pop(0))
        return registry.bots(game)[level].decide(view, pending, Rng(seed))

    async def close(self) -> None:
        return None


class NotedRatings(Ratings):
    """The ratings; `rated` keeps what they were asked to rate in a transaction that was committed."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self.rated: list[RatedMatch] = []

    def effect(self, ended: RatedMatch) -> Effect:
        rate = super().effect(ended)

        def rate_and_note(connection: Connection) -> None:
            rate(connection)
            self.rated.append(ended)

        return rate_and_note


@dataclass
class SharedBus:
    """A bus between the processes of one test. `is_deaf`: hints get lost."""

    is_deaf: bool = False
    is_connected: bool = True
    exchange: Exchange = field(default_factory=Exchange)
    databases: list[CountedDatabase] = field(default_factory=list)

    async def start(self) -> None:
        return None

    async def close(self) -> None:
        return None

    def publish(self, topic: str, payload: Payload) -> None:
        if not self.is_deaf:
            self.exchange.deliver_soon(topic, payload)

    def subscribe(self, topic: str, heard: Heard) -> Subscription:
        return self.exchange.subscribe(topic, heard)


@dataclass
class CountedDatabase:
    """A database that knows how many calls are under way, so that a test can wait for all of them."""

    inner: Database
    under_way: int = 0
    rests: asyncio.Event = field(default_factory=asyncio.Event)  # whether nothing is under way
    refusals: int = 0  # so many of the next calls fail, as if the database were away

    @property
    def url(self) -> URL:
        return self.inner.url

    @property
    def is_sqlite(self) -> bool:
        return self.inner.is_sqlite

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self._check()
        return await self._counted(self.inner.read(work, *args, **kwargs))

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self._check()
        return await self._counted(self.inner.write(work, *args, **kwargs))

    async def close(self) -> None:
        await self.inner.close()

    def _check(self) -> None:
        if self.refusals:
            self.refusals -= 1
            raise StoreUnavailable("for the test")

    async def _counted(self, call: Awaitable[T]) -> T:
        self.under_way += 1
        self.rests.clear()
        try:
            return await call
        finally:
            self.under_way -= 1
            if not self.under_way:
                self.rests.set()

    async def settle(self, *others: CountedDatabase) -> None:
        """Come back when nothing is under way, here and at others, and nothing new begins."""
        quiet = 0
        while quiet < 20:
            await asyncio.sleep(0)
            quiet += 1
            for one in (self, *others):
                if one.under_way:
                    await one.rests.wait()  # a loop that only turned would keep the database's threads from running
                    quiet = 0


@dataclass
class Table:
    """The matches under test, with what is around them."""

    clock: FakeClock
    database: CountedDatabase
    matches: Matches
    pool: InlinePool
    ratings: NotedRatings
    conduct: Conduct
    chat: Chat
    databases: list[CountedDatabase]  # of all processes on its bus

    async def begin(self, *players: Player, game: str = "tiny", speed: str = "normal", **more: Any) -> Match:
        agreement = Agreement(game, speed=speed, **taken(more))
        return await self.matches.create(NewMatch(agreement, players, **({"seed": SEED} | more)))

    def skip(self, seconds: float) -> None:
        """Let time pass in which the server runs and nobody does anything."""
        self.clock.shift(seconds)
        self.matches.heartbeat.last_beat = self.clock.now()

    async def wait(self, seconds: float) -> None:
        """Let time pass, a moment at a time, and everything happen that belongs to it."""
        await self.database.settle(*self.databases)
        for _ in range(round(seconds * 4)):
            if not self.clock.is_due(0.25):
                self.clock.shift(0.25)  # nobody wakes
                continue
            await self.clock.advance(0.25)
            await self.database.settle(*self.databases)

    async def play(self, match: Match, seat: int, action: str) -> int:
        """Do something as a player who has seen all that may be seen, now."""
        return await match.act(Seat(seat), action, match.live.shown.seq, self.clock.now())

    async def play_any(self, match: Match, seat: int) -> int:
        """Do the first thing that is offered."""
        pending = match.snapshot(Seat(seat)).pending
        assert pending is not None, f"seat {seat} owes nothing"
        return await self.play(match, seat, next(iter(expand(pending.choice))).text)

    async def play_on(self, match: Match, until: Callable[[], bool]) -> None:
        """Let the people do the first thing that is offered until `until`; bots and windows are waited for."""
        for _ in range(500):
            if until() or match.is_over:
                return
            asked = [one.seat for one in match.live.shown.pending if match.terms.players[one.seat].kind != "bot"]
            seats = [seat for seat in asked if match.snapshot(seat).pending is not None]
            if seats:
                await self.play_any(match, seats[0])
            else:
                await self.wait(0.5)
        raise AssertionError("it does not end")


def bank_ms(match: Match, seat: Seat) -> int:
    """Return what a seat with a clock has left in its bank."""
    left = match.snapshot(seat).seats[seat].bank_ms
    assert left is not None
    return left


def first_answer(pending: Pending | None) -> str:
    assert pending is not None
    return next(iter(expand(pending.choice))).text


@asynccontextmanager
async def open_matches(
    url: str, clock: FakeClock, bus: SharedBus | None = None, timing: Timing | None = None, start: bool = True
) -> AsyncIterator[Table]:
    """Open the matches on a migrated database."""
    database = CountedDatabase(await open_database(url))
    databases = bus.databases if bus is not None else []
    databases.append(database)
    writer = LogWriter(database)
    writer.start()
    pool, ratings, conduct = InlinePool(clock=clock), NotedRatings(database, clock), Conduct(database, clock)
    chat = Chat(database, clock, bus or LocalBus(), Limits(), conduct.mute_of)
    matches = Matches(clock, database, writer, ratings, pool, chat, conduct, bus, timing)
    await chat.start()
    if start:
        await matches.start()
    try:
        yield Table(clock, database, matches, pool, ratings, conduct, chat, databases)
    finally:
        databases.remove(database)
        await matches.close()
        await chat.close()
        await writer.close()
        await database.inner.close()


async def new_database(path: Path, migrated: Path) -> str:
    """Copy the migrated database, with the accounts of this module's people; return its URL."""
    url = f"sqlite:///{shutil.copy(migrated, path / 'patchbay.db')}"
    database = await open_database(url)
    await database.write(store_people)
    await database.close()
    return url


def store_people(connection: Connection) -> None:
    for player in PEOPLE:
        row = {"id": player.account_id, "handle": player.name, "created_at": FakeClock().now()}
        connection.execute(insert(tables.accounts).values(row))


async def kinds(table: Table, match_id: str) -> list[str]:
    """Return the kinds of the entries in the log."""
    return [row.kind for row in await table.database.read(store.log, match_id)]


async def spoil(table: Table, match_id: str) -> None:
    """Make a match's log one that the rules refuse."""
    await table.play_any(await table.matches.open(match_id), 0)
    wrong = update(tables.entries).where(tables.entries.c.match_id == match_id).values(action="no such action")
    await table.database.write(lambda connection: connection.execute(wrong))
