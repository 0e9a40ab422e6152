"""Reading matches from the store: each is folded once, however many ask for it, and a few at a time.

After a restart everybody comes back at once. Folding all their matches side by side would serve the first of them when
the last is done, and ask the database for more connections than it has; reading each by itself would ask it the same
eight questions hundreds of times.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from game.errors import GameError
from game.replay import TAKEBACK, goes_to
from server.errors import Refused
from server.log import get_logger
from server.matches import checkpoint_writer
from server.matches.context import MatchContext
from server.matches.errors import MatchUnreadable, NoSuchMatch
from server.matches.lists import MatchLists, SeatRatings
from server.matches.match import Match
from server.matches.matchlog import MatchLog, from_log
from server.matches.terms import Terms, from_store
from server.store import arrangements
from server.store.arrangements import WholeMatch
from server.store.errors import StoreUnavailable

log = get_logger("matches")
READ_AT_ONCE = 8
UNREADABLE_S = 60.0
Waiting = dict[str, asyncio.Future[Match]]


class Loader:
    """Loads matches; `keep` takes each one in as soon as it is whole, and says which object to use.

    One that can't be read is logged, and not tried again for UNREADABLE_S: most of all not by each sweep.
    """

    def __init__(self, context: MatchContext, lists: MatchLists, keep: Callable[[Match], Match]) -> None:
        self._context = context
        self._lists = lists
        self._keep = keep
        self._loading: dict[str, asyncio.Task[Match]] = {}
        self._waiting: Waiting = {}  # to be read, in the order in which they were asked for
        self._reader: asyncio.Task[None] | None = None
        self._unreadable: dict[str, float] = {}  # until when they are not tried again (monotonic)

    @property
    def unreadable(self) -> int:
        """Return how many matches could not be read."""
        return len(self._unreadable)

    async def load(self, match_id: str) -> Match:
        """Return a match at the end of its log. Raises NoSuchMatch, StoreUnavailable, MatchUnreadable."""
        task = self._loading.get(match_id)
        if task is None:
            if self._unreadable.get(match_id, 0.0) > self._context.clock.monotonic():
                raise MatchUnreadable(match_id)
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id), name=f"load {match_id}")
            task.add_done_callback(lambda done: self._done(match_id, done))
        return await asyncio.shield(task)

    def _done(self, match_id: str, task: asyncio.Task[Match]) -> None:
        self._loading.pop(match_id, None)
        if not task.cancelled():
            task.exception()  # whoever waits hears of it; nobody may be left who does

    async def close(self) -> None:
        """Give up what is being loaded."""
        tasks: list[asyncio.Task[Match] | asyncio.Task[None]] = [*self._loading.values()]
        if self._reader is not None:
            tasks.append(self._reader)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _load(self, match_id: str) -> Match:
        try:
            match = await self._whole(match_id)
        except (MatchUnreadable, GameError) as error:
            log.exception("match.unreadable", match=match_id)
            self._unreadable[match_id] = self._context.clock.monotonic() + UNREADABLE_S
            raise MatchUnreadable(match_id) from error
        self._unreadable.pop(match_id, None)
        return self._keep(match)

    async def _whole(self, match_id: str) -> Match:
        """Read a match, and what is known of it beside its log."""
        folded: asyncio.Future[Match] = asyncio.get_running_loop().create_future()
        self._waiting[match_id] = folded
        if self._reader is None:
            self._reader = asyncio.create_task(self._read_all(), name="load")
        match = await folded
        if match.is_over:
            await match.live.load_rating_changes()
        else:
            await match.compensation.credit_outages()
            await match.conditional_moves.reload()
        await match.origins.learn()
        return match

    async def _read_all(self) -> None:
        """Read and fold what waits, a group at a time."""
        await asyncio.sleep(0)  # whoever else wants a match in this moment comes along
        try:
            while self._waiting:
                group = {match_id: self._waiting.pop(match_id) for match_id in list(self._waiting)[:READ_AT_ONCE]}
                await self._read(group)
        finally:
            self._reader = None

    async def _read(self, group: Waiting) -> None:
        """Read a group in one unit of work, and fold its matches one after the other."""
        try:
            found = await self._context.database.read(arrangements.whole_matches, list(group))
        except StoreUnavailable as error:
            _refuse(group, error)
            return
        except Exception as error:  # rows that can't be read: find the match they are of  # noqa: BLE001
            await self._read_each(group, error)
            return
        reading = [self._terms(found.get(match_id), match_id) for match_id in group]
        read = await asyncio.gather(*reading, return_exceptions=True)  # their ratings come in one read
        for (match_id, asked), terms in zip(group.items(), read, strict=True):
            try:
                if isinstance(terms, BaseException):
                    raise terms
                match = await self._folded(found[match_id], *terms)
            except Refused as error:
                _refuse({match_id: asked}, error)
            except Exception as error:  # the guard of one match: its rules fail  # noqa: BLE001
                _refuse({match_id: asked}, MatchUnreadable(match_id, error))
            else:
                if not asked.done():
                    asked.set_result(match)

    async def _read_each(self, group: Waiting, error: Exception) -> None:
        """Read the matches of a group one by one; the one that alone can't be read is refused."""
        if len(group) == 1:
            [match_id] = group
            _refuse(group, MatchUnreadable(match_id, error))
            return
        for match_id, asked in group.items():
            await self._read({match_id: asked})

    async def _terms(self, loaded: WholeMatch | None, match_id: str) -> tuple[Terms, SeatRatings]:
        if loaded is None:
            raise NoSuchMatch(match_id)
        terms = from_store(loaded.match, loaded.arrangement).marked(self._context.machines)
        return terms, await self._lists.ratings_of(terms.id, terms.game, terms.players)

    async def _folded(self, loaded: WholeMatch, terms: Terms, ratings: SeatRatings) -> Match:
        kept = checkpoint_writer.read(loaded.kept, terms.rules, terms.speed, len(loaded.entries))
        entries = [from_log(row) for row in loaded.entries]
        if kept is not None and any(one.kind == TAKEBACK and goes_to(one) < kept.seq for one in entries[kept.seq :]):
            kept = None  # the match went on from before it
        done = 0 if kept is None else kept.seq
        match = Match(self._context, terms, ratings, MatchLog(terms, kept, entries[:done]))
        self._context.checkpoint_writer.has_kept(terms.id, done)
        for folded, entry in enumerate(entries[done:]):
            await self._context.give_way(folded)
            match.live.log.absorb(entry)
        match.offers.update(loaded.offers, loaded.next_id)
        elsewhere = self._context.presence.connections.seats_elsewhere()
        match.live.attendance.seen_elsewhere(elsewhere.get(terms.id, frozenset()))
        return match


def _refuse(group: Waiting, error: Exception) -> None:
    for asked in group.values():
        if not asked.done():
            asked.set_exception(error)
