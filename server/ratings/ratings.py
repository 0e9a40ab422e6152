"""The ratings service. Its tables are a projection of the matches: `rebuild` computes them again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from typing import Literal

from sqlalchemy import Connection

from server.accounts.identity import Player
from server.clock import Clock
from server.ratings.bradley_terry import SETTLED_AFTER, Rating, rated, shown
from server.ratings.ladders import is_of_machines, ladder_of
from server.ratings.played import WHOLE, HowPlayed
from server.ratings.weights import (
    KNOWN_AFTER,
    KNOWN_BY,
    LOOKED_BACK,
    SETTLED,
    KnownRating,
    MatchWeights,
    can_count,
    read,
    step,
    weigh,
)
from server.store import ladders
from server.store import matches as stored_matches
from server.store import ratings as stored
from server.store.accounts import strike_below, strikes_since
from server.store.appends import Effect
from server.store.database import Database
from server.store.matches import StoredMatch
from server.store.ratings import LadderRow
from server.store.ratings import RatingChange as RatingChange

SOURCE_PER_DAY = 40  # rated matches with two people from one address; a family or a club plays fewer
PAIR_PER_DAY = 12  # rated matches of the same two people; more are casual, against rating farming
STRIKE = "rated-source"
DAY = timedelta(days=1)
REBUILD_AT_ONCE = 500
Key = tuple[int, str]  # account, ladder
Casual = Literal["few", "often", "source"]  # why a match is not rated
Places = Sequence[Sequence[int]]  # tiers of seats, best first


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match that has ended: players by seat, placements, and how it was played."""

    match_id: str
    game: str
    players: tuple[Player, ...]
    placements: Places
    played: HowPlayed = WHOLE


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of a leaderboard."""

    place: int
    account_id: int
    handle: str
    rating: Rating


def curve_of(changes: Sequence[RatingChange]) -> tuple[int, ...]:
    """Return the ratings that were shown before the first of these changes and after each."""
    first = [shown(changes[0].mu_before)] if changes else []
    return (*first, *(shown(change.mu_after) for change in changes))


class Ratings:
    """Ratings as they may be shown: a match whose end is withheld has changed nothing yet."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def effect(self, ended: RatedMatch) -> Effect:
        """Return the effect that rates a match, to run after `matches.finish` in the same transaction."""
        seats = [player.account_id if player.kind == "account" else None for player in ended.players]
        return lambda connection: rate(connection, ended.match_id, ended.game, seats, ended.placements, ended.played)

    async def of(self, account_id: int, ladder: str) -> Rating:
        """Return somebody's rating; without a rated match, the initial one."""
        found = await self._database.read(ladders.standings, [(account_id, ladder)], self._clock.now())
        return _rating(found.get((account_id, ladder)))

    async def of_seats(self, game: str, players: Sequence[Player]) -> tuple[Rating | None, ...]:
        """Return the ratings of a match's players; None for guests and bots."""
        return (await self._today([(game, players)]))[0]

    async def at_start(self, matches: Sequence[tuple[str, str, Sequence[Player]]]) -> list[tuple[Rating | None, ...]]:
        """Return the ratings from which matches began, each an id, a game and its players.

        A rating that a match has not changed is today's.
        """
        changed = await self._database.read(stored.before_matches, [match_id for match_id, _, _ in matches])
        today = await self._today([(game, players) for _, game, players in matches])
        return [
            tuple(
                _rating(changed[match_id, seat]) if (match_id, seat) in changed else rating
                for seat, rating in enumerate(ratings)
            )
            for (match_id, _, _), ratings in zip(matches, today, strict=True)
        ]

    async def _today(self, matches: Sequence[tuple[str, Sequence[Player]]]) -> list[tuple[Rating | None, ...]]:
        """Return the ratings of several matches' players, with one query."""
        asked = [_keys_of(game, players) for game, players in matches]
        wanted = [key for keys in asked for key in keys if key is not None]
        found = await self._database.read(ladders.standings, wanted, self._clock.now()) if wanted else {}
        return [tuple(None if key is None else _rating(found.get(key)) for key in keys) for keys in asked]

    async def all_of(self, account_id: int) -> dict[str, Rating]:
        """Return somebody's ratings by ladder."""
        rows = await self._database.read(ladders.of_account, account_id, self._clock.now())
        return {row.ladder: _rating(row) for row in rows}

    async def changes(self, match_id: str) -> dict[int, tuple[int, int]]:
        """Return the shown ratings before and after a rated match, by seat."""
        made = await self._database.read(stored.changes_of_match, match_id)
        return {change.seat: (shown(change.mu_before), shown(change.mu_after)) for change in made}

    async def reasons(self, match_id: str) -> dict[int, str]:
        """Return why a rated match counted less than in full, by seat (`weights.Why`)."""
        made = await self._database.read(stored.changes_of_match, match_id)
        return {change.seat: change.why for change in made if change.why is not None}

    async def top(self, ladder: str, limit: int = 50) -> list[Ranked]:
        """Return the leaderboard: those with enough matches."""
        rows = await self._database.read(
            ladders.top, ladder, SETTLED_AFTER, limit, self._clock.now(), is_of_machines(ladder)
        )
        return [Ranked(place, row.account_id, row.handle, _rating(row)) for place, row in enumerate(rows, 1)]

    async def history(self, account_id: int, ladder: str, limit: int = 200) -> list[RatingChange]:
        """Return somebody's last changes on a ladder, oldest first."""
        return await self._database.read(ladders.history, account_id, ladder, limit, self._clock.now())

    async def begins_casual(self, players: Sequence[Player], shared: Collection[str]) -> bool:
        """Count a rated match that begins, by the sources that several people come from; True: it can't be rated."""
        if await self.casual_because(players, shared) is not None:
            return True
        now = self._clock.now()

        def work(connection: Connection) -> bool:  # others may have begun theirs at this moment
            counted = [strike_below(connection, STRIKE, one, now, now - DAY, SOURCE_PER_DAY) for one in sorted(shared)]
            return not all(counted)

        return bool(shared) and await self._database.write(work)

    async def casual_because(self, players: Sequence[Player], shared: Collection[str] = ()) -> Casual | None:
        """Return why these people can't begin a rated match now, None where they can.

        `shared`: the sources that several of them come from. "few": a guest among them, or fewer than two. "often": two
        of them have played each other too often today. "source": too many such matches were begun from one source.
        """
        if not can_count(players):
            return "few"
        ids = [player.account_id for player in players if player.account_id is not None]
        since = self._clock.now() - DAY
        pairs = list(combinations(ids, 2))

        def work(connection: Connection) -> Casual | None:
            if any(stored.rated_together(connection, *pair, since) >= PAIR_PER_DAY for pair in pairs):
                return "often"
            begun = (len(strikes_since(connection, STRIKE, source, since)) for source in shared)
            return "source" if any(count >= SOURCE_PER_DAY for count in begun) else None

        return await self._database.read(work)

    async def rebuild(self) -> int:
        """Compute all ratings again from the finished matches; return how many counted."""
        prepared = await self._database.read(project, Projection())
        return await self._database.write(rebuild, prepared)


def rate(
    connection: Connection,
    match_id: str,
    game: str,
    seats: Sequence[int | None],
    places: Places,
    played: HowPlayed = WHOLE,
) -> None:
    """Rate one match, and store its places and weights. Called in the order in which matches end.

    `seats` holds account ids. One that people began too often, many at once, does not count.
    """
    if _is_one_too_many(connection, match_id, seats):
        return
    finish_no, ended_at = stored.set_places(connection, match_id, places)
    keys = rated_keys(game, seats, places, played.machines)
    known = {key: _rating(row) for key, row in stored.standings(connection, keys.values()).items()}
    standings = {seat: _standing(connection, key, known.get(key, Rating()), ended_at) for seat, key in keys.items()}
    weights = weigh(standings, places, played)
    stored.set_weights(connection, match_id, weights.stored())
    made = changes(match_id, keys, weights, finish_no, known)
    stored.put(connection, [LadderRow(c.account_id, c.ladder, r.mu, r.sigma, r.matches) for c, r in made])
    stored.add_changes(connection, [change for change, _ in made])


def _is_one_too_many(connection: Connection, match_id: str, seats: Sequence[int | None]) -> bool:
    """Tell whether two of these people had begun as many rated matches with each other as they may in a day.

    `casual_because` asks before a match is stored: of many that begin at once, none finds the others.
    """
    since = stored.began_at(connection, match_id) - DAY
    pairs = combinations((seat for seat in seats if seat is not None), 2)
    return any(stored.rated_together(connection, *pair, since, match_id) >= PAIR_PER_DAY for pair in pairs)


def _standing(connection: Connection, key: Key, rating: Rating, now: datetime) -> KnownRating:
    """Return what the store knows of a rating before a match that ends now."""
    made = stored.lately(connection, *key, now - DAY)
    counted = made if rating.matches < SETTLED else made[: rating.matches - SETTLED]  # those since it was settled
    lowest = min([rating.mu, *(min(one.mu_before, one.mu_after) for one in counted)])
    recent, met = stored.opponents(connection, *key, LOOKED_BACK)
    is_known = rating.matches >= KNOWN_AFTER and met >= min(KNOWN_BY, recent)
    return KnownRating(rating, is_known, lowest, sum(one.loose or 0.0 for one in made))


def rated_keys(
    game: str, seats: Sequence[int | None], places: Places, machines: Collection[int] = ()
) -> dict[int, Key]:
    """Return whose ratings a match changes, by seat: of nobody where fewer than two are, or one person sits twice.

    Who sits on one of the seats `machines` has the rating on the ladder of machines changed.
    """
    keys = _keys(game, seats, machines)
    placed = sorted(seat for tier in places for seat in tier)
    found = {seat: key for seat in placed if (key := keys[seat]) is not None}
    return found if len(set(found.values())) >= max(2, len(found)) else {}


def changes(
    match_id: str, keys: Mapping[int, Key], weights: MatchWeights, finish_no: int, known: Mapping[Key, Rating]
) -> list[tuple[RatingChange, Rating]]:
    """Return the changes of one match to ratings, and the ratings after it."""
    before = {seat: known.get(key, Rating()) for seat, key in keys.items()}
    made = []
    for seat, key in keys.items():
        old, held = before[seat], weights.seats[seat]
        new, loose = step(old, held.against, before)
        spread = old.mu, old.sigma, new.mu, new.sigma
        made.append((RatingChange(match_id, *key, seat, finish_no, *spread, loose, weights.thin, held.why), new))
    return made


def unweighed_changes(
    match_id: str, keys: Mapping[int, Key], places: Places, finish_no: int, known: Mapping[Key, Rating]
) -> list[tuple[RatingChange, Rating]]:
    """Return the changes of a match that was rated before there were weights: all counted in full, together."""
    tier_of = {seat: tier for tier, held in enumerate(places) for seat in held}
    before = [known.get(key, Rating()) for key in keys.values()]
    after = rated(before, [tier_of[seat] for seat in keys]) if keys else []
    return [
        (RatingChange(match_id, *key, seat, finish_no, old.mu, old.sigma, new.mu, new.sigma), new)
        for (seat, key), old, new in zip(keys.items(), before, after, strict=True)
    ]


@dataclass(slots=True)
class Projection:
    """All ratings worked out from the matches that ended up to number `last`, in the order in which they ended."""

    known: dict[Key, Rating] = field(default_factory=dict)
    made: list[RatingChange] = field(default_factory=list)
    last: int = 0
    counted: int = 0


def project(connection: Connection, begun: Projection) -> Projection:
    """Continue a projection with the matches that have ended since; nothing is stored."""
    for match in _counted(connection, begun.last):
        number = match.finish_no or 0
        for change, after in _stored_changes(match, number, begun.known):
            begun.known[change.account_id, change.ladder] = after
            begun.made.append(change)
        begun.last = number
        begun.counted += 1
    return begun


def _stored_changes(match: StoredMatch, number: int, known: Mapping[Key, Rating]) -> list[tuple[RatingChange, Rating]]:
    places, seats = match.rated_places or (), [seat.account_id for seat in match.seats]
    if match.rated_by is None:
        return unweighed_changes(match.id, rated_keys(match.game, seats, places), places, number, known)
    weights = read(match.rated_by)
    return changes(match.id, rated_keys(match.game, seats, places, weights.machines), weights, number, known)


def differing(connection: Connection) -> list[Key]:
    """Compute all ratings again in memory; return the (account, ladder) pairs that differ from the stored ones."""
    known = project(connection, Projection()).known
    held = {(row.account_id, row.ladder): _rating(row) for row in stored.everybody(connection)}
    return sorted(key for key in known.keys() | held.keys() if known.get(key) != held.get(key))


def rebuild(connection: Connection, prepared: Projection | None = None) -> int:
    """Compute all ratings again in this transaction; return how many matches counted.

    `prepared` was computed before, which keeps this transaction short. It is dropped when a
    match that it counted has been declared void meanwhile.
    """
    if prepared is None or stored.count_rated(connection, prepared.last) != prepared.counted:
        prepared = Projection()
    whole = project(connection, prepared)
    rows = [LadderRow(*key, rating.mu, rating.sigma, rating.matches) for key, rating in sorted(whole.known.items())]
    stored.replace_all(connection, rows, whole.made)
    return whole.counted


def _counted(connection: Connection, last: int) -> Iterator[StoredMatch]:
    """Yield the matches that changed ratings, from the one after number `last`, in the order in which they ended."""
    while page := stored_matches.finished_in_order(connection, last, REBUILD_AT_ONCE):
        last = page[-1].finish_no or last
        yield from (match for match in page if match.rated_places is not None)


def _keys_of(game: str, players: Sequence[Player]) -> list[Key | None]:
    machines = [seat for seat, player in enumerate(players) if player.is_machine]
    return _keys(game, [player.account_id for player in players], machines)


def _keys(game: str, seats: Sequence[int | None], machines: Collection[int] = ()) -> list[Key | None]:
    held = enumerate(seats)
    return [None if who is None else (who, ladder_of(game, len(seats), seat, seat in machines)) for seat, who in held]


def _rating(row: LadderRow | None) -> Rating:
    return Rating() if row is None else Rating(row.mu, row.sigma, row.matches)
