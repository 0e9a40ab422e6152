"""People who play rated matches through the real ratings service and a real store, a moment after the other."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from sqlalchemy import Connection

from server.accounts.identity import Player
from server.ratings.ladders import ladder_of
from server.ratings.played import WHOLE, HowPlayed, Leaver, part_played
from server.ratings.ratings import RatedMatch, Ratings
from server.store import accounts, matches, personal_data
from server.store.database import Database
from server.store.logwriter import LogWriter
from server.store.matches import StoredSeat
from server.store.ratings import RatingChange
from tests.clocks import FakeClock
from tests.store.builders import append, match

USUAL = 40  # decisions of RaiNet
SCALE = 400  # points of Elo's: 400 points stronger wins ten times as often as it loses


@dataclass
class World:
    """Accounts, their matches, and a clock that moves ten minutes with each of these."""

    database: Database
    rng: random.Random
    clock: FakeClock = field(default_factory=FakeClock)
    matches: int = 0
    people: int = 0

    def __post_init__(self) -> None:
        self.ratings, self.writer = Ratings(self.database, self.clock), LogWriter(self.database)
        self.writer.start()

    async def join(self, n: int = 1) -> list[Player]:
        """Register accounts."""
        names = [f"player{self.people + i}" for i in range(n)]
        self.people += n

        def work(connection: Connection) -> list[Player]:
            now = self.clock.now()
            made = [accounts.create(connection, name, [name], now) for name in names]
            return [Player("account", account.handle, account.id) for account in made]

        return await self.database.write(work)

    async def leave(self, player: Player) -> None:
        """Delete an account."""
        await self.database.write(personal_data.delete_account, player.account_id or 0, self.clock.now())

    async def play(
        self, table: Sequence[Player], places: Sequence[Sequence[int]], played: HowPlayed = WHOLE, game: str = "rainet"
    ) -> str:
        """Play a rated match to its end; return its id."""
        self.matches += 1
        self.clock.shift(600)
        match_id, now = f"m{self.matches}", self.clock.now()
        seats = [StoredSeat(player.kind, player.name, player.account_id) for player in table]
        stored = match(match_id, *seats, game=game, rated=True, private=played.private, started_at=now)
        await self.database.write(matches.create, stored)
        tiers = tuple(map(tuple, places))
        finish = matches.finish(match_id, {"reason": "x", "placements": [*map(list, tiers)]}, "00", now)
        rated = self.ratings.effect(RatedMatch(match_id, game, tuple(table), tiers, played))
        await self.writer.append(append(match_id, 1, finish, rated))
        return match_id

    async def beat(self, winner: Player, loser: Player, played: HowPlayed = WHOLE) -> str:
        """Let one win against the other, by the rules."""
        return await self.play([winner, loser], [[0], [1]], played)

    async def give_up(
        self, winner: Player, loser: Player, decisions: int = USUAL, *, near: bool = False, private: bool = False
    ) -> str:
        """Let one resign (or time out, or leave) to the other after so many decisions."""
        left = Leaver(1, frozenset((0,)), part_played(decisions, USUAL))
        return await self.beat(winner, loser, HowPlayed((left,), near=[(0, 1)] if near else (), private=private))

    async def contest(self, one: Player, other: Player, stronger_by: float = 0) -> str:
        """Let two play in earnest."""
        wins = self.rng.random() < 1 / (1 + 10 ** (-stronger_by / SCALE))
        return await (self.beat(one, other) if wins else self.beat(other, one))

    async def population(self, n: int = 12, each: int = 32) -> list[Player]:
        """Return people of equal strength who have played so many matches with each other."""
        people = await self.join(n)
        for i in range(each * n // 2):
            step = 1 + i // n % (n - 1)
            one = people[i % n]
            await self.contest(one, people[(i % n + step) % n])
        return people

    async def shown(self, player: Player, game: str = "rainet", n_seats: int = 2) -> int:
        """Return somebody's rating."""
        return (await self.ratings.of(player.account_id or 0, ladder_of(game, n_seats, 0))).shown

    async def curve(self, player: Player, ladder: str = "rainet") -> list[RatingChange]:
        """Return somebody's changes."""
        return await self.ratings.history(player.account_id or 0, ladder, 10_000)


def highest_rise(curve: Sequence[RatingChange], within: timedelta = timedelta(days=1)) -> float:
    """Return the most points that a rating rose by within a day, from before any match to after a later one."""
    rises = [
        (later.mu_after - earlier.mu_before) * 40
        for i, earlier in enumerate(curve)
        for later in curve[i:]
        if earlier.at is not None and later.at is not None and later.at - earlier.at < within
    ]
    return max(rises, default=0.0)


def gained(curve: Sequence[RatingChange], ids: Collection[str]) -> float:
    """Return how many points these matches have brought."""
    return sum((change.mu_after - change.mu_before) * 40 for change in curve if change.match_id in ids)
