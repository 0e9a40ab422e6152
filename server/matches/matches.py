"""All matches of this process: beginning, opening and listing them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from game.contract import Seat
from game.errors import GameError
from game.replay import Entry
from server.accounts.conduct import Conduct
from server.accounts.identity import MODERATOR, Identity, Player
from server.accounts.machines import MarkedAccounts
from server.admission.reading import ENTRY_MS, ReadingBudget
from server.bus.bus import Bus
from server.chat.chat import Chat
from server.clock import Clock
from server.log import get_logger
from server.matches import records
from server.matches.branch import branch_of, copied
from server.matches.checkpoint import Checkpoint
from server.matches.context import DeciderPool, MatchContext
from server.matches.deadlines import due_at
from server.matches.errors import Draining, MatchOver, MatchRefused, NoSuchMatch
from server.matches.heartbeat import Heartbeat
from server.matches.hints import Hints, MatchHint
from server.matches.lists import SeatRatings
from server.matches.match import Match
from server.matches.match_quota import BegunMatches
from server.matches.match_rate_limit import PER_DAY, PER_MIN, Beginnings
from server.matches.matchlog import from_log, to_log
from server.matches.model import MatchQuery, MatchSummary, NewMatch, Timing, WaitingOffer
from server.matches.open_matches import OpenMatches
from server.matches.own_events import OwnEvents
from server.matches.playable import terms_of
from server.matches.server_events import ending
from server.matches.sweeper import Sweeper
from server.matches.terms import Terms, to_store
from server.matches.vacations import Vacations
from server.matches.visibility import EVERYBODY, Asker, Knowledge, check_sight, knowledge
from server.periodic import Work, attempt, repeat
from server.presence.presence import Presence
from server.ratings.ratings import Ratings
from server.store import arrangements
from server.store import matches as store
from server.store.accounts import handles_of
from server.store.appends import Append, LogEntry
from server.store.arrangements import RematchTaken
from server.store.database import Database
from server.store.errors import StoreUnavailable
from server.store.logwriter import LogWriter
from server.store.matches import StoredMatch

log = get_logger("matches")
SWEEP_S, KEEP_S = 0.5, 2.0
Summaries = list[MatchSummary]
Ids = list[str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A match that could begin now, and the rows to store for it."""

    match: Match
    stored: StoredMatch
    arrangement: Mapping[str, Any]
    ratings: SeatRatings


class Matches:
    """The matches. `start` before use, `close` at the end."""

    def __init__(
        self,
        clock: Clock,
        database: Database,
        writer: LogWriter,
        ratings: Ratings,
        pool: DeciderPool,
        chat: Chat,
        conduct: Conduct,
        bus: Bus | None = None,
        timing: Timing | None = None,
        presence: Presence | None = None,
        machines: MarkedAccounts | None = None,
        beginnings_per_min: int = PER_MIN,
        beginnings_per_day: int = PER_DAY,
        reading: ReadingBudget | None = None,
    ) -> None:
        self.presence = presence or Presence()
        self.connections = self.presence.connections
        timing = timing or Timing()
        self.heartbeat = Heartbeat(clock, database, timing, self.connections, self._credit_outages)
        self.context = MatchContext(
            clock,
            database,
            writer,
            pool,
            timing,
            ratings,
            self.presence,
            self._hint,
            self._begin_rematch,
            self.heartbeat,
            Beginnings(clock, self.connections, beginnings_per_min, beginnings_per_day),
            chat,
            conduct,
            machines or MarkedAccounts(),
        )
        self.reading = reading or ReadingBudget(clock.monotonic)
        self.begun = BegunMatches(database, clock, self.connections, self.context.tasks)
        self.hints = Hints(bus, self.connections.process_id, self.context.tasks)
        self.on_begin: list[Callable[[Match, str | None], None]] = []  # a match, and the one it is the rematch of
        self.on_offers = self.context.on_offers  # a match's id: what is offered there has changed
        self.on_end = self.context.on_end  # a match's id: it has ended
        self._held = OpenMatches(self.context)
        self._lists = self._held.lists
        self.sweeper = Sweeper(self.context, self._held)
        self._branching = asyncio.Lock()  # one fold at a time: many at once would keep as many logs half done
        self.own_events = OwnEvents(self.context, self._held.open_if_readable)
        self.vacations = Vacations(self.context, self.running_ids, self.open)

    # Life

    async def start(self) -> None:
        """Find the outage since the server was last alive, and begin to look after what runs."""
        self.context.drain(await self.heartbeat.start())
        self.hints.listen(self._heard, self._held.__contains__)
        self.connections.moved.append(self._people_moved)
        timing, tasks = self.context.timing, self.context.tasks
        self._repeat(timing.heartbeat, self.heartbeat.beat_once, "heartbeat")
        self._repeat(SWEEP_S, self.sweeper.sweep, "sweep")
        self._repeat(timing.look_every, self.sweeper.poll, "look")
        tasks.spawn(attempt(self.sweeper.wake_guest_matches), "guests")
        self._repeat(KEEP_S, self.context.checkpoint_writer.keep, "keep")

    async def drain(self) -> None:
        """Begin nothing new from now on, and let no time run out: what runs is safe in the store.

        Its clocks are credited when the server opens again, by `undrain` or at the next start.
        """
        self.context.drain(True)

    async def undrain(self) -> None:
        """Open again, after crediting the time in which nobody could play."""
        await self.heartbeat.beat()
        self.context.drain(False)
        for match in self._held:
            match.attend()

    async def close(self) -> None:
        """Stop looking after matches, and store that this process has ended."""
        await self.drain()
        self.hints.close()
        await self._held.close()
        await self.context.tasks.close()
        await self.context.pool.close()
        await self.heartbeat.stop()

    def _repeat(self, every_s: float, work: Work, name: str) -> None:
        self.context.tasks.spawn(repeat(self.context.clock, every_s, work), name)

    # One match

    async def create(self, new: NewMatch) -> Match:
        """Begin a match. Raises Draining, NotSaved, and BadNotation for options or numbers that are not legal."""
        return await self._create(new, after=None)

    async def prepare(self, new: NewMatch) -> Prepared:
        """Make a match that is not stored yet: store it in a transaction of your own, then `adopt` it.

        Ask `check_beginning` before you store it. Raises as `create`.
        """
        self.check_beginning()
        terms = (await self._with_handles(terms_of(new, self.context.clock))).marked(self.context.machines)
        shared = self.connections.shared_sources(terms.players)
        if terms.agreement.rated and await self.context.ratings.begins_casual(terms.players, shared):
            terms = replace(terms, agreement=replace(terms.agreement, rated=False))
        near = self.connections.near(terms.players, new.near) if terms.agreement.rated else ()
        machine_seats = tuple(seat for seat in terms.people if terms.players[seat].is_machine)
        terms = replace(terms, near=near, machine_seats=machine_seats)
        ratings = await self.context.ratings.of_seats(terms.game, terms.players)
        match = Match(self.context, terms, ratings)
        return Prepared(match, to_store(terms, due_at(terms, match.live.log.head)), terms.arrangement, ratings)

    def check_beginning(self) -> None:
        """Let a match begin. Asked again before it is stored: preparing it takes a moment. Raises Draining."""
        if self.context.is_draining:
            raise Draining

    async def _with_handles(self, terms: Terms) -> Terms:
        """Return the terms with everybody's handle as it is now: a seek or room may hold the one before."""
        ids = [player.account_id for player in terms.players if player.account_id is not None]
        for account_id, handle in (await self.context.database.read(handles_of, ids)).items() if ids else ():
            terms = terms.renamed(account_id, handle)
        return terms

    def adopt(self, prepared: Prepared, after: str | None = None) -> Match:
        """Take a stored match into this process's care."""
        self._lists.remember(prepared.match.id, prepared.ratings)
        self._held.keep(prepared.match)
        terms = prepared.match.terms
        self.begun.count(terms.id, [terms.players[seat] for seat in terms.people])
        log.info(
            "match.begun",
            match=terms.id,
            game=terms.game,
            speed=terms.speed.name,
            rated=terms.agreement.rated,
            players=" ".join(player.name for player in terms.players),
        )
        prepared.match.autopilot.attend()
        self._end_offers(terms)
        for tell in self.on_begin:
            tell(prepared.match, after)
        return prepared.match

    def _end_offers(self, begun: Terms) -> None:
        """Read again what the people of a match that has begun had offered elsewhere: storing it has ended that."""
        for match in self._held:
            seats = (match.terms.seat_of(begun.players[seat]) for seat in begun.people)
            if match.id != begun.id and {by for by, _ in match.offers.open}.intersection(seats):
                self.context.tasks.spawn(attempt(match.offers.reload_and_tell), f"offers {match.id}")

    async def _create(self, new: NewMatch, after: str | None) -> Match:
        prepared = await self.prepare(new)
        self.check_beginning()
        await self.context.database.write(arrangements.create, prepared.stored, prepared.arrangement, after)
        return self.adopt(prepared, after)

    async def branch(self, source_id: str, player: Player, seq: int, seat: Seat, level: str = "normal") -> Match:
        """Begin a casual match against bots that goes on from entry `seq` of a finished one.

        Raises MatchRunning, MatchOver, NotOffered, NoSuchMatch, Draining, NotSaved.
        """
        source = await self.open(source_id)
        check_sight(source.facts, self.asker(player))
        prepared = await self.prepare(branch_of(source, player, seq, seat, level))
        match, rows = prepared.match, list[LogEntry]()
        async with self._branching:
            for entry in copied(source.live.log.entries, seq, match.terms.started_at):
                await self.context.give_way(entry.seq - 1)
                match.live.log.absorb(entry)
                rows.append(to_log(entry))
        begun = Append(match.id, tuple(rows), due_at(match.terms, match.live.log.head)) if rows else None
        self.check_beginning()
        await self.context.database.write(arrangements.create_with, prepared.stored, prepared.arrangement, begun)
        written = match.live.log
        self.context.checkpoint_writer.record(match.id, written.game, written.head)  # after a restart, no fold again
        return self.adopt(prepared)

    async def _begin_rematch(self, new: NewMatch, after: str) -> str:
        """Begin the match that follows `after`, unless somebody else has; return its id."""
        try:
            return (await self._create(new, after)).id
        except RematchTaken:
            found = await self.context.database.read(arrangements.rematch_of, after)
            if found is None:
                raise
            return found

    async def open(self, match_id: str, beginning: bool = True) -> Match:
        """Return a match, from its `beginning` or as it stands. Raises MatchRefused, StoreUnavailable."""
        return await self._held.open(match_id, beginning)

    async def find(self, match_id: str, who: Identity, case: str | None = None, beginning: bool = True) -> Match:
        """Return a match for somebody, as `open` does.

        Raises NoSuchMatch for one that they may know nothing of, as for one that is not there, and as late: until that
        is clear nothing of the match is read; and RateLimited for who has read too much. `case`: the match of the
        report that a moderator comes from.
        """
        asker = self.asker(who.player, case if who.may(MODERATOR) else None)
        known = self._held.get(match_id)
        if known is None or knowledge(known.facts, asker) is Knowledge.NOTHING:
            stored = (await self._lists.known((match_id,), asker)).get(match_id)
            if stored is None:
                raise NoSuchMatch(match_id)
            if known is not None:
                await known.offers.reload()  # another process has heard the last word that shares it
            elif stored.is_over:  # who plays gets in, whatever they have read
                self._charge_fold(who, stored.last_seq)
        if known is not None and known.is_over and beginning:
            self._charge_fold(who, known.live.log.begins_at)
        return await self.open(match_id, beginning)

    def _charge_fold(self, who: Identity, entries: int) -> None:
        """Charge somebody for a match that is folded for them. Raises RateLimited."""
        if entries:
            self.reading.begin(who.sources, entries * ENTRY_MS)

    def asker(self, player: Player, case: str | None = None) -> Asker:
        """Return who somebody is for the rule that says what they may know (`server/matches/visibility.py`)."""
        return Asker(player, self.presence.rooms_of(player), case)

    async def known_to_all(self, ids: Collection[str]) -> frozenset[str]:
        """Return which of these matches everybody may know of. Raises StoreUnavailable."""
        return frozenset(await self._lists.known(ids, EVERYBODY)) if ids else frozenset()

    def opened(self, match_id: str) -> Match | None:
        """Return a match if it is open in this process."""
        return self._held.get(match_id)

    @property
    def is_draining(self) -> bool:
        """Tell whether no match may begin here."""
        return self.context.is_draining

    @property
    def beginnings(self) -> Beginnings:
        """Return what counts the matches and rooms that people begin."""
        return self.context.beginnings

    @property
    def open_count(self) -> int:
        """Return how many matches this process holds in memory, finished ones that somebody looks at too."""
        return len(self._held)

    async def count_live(self) -> int:
        """Count the matches that are being played, by whatever process. Raises StoreUnavailable."""
        return await self.context.database.read(store.count_live)

    async def void(self, match_id: str, by: str, why: str) -> None:
        """End a match without a result, by an admin's word. Raises MatchOver, NoSuchMatch, NotSaved."""
        match = await self.open(match_id)

        def draft(checkpoint: Checkpoint) -> Any:
            if checkpoint.fold.is_over:
                raise MatchOver
            return match.live.draft_entry(checkpoint, "void", by=by, why=why)

        match.live.try_again()
        await match.live.submit(draft)

    def rename(self, account_id: int, name: str) -> None:
        """Rename a person in the matches that are open here."""
        for match in self._held:
            match.live.rename(account_id, name)

    def mark(self, account_id: int) -> None:
        """Show the mark of a machine, or no longer, in somebody's matches that are open here."""
        for match in self._held:
            if any(player.account_id == account_id for player in match.terms.players):
                match.live.mark()

    def set_invisible(self, account_id: int, is_invisible: bool) -> None:
        """Show a person's connections to this process to nobody, or to all again: in lists and in galleries."""
        self.connections.set_invisible(account_id, is_invisible)
        for match in self._held:
            match.live.attendance.update_person(account_id)

    # Lists

    async def list(self, query: MatchQuery) -> Summaries:
        """Return the matches that fit, newest first. Raises StoreUnavailable."""
        return await self._lists.list(query)

    async def last_end(self, account_id: int) -> datetime | None:
        """Return when the last one of an account's matches ended; None: none has. Raises StoreUnavailable."""
        return await self._lists.last_end(account_id)

    async def endings(self, ids: Sequence[str]) -> dict[str, str]:
        """Return how those of these matches ended of which not the rules but the server knows it, as `ending` does."""
        last = await self.context.database.read(store.last_entries, ids) if ids else {}
        told = {match_id: ending(from_log(entry)) for match_id, entry in last.items()}
        return {match_id: how for match_id, how in told.items() if how is not None}

    async def running_ids(self, player: Player) -> Ids:
        """Return the matches that a person plays now, newest first, without opening them."""
        return await self._lists.ids_of_person(player)

    async def running_of(self, player: Player) -> Summaries:
        """Return what a person plays now, with who owes a decision; newest first; unreadable ones too."""
        opened = [await self._held.open_if_readable(line.id) for line in await self._lists.of_person(player)]
        return await self._lists.of_person(player) if opened else []

    async def offers_to(self, player: Player) -> tuple[WaitingOffer, ...]:
        """Return what others offer somebody who has not answered, in whatever match. Raises StoreUnavailable."""
        ids = await self.context.database.read(arrangements.matches_with_offers, player.account_id, player.guest_id)
        opened = [await self._held.open_if_readable(match_id) for match_id in ids]
        return tuple(offer for match in opened if match is not None for offer in match.offers_to(player))

    async def resign_all(self, player: Player) -> None:
        """Resign every running match of a person, whose account goes. What is over by then, or unreadable, is left."""
        for summary in await self.running_of(player):
            for seat in summary.seats:
                if seat.player.is_same_person(player):
                    with suppress(GameError, MatchRefused):
                        await (await self.open(summary.id)).resign(seat.seat)

    async def record(self, match_id: str) -> Iterator[str]:
        """Return what writes a finished match's record, line by line. Raises MatchRunning, NoSuchMatch."""
        match = await self.open(match_id)
        return records.record(match.live, await self._lists.ratings_of(match.id, match.game, match.terms.players))

    # What is heard

    def _people_moved(self, persons: frozenset[str]) -> None:
        """Show in their matches that somebody connected, or is gone."""
        for match in self._held:
            for seat in match.terms.people:
                player = match.terms.players[seat]
                if player.person in persons:
                    match.live.attendance.update_seat(seat)
                    match.offers.see_gone((seat,))
                    match.origins.record_connected()

    async def _heard(self, hint: MatchHint) -> None:
        match = self._held.get(hint.match_id)
        if match is None:
            if hint.offers:  # somebody who is here may be asked for a rematch
                await self._held.open_if_readable(hint.match_id)
            return
        try:
            await match.live.hear(hint.seq, hint.entry)
            if hint.offers:
                await match.offers.reload()
                await match.conditional_moves.reload()
        except StoreUnavailable as error:
            log.warning("hint.unread", match=hint.match_id, why=error.why)

    def _hint(self, match_id: str, seq: int, offers: bool = False, entry: Entry | None = None) -> None:
        self.hints.publish(match_id, seq, offers, entry)

    async def _credit_outages(self) -> None:
        for match in self._held:
            await match.compensation.credit_outages()
