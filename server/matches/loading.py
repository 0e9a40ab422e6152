"""Reading matches from the store: each is folded once, however many ask for it, and a few at a time.

After a restart everybody comes back at once. Folding all their matches side by side would serve the first of them when
the last is done, and ask the database for more connections than it has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from game import registry
from server.matches import keeping
from server.matches.errors import NoSuchMatch
from server.matches.house import House
from server.matches.line import Line, from_log
from server.matches.lists import MatchLists
from server.matches.match import YIELD_EVERY, Match
from server.matches.terms import from_store
from server.store import arrangements

FOLDED_AT_ONCE = 4


class Loader:
    """Loads matches; `keep` takes each one in as soon as it is whole, and says which object to use."""

    def __init__(self, house: House, lists: MatchLists, keep: Callable[[Match], Match]) -> None:
        self._house = house
        self._lists = lists
        self._keep = keep
        self._places = asyncio.Semaphore(FOLDED_AT_ONCE)
        self._loading: dict[str, asyncio.Task[Match]] = {}

    async def load(self, match_id: str) -> Match:
        """Return a match at the end of its log. Raises NoSuchMatch, StoreUnavailable."""
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id), name=f"load {match_id}")
            task.add_done_callback(lambda done: self._done(match_id, done))
        return await asyncio.shield(task)

    def _done(self, match_id: str, task: asyncio.Task[Match]) -> None:
        self._loading.pop(match_id, None)
        if not task.cancelled():
            task.exception()  # whoever waits hears of it; nobody may be left who does

    async def close(self) -> None:
        """Give up what is being loaded."""
        tasks = list(self._loading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _load(self, match_id: str) -> Match:
        async with self._places:
            match = await self._folded(match_id)
        if match.is_over:
            await match.load_rating_changes()
        else:
            await match.creditor.settle()
        return self._keep(match)

    async def _folded(self, match_id: str) -> Match:
        loaded = await self._house.database.read(arrangements.whole, match_id)
        if loaded is None:
            raise NoSuchMatch(match_id)
        terms = from_store(loaded.match, loaded.arrangement)
        ratings = await self._lists.ratings_of(terms.id, terms.game, terms.players)
        kept = keeping.read(loaded.kept, registry.get(terms.game), terms.speed, len(loaded.entries))
        done = 0 if kept is None else kept.seq
        match = Match(self._house, terms, ratings, Line(terms, kept, [from_log(row) for row in loaded.entries[:done]]))
        self._house.keeper.has_kept(match_id, done)
        for row in loaded.entries[done:]:
            match.line.absorb(from_log(row))
            if row.seq % YIELD_EVERY == 0:
                await asyncio.sleep(0)  # a long log must not hold up everybody else
        match.dealings.take(loaded.offers, loaded.next_id)
        elsewhere = self._house.whereabouts.seats_elsewhere()
        match.presences.seen_elsewhere(elsewhere.get(match_id, frozenset()))
        return match
