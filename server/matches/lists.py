"""Lists of matches: what is stored, with the ratings, the watchers and who has to move."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from server.accounts.identity import Player
from server.matches.context import MatchContext
from server.matches.deadlines import void_at
from server.matches.fair_shares import in_turn
from server.matches.match import Match
from server.matches.model import MatchQuery, MatchSummary
from server.matches.records import summary
from server.matches.terms import from_store, player_of
from server.matches.visibility import EVERYBODY, Asker, Knowledge, MatchFacts, knowledge
from server.ratings.bradley_terry import Rating
from server.store import matches as store
from server.store.listing import Choose, Listed, listed
from server.store.matches import KnownTo, MatchFilter, MatchPeople, StoredFacts, StoredMatch, StoredSeat

RATINGS_KEPT = 2000
MOST_RUNNING = 1000  # matches of one person that are listed
SeatRatings = tuple[Rating | None, ...]
Summaries = list[MatchSummary]
Stored = list[StoredMatch]
Found = list[Listed]
Ids = list[str]
AllRatings = list[SeatRatings]


class MatchLists:
    """Answers what matches there are. `opened` finds the ones whose fold is at hand."""

    def __init__(self, context: MatchContext, opened: Callable[[str], Match | None]) -> None:
        self._context = context
        self._opened = opened
        self._ratings: dict[str, SeatRatings] = {}

    async def list(self, query: MatchQuery) -> Summaries:
        """Return the matches that fit, newest first. Raises StoreUnavailable."""
        elsewhere = self._context.presence.connections.watchers_elsewhere()
        found = await self._stored(query)
        ratings, lines = await self._ratings_of_all([one.match for one in found]), Summaries()
        for n, (one, rated) in enumerate(zip(found, ratings, strict=True)):
            await self._context.give_way(n)  # many may ask for long lists at once
            if (knows := knowledge(facts_of_row(one), query.asker)) is not Knowledge.NOTHING:
                watchers = len(set(elsewhere.get(one.match.id, {}).values()))
                lines.append(self._summary(one, rated, watchers, knows, query.player))
        return lines

    async def of_person(self, player: Player) -> Summaries:
        """Return what a person plays now; newest first."""
        return await self.list(_running(player)) if _is_anybody(player) else []

    async def ids_of_person(self, player: Player) -> Ids:
        """Return the ids of what a person plays now; newest first."""
        return [one.match.id for one in await self._stored(_running(player))] if _is_anybody(player) else []

    async def known(self, ids: Collection[str], asker: Asker) -> dict[str, StoredFacts]:
        """Return those of these matches, by id, that somebody may know of. Raises StoreUnavailable."""
        found = await self._context.database.read(store.facts, list(ids))
        return {key: one for key, one in found.items() if knowledge(facts_of_stored(one), asker)}

    async def last_end(self, account_id: int) -> datetime | None:
        """Return when the last one of an account's matches ended, also where its end is withheld."""
        return await self._context.database.read(store.last_end, account_id)

    async def _stored(self, query: MatchQuery) -> Found:
        account, guest, me = query.account_id, None, query.asker.player
        if query.player is not None:
            account, guest = query.player.account_id, query.player.guest_id
        known_to = KnownTo(rooms=tuple(sorted(query.asker.rooms)))
        if me is not None:
            known_to = replace(known_to, account_id=me.account_id, guest_id=me.guest_id)
        is_own = (account, guest) != (None, None) and (account, guest) == (known_to.account_id, known_to.guest_id)
        wanted = MatchFilter(
            game=query.game,
            statuses=tuple(sorted(query.statuses)),
            account_id=account,
            guest_id=guest,
            known_to=None if is_own else known_to,
            limit=query.limit,
            before=query.before,
        )
        return await self._context.database.read(listed, wanted, self._context.clock.now(), self._choose(query))

    def _choose(self, query: MatchQuery) -> Choose | None:
        """Return what chooses among too many: of those that run, some of everybody's; else nothing does."""
        is_somebodys = query.account_id is not None or query.player is not None or query.asker != EVERYBODY
        if is_somebodys or not query.statuses or not query.statuses <= set(store.RUNNING):
            return None
        return partial(some_of_everybodys, query.limit, self._context.presence.connections.guest_sources())

    async def _ratings_of_all(self, found: Stored) -> AllRatings:
        """Return the ratings of stored matches at their start; those that are not known are asked for together."""
        known = [self._ratings.get(stored.id) for stored in found]
        missing = [stored for stored, rated in zip(found, known, strict=True) if rated is None]
        machines = self._context.machines
        matches = list[tuple[str, str, tuple[Player, ...]]]()
        for n, one in enumerate(missing):
            await self._context.give_way(n)
            matches.append((one.id, one.game, from_store(one).marked(machines).players))
        asked = await self._context.ratings.at_start(matches) if missing else []
        for stored, rated in zip(missing, asked, strict=True):
            self.remember(stored.id, rated)
        fresh = iter(asked)
        return [next(fresh) if rated is None else rated for rated in known]

    def _summary(
        self, found: Listed, ratings: SeatRatings, watchers: int, knows: Knowledge, asker: Player | None
    ) -> MatchSummary:
        """Return one line of a list, with as much as may be known."""
        line = self._line(found, ratings, watchers, knows, asker)
        seats = (replace(seat, player=self._context.machines.marked(seat.player)) for seat in line.seats)
        return replace(line, seats=tuple(seats))

    def _line(
        self, found: Listed, ratings: SeatRatings, watchers: int, knows: Knowledge, asker: Player | None
    ) -> MatchSummary:
        stored = found.match
        if knows is Knowledge.EXISTENCE:
            return replace(summary(found, ratings, 0), seq=0, is_closed=True)
        opened = self._opened(stored.id)
        match = None if opened is None else opened.live
        to_act = () if match is None else match.owing(asker)
        watchers = watchers if match is None else match.attendance.gallery_size
        if match is None:
            return summary(found, ratings, watchers)
        shown = match.shown
        deadlines = ((seat, shown.clocks.deadline(seat)) for seat in to_act)
        due = tuple((seat, deadline) for seat, deadline in deadlines if deadline is not None)
        bots = () if match.is_over else shown.fold.bots  # what is over tells the same once it has left the memory
        line = summary(found, ratings, watchers, to_act, match.out, bots)
        return replace(line, due=due, void_at=void_at(shown), moved_at=match.log.moment(shown.seq))

    async def ratings_of(self, match_id: str, game: str, players: tuple[Player, ...]) -> SeatRatings:
        """Return what the seats are rated; asked once for each match, so it stays what it was at the start."""
        if (known := self._ratings.get(match_id)) is None:
            [known] = await self._context.ratings.at_start([(match_id, game, players)])
            self.remember(match_id, known)
        return known

    def remember(self, match_id: str, ratings: SeatRatings) -> None:
        """Keep what the seats are rated at the start."""
        if len(self._ratings) >= RATINGS_KEPT and match_id not in self._ratings:
            self._ratings.pop(next(iter(self._ratings)))
        self._ratings[match_id] = ratings


def some_of_everybodys(most: int, sources: Mapping[str, str], found: Sequence[MatchPeople]) -> Ids:
    """Return the ids of at most so many matches: in turn by their people, those of two or more people before others.

    `sources`: where guests come from. All guests of one address are one person here.
    """

    def persons(one: MatchPeople) -> tuple[str, ...]:
        return one.persons

    def shares(one: MatchPeople) -> tuple[str, ...]:
        return tuple({sources.get(person, person) for person in one.persons})

    dealt = sorted(in_turn(found, persons, shares), key=lambda one: len(one.persons) < 2)
    return [one.id for one in dealt[:most]]


def by_urgency(found: Iterable[MatchSummary], player: Player) -> Summaries:
    """Sort somebody's running matches: those that wait for them first, by the time that is left."""

    def key(one: MatchSummary) -> tuple[bool, bool, float]:
        mine = [seat.seat for seat in one.seats if seat.player.is_same_person(player)]
        waits = one.waits_for(player)
        due = min((at.timestamp() for seat, at in one.due if not waits or seat in mine), default=None)
        return not waits, due is None, due or -one.started_at.timestamp()

    return sorted(found, key=key)


def _is_anybody(player: Player) -> bool:
    return player.account_id is not None or player.guest_id is not None


def facts_of_row(found: Listed) -> MatchFacts:
    """Return what decides who may know of a listed match."""
    stored = found.match
    is_open = stored.status not in store.RUNNING or bool(found.arrangement.get("watchable", True))
    return MatchFacts(stored.id, _players(stored.seats), stored.private, stored.shared, stored.room, is_open)


def facts_of_stored(stored: StoredFacts) -> MatchFacts:
    """Return the same of a match of which no more was read; how it goes is not asked about."""
    return MatchFacts(stored.id, _players(stored.players), stored.private, stored.shared, stored.room)


def _players(held: Iterable[StoredSeat]) -> tuple[Player, ...]:
    return tuple(player_of(one) for one in held)


def _running(player: Player) -> MatchQuery:
    return MatchQuery(player=player, asker=Asker(player), limit=MOST_RUNNING)
