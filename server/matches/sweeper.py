"""What a process does for its matches again and again: timeouts that are due, and news of which no hint told."""

from __future__ import annotations

from datetime import timedelta

from game.contract import Seat
from server.log import get_logger
from server.matches.context import MatchContext
from server.matches.deadlines import due_at
from server.matches.match import Match
from server.matches.open_matches import OpenMatches
from server.store import arrangements, conditional_moves, origins
from server.store import matches as store
from server.store.errors import StoreUnavailable

log = get_logger("matches")
GUESTS_EVERY = 10  # polls between two looks for matches whose guests are gone
TIDY_EVERY = 1_000  # polls between two looks at what is kept of matches that no process has open any more
DUE_AT_ONCE = 100  # matches that one sweep looks at, besides those that stand still for good


class Sweeper:
    """Looks after the matches of this process, and at those of all that are due; its owner repeats it."""

    def __init__(self, context: MatchContext, opened: OpenMatches) -> None:
        self._context = context
        self._connections = context.presence.connections
        self._opened = opened
        self._polls = 0

    async def sweep(self) -> None:
        """Write the timeouts that are due, and move the bots that nobody moved."""
        if self._context.is_draining:
            return
        before = self._context.clock.now() - timedelta(seconds=self._context.timing.late)
        due = await self._context.database.read(store.due, before, DUE_AT_ONCE + self._opened.stuck)
        if due and not await self._context.outages_credited():
            return  # time that nobody could use must be given back first
        for match_id in due:
            if (match := await self._opened.open_if_readable(match_id)) is not None:
                await self._time_out(match)
                match.autopilot.attend()
                await self._put_off(match)

    async def _put_off(self, match: Match) -> None:
        """Don't look at a match again only for its bots while nobody is there. Raises StoreUnavailable."""
        head = match.live.log.head
        if head.is_live and not match.autopilot.is_awaited:
            deadline = due_at(match.terms, head, with_bots=False)
            await self._context.database.write(store.put_off, match.id, head.seq, deadline)

    async def _time_out(self, match: Match) -> None:
        """Write a match's timeouts. What fails there stops no other match. Raises StoreUnavailable."""
        try:
            await match.autopilot.time_out()
        except StoreUnavailable:
            raise
        except Exception:  # the guard of one match: what its end brings can't be stored
            log.exception("match.not-timed-out", match=match.id)

    async def poll(self) -> None:
        """Compare what is open here with the store, for what no hint told of; forget what nobody looks at."""
        self._polls += 1
        self._opened.forget_idle()
        await self._poll_origins()
        await self._poll_conditions()
        await self._poll_logs()
        self._see_elsewhere()
        if self._polls % GUESTS_EVERY == 0:
            await self.wake_guest_matches()
        if self._polls % TIDY_EVERY == 1:
            await self._context.database.write(origins.tidy, self._context.clock.now())
            await self._context.database.write(arrangements.tidy, self._context.clock.now())

    async def _poll_logs(self) -> None:
        """Learn of entries and offers that another process has stored, and of those that the store has lost."""
        known = {
            match.id: match.live.log.head.seq for match in self._opened if not match.is_over or match.live.is_watched
        }  # more may come while the store is read
        if not known:
            return
        over = [match.id for match in self._opened if match.id in known and match.is_over]
        last, offers, following = await self._context.database.read(arrangements.progress_of, list(known), over)
        for match_id, seq in last.items():
            if (match := self._opened.get(match_id)) is None:
                continue
            if seq > match.live.log.head.seq:
                await match.live.catch_up()
            elif seq < known[match_id]:
                await match.live.mend()
            match.offers.update(offers.get(match_id, ()), following.get(match_id, match.offers.next_match))

    async def _poll_conditions(self) -> None:
        """Learn of conditional moves that another process has stored, and open the matches in which one is due."""
        if self._context.is_draining:
            return
        shown = [match.id for match in self._opened if match.conditional_moves.are_possible]
        found, due = await self._context.database.read(conditional_moves.standing, shown)
        for match_id in shown:
            if (match := self._opened.get(match_id)) is not None:
                match.conditional_moves.update(found.get(match_id, ()))
        for match_id in due:
            if match_id not in self._opened:
                await self._opened.open_if_readable(match_id)

    async def _poll_origins(self) -> None:
        """Learn where players came from to other processes."""
        needed = [match.id for match in self._opened if match.origins.are_needed]
        found = await self._context.database.read(origins.all_of, needed) if needed else {}
        for match in self._opened:
            await match.origins.poll(found.get(match.id, frozenset()))

    def _see_elsewhere(self) -> None:
        """Show who is connected to other processes."""
        seats, watchers = self._connections.seats_elsewhere(), self._connections.watchers_elsewhere()
        for match in self._opened:
            match.live.attendance.seen_elsewhere(seats.get(match.id, frozenset()), watchers.get(match.id, {}))

    async def wake_guest_matches(self) -> None:
        """Open the matches in which guests sit who are connected nowhere: their seats are given up in time."""
        found = await self._context.database.read(store.live_with_guests)
        connected = self._connections.seats_elsewhere()
        for match_id, seats in found.items():
            guests = frozenset(map(Seat, seats))
            if match_id not in self._opened and guests - connected.get(match_id, frozenset()):
                await self._opened.open_if_readable(match_id)
